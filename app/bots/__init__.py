"""Players made of rules: they get a seat's view and its legal choices, and answer with one of them.

A bot gets exactly what a person in its seat gets (D11). This package must not import
``belote.state``, ``belote.engine`` or anything that does I/O; randomness is an argument.
"""

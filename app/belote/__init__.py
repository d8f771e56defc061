"""The referee: cards, rules and scoring of belote as pure functions over frozen data (D1).

Nothing here knows a clock, a socket, a database, JSON or a source of randomness; it imports
itself and the pure parts of the standard library alone, so that it could be published by itself.
"""

"""Where people find a table: the list of open tables and *Play now*.

It reads tables and takes seats through ``tables``; it never writes the log itself.
"""

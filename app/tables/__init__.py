"""Tables and their log: the only SQL on the log, group commit, seats, deadlines, service.

The database row is the lock (D2): caches and locks here are speed only. Nothing is acknowledged or
published before it is durable (D3). Calls upwards go through the Protocols in ``ports.py``.
"""

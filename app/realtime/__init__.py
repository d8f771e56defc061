"""The socket: the wire protocol, connections with bounded outboxes, the hub, the bus, presence.

A socket holds no database session and owns no table; it is reached before FastAPI (D14).
"""

"""Who plays: guests, accounts, sessions and profiles.

It knows nothing of tables or matches; those refer to players by id.
"""

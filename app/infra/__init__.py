"""The ground floor: settings, database, embedded Postgres, clock, randomness, ids, errors, tasks.

Everything here is about the machine and nothing about cards. It imports nothing else of ``app``,
so that every other package may lean on it.
"""

"""Rebelote: the place to play Belote online.

One server that referees tables of cards, one browser client, one log of events. The packages form
layers, from ``infra`` and ``belote`` at the bottom to ``realtime`` and ``main`` at the top, and
nobody imports upwards (``make lint`` checks it).
"""

__version__ = "0.1.0"

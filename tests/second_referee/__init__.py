"""A second referee: the rules page read again, from the page alone, into slow plain Python.

Nothing here knows the program that it is meant to check. Where the page leaves room, the reading
chosen is marked with a comment that begins "Doubt:".
"""

from .auction import auction_state, legal_calls
from .belote import belotes_of
from .cards import trick_winner
from .checks import check_match, check_record
from .declarations import found_declarations, run_of_eight_wins, side_points
from .legal import legal_cards, why_not
from .match_end import match_over, next_dealer
from .presets import PRESETS, rules_of
from .replay import preset_differences, rules_in, score_deal
from .scoring import score_points

__all__ = [
    "PRESETS",
    "auction_state",
    "belotes_of",
    "check_match",
    "check_record",
    "found_declarations",
    "legal_calls",
    "legal_cards",
    "match_over",
    "next_dealer",
    "preset_differences",
    "rules_in",
    "rules_of",
    "run_of_eight_wins",
    "score_deal",
    "score_points",
    "side_points",
    "trick_winner",
    "why_not",
]

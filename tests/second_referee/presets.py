"""The rule sets, written down from the tables of the rules page (sections 2, 3 and 4).

A second reading of the rules, made from the page alone. A rule set is a plain dict: one key
for each field of section 2, each value in the words of the tables, "–" as None.
"""

import re

SUITS = ["S", "H", "D", "C"]
# In the order of the contracts auction: clubs < diamonds < hearts < spades < NT < AT.
ALL_SIX = ["C", "D", "H", "S", "NT", "AT"]
LEVELS = [80, 90, 100, 110, 120, 130, 140, 150, 160, "capot"]

# Every field that is a choice among words (or numbers), with the choices of section 2.
CHOICES = {
    "players": [2, 3, 4],
    "pack": [24, 32],
    "layout": ["hand", "open"],
    "direction": ["clockwise", "counterclockwise"],
    "handling": ["shuffle", "cut"],
    "first_dealer": ["drawn", "winners"],
    "all_pass": ["same", "next", "previous", "dealer_must"],
    "dealer_cancel": ["no", "at_most_7", "any"],
    "auction": ["turn_up", "levels", "contracts", "call"],
    "declare": ["none", "automatic", "player"],
    "declare_at": ["first_card", "before_lead"],
    "declarations_shown": ["after_first_trick", "after_last_trick"],
    "declaration_tie": ["first", "trump_then_first", "void", None],
    "declaration_pools": ["one", "separate"],
    "run_of_eight": ["quinte", "quinte_and_tierce", "wins_match", None],
    "cards_shared": ["no", "yes"],
    "declarations_without_trick": ["kept", "lost", "to_others", None],
    "nt_declarations": ["none", "all"],
    "nt_four_aces": [0, 200],
    "belote": ["trump", "none"],
    "belote_said": ["automatic", "player"],
    "belote_when": ["any", "lead_ruff_or_partner"],
    "belote_on_failure": ["kept", "lost"],
    "belote_in_litige": ["hangs", "kept"],
    "lead": ["eldest", "dealer"],
    "trump_led": ["beat_always", "beat_unless_partner"],
    "plain_led": ["follow", "beat"],
    "partner_winning": ["free", "trump_any", "no_exemption", None],
    "undertrump": ["forced", "free"],
    "contract_counts": ["tricks", "belote", "all"],
    "made_if": ["at_least", "more", "bid", "bid_and_more"],
    "tie": ["failed", "litige", None],
    "failed": ["all_162", "bid_and_160", "everything"],
    "failed_trio": ["higher", "vanish", "both"],
    "declarations_on_failure": ["owner", "defence", None],
    "capot_bid": ["none", "contract_250", "flat_500"],
    "capot_to": ["either", "taker"],
    "capot_doubling": ["after", "before"],
    "doubled_capot": [160, 250],
    "card_points": ["natural", "scaled_162"],
    "nt_factor": [1, 2],
    "scoring": ["points", "points_and_bid", "match_points"],
    "rounding": ["none", "ten"],
    "doubled": ["base_and_bid", "winner_takes_all", None],
    # The page says "none" as well as "no".
    "third_double": ["no", "none", "match"],
    "failure_penalty": [0, 10],
    "finish_on_capot": ["yes", "no"],
}

# Fields whose values are written with a number in them.
PATTERNS = {
    "capot": r"(bonus|total|match) \d+",
    "solo_capot": r"none|(bonus|total) \d+",
    "double": r"none|(in_turn|any_time)\b.*",
    "redouble": r"none|(in_turn|any_time)\b.*",
}

# Doubt: the page gives `packets`, `bids`, `trumps` and `targets` no closed list of values.
FREE = ["packets", "bids", "trumps", "target", "targets"]

# "Unless a table says otherwise", section 2.
DEFAULTS = {
    "players": 4,
    "pack": 32,
    "layout": "hand",
    "direction": "counterclockwise",
    "handling": "shuffle",
    "first_dealer": "drawn",
    "all_pass": "next",
    "lead": "eldest",
    "plain_led": "follow",
    "declaration_pools": "one",
    "run_of_eight": "quinte",
    "declare_at": "first_card",
    "declarations_shown": "after_first_trick",
    "belote_said": "automatic",
    "belote_when": "any",
    "belote_in_litige": "hangs",
    "declarations_on_failure": "defence",
    "solo_capot": "none",
    "rounding": "none",
    "double": "none",
    "redouble": "none",
    "third_double": "no",
    "finish_on_capot": "yes",
    "dealer_cancel": "no",
    "cards_shared": "no",
    "nt_declarations": "none",
    "nt_four_aces": 0,
    "belote": "trump",
    "card_points": "natural",
    "nt_factor": 1,
    "capot_bid": "none",
    "capot_to": "either",
    "capot_doubling": "after",
    "doubled_capot": 160,
    "failed_trio": "higher",
    "failure_penalty": 0,
    # Fields that the page gives no default and that some games have no use for.
    "bids": None,
    "doubled": None,
}

TURN_UP = DEFAULTS | {
    "auction": "turn_up",
    "trumps": SUITS,
    "packets": "3+2 then 3",
    "scoring": "points",
    "failed": "all_162",
}

CLASSIC = TURN_UP | {
    "declare": "automatic",
    "declaration_tie": "trump_then_first",
    "declarations_without_trick": "to_others",
    "trump_led": "beat_unless_partner",
    "partner_winning": "free",
    "undertrump": "free",
    "contract_counts": "all",
    "made_if": "more",
    "tie": "litige",
    "declarations_on_failure": "defence",
    "belote_on_failure": "kept",
    "capot": "bonus 90",
    "target": 501,
    "targets": [501, 701, 1001],
}

CLASSIC_CLOCKWISE = CLASSIC | {
    "direction": "clockwise",
    "all_pass": "same",
    "declare": "player",
    "declarations_without_trick": "kept",
    "partner_winning": "trump_any",
    "undertrump": "forced",
    "contract_counts": "tricks",
    "made_if": "at_least",
    # Doubt: the cell reads "at_least" alone; no tie can happen, so the field is null here.
    "tie": None,
    "declarations_on_failure": "owner",
}

CLASSIC_DEALER_LEADS = CLASSIC_CLOCKWISE | {
    "direction": "counterclockwise",
    "all_pass": "previous",
    "lead": "dealer",
    "declare": "none",
    "declaration_tie": None,
    "declarations_without_trick": None,
    "partner_winning": "free",
    "contract_counts": "tricks",
    "made_if": "more",
    "tie": "failed",
    "declarations_on_failure": None,
    "capot": "total 252",
    "solo_capot": "total 350",
    "target": 501,
    "targets": [501],
}

SANS_ANNONCES = CLASSIC_DEALER_LEADS | {
    "all_pass": "next",
    "lead": "eldest",
    "trump_led": "beat_always",
    "contract_counts": "belote",
    "made_if": "more",
    "tie": "litige",
    "belote_on_failure": "lost",
    "solo_capot": "none",
    "target": 500,
    "targets": [500, 1000],
}

FRENCH = SANS_ANNONCES | {
    "handling": "cut",
    "declare": "automatic",
    "declaration_tie": "trump_then_first",
    "declarations_without_trick": "kept",
    "contract_counts": "all",
    "made_if": "more",
    "tie": "failed",
    "declarations_on_failure": "defence",
    "belote_on_failure": "kept",
    "capot": "bonus 90",
    "target": 1000,
    "targets": [501, 701, 1000, 1001],
}

COINCHE = DEFAULTS | {
    "auction": "levels",
    "packets": "3+2+3",
    "trumps": ["S", "H", "D", "C", "NT", "AT"],
    "bids": LEVELS,
    "double": "any_time ×2",
    "redouble": "any_time ×4",
    "declare": "automatic",
    "declaration_tie": "void",
    "declarations_without_trick": "to_others",
    "belote_on_failure": "kept",
    "trump_led": "beat_unless_partner",
    "partner_winning": "free",
    "undertrump": "free",
    "contract_counts": "all",
    "made_if": "bid_and_more",
    "tie": "litige",
    "card_points": "scaled_162",
    "scoring": "points_and_bid",
    "failed": "bid_and_160",
    "doubled": "base_and_bid",
    "capot": "total 250",
    "capot_to": "taker",
    "doubled_capot": 250,
    "capot_bid": "contract_250",
    "rounding": "ten",
    "target": 1001,
    "targets": [1001, 2000],
}

CONTREE = COINCHE | {
    "trumps": SUITS,
    "double": "in_turn ×2",
    "redouble": "in_turn ×4",
    "declare": "none",
    "declaration_tie": None,
    "declarations_without_trick": None,
    "belote_on_failure": "lost",
    "trump_led": "beat_always",
    "contract_counts": "belote",
    "made_if": "bid",
    "tie": None,
    "card_points": "natural",
    # The row says "winner: … any belote; loser 0": the other of the two values of `doubled`.
    "doubled": "winner_takes_all",
    "doubled_capot": 160,
    "capot_bid": "flat_500",
    "target": 2000,
    "targets": [1000, 1500, 2000],
}

BELOT = DEFAULTS | {
    "auction": "contracts",
    "packets": "3+2 then 3",
    "trumps": ALL_SIX,
    "declare": "player",
    "belote_said": "player",
    "declarations_shown": "after_last_trick",
    "declaration_tie": "void",
    "declaration_pools": "separate",
    "run_of_eight": "quinte_and_tierce",
    "declarations_without_trick": "lost",
    "trump_led": "beat_always",
    "partner_winning": "free",
    "undertrump": "free",
    "belote_when": "lead_ruff_or_partner",
    "belote_on_failure": "lost",
    "contract_counts": "all",
    "made_if": "more",
    "tie": "litige",
    "failed": "everything",
    "double": "in_turn ×2",
    "redouble": "in_turn ×4",
    "doubled": "winner_takes_all",
    "capot": "match 9",
    "nt_factor": 2,
    "scoring": "match_points",
    "target": 151,
    "targets": [151],
    "finish_on_capot": "no",
}

BELOTE_INTERNATIONAL = BELOT | {
    "handling": "cut",
    "first_dealer": "winners",
    "declare": "automatic",
    "belote_said": "automatic",
    "declaration_pools": "one",
    "run_of_eight": "quinte",
    "declarations_without_trick": "kept",
    "belote_when": "any",
    "capot_doubling": "before",
}

BELOT_DUEL = BELOT | {
    "players": 2,
    "pack": 24,
    "packets": "3+3 then 3",
    "run_of_eight": None,
    "partner_winning": None,
}

BELOT_TRIO = BELOT_DUEL | {"players": 3, "packets": "3+2 then 3"}

BELOT_OPEN = BELOT | {
    "players": 2,
    "layout": "open",
    "packets": "3+2, four rounds of one card down, four rounds of one card up, auction, 3",
    "partner_winning": None,
}

BELA = DEFAULTS | {
    "packets": "3+3, then 2 face down",
    "auction": "call",
    "trumps": SUITS,
    "all_pass": "dealer_must",
    "dealer_cancel": "no",
    "declare": "player",
    "declare_at": "before_lead",
    "declarations_shown": "after_first_trick",
    "declaration_tie": "trump_then_first",
    "run_of_eight": "wins_match",
    "declarations_without_trick": "lost",
    "trump_led": "beat_always",
    "plain_led": "beat",
    "partner_winning": "no_exemption",
    "undertrump": "forced",
    "belote_said": "player",
    "belote_on_failure": "lost",
    "contract_counts": "all",
    "made_if": "more",
    "tie": "litige",
    "failed": "everything",
    "capot": "bonus 90",
    "scoring": "points",
    "target": 1001,
    "targets": [501, 701, 1001],
}

PRESETS = {
    "classic": CLASSIC,
    "classic-clockwise": CLASSIC_CLOCKWISE,
    "classic-dealer-leads": CLASSIC_DEALER_LEADS,
    "sans-annonces": SANS_ANNONCES,
    "french": FRENCH,
    "coinche": COINCHE,
    "contree": CONTREE,
    "belot": BELOT,
    "belote-international": BELOTE_INTERNATIONAL,
    "belot-duel": BELOT_DUEL,
    "belot-trio": BELOT_TRIO,
    "belot-open": BELOT_OPEN,
    "bela": BELA,
}


def is_in_the_words(field, value):
    """Whether a value of a field is written in the words of the tables."""
    if field in CHOICES:
        return value in CHOICES[field]
    if field in PATTERNS:
        return isinstance(value, str) and re.fullmatch(PATTERNS[field], value) is not None
    return field in FREE


def rules_of(preset, overrides=None):
    """A preset with some fields replaced ("house rules")."""
    return PRESETS[preset] | (overrides or {})

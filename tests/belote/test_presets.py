"""The presets say, field by field, what the rules' page says: its tables, copied by hand."""

from dataclasses import fields
from typing import Any

import pytest

from app.belote.notation import rules_record
from app.belote.presets import BOOK
from app.belote.rules import CHECKS, RuleSet

SUITS = ["S", "H", "D", "C"]
EVERY_TRUMP = ["S", "H", "D", "C", "NT", "AT"]
RANKED = ["C", "D", "H", "S", "NT", "AT"]

# "Unless a table says otherwise", and the rules that only some games have.
USUAL: dict[str, Any] = {
    "version": 1,
    "players": 4,
    "pack": 32,
    "layout": "hand",
    "direction": "counterclockwise",
    "handling": "shuffle",
    "first_dealer": "drawn",
    "packets": "3+2 then 3",
    "all_pass": "next",
    "dealer_cancel": "no",
    "auction": "turn_up",
    "trumps": SUITS,
    "bids": [],
    "lead": "eldest",
    "plain_led": "follow",
    "declare_at": "first_card",
    "declarations_shown": "after_first_trick",
    "declaration_pools": "one",
    "run_of_eight": "quinte",
    "cards_shared": "no",
    "nt_declarations": "none",
    "nt_four_aces": 0,
    "belote": "trump",
    "belote_said": "automatic",
    "belote_when": "any",
    "belote_in_litige": "hangs",
    "declarations_on_failure": "defence",
    "failed_trio": "higher",
    "capot_bid": "none",
    "solo_capot": "none",
    "capot_to": "either",
    "capot_doubling": "after",
    "doubled_capot": 160,
    "card_points": "natural",
    "nt_factor": 1,
    "scoring": "points",
    "rounding": "none",
    "double": "none",
    "redouble": "none",
    "third_double": "none",
    "doubled": "base_and_bid",
    "failure_penalty": 0,
    "finish_on_capot": "yes",
}

# One column a game of its table; the last value of a row goes on to the right, as on the page.
TURN_UP = ("classic", "classic-clockwise", "classic-dealer-leads", "sans-annonces", "french")
TURN_UP_ROWS: dict[str, list[Any]] = {
    "direction": ["counterclockwise", "clockwise", "counterclockwise"],
    "handling": ["shuffle", "shuffle", "shuffle", "shuffle", "cut"],
    "all_pass": ["next", "same", "previous", "next"],
    "lead": ["eldest", "eldest", "dealer", "eldest"],
    "declare": ["automatic", "player", "none", "none", "automatic"],
    "declaration_tie": ["trump_then_first", "trump_then_first", None, None, "trump_then_first"],
    "declarations_without_trick": ["to_others", "kept", None, None, "kept"],
    "trump_led": ["beat_unless_partner"] * 3 + ["beat_always"],
    "partner_winning": ["free", "trump_any", "free"],
    "undertrump": ["free", "forced"],
    "contract_counts": ["all", "tricks", "tricks", "belote", "all"],
    "made_if": ["more", "at_least", "more"],
    "tie": ["litige", None, "failed", "litige", "failed"],
    "failed": ["all_162"],
    "declarations_on_failure": ["defence", "owner", None, None, "defence"],
    "belote_on_failure": ["kept", "kept", "kept", "lost", "kept"],
    "capot": ["bonus 90", "bonus 90", "total 252", "total 252", "bonus 90"],
    "solo_capot": ["none", "none", "total 350", "none"],
    "target": [501, 501, 501, 500, 1000],
    "targets": [[501, 701, 1001], [501, 701, 1001], [501], [500, 1000], [501, 701, 1000, 1001]],
}
LEVELS = ("coinche", "contree")
LEVELS_ROWS: dict[str, list[Any]] = {
    "auction": ["levels"],
    "packets": ["3+2+3"],
    "bids": [[80, 90, 100, 110, 120, 130, 140, 150, 160]],
    "scoring": ["points_and_bid"],
    "trumps": [EVERY_TRUMP, SUITS],
    "double": ["any_time ×2", "in_turn ×2"],
    "redouble": ["any_time ×4", "in_turn ×4"],
    "declare": ["automatic", "none"],
    "declaration_tie": ["void", None],
    "declarations_without_trick": ["to_others", None],
    "belote_on_failure": ["kept", "lost"],
    "trump_led": ["beat_unless_partner", "beat_always"],
    "partner_winning": ["free"],
    "undertrump": ["free"],
    "contract_counts": ["all", "belote"],
    "made_if": ["bid_and_more", "bid"],
    "tie": ["litige", None],
    "card_points": ["scaled_162", "natural"],
    "failed": ["bid_and_160"],
    "capot": ["total 250"],
    "capot_to": ["taker"],
    "doubled": ["base_and_bid", "winner_takes_all"],
    "doubled_capot": [250, 160],
    "capot_bid": ["contract_250", "flat_500"],
    "rounding": ["ten"],
    "target": [1001, 2000],
    "targets": [[1001, 2000], [1000, 1500, 2000]],
}
CONTRACTS = ("belot", "belote-international", "belot-duel", "belot-trio", "belot-open")
OPEN_PACKETS = "3+2+1+1+1+1+1+1+1+1 then 3"
CONTRACTS_ROWS: dict[str, list[Any]] = {
    "auction": ["contracts"],
    "players": [4, 4, 2, 3, 2],
    "pack": [32, 32, 24, 24, 32],
    "packets": ["3+2 then 3", "3+2 then 3", "3+3 then 3", "3+2 then 3", OPEN_PACKETS],
    "layout": ["hand", "hand", "hand", "hand", "open"],
    "handling": ["shuffle", "cut", "shuffle"],
    "first_dealer": ["drawn", "winners", "drawn"],
    "trumps": [RANKED],
    "declare": ["player", "automatic", "player"],
    "belote_said": ["player", "automatic", "player"],
    "nt_declarations": ["none"],
    "declarations_shown": ["after_last_trick"],
    "declaration_tie": ["void"],
    "declaration_pools": ["separate", "one", "separate"],
    "run_of_eight": ["quinte_and_tierce", "quinte", None, None, "quinte_and_tierce"],
    "declarations_without_trick": ["lost", "kept", "lost"],
    "trump_led": ["beat_always"],
    "partner_winning": ["free", "free", None],
    "undertrump": ["free"],
    "belote_when": ["lead_ruff_or_partner", "any", "lead_ruff_or_partner"],
    "belote_on_failure": ["lost"],
    "contract_counts": ["all"],
    "made_if": ["more"],
    "tie": ["litige"],
    "failed": ["everything"],
    "failed_trio": ["higher"],
    "double": ["in_turn ×2"],
    "redouble": ["in_turn ×4"],
    "doubled": ["winner_takes_all"],
    "capot": ["match 9"],
    "capot_doubling": ["after", "before", "after"],
    "nt_factor": [2],
    "nt_four_aces": [0],
    "failure_penalty": [0],
    "third_double": ["none"],
    "scoring": ["match_points"],
    "target": [151],
    "targets": [[151]],
    "finish_on_capot": ["no"],
}
CALL_ROWS: dict[str, list[Any]] = {
    "packets": ["3+3 then 2"],
    "auction": ["call"],
    "all_pass": ["dealer_must"],
    "declare": ["player"],
    "declare_at": ["before_lead"],
    "declarations_shown": ["after_first_trick"],
    "declaration_tie": ["trump_then_first"],
    "run_of_eight": ["wins_match"],
    "declarations_without_trick": ["lost"],
    "trump_led": ["beat_always"],
    "plain_led": ["beat"],
    "partner_winning": ["no_exemption"],
    "undertrump": ["forced"],
    "belote_said": ["player"],
    "belote_on_failure": ["lost"],
    "contract_counts": ["all"],
    "made_if": ["more"],
    "tie": ["litige"],
    "failed": ["everything"],
    "capot": ["bonus 90"],
    "target": [1001],
    "targets": [[501, 701, 1001]],
}
TABLES = ((TURN_UP, TURN_UP_ROWS), (LEVELS, LEVELS_ROWS), (CONTRACTS, CONTRACTS_ROWS),
          (("bela",), CALL_ROWS))  # fmt: skip


def on_the_page(preset: str) -> dict[str, Any]:
    """Every field of a preset, from the tables above."""
    games, rows = next(table for table in TABLES if preset in table[0])
    column = games.index(preset)
    told = {field: values[min(column, len(values) - 1)] for field, values in rows.items()}
    return {"preset": preset, **USUAL, **told}


@pytest.mark.parametrize("preset", BOOK)
def test_a_preset_says_what_the_page_says(preset: str) -> None:
    assert rules_record(BOOK[preset]) == on_the_page(preset)


def test_the_page_has_thirteen_games_and_no_field_is_left_out() -> None:
    assert [name for games, _ in TABLES for name in games] == list(BOOK)
    assert len(BOOK) == 13
    assert set(on_the_page("classic")) == {field.name for field in fields(RuleSet)}


@pytest.mark.parametrize("preset", BOOK)
def test_a_preset_contradicts_itself_nowhere(preset: str) -> None:
    assert not [name for check in CHECKS for name, wrong in check(BOOK[preset]).items() if wrong]

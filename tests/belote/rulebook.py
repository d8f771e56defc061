"""The tables of docs/rules.md, made from the presets' fields."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_type_hints

from app.belote.notation import rules_record
from app.belote.presets import BOOK
from app.belote.rules import FIELDS, Capot, Doubling, Packets, RuleSet

USUAL = {**rules_record(RuleSet(preset="", target=1, targets=())), "target": None}
"""What a field has where nobody says otherwise."""
GROUPS: Mapping[str, Sequence[str]] = {
    auction: [name for name, rules in BOOK.items() if rules.auction == auction]
    for auction in ("turn_up", "levels", "contracts", "call")
}
_NOT_IN_TABLES = frozenset(("preset", "version"))

# What a field means; a field without words here says enough by its name and values.
MEANINGS: Mapping[str, str] = {
    "layout": "open: §4, open belot",
    "direction": "where the next seat sits on the screen",
    "handling": "cut: one pack for the table's life, shuffled once. The two sides' tricks are "
    "gathered in piles, one pile is laid on the other, and the seat before the dealer cuts (in a "
    "match's first deal the dealer's partner) at least three cards from either end (§8)",
    "first_dealer": "winners: of the last match at this table, the winning seat nearest after the "
    "last dealer",
    "packets": "cards a seat gets before and after the auction; with a turn-up the taker gets it, "
    "then one card less; in a calling game the last ones lie face down during the auction",
    "all_pass": "who deals again when nobody takes: same dealer, next seat, seat before (and on "
    "from there), or the dealer must name a trump. A passed-out deal is not counted",
    "dealer_cancel": "under dealer_must: the dealer may annul the deal (with at most 7 points, at "
    "plain-suit values of the cards dealt so far, or always); the next seat deals; not counted",
    "auction": "§3",
    "trumps": "what may be named",
    "bids": "under levels; capot is above them all",
    "declare": "player: any subset of what automatic would declare, chosen with the first card; "
    "what is withheld neither scores nor beats",
    "declare_at": "before_lead: all in turn from eldest; every seat is asked and answers, also one "
    "that has nothing; a withheld declaration and none give the others the same event",
    "declarations_shown": "when they are settled, and those that count are shown",
    "declaration_tie": "first in order of play from the leader; a trump sequence before that; or "
    "void: one pool, nothing counts for either side; separate pools, that pool",
    "declaration_pools": "separate: carrés and sequences are settled apart",
    "run_of_eight": "one quinte; quinte 10 to A and tierce 7 to 9; or the match is won as soon as "
    "it is declared",
    "cards_shared": "a card may serve in two declarations",
    "declarations_without_trick": "what becomes of the declarations of a side without a trick; "
    "what they have beaten stays beaten",
    "nt_declarations": "whether there are declarations at no trumps",
    "nt_four_aces": "what four aces are worth at no trumps",
    "belote": "trump: each suit at all trumps, never at no trumps",
    "belote_said": "player: may stay silent",
    "belote_when": "lead_ruff_or_partner: the first of the two cards is led, ruffs another suit, "
    "or follows the suit that the partner led (at all trumps a discard is no ruff); missed is lost",
    "belote_on_failure": "lost: to the others",
    "lead": "who leads the first trick",
    "trump_led": "whether trumps led must be beaten when the partner is winning",
    "plain_led": "beat: if it can, unless the trick is trumped",
    "partner_winning": "any card; any trump, if it has one; or as if an opponent were winning",
    "undertrump": "a lower trump must be played, or any card",
    "contract_counts": "what is compared: trick points with the last ten; with belote; with belote "
    "and declarations",
    "made_if": "as many as the other side; more; the bid; the bid and more than the other side. "
    "Several opponents are taken together",
    "tie": "equal sides under more, and under bid_and_more if the bid is met",
    "failed": "what the others score when the taker fails; the taker scores nothing but a kept "
    "belote and, where declarations_on_failure is owner, its declarations. In point games "
    "belote_on_failure and declarations_on_failure govern everything; in match points they, and "
    "belote_in_litige, have no effect",
    "failed_trio": "where a lone taker's points go: to the opponent with more (equal: the nearer "
    "after the taker), nowhere, to both",
    "declarations_on_failure": "who scores a failed taker's declarations",
    "capot": "bonus: added; total: in place of the trick points, declarations and belote on top; "
    "match: match points",
    "capot_bid": "what a bid of capot pays (§4)",
    "solo_capot": "one seat alone takes every trick; a bonus is added to the trick points in place "
    "of the capot's figure",
    "capot_to": "who is paid for one",
    "capot_doubling": "whether a capot in match points is added after or before the factor",
    "doubled_capot": "what stands for the points of a doubled deal with every trick",
    "card_points": "§1",
    "nt_factor": "raw points at no trumps count so many times, in match points",
    "rounding": "ten: each side's trick points to the nearest ten, 5 up; sums of 160 or 170 are "
    "right; success is tested before",
    "double": "when it may be said, and the factor",
    "redouble": "the same",
    "doubled": "what a double multiplies",
    "third_double": "match: after a redouble, for the match",
    "failure_penalty": "kirtik, match points: each side pays it at most once a deal: the failed "
    "taker, the losers of a doubled deal, sides without a trick. A doubled deal that hangs has no "
    "loser; totals may go below 0",
    "target": "where a match ends",
    "targets": "what a host is offered",
    "finish_on_capot": "no: a match never ends in a capot deal, but with the next one that is "
    "neither passed out nor a capot, if a side is at or past the target then",
}

_SHAPES: Mapping[object, str] = {
    Packets: "3+2 then 3, …",
    Capot: "bonus 90, total 252, match 9, …",
    Doubling: "in_turn ×2, any_time ×2, …",
    bool: "no, yes",
}


def tables() -> Mapping[str, str]:
    """Every generated table of the page by its name."""
    presets = {name: _presets(columns) for name, columns in GROUPS.items()}
    return {"fields": _fields(), **presets}


def written(text: str) -> str:
    """The page with its tables made again."""
    for name, table in tables().items():
        before, _, rest = text.partition(f"<!-- table: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"no place for the table {name}")
        text = f"{before}<!-- table: {name} -->\n{table}{end}{after}"
    return text


def _fields() -> str:
    rows = [
        (f"`{name}`", _values(name), MEANINGS.get(name, ""), _cell(USUAL[name]))
        for name in FIELDS
        if name not in _NOT_IN_TABLES
    ]
    return _table(("field", "values", "meaning", "usually"), rows)


def _presets(columns: Sequence[str]) -> str:
    records = [rules_record(BOOK[name]) for name in columns]
    rows = [
        (f"`{field}`", *(_cell(record[field]) for record in records))
        for field in FIELDS
        if field not in _NOT_IN_TABLES and any(r[field] != USUAL[field] for r in records)
    ]
    return _table(("field", *(f"`{name}`" for name in columns)), rows)


def _values(name: str) -> str:
    """The values that a field may have, as the tables write them."""
    hint = get_type_hints(RuleSet)[name]
    parts = get_args(hint) if type(None) in get_args(hint) else (hint,)
    words = ["none"] if USUAL[name] == "none" and type(None) in parts else []
    for part in parts:
        if part in _SHAPES:
            words.append(_SHAPES[part])
        elif getattr(part, "__origin__", None) is Literal:
            words += map(str, get_args(part))
    return ", ".join(words)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    first, *rest = (f"| {' | '.join(cells)} |\n" for cells in (head, *rows))
    return "".join([first, "|---" * len(head) + "|\n", *rest])

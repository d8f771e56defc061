"""A match as text that a person can read and keep: one block a deal, made from its records."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.belote.notation import Record
from app.history.repository import PastMatch, PastPlayer

TRUMPS = {
    "S": "♠",
    "H": "♥",
    "D": "♦",
    "C": "♣",
    "NT": "no trumps",
    "AT": "all trumps",
}


def match_text(match: PastMatch, records: Iterable[Record]) -> str:
    """The whole match. Seats are numbers from 0 in order of play; partners differ by two."""
    lines = [
        f"Rebelote match {match.id}",
        f"{match.preset} to {match.target}, {match.started_at:%Y-%m-%d %H:%M} UTC",
        *(f"Seat {player.seat}: {_who(player)}" for player in match.players),
    ]
    for record in records:
        lines += ["", *deal_lines(record)]
    lines += ["", _result(match)]
    return "\n".join(lines) + "\n"


def _who(player: PastPlayer) -> str:
    kind = "" if player.bot is None else f" (bot, {player.bot})"
    left = " (left)" if player.outcome == "quit" else ""
    return f"{player.name}{kind}{left}"


def _result(match: PastMatch) -> str:
    totals = " : ".join(map(str, match.totals or ()))
    if match.winner is None:
        return f"Abandoned at {totals}"
    return f"Won by seats {match.winner} and {match.winner + 2}, {totals} ({match.reason})"


def deal_lines(record: Record) -> Iterator[str]:
    """One deal."""
    turned = f", {record['turned']} turned up" if record["turned"] else ""
    yield f"Deal {record['deal']}: seat {record['dealer']} deals{turned}"
    for seat, hand in enumerate(record["hands"]):
        yield f"  {seat}: {' '.join(hand)}"
    yield "  Auction: " + ", ".join(_call(call) for call in record["auction"])
    if record["contract"] is None:
        yield "  Nobody took."
        return
    contract = record["contract"]
    yield f"  Contract: seat {contract['taker']}, {TRUMPS[contract['trump']]}"
    for told in record["declarations"]:
        cards = " ".join(told["cards"])
        yield f"  Declared: seat {told['seat']} {told['kind']} {cards} ({told['outcome']})"
    for said in record["belote"]:
        yield f"  Belote: seat {said['seat']} {TRUMPS[said['suit']]}"
    for number, trick in enumerate(record["tricks"], 1):
        won = "" if trick["winner"] is None else f" → {trick['winner']}"
        yield f"  {number}. {trick['leader']}: {' '.join(trick['cards'])}{won}"
    if record["score"] is not None:
        yield from _score(record["score"])


def _call(call: dict[str, Any]) -> str:
    named = f" {TRUMPS[call['trump']]}" if "trump" in call else ""
    value = f" {call['value']}" if "value" in call else ""
    return f"{call['seat']} {call['call']}{value}{named}"


def _score(score: dict[str, Any]) -> Iterator[str]:
    def pair(name: str) -> str:
        return " : ".join(map(str, score[name]))

    yield f"  Cards {pair('cards')}, last ten to side {score['last_ten']}, tricks {pair('tricks')}"
    if any(score["declarations"]) or any(score["belote"]):
        yield f"  Declarations {pair('declarations')}, belote {pair('belote')}"
    hung = f", {score['hung']} hang" if score["hung"] else ""
    yield f"  {score['outcome'].capitalize()}: {pair('awarded')}{hung}; total {pair('totals')}"

"""States of the thirteen games that a match seldom reaches, each as a scene of the gallery."""

from collections.abc import Callable, Mapping
from typing import Final

from app.belote.cards import Seat
from app.belote.engine import State
from app.tables import events as ev
from tests.browser.gallery import Scene

THREE_RUNS: Final = "9S TS JS 9H TH JH 9D TD JD"
RICH: Final = "JH 9H KH QH AS KS QS JS"
"""Trumps of hearts with belote, and four spades in a row."""


def _trick(cards: int) -> Callable[[State], bool]:
    """My turn with so many cards before mine."""
    return lambda game: (
        game.phase == "play"
        and game.turn == 0
        and game.trick is not None
        and len(game.trick.cards) == cards
        and len(game.played) > 8
    )


def _end(game: State) -> bool:
    return game.phase == "scored"


def _last_cards(game: State) -> bool:
    return game.phase == "play" and game.turn == 0 and game.hands[0].bit_count() == 2


def _ready() -> Scene:
    scene = Scene("belot")
    return scene.write([ev.ReadyAsked(Seat(1)), ev.ReadyAnswered(Seat(2), yes=True)])


def _sitting_in() -> Scene:
    scene = Scene("coinche").start(5).call("90H pass pass pass").until(_trick(2))
    return scene.write([ev.SeatToBot(Seat(0), "deadline", "novice")], "system")


SCENES: Final[Mapping[str, Callable[[], Scene]]] = {
    # turn-up
    "classic-round-1": lambda: Scene("classic").start(3),
    "classic-round-2": lambda: Scene("classic", dealer=1).start(3).call("pass " * 6),
    "classic-round-2-eldest": lambda: Scene("classic").start(3).call("pass pass pass pass"),
    "classic-play": lambda: Scene("classic").start(3).call("take").until(_trick(3)),
    "french-sheet": lambda: Scene("french").start(4).until(_end),
    # levels
    "coinche-first": lambda: Scene("coinche").start(1),
    "coinche-stands": lambda: Scene("coinche", dealer=1).start(1).call("90H 100S"),
    "coinche-out-of-turn": lambda: Scene("coinche", dealer=1).start(1).call("pass 90H pass 100S"),
    "coinche-doubled": lambda: Scene("coinche").start(1).call("120AT double"),
    "coinche-redouble": lambda: Scene("coinche", dealer=1).start(1).call("100H double"),
    "coinche-play": lambda: (
        Scene("coinche").start(5).call("90H pass pass double redouble").until(_trick(3))
    ),
    "coinche-capot": lambda: Scene("coinche").start(2).call("pass capotH"),
    "contree-double": lambda: Scene("contree", dealer=2).start(1).call("110C"),
    "contree-sheet": lambda: Scene("contree").start(8).until(_end),
    # contracts
    "belot-first": lambda: Scene("belot").start(1),
    "belot-contra": lambda: Scene("belot", dealer=2).start(1).call("NT"),
    "belot-recontra": lambda: Scene("belot").start(1).call("AT pass pass double"),
    "belot-third": lambda: (
        Scene("belot", dealer=2, third_double="match").start(1).call("AT double redouble pass pass")
    ),
    "belot-announce": lambda: Scene("belot").start(1, [RICH, "", "", ""]).call("H pass pass pass"),
    "belot-announce-last": lambda: (
        Scene("belot", dealer=0)
        .start(1, [RICH, "", "", ""])
        .call("H pass pass pass")
        .until(lambda g: g.turn == 0)
    ),
    "belot-play": lambda: (
        Scene("belot").start(6).call("AT double redouble pass pass pass").until(_trick(3))
    ),
    "international-sheet": lambda: Scene("belote-international").start(6).until(_end),
    # call
    "bela-call": lambda: Scene("bela", dealer=2).start(1).call("pass"),
    "bela-must": lambda: Scene("bela", dealer=0).start(1).call("pass pass pass"),
    "bela-annul": lambda: (
        Scene("bela", dealer=0, dealer_cancel="any").start(1).call("pass pass pass")
    ),
    "bela-declare": lambda: Scene("bela").start(1, [RICH, "", "", ""]).call("H"),
    "bela-others-declare": lambda: Scene("bela", dealer=1).start(1, [RICH, "", "", ""]).call("H"),
    "bela-play": lambda: Scene("bela").start(1, [RICH, "", "", ""]).call("H").until(_trick(3)),
    "bela-sheet": lambda: Scene("bela").start(4).until(_end),
    # two and three
    "duel-first": lambda: Scene("belot-duel", dealer=1).start(1),
    "duel-announce": lambda: (
        Scene("belot-duel", dealer=1).start(1, [THREE_RUNS, ""]).call("H pass")
    ),
    "duel-play": lambda: (
        Scene("belot-duel", dealer=1).start(3).call("AT double pass").until(_trick(1))
    ),
    "duel-sheet": lambda: Scene("belot-duel", dealer=1).start(4).until(_end),
    "trio-first": lambda: Scene("belot-trio", dealer=2).start(1),
    "trio-recontra": lambda: Scene("belot-trio", dealer=2).start(1).call("NT double pass"),
    "trio-play": lambda: (
        Scene("belot-trio", dealer=2).start(3).call("AT pass pass").until(_trick(2))
    ),
    "trio-sheet": lambda: Scene("belot-trio", dealer=2).start(4).until(_end),
    "open-first": lambda: Scene("belot-open", dealer=1).start(1),
    "open-answer": lambda: Scene("belot-open", dealer=0).start(1).call("AT"),
    "open-announce": lambda: Scene("belot-open", dealer=1).start(13).call("AT pass"),
    "open-play": lambda: Scene("belot-open", dealer=1).start(5).call("H pass").until(_trick(1)),
    "open-late": lambda: Scene("belot-open", dealer=1).start(5).call("H pass").until(_last_cards),
    # beside the game
    "ready": _ready,
    "sitting-in": _sitting_in,
    "open-sheet": lambda: Scene("belot-open", dealer=1).start(4).until(_end),
}

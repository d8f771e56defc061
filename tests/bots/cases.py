"""Case files: situations that somebody complained about, as text, with what the bot must do.

A file holds cases; each begins with ``= its sentence``, then ``key: value`` lines::

    = the partner's ace gets the ten
    me: 2            seat of the bot
    dealer: 3        seat that dealt; the next one leads the first trick
    taker: 0
    trump: H
    hand: TS 7S JD 8D KC QC 7C 9C
    played: AS 8S    cards of the deal in order of play; a bar between tricks is for the eye
    play: TS         what it may play ("not: …" what it must not)

In the auction: ``turned: JH``, ``passes: 0``, and ``call: take``, ``call: pass`` or
``call: name H``. A turn-up in a case of play is one that the taker picked up.
"""

from dataclasses import dataclass
from pathlib import Path

from app.belote.cards import SUIT_TRUMPS, Card, Seat, Trump, card_named
from app.belote.events import Call, Cards, Contract
from app.belote.legal import Legal
from app.belote.play import legal_mask
from app.belote.presets import PRESETS
from app.belote.ranking import best_of, cards_of, mask_of
from app.belote.view import Trick, View

RULES = PRESETS["classic"]


@dataclass(frozen=True, slots=True)
class Case:
    """One situation: its sentence, its lines, and where it stands."""

    title: str
    fields: dict[str, str]
    place: str

    @property
    def wanted(self) -> frozenset[str]:
        """Cards that may be played, empty if only some are forbidden."""
        return frozenset(self.fields.get("play", "").split())

    @property
    def unwanted(self) -> frozenset[str]:
        """Cards that must not be played."""
        return frozenset(self.fields.get("not", "").split())


def read_cases(folder: Path) -> list[Case]:
    """All cases of the folder's files."""
    return [case for path in sorted(folder.glob("*.case")) for case in _of_file(path)]


def _of_file(path: Path) -> list[Case]:
    cases: list[Case] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("="):
            cases.append(Case(line[1:].strip(), {}, f"{path.name}:{number}"))
            continue
        key, colon, value = line.partition(":")
        if not colon or not cases:
            raise ValueError(f"{path.name}:{number}: {line!r}")
        cases[-1].fields[key.strip()] = value.strip()
    return cases


def _cards(text: str) -> Cards:
    return tuple(card_named(name) for name in text.replace("|", " ").split())


def situation(case: Case) -> tuple[View, Legal]:
    """The view of the seat to act and its legal choices."""
    if "turned" in case.fields and "passes" in case.fields:
        return _auction(case)
    return _play(case)


def _auction(case: Case) -> tuple[View, Legal]:
    me, dealer = Seat(int(case.fields["me"])), Seat(int(case.fields["dealer"]))
    passes, turned = int(case.fields["passes"]), _cards(case.fields["turned"])[0]
    assert (dealer + 1 + passes) % 4 == me, case.place
    calls = tuple(Call(Seat((dealer + 1 + i) % 4), "pass") for i in range(passes))
    view = _view(case, me, dealer, phase="auction", turned=turned, calls=calls, counts=(5,) * 4)
    if passes < 4:
        return view, Legal(("pass", "take"), (), (), ())
    others = tuple(trump for trump in SUIT_TRUMPS if trump.suit != turned >> 3)
    return view, Legal(("pass", "name"), others, (), ())


def _play(case: Case) -> tuple[View, Legal]:
    me, dealer = Seat(int(case.fields["me"])), Seat(int(case.fields["dealer"]))
    trump, played = Trump(case.fields["trump"]), _cards(case.fields.get("played", ""))
    tricks = _tricks(played, trump, Seat((dealer + 1) % 4))
    counts = [8] * 4
    for trick in tricks:
        for i in range(len(trick.cards)):
            counts[(trick.leader + i) % 4] -= 1
    current = tricks[-1]
    assert (current.leader + len(current.cards)) % 4 == me, case.place
    turned = _cards(case.fields["turned"])[0] if "turned" in case.fields else None
    contract = Contract(Seat(int(case.fields["taker"])), trump)
    view = _view(case, me, dealer, phase="play", turned=turned, calls=(), counts=tuple(counts),
                 contract=contract, tricks=tricks, played=played)  # fmt: skip
    assert view.hand is not None
    assert len(view.hand) == counts[me], f"{case.place}: {counts[me]} cards are in hand"
    assert not set(view.hand) & set(played), f"{case.place}: a card is there twice"
    mask = legal_mask(RULES, trump, mask_of(view.hand), current.cards)
    return view, Legal((), (), cards_of(mask), ())


def _tricks(played: Cards, trump: Trump, leader: Seat) -> list[Trick]:
    tricks = []
    for at in range(0, len(played), 4):
        cards = played[at : at + 4]
        if len(cards) < 4:
            return [*tricks, Trick(leader, cards)]
        winner = Seat((leader + best_of(cards, trump)) % 4)
        tricks.append(Trick(leader, cards, winner))
        leader = winner
    return [*tricks, Trick(leader, ())]


def _view(
    case: Case,
    me: Seat,
    dealer: Seat,
    *,
    phase: str,
    turned: Card | None,
    calls: tuple[Call, ...],
    counts: tuple[int, ...],
    contract: Contract | None = None,
    tricks: list[Trick] | None = None,
    played: Cards = (),
) -> View:
    won = [0, 0]
    for trick in (tricks or [])[:-1]:
        assert trick.winner is not None
        won[trick.winner % 2] += 1
    return View(
        rules=RULES,
        viewer=me,
        phase="auction" if phase == "auction" else "play",
        deal=1,
        dealer=dealer,
        commit="",
        next_commit="",
        turn=me,
        round=1 if len(calls) < 4 else 2,
        turned=turned,
        auction=calls,
        standing=contract,
        doubler=None,
        contract=contract,
        hand=tuple(sorted(_cards(case.fields["hand"]))),
        counts=counts,
        up=((),) * 4,
        down=((),) * 4,
        trick=tricks[-1] if tricks else None,
        last_trick=tricks[-2] if tricks and len(tricks) > 1 else None,
        played=played,
        tricks=tuple(won),
        declarations=(),
        own_declarations=(),
        belote=(),
        totals=(0, 0),
        hanging=0,
        continued=(),
        deals=(),
        result=None,
    )

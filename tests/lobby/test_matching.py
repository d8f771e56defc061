"""Who plays with whom: partners, ratings, patience, addresses."""

from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.lobby.matching import EQUAL, Seating, Ticket, Unit, arrange, form, window
from app.players.models import PlayerRef

WAIT = 5_000


def ticket(
    number: int,
    waited_ms: int = 0,
    *,
    rating: int = EQUAL,
    wait_ms: int = WAIT,
    party: str | None = None,
    address: bytes | None = None,
) -> Ticket:
    """Player `number`, who has waited for so long."""
    player = PlayerRef(UUID(int=number), f"P{number}", "qh")
    patient = wait_ms > WAIT
    return Ticket(player, rating, waited_ms, wait_ms, patient, party, address)


def numbers(seating: Seating | None) -> list[int | None]:
    """Who sits where; None is a bot."""
    assert seating is not None
    return [None if each is None else each.player.id.int for each in seating.seats]


def sides(seating: Seating | None) -> tuple[set[int | None], set[int | None]]:
    """The people of both sides."""
    a, b, c, d = numbers(seating)
    return {a, c} - {None}, {b, d} - {None}


def test_four_play_at_once() -> None:
    seating = form([ticket(n) for n in range(1, 5)], 4, rated=False)
    assert set(numbers(seating)) == {1, 2, 3, 4}


def test_three_wait_until_the_first_has_waited_long_enough() -> None:
    waiting = [ticket(1, WAIT - 1), ticket(2, 100), ticket(3)]
    assert form(waiting, 4, rated=False) is None
    waiting[0] = ticket(1, WAIT)
    assert set(numbers(form(waiting, 4, rated=False))) == {1, 2, 3, None}


def test_two_strangers_among_bots_are_opponents() -> None:
    a, b = sides(form([ticket(1, WAIT), ticket(2)], 4, rated=False))
    assert (a, b) == ({1}, {2})


def test_who_chose_to_wait_for_people_is_not_seated_with_bots_before_its_time() -> None:
    patient = ticket(2, WAIT, wait_ms=60_000)
    assert numbers(form([ticket(1, WAIT), patient], 4, rated=False)) == [1, None, None, None]
    assert form([patient], 4, rated=False) is None
    assert set(numbers(form([ticket(n, WAIT) for n in (1, 3, 4)] + [patient], 4, rated=False))) == {
        1, 2, 3, 4,
    }  # fmt: skip
    over = ticket(2, 60_000, wait_ms=60_000)
    assert sides(form([over, ticket(1)], 4, rated=False)) == ({2}, {1})


def test_the_longest_wait_is_served_first() -> None:
    waiting = [ticket(n, waited_ms=100 * n) for n in range(1, 7)]
    assert set(numbers(form(waiting, 4, rated=False))) == {6, 5, 4, 3}


def test_partners_sit_opposite_each_other() -> None:
    waiting = [ticket(1, 9), ticket(2, 8, party="A"), ticket(3, 7), ticket(4, 6, party="A")]
    assert {2, 4} in sides(form(waiting, 4, rated=False))
    assert {1, 3} in sides(form(waiting, 4, rated=False))


def test_two_parties_are_a_match() -> None:
    waiting = [ticket(n, party="AB"[n % 2]) for n in range(1, 5)]
    assert sorted(map(sorted, sides(form(waiting, 4, rated=False)))) == [[1, 3], [2, 4]]


def test_half_a_party_waits_for_the_other_half() -> None:
    half = ticket(1, 60_000, party="A")
    assert form([half], 4, rated=False) is None
    assert set(numbers(form([half, ticket(2, WAIT)], 4, rated=False))) == {2, None}
    assert form([half, ticket(3, 0, party="A")], 4, rated=False) is None, "its wait begins now"
    both = [half, ticket(3, WAIT, party="A")]
    assert sides(form(both, 4, rated=False)) == ({1, 3}, set())


def test_partners_that_do_not_fit_any_more_are_passed_over() -> None:
    waiting = [ticket(n, 100 - n) for n in (1, 2, 3)]
    waiting += [ticket(4, 50, party="A"), ticket(5, 50, party="A"), ticket(6, 10)]
    assert set(numbers(form(waiting, 4, rated=False))) == {1, 2, 3, 6}


def test_the_window_of_ratings_widens_with_time() -> None:
    assert window(0) == 150
    assert window(1_000) == 200
    assert [window(ms) for ms in range(0, 60_000, 500)] == sorted(
        window(ms) for ms in range(0, 60_000, 500)
    )


def test_a_rated_match_waits_for_its_equals() -> None:
    far = [ticket(1, 4_000), *(ticket(n, 0, rating=EQUAL + 360) for n in (2, 3, 4))]
    assert form(far, 4, rated=True) is None
    far[0] = ticket(1, 4_200)
    assert set(numbers(form(far, 4, rated=True))) == {1, 2, 3, 4}


def test_a_casual_match_takes_anybody_rather_than_a_bot() -> None:
    far = [ticket(1, WAIT), *(ticket(n, 0, rating=EQUAL + 2_000) for n in (2, 3, 4))]
    assert set(numbers(form(far, 4, rated=False))) == {1, 2, 3, 4}
    assert numbers(form(far, 4, rated=True)) == [1, None, None, None]


def test_nearer_ratings_go_before_longer_waits() -> None:
    waiting = [ticket(1, 4_000)]
    waiting += [ticket(n, 3_000, rating=EQUAL + 200) for n in (2, 3, 4)]
    waiting += [ticket(n, 0, rating=EQUAL + 10) for n in (5, 6, 7)]
    assert set(numbers(form(waiting, 4, rated=True))) == {1, 5, 6, 7}


def test_the_sides_are_as_equal_as_can_be() -> None:
    waiting = [ticket(n, rating=r) for n, r in ((1, 1600), (2, 1590), (3, 1500), (4, 1490))]
    strong, weak = sides(form(waiting, 4, rated=True))
    assert {frozenset(strong), frozenset(weak)} == {frozenset({1, 4}), frozenset({2, 3})}


def test_two_of_one_address_are_partners_in_a_rated_match_or_not_there() -> None:
    home = b"home"
    waiting = [ticket(1, 9, address=home), ticket(2, 8, address=home), ticket(3, 7), ticket(4, 6)]
    assert {1, 2} in sides(form(waiting, 4, rated=True))
    third = [ticket(5, 5, address=home), *waiting]
    assert set(numbers(form(third, 4, rated=True))) == {1, 2, 3, 4}
    alone = [ticket(n, 0, address=home) for n in range(1, 5)]
    assert form(alone, 4, rated=True) is None
    assert set(numbers(form(alone, 4, rated=False))) == {1, 2, 3, 4}
    over = [ticket(n, WAIT, address=home) for n in range(1, 5)]
    assert form(over, 4, rated=True) is not None, "with bots it is not rated, and all may play"


@pytest.mark.parametrize("seats", [2, 3])
def test_where_everybody_plays_alone_no_two_of_an_address_meet_in_a_rated_match(
    seats: int,
) -> None:
    waiting = [ticket(1, address=b"h"), ticket(2, address=b"h"), ticket(3), ticket(4)]
    rated = set(numbers(form(waiting, seats, rated=True)))
    assert len(rated) == seats
    assert not {1, 2} <= rated
    assert numbers(form(waiting, seats, rated=False)) == [1, 2, 3][:seats]
    assert arrange([Unit((ticket(1), ticket(2)))], seats, rated=False) is None


tickets = st.lists(
    st.tuples(
        st.integers(0, 12_000),
        st.sampled_from([1_300, 1_500, 1_700]),
        st.sampled_from([WAIT, 20_000]),
        st.sampled_from([None, None, "A", "B"]),
        st.sampled_from([None, b"x", b"y"]),
    ),
    max_size=9,
)


@given(tickets, st.booleans())
@example(  # time is over, and with these two addresses on two sides no rated match can be
    [
        (0, 1_300, WAIT, None, b"x"),
        (0, 1_300, WAIT, "A", None),
        (0, 1_300, WAIT, "A", b"x"),
        (WAIT, 1_300, WAIT, None, None),
    ],
    True,
)
def test_whatever_comes_nobody_is_seated_wrongly(
    drawn: list[tuple[int, int, int, str | None, bytes | None]], rated: bool
) -> None:
    waiting, members = [], {"A": 0, "B": 0}
    for number, (waited, rating, wait, wanted, address) in enumerate(drawn, 1):
        party = wanted if wanted is not None and members[wanted] < 2 else None
        if party is not None:
            members[party] += 1
        waiting.append(
            ticket(number, waited, rating=rating, wait_ms=wait, party=party, address=address)
        )
    seating = form(waiting, 4, rated=rated)
    units = len(waiting) - sum(1 for each in waiting if each.party and members[each.party] < 2)
    if seating is None:
        singles = [each for each in waiting if each.party is None]
        assert not any(each.waited_ms >= each.wait_ms for each in singles)
        assert rated or len({e.rating for e in singles}) > 1 or len(singles) < 4
        return
    assert units >= 1
    seated = [each for each in seating.seats if each is not None]
    assert len({each.player.id for each in seated}) == len(seated) >= 1
    for seat, each in enumerate(seating.seats):
        if each is not None and each.party is not None:
            partner = seating.seats[(seat + 2) % 4]
            assert partner is not None
            assert partner.party == each.party
    if seating.rated:
        assert rated
        assert seating.full
        ours, theirs = seating.seats[::2], seating.seats[1::2]
        assert not {e.address for e in ours if e and e.address} & {
            e.address for e in theirs if e and e.address
        }
    elif rated:  # what was to be rated is played without only when waiting is over
        assert seating.people[0].waited_ms >= min(each.wait_ms for each in seated)
    if not seating.full:
        units_seated: dict[str, list[Ticket]] = {}
        for each in seated:
            units_seated.setdefault(each.party or str(each.player.id), []).append(each)
        assert all(Unit(tuple(unit)).takes_bots for unit in units_seated.values())
        assert any(Unit(tuple(unit)).over for unit in units_seated.values())

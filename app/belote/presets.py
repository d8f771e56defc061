"""The games as values of ``RuleSet`` (docs/rules.md §4), each in the words of its table."""

from collections.abc import Mapping
from dataclasses import replace

from app.belote.cards import SUIT_TRUMPS, Trump
from app.belote.rules import (
    Capot,
    Doubling,
    Packets,
    RuleSet,
    RuleSetError,
    checked,
    overridden,
)

CLASSIC = RuleSet(
    preset="classic",
    target=501,
    targets=(501, 701, 1001),
    all_pass="next",  # noqa: S106  (a rule of the auction, not a password)
    lead="eldest",
    declare="automatic",
    declaration_tie="trump_then_first",
    declarations_without_trick="to_others",
    trump_led="beat_unless_partner",
    partner_winning="free",
    undertrump="free",
    contract_counts="all",
    made_if="more",
    tie="litige",
    failed="all_162",
    declarations_on_failure="defence",
    belote_on_failure="kept",
    capot=Capot("bonus", 90),
)

CLASSIC_CLOCKWISE = replace(
    CLASSIC,
    preset="classic-clockwise",
    direction="clockwise",
    all_pass="same",  # noqa: S106
    declare="player",
    declarations_without_trick="kept",
    partner_winning="trump_any",
    undertrump="forced",
    contract_counts="tricks",
    made_if="at_least",
    tie=None,
    declarations_on_failure="owner",
)

CLASSIC_DEALER_LEADS = replace(
    CLASSIC,
    preset="classic-dealer-leads",
    targets=(501,),
    all_pass="previous",  # noqa: S106
    lead="dealer",
    declare="none",
    declaration_tie=None,
    declarations_without_trick=None,
    declarations_on_failure=None,
    undertrump="forced",
    contract_counts="tricks",
    tie="failed",
    capot=Capot("total", 252),
    solo_capot=Capot("total", 350),
)

SANS_ANNONCES = replace(
    CLASSIC,
    preset="sans-annonces",
    target=500,
    targets=(500, 1000),
    declare="none",
    declaration_tie=None,
    declarations_without_trick=None,
    declarations_on_failure=None,
    trump_led="beat_always",
    undertrump="forced",
    contract_counts="belote",
    tie="litige",
    belote_on_failure="lost",
    capot=Capot("total", 252),
)

FRENCH = replace(
    CLASSIC,
    preset="french",
    handling="cut",
    target=1000,
    targets=(501, 701, 1000, 1001),
    declarations_without_trick="kept",
    trump_led="beat_always",
    undertrump="forced",
    tie="failed",
)

_BIDS = tuple(range(80, 170, 10))
_EVERY_TRUMP = (*SUIT_TRUMPS, Trump.NO_TRUMPS, Trump.ALL_TRUMPS)

COINCHE = RuleSet(
    preset="coinche",
    target=1001,
    targets=(1001, 2000),
    packets=Packets((3, 2, 3)),
    auction="levels",
    trumps=_EVERY_TRUMP,
    bids=_BIDS,
    double=Doubling("any_time", 2),
    redouble=Doubling("any_time", 4),
    declare="automatic",
    nt_declarations="none",
    declaration_tie="void",
    declarations_without_trick="to_others",
    belote_on_failure="kept",
    trump_led="beat_unless_partner",
    partner_winning="free",
    undertrump="free",
    contract_counts="all",
    made_if="bid_and_more",
    tie="litige",
    card_points="scaled_162",
    scoring="points_and_bid",
    failed="bid_and_160",
    doubled="base_and_bid",
    capot=Capot("total", 250),
    capot_to="taker",
    doubled_capot=250,
    capot_bid="contract_250",
    rounding="ten",
)

CONTREE = replace(
    COINCHE,
    preset="contree",
    target=2000,
    targets=(1000, 1500, 2000),
    trumps=SUIT_TRUMPS,
    double=Doubling("in_turn", 2),
    redouble=Doubling("in_turn", 4),
    declare="none",
    declaration_tie=None,
    declarations_without_trick=None,
    belote_on_failure="lost",
    trump_led="beat_always",
    contract_counts="belote",
    made_if="bid",
    tie=None,
    card_points="natural",
    doubled="winner_takes_all",
    doubled_capot=160,
    capot_bid="flat_500",
)

BELOT = RuleSet(
    preset="belot",
    target=151,
    targets=(151,),
    auction="contracts",
    trumps=(Trump.CLUBS, Trump.DIAMONDS, Trump.HEARTS, Trump.SPADES, Trump.NO_TRUMPS,
            Trump.ALL_TRUMPS),
    declare="player",
    belote_said="player",
    nt_declarations="none",
    declarations_shown="after_last_trick",
    declaration_tie="void",
    declaration_pools="separate",
    run_of_eight="quinte_and_tierce",
    declarations_without_trick="lost",
    trump_led="beat_always",
    partner_winning="free",
    undertrump="free",
    belote_when="lead_ruff_or_partner",
    belote_on_failure="lost",
    contract_counts="all",
    made_if="more",
    tie="litige",
    failed="everything",
    double=Doubling("in_turn", 2),
    redouble=Doubling("in_turn", 4),
    doubled="winner_takes_all",
    capot=Capot("match", 9),
    capot_doubling="after",
    nt_factor=2,
    scoring="match_points",
    finish_on_capot=False,
)  # fmt: skip
"""Its trumps stand in the order of the auction."""

BELOTE_INTERNATIONAL = replace(
    BELOT,
    preset="belote-international",
    handling="cut",
    first_dealer="winners",
    declare="automatic",
    belote_said="automatic",
    declaration_pools="one",
    run_of_eight="quinte",
    declarations_without_trick="kept",
    belote_when="any",
    capot_doubling="before",
)

BELOT_DUEL = replace(
    BELOT,
    preset="belot-duel",
    players=2,
    pack=24,
    packets=Packets((3, 3), (3,)),
    run_of_eight=None,
    partner_winning=None,
)

BELOT_TRIO = replace(
    BELOT_DUEL,
    preset="belot-trio",
    players=3,
    packets=Packets((3, 2), (3,)),
    failed_trio="higher",
)

BELOT_OPEN = replace(
    BELOT,
    preset="belot-open",
    players=2,
    layout="open",
    packets=Packets((3, 2, 1, 1, 1, 1, 1, 1, 1, 1), (3,)),
    partner_winning=None,
)
"""Five cards in hand, then four rounds of one down and four of one up (``layout`` open)."""

BELA = RuleSet(
    preset="bela",
    target=1001,
    targets=(501, 701, 1001),
    packets=Packets((3, 3), (2,)),
    auction="call",
    all_pass="dealer_must",  # noqa: S106
    dealer_cancel="no",
    declare="player",
    declare_at="before_lead",
    declarations_shown="after_first_trick",
    declaration_tie="trump_then_first",
    run_of_eight="wins_match",
    declarations_without_trick="lost",
    trump_led="beat_always",
    plain_led="beat",
    partner_winning="no_exemption",
    undertrump="forced",
    belote_said="player",
    belote_on_failure="lost",
    contract_counts="all",
    made_if="more",
    tie="litige",
    failed="everything",
    capot=Capot("bonus", 90),
)
"""The two cards after the auction are dealt before it, face down."""

BOOK: Mapping[str, RuleSet] = {
    rules.preset: rules
    for rules in (
        CLASSIC,
        CLASSIC_CLOCKWISE,
        CLASSIC_DEALER_LEADS,
        SANS_ANNONCES,
        FRENCH,
        COINCHE,
        CONTREE,
        BELOT,
        BELOTE_INTERNATIONAL,
        BELOT_DUEL,
        BELOT_TRIO,
        BELOT_OPEN,
        BELA,
    )
}
"""Every game whose rules are written down and can be scored."""


def _is_offered(rules: RuleSet) -> bool:
    try:
        checked(rules)
    except RuleSetError as error:
        if error.code != "not_offered":
            raise
        return False
    return True


PRESETS: Mapping[str, RuleSet] = {name: rules for name, rules in BOOK.items() if _is_offered(rules)}
"""The games that can be played, in the order in which they are offered."""


def validated(preset: str, overrides: Mapping[str, object] | None = None) -> RuleSet:
    """A preset with a host's house rules, given as in records: ``{"target": 701, "capot": "total
    252"}``. Raises ``RuleSetError`` naming the field."""
    if preset not in PRESETS:
        raise RuleSetError("preset", "unknown_preset")
    return overridden(PRESETS[preset], overrides or {})

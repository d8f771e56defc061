"""Every worked figure of section 6 of the rules page that is a score, against this referee.

A second reading of the rules, written from the page alone. The other figures (legal cards,
auctions, declarations, the end of a match) are in `test_figures_play.py`.
"""

import pytest

from . import rules_of, score_points

WHOLE = {2: 9, 3: 8, 4: 8}


def score(preset, points, **facts):
    """Score trick points (with the last ten), the taker's side first; "all" = every trick."""
    rules = rules_of(preset, facts.get("rules"))
    sides = len(points)
    none = [0] * sides
    whole = WHOLE[rules["players"]]
    capot = facts.get("capot")
    if capot is None:
        tricks = [whole - sides + 1] + [1] * (sides - 1)
    else:
        tricks = [whole if side == capot else 0 for side in range(sides)]
    last = capot if capot is not None else max(range(sides), key=lambda s: points[s])
    cards = [p - 10 if side == last else p for side, p in enumerate(points)]
    contract = {
        "taker": 0,
        "trump": facts.get("trump", "H"),
        "value": facts.get("value"),
        "factor": facts.get("factor", 1),
    }
    return score_points(
        rules,
        contract,
        cards,
        last,
        tricks,
        facts.get("solo"),
        facts.get("declarations", none),
        facts.get("belote", none),
        facts.get("carried", 0),
    )


def case(preset, points, awarded, hung=0, **facts):
    words = " ".join(f"{key}={value}" for key, value in facts.items())
    return pytest.param(preset, points, awarded, hung, facts, id=f"{preset} {points} {words}")


TURN_UP = [
    case("classic", [81, 81], [0, 81], 81),
    case("classic", [71, 91], [0, 91], 91, belote=[20, 0]),
    case("classic", [70, 92], [20, 162], belote=[20, 0]),
    case("classic", [75, 87], [95, 87], declarations=[20, 0]),
    case("classic", [90, 72], [0, 212], declarations=[0, 50]),
    case("classic", [60, 102], [20, 182], declarations=[20, 0], belote=[20, 0]),
    case("classic", [60, 102], [0, 243], carried=81),
    case("classic", [81, 81], [0, 81], 162, carried=81),
    case("classic", [100, 62], [262, 62], carried=162),
    case("classic", [162, 0], [302, 0], capot=0, declarations=[0, 50]),
    case("classic-clockwise", [81, 81], [81, 121], declarations=[0, 20], belote=[0, 20]),
    case("classic-clockwise", [80, 82], [20, 162], declarations=[20, 0]),
    case("classic-clockwise", [70, 92], [150, 162], declarations=[150, 0]),
    case("classic-clockwise", [0, 162], [20, 252], capot=1, belote=[20, 0]),
    case("classic-clockwise", [162, 0], [252, 50], capot=0, declarations=[0, 50]),
    case("classic-dealer-leads", [81, 81], [0, 162]),
    case("classic-dealer-leads", [71, 91], [20, 162], belote=[20, 0]),
    case("classic-dealer-leads", [0, 162], [20, 350], capot=1, solo=1, belote=[20, 0]),
    case("classic-dealer-leads", [0, 162], [20, 252], capot=1, belote=[20, 0]),
    case("sans-annonces", [85, 77], [105, 77], belote=[20, 0]),
    case("sans-annonces", [75, 87], [95, 87], belote=[20, 0]),
    case("sans-annonces", [71, 91], [0, 91], 91, belote=[20, 0]),
    case("sans-annonces", [82, 80], [0, 182], belote=[0, 20]),
    case("sans-annonces", [0, 162], [0, 272], capot=1, belote=[20, 0]),
    case("french", [81, 81], [0, 162]),
]

BIDDING = [
    case("coinche", [83, 79], [190, 80], value=90, declarations=[20, 0]),
    case("coinche", [85, 77], [170, 80], value=80),
    case("coinche", [89, 73], [0, 250], value=90),
    case("coinche", [84, 78], [20, 310], value=100, belote=[20, 0], declarations=[0, 50]),
    case("coinche", [84, 78], [20, 570], value=100, factor=2, belote=[20, 0], declarations=[0, 50]),
    case("coinche", [162, 0], [370, 0], value=120, capot=0),
    case("coinche", [162, 0], [740, 0], value=120, capot=0, factor=2),
    case("coinche", [162, 0], [1480, 0], value=120, capot=0, factor=4),
    case("coinche", [162, 0], [500, 0], value="capot", capot=0),
    case("coinche", [100, 62], [0, 410], value="capot"),
    case("coinche", [162, 0], [1000, 0], value="capot", capot=0, factor=2),
    case("coinche", [100, 62], [0, 820], value="capot", factor=2),
    case("coinche", [81, 81], [0, 80], 80, value=80),
    case("contree", [110, 52], [230, 50], value=100, belote=[20, 0]),
    case("contree", [76, 86], [0, 280], value=100, belote=[20, 0]),
    case("contree", [70, 92], [0, 260], value=100),
    case("contree", [80, 82], [160, 80], value=80),
    case("contree", [162, 0], [380, 0], value=110, capot=0, belote=[20, 0]),
    case("contree", [110, 52], [520, 0], value=100, factor=2),
    case("contree", [110, 52], [1040, 0], value=100, factor=4),
    case("contree", [110, 52], [540, 0], value=100, factor=2, belote=[0, 20]),
    case("contree", [162, 0], [500, 0], value="capot", capot=0),
    case("contree", [162, 0], [1000, 0], value="capot", capot=0, factor=2),
    case("contree", [162, 0], [2000, 0], value="capot", capot=0, factor=4),
    case("contree", [162, 0], [500, 20], value="capot", capot=0, belote=[0, 20]),
    case("contree", [162, 0], [1020, 0], value="capot", capot=0, belote=[0, 20], factor=2),
    case("contree", [100, 62], [0, 520], value="capot", belote=[20, 0]),
    # From the words of the tables.
    case("contree", [0, 162], [0, 260], value=100, capot=1),
    case("contree", [162, 0], [520, 0], value=100, capot=0, factor=2),
    case("coinche", [0, 162], [0, 250], value=90, capot=1),
    case("coinche", [110, 52], [520, 20], value=100, factor=2, belote=[0, 20]),
    case("coinche", [81, 81], [0, 80], 80, value=80, factor=2),
    case(
        "coinche", [162, 0], [770, 0], value=120, capot=0, solo=0, rules={"solo_capot": "bonus 490"}
    ),
]

CONTRACTS = [
    case("belot", [106, 56], [10, 6]),
    case("belot", [156, 6], [15, 1]),
    case("belot", [194, 64], [19, 17], trump="AT", declarations=[0, 100]),
    case("belot", [154, 104], [15, 15], trump="AT", declarations=[0, 40]),
    case("belot", [104, 154], [0, 15], 16, trump="AT", declarations=[50, 0]),
    case("belot", [81, 81], [0, 8], 8),
    case("belot", [129, 129], [0, 13], 13, trump="AT"),
    case("belot", [56, 106], [0, 10], 11, declarations=[50, 0]),
    case("belot", [68, 62], [14, 12], trump="NT"),
    case("belot", [70, 92], [0, 18], declarations=[20, 0]),
    case("belot", [100, 62], [32, 0], factor=2),
    case("belot", [62, 100], [0, 64], factor=4),
    case("belot", [81, 81], [0, 0], 32, factor=2),
    case("belot", [100, 62], [42, 6], carried=32),
    case("belot", [150, 108], [132, 0], trump="AT", declarations=[50, 0], belote=[20, 0], factor=4),
    case("belot", [162, 0], [41, 0], capot=0, factor=2),
    case("belote-international", [162, 0], [50, 0], capot=0, factor=2),
    case("belot", [130, 0], [35, 0], capot=0, trump="NT"),
    case("belot", [130, 0], [61, 0], capot=0, trump="NT", factor=2),
    case("belote-international", [130, 0], [44, 0], capot=0, trump="NT"),
    case("belote-international", [130, 0], [88, 0], capot=0, trump="NT", factor=2),
    case("belot", [162, 0], [25, 0], capot=0, declarations=[0, 20]),
    case("belote-international", [162, 0], [25, 2], capot=0, declarations=[0, 20]),
    case("belot", [81, 81], [0, 0], 128, factor="match"),
    case("belot", [100, 62], [128, 0], factor="match"),
    case("belot", [162, 0], [137, 0], capot=0, factor="match"),
    case("belot", [62, 100], [-10, 16], rules={"failure_penalty": 10}),
    case("belot", [100, 62], [32, -10], factor=2, rules={"failure_penalty": 10}),
    case("belot", [81, 81], [0, 0], 32, factor=2, rules={"failure_penalty": 10}),
    case("belot", [162, 0], [25, -10], capot=0, rules={"failure_penalty": 10}),
    case("belot-duel", [67, 64], [7, 6]),
    case("belot-trio", [90, 40, 32], [9, 4, 3]),
    case("belot-trio", [81, 50, 31], [0, 5, 3], 8),
    case("belot-trio", [60, 71, 31], [0, 13, 3]),
    case("belot-trio", [60, 71, 31], [0, 7, 3], rules={"failed_trio": "vanish"}),
    case("belot-trio", [60, 71, 31], [0, 13, 9], rules={"failed_trio": "both"}),
    # From the words of section 5.
    case("belot-trio", [60, 71, 31], [0, 13, 3], 8, carried=8),
    case("belot-trio", [90, 40, 32], [17, 4, 3], carried=8),
    case("belot-trio", [90, 40, 32], [32, 0, 0], factor=2),
    case("belot-trio", [60, 71, 31], [0, 26, 6], factor=2),
    case("belot-trio", [81, 50, 31], [0, 0, 0], 32, factor=2),
    case("belot-trio", [60, 51, 51], [0, 11, 5]),
    case("bela", [70, 92], [110, 92], declarations=[20, 0], belote=[20, 0]),
    case("bela", [60, 102], [0, 182], belote=[20, 0]),
    case("bela", [71, 91], [0, 91], 91, belote=[20, 0]),
    case("bela", [0, 162], [0, 252], capot=1),
    case("bela", [81, 81], [0, 162], rules={"tie": "failed"}),
]


@pytest.mark.parametrize(("preset", "points", "awarded", "hung", "facts"), TURN_UP)
def test_turn_up_games(preset, points, awarded, hung, facts):
    result = score(preset, points, **facts)
    assert (result["awarded"], result["hung"]) == (awarded, hung)


@pytest.mark.parametrize(("preset", "points", "awarded", "hung", "facts"), BIDDING)
def test_bidding_games(preset, points, awarded, hung, facts):
    result = score(preset, points, **facts)
    assert (result["awarded"], result["hung"]) == (awarded, hung)


@pytest.mark.parametrize(("preset", "points", "awarded", "hung", "facts"), CONTRACTS)
def test_contract_and_calling_games(preset, points, awarded, hung, facts):
    result = score(preset, points, **facts)
    assert (result["awarded"], result["hung"]) == (awarded, hung)


def test_rounded_is_each_sides_points_before_a_capots_figure():
    assert score("coinche", [85, 77], value=80)["rounded"] == [90, 80]
    assert score("coinche", [162, 0], value=80, capot=0)["rounded"] == [160, 0]
    assert score("classic", [85, 77])["rounded"] is None


def test_rounded_is_each_sides_share_under_match_points():
    assert score("belot", [62, 100], factor=2)["rounded"] == [6, 10]
    assert score("belot", [81, 81])["rounded"] == [8, 8]
    assert score("belot", [162, 0], capot=0)["rounded"] == [16, 0]


def test_bonuses_are_listed_before_failure_moves_them():
    result = score("classic", [60, 102], declarations=[20, 0], belote=[20, 0])
    assert (result["declarations"], result["belote"]) == ([20, 0], [20, 0])
    trickless = score("classic", [162, 0], capot=0, declarations=[0, 50])
    assert trickless["declarations"] == [50, 0]
    lost = score("belot", [162, 0], capot=0, declarations=[0, 20])
    assert lost["declarations"] == [0, 0]

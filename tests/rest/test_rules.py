"""House rules over REST."""

import pytest

from tests.realtime.harness import Running

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_every_house_rule_is_listed_with_its_group_and_values(shared: Running) -> None:
    guest = await shared.guest("Ada")
    rules = {rule["field"]: rule for rule in (await guest.get("GET", "/api/rules"))["rules"]}
    assert rules["lead"]["group"] == "play"
    assert rules["lead"]["values"]["classic"] == ["eldest", "dealer"]
    assert rules["tie"]["values"]["classic"] == ["litige", "failed"]


async def test_rules_are_checked_before_a_table_is_opened(shared: Running) -> None:
    guest = await shared.guest("Bea")
    asked = {"preset": "sans-annonces", "rules": {"declare": "automatic"}}
    found = await guest.get("POST", "/api/rules/check", asked)
    assert {"field": "declaration_tie", "code": "conflict"} in found["problems"]
    assert found["changed"] == {"declare": "automatic"}
    assert "void" in found["open"]["declaration_tie"]


async def test_a_table_tells_its_house_rules(shared: Running) -> None:
    guest = await shared.guest("Cleo")
    body = {"preset": "classic", "target": 701, "rules": {"lead": "dealer"}}
    seated = await guest.get("POST", "/api/tables", body)
    assert (await guest.get("GET", f"/api/tables/{seated['table']}"))["house"] == {"lead": "dealer"}

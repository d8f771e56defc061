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


async def test_exercises_come_from_the_rules_that_one_plays_by(shared: Running) -> None:
    guest = await shared.guest("Dan")
    asked = {"preset": "classic", "rules": {"plain_led": "beat"}, "round": 3}
    found = (await guest.get("POST", "/api/rules/exercises", asked))["exercises"]
    assert any(why["code"] == "must_beat_plain" for one in found for why in one["why"].values())
    for one in found:
        assert {*one["legal"], *one["why"]} == {*one["hand"]}
    broken = await guest.ask("POST", "/api/rules/exercises", {"preset": "whist"})
    assert broken.json()["error"]["code"] == "unknown_preset"
    odd = {"preset": "classic", "rules": {"lead": "nobody"}}
    refused = await guest.ask("POST", "/api/rules/exercises", odd)
    assert refused.json()["error"]["code"] == "bad_options"


@pytest.mark.parametrize("path", ["/api/rules", "/api/presets"])
async def test_what_never_changes_is_sent_packed_and_once(shared: Running, path: str) -> None:
    first = await shared.http.get(path, headers={"accept-encoding": "gzip"})
    assert first.headers["content-encoding"] == "gzip"
    assert int(first.headers["content-length"]) < len(first.content) / 5
    tag = first.headers["etag"]
    asked = {"accept-encoding": "gzip", "if-none-match": tag}
    again = await shared.http.get(path, headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    plain = await shared.http.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["etag"] != tag
    assert plain.json() == first.json()

"""Everything that `/api/openapi.json` offers, asked with good and with bad data: the server answers
what it documents, in the shapes that it documents, and never with a fault of its own.

`schemathesis` makes the requests from the schema, the same ones in every run. They are sent in all
roles, and most with the codes and ids of tables, matches and people that are really there.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from http.cookiejar import DefaultCookiePolicy
from typing import cast

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from app.infra.config import Settings
from app.main import create_app
from tests.realtime.harness import WAIT_S, limits, timing
from tests.rest.world import MATCHES, PLAYERS, ROLES, TABLES, Apart, World, serving_apart

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]

FULL = os.environ.get("REBELOTE_FULL") == "1"
EXAMPLES = 300 if FULL else 20
"""Requests an operation, beside those that the schema's bounds call for."""
EXCLUDED = [positive_data_acceptance]
"""Good data may still be refused, because a table is closed or a name not allowed."""
UNREADABLE = ("bad_request", "invalid", "unsupported_media_type", "too_large")
"""But not as something that can't be read, nor for a value that the schema allows."""
HARMLESS = ("createGuest", "changeMe", "checkRules", "askReferee", "setOptions")
"""What changes nothing that another request relies on."""
THINGS = {"stranger": "stranger", "seated": "waiting", "host": "waiting", "player": "playing"}
"""What is to be made anew when somebody in that role has done something."""

schema = schemathesis.openapi.from_dict(
    create_app(Settings(database_url="postgresql://nowhere/none")).api.openapi()
)


@pytest.fixture(scope="module")
def apart(shared_url: str) -> Iterator[Apart]:
    """A server whose matchmaker looks often, and which nobody asks too much."""
    wide = limits(
        code_misses_per_player=1_000_000,
        code_misses_per_address=1_000_000,
        guests_per_address_per_hour=1_000_000,
        questions_per_address_per_minute=1_000_000,
    )
    with serving_apart(shared_url, timing_=timing(queue_tick=10), limits_=wide) as found:
        yield found


@pytest.fixture(scope="module")
def world(apart: Apart) -> World:
    """What is there to ask about."""
    return World(apart.running)


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """One connection for all requests, which keeps no cookie: nobody is nobody."""
    with requests.Session() as opened:
        opened.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        yield opened


def test_the_running_server_tells_the_schema_that_is_tried_here(apart: Apart) -> None:
    told = requests.get(f"{apart.running.url}/api/openapi.json", timeout=60).json()
    assert told == schema.raw_schema


def tried(operation_id: str) -> Callable[..., None]:
    """The test of one operation. A function each, because tests that schemathesis makes of one
    function for many operations have one name, and pytest-xdist would run the first alone."""
    tried_before: set[str] = set()

    @schema.include(operation_id=operation_id).parametrize()
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),  # a failure names its request: no search for less
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def test(
        case: schemathesis.Case, apart: Apart, world: World, session: requests.Session
    ) -> None:
        told = repr((case.method, case.path_parameters, case.query, case.body, case.headers))
        if told in tried_before:
            return
        alone = not (case.path_parameters or case.query or case.body)
        for role in ROLES if alone else (ROLES[luck_of(case) % len(ROLES)],):
            asked(case, role, apart, world, session)
        tried_before.add(told)

    return cast("Callable[..., None]", test)


for _operations in schema.raw_schema["paths"].values():
    for _operation in _operations.values():
        globals()[f"test_{_operation['operationId']}"] = tried(_operation["operationId"])


def asked(
    case: schemathesis.Case, role: str, apart: Apart, world: World, session: requests.Session
) -> None:
    """Ask in a role, and look at the answer."""
    luck = luck_of(case) // len(ROLES)
    table = TABLES[luck % len(TABLES)]
    case = apart.run(fitted(case, luck, table, world))
    guest = apart.run(world.guest(role))
    answer = case.call(
        base_url=apart.running.url,
        session=session,
        headers={} if guest is None else guest.headers,
        timeout=WAIT_S,
    )
    changed = case.method not in ("GET", "HEAD") and answer.status_code < 300
    if changed and case.operation.definition.raw["operationId"] not in HARMLESS:
        world.spend(THINGS.get(role, "stranger"), table)
    case.validate_response(answer, excluded_checks=EXCLUDED)
    if case.meta is not None and case.meta.generation.mode.is_positive:
        assert code_of(answer) not in UNREADABLE, f"{role}: {answer.text}"


def code_of(answer: schemathesis.Response) -> str | None:
    """The code of a refusal."""
    return str(answer.json()["error"]["code"]) if answer.status_code >= 400 else None


def luck_of(case: schemathesis.Case) -> int:
    """A number that hangs on the request alone."""
    return zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())


async def fitted(case: schemathesis.Case, luck: int, table: str, world: World) -> schemathesis.Case:
    """The request with codes and ids that exist in place of most that were made up."""
    case = case.derive()
    match, person = MATCHES[luck % len(MATCHES)], PLAYERS[luck % len(PLAYERS)]
    path, query, body = case.path_parameters, case.query, case.body
    if good(case, ParameterLocation.PATH) and luck % 8:
        if "match_id" in path:
            path["match_id"] = await world.match(match)
        elif "player_id" in path:
            path["player_id"] = await world.person(person)
        elif "code" in path:
            party = "/parties/" in case.path
            path["code"] = (await world.waiting()).party if party else await world.table(table)
    if good(case, ParameterLocation.QUERY) and luck % 2:
        if "player" in query:
            query["player"] = await world.person(person)
        if "before" in query:
            query["before"] = await world.match(match)
    if good(case, ParameterLocation.BODY) and isinstance(body, dict):
        if "player" in body and luck % 8:
            body["player"] = await world.person(person)
        if body.get("wait_ms"):
            body["wait_ms"] = min(body["wait_ms"], 20)  # good as well, and sooner over
    return case


def good(case: schemathesis.Case, part: ParameterLocation) -> bool:
    """Whether a part of a request is meant to be good: what is bad on purpose stays so."""
    made = case.meta.components.get(part) if case.meta is not None else None
    return made is not None and made.mode.is_positive

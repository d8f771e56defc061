"""The edge: shapes of refusals, cross-site requests, headers, permissions, OpenAPI."""

from typing import Any

import pytest

from tests.realtime.harness import Running, limits, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "code"),
    [
        ("GET", "/api/nothing", None, 404, "not_found"),
        ("GET", "/nothing", None, 404, "not_found"),
        ("GET", "/api", None, 404, "not_found"),
        ("PUT", "/api/me", "{}", 405, "method_not_allowed"),
        ("POST", "/lobby", "{}", 405, "method_not_allowed"),
        ("POST", "/api/guests", "{", 400, "bad_request"),
        ("POST", "/api/guests", "[]", 422, "invalid"),
        ("POST", "/api/guests", "", 422, "invalid"),
        ("POST", "/api/guests", '{"name": 7}', 422, "invalid"),
        ("POST", "/api/guests", '{"name": "\\ud800"}', 400, "bad_request"),
        ("POST", "/api/guests", '{"\\udc00": 1}', 400, "bad_request"),
        ("POST", "/api/guests", '{"name": NaN}', 400, "bad_request"),
        ("POST", "/api/guests", "[" * 50_000, 400, "bad_request"),
        ("POST", "/api/guests", '{"nam": "Ada"}', 422, "invalid"),
        ("POST", "/api/guests", '{"name": "' + "x" * 70_000 + '"}', 413, "too_large"),
        ("GET", "/api/me", None, 401, "sign_in"),
        ("GET", "/docs", None, 404, "not_found"),
        ("GET", "/api/players/nobody", None, 422, "invalid"),
    ],
)
async def test_every_refusal_has_a_code_and_a_sentence(
    shared: Running, method: str, path: str, content: str | None, status: int, code: str
) -> None:
    answer = await shared.http.request(method, path, content=content, headers=JSON)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert set(error) <= {"code", "message", "fields"}
    assert ("fields" in error) == (code == "invalid")


async def test_a_chunked_body_is_bounded_too(shared: Running) -> None:
    async def parts() -> Any:
        for _ in range(100):
            yield b" " * 1_000

    answer = await shared.http.post("/api/guests", content=parts(), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


async def test_a_body_in_parts_is_read_whole(shared: Running) -> None:
    async def parts() -> Any:
        for part in (b'{"na', b'me": "A', b"d", b'a"}'):
            yield part

    answer = await shared.http.post("/api/guests", content=parts(), headers=JSON)
    shared.http.cookies.clear()
    assert answer.json()["player"]["name"] == "Ada"


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Content-Type": "text/plain"}, 415, "unsupported_media_type"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415, "unsupported_media_type"),
        ({}, 415, "unsupported_media_type"),
        ({**JSON, "Origin": "https://evil.example"}, 403, "foreign_origin"),
        ({**JSON, "Origin": "null"}, 403, "foreign_origin"),
        ({**JSON, "Origin": "http://127.0.0.1:1"}, 403, "foreign_origin"),
        ({**JSON, "Sec-Fetch-Site": "cross-site"}, 403, "foreign_origin"),
        ({**JSON, "Origin": "{own}"}, 201, ""),
        ({"Content-Type": "application/json; charset=utf-8"}, 201, ""),
    ],
)
async def test_what_another_site_could_send_changes_nothing(
    shared: Running, headers: dict[str, str], status: int, code: str
) -> None:
    told = {name: value.format(own=shared.url) for name, value in headers.items()}
    answer = await shared.http.post("/api/guests", content="{}", headers=told)
    shared.http.cookies.clear()
    assert answer.status_code == status
    if code:
        assert answer.json()["error"]["code"] == code


async def test_the_public_address_is_an_origin_of_ours(database_url: str) -> None:
    async with serving(database_url, public_url="http://play.example") as server:
        headers = {**JSON, "Origin": "http://play.example"}
        answer = await server.http.post("/api/guests", content="{}", headers=headers)
        assert answer.status_code == 201


async def test_a_foreign_site_can_not_delete_either(shared: Running) -> None:
    ada = await shared.guest()
    headers = {**ada.headers, "Origin": "https://evil.example"}
    answer = await shared.http.delete("/api/tables/ABCDEF/seats/me", headers=headers)
    assert answer.json()["error"]["code"] == "foreign_origin"


async def test_requests_are_limited_by_address(database_url: str) -> None:
    async with serving(database_url, limits_=limits(requests_per_minute=3)) as server:
        for _ in range(3):
            assert (await server.http.get("/api/presets")).status_code == 200
        answer = await server.http.get("/api/presets")
        assert answer.json()["error"]["code"] == "too_many_requests"
        assert (await server.http.get("/api/health")).status_code == 200
        assert (await server.http.get("/")).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/s/x/y"])
async def test_all_answers_carry_the_headers_of_caution(shared: Running, path: str) -> None:
    headers = (await shared.http.get(path)).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "server" not in headers or "uvicorn" not in headers["server"]


async def test_health_tells_who_serves_and_whether_the_database_answers(
    shared: Running,
) -> None:
    told = (await shared.http.get("/api/health")).json()
    assert (told["status"], told["database"]) == ("ok", "ok")
    assert told["instance"] == shared.site.settings.instance
    assert told["version"]


async def test_the_page_and_its_modules_come_from_one_build(shared: Running) -> None:
    page = await shared.http.get("/t/K7Q2MD")
    assert page.status_code == 200
    prefix = shared.site.assets.prefix
    assert f"{prefix}js/main.js" in page.text
    module = await shared.http.get(f"{prefix}js/main.js")
    assert module.headers["content-type"].startswith("text/javascript")
    assert "immutable" in module.headers["cache-control"]


# Who may do what. One row an endpoint: what nobody, somebody without a seat, a seated guest and
# the host get. 2xx is written as "ok".
PERMISSIONS = [
    ("GET", "/api/me", "sign_in", "ok", "ok", "ok"),
    ("GET", "/api/session", "ok", "ok", "ok", "ok"),
    ("PATCH", "/api/me", "sign_in", "ok", "ok", "ok"),
    ("GET", "/api/tables", "ok", "ok", "ok", "ok"),
    ("POST", "/api/tables", "sign_in", "ok", "busy_elsewhere", "busy_elsewhere"),
    ("POST", "/api/play-now", "sign_in", "ok", "ok", "ok"),
    ("GET", "/api/tables/{t}", "ok", "ok", "ok", "ok"),
    ("GET", "/api/tables/{t}/qr.svg", "ok", "ok", "ok", "ok"),
    ("POST", "/api/tables/{t}/seats", "sign_in", "ok", "already_seated", "already_seated"),
    ("POST", "/api/tables/{t}/start", "sign_in", "not_seated", "not_host", "ok"),
    ("DELETE", "/api/tables/{t}/seats/me", "sign_in", "not_seated", "ok", "ok"),
    ("DELETE", "/api/tables/{t}/seats/{seat}", "sign_in", "not_seated", "not_host", "ok"),
    ("POST", "/api/tables/{t}/seats/{seat}/move", "sign_in", "not_seated", "not_host", "ok"),
    ("POST", "/api/tables/{t}/host", "sign_in", "not_seated", "not_host", "ok"),
    ("PATCH", "/api/tables/{t}/options", "sign_in", "not_seated", "not_host", "ok"),
    ("GET", "/api/presets", "ok", "ok", "ok", "ok"),
    ("GET", "/api/rules", "ok", "ok", "ok", "ok"),
    ("POST", "/api/rules/check", "ok", "ok", "ok", "ok"),
    ("GET", "/api/leaderboards/experience", "ok", "ok", "ok", "ok"),
    ("POST", "/api/me/sign-out", "sign_in", "ok", "ok", "ok"),
    ("POST", "/api/me/sign-out-everywhere", "sign_in", "ok", "ok", "ok"),
]
ROLES = ("nobody", "stranger", "seated", "host")
BODIES = {
    "/api/tables": '{"preset": "classic"}',
    "/api/play-now": '{"preset": "classic"}',
    "/api/rules/check": '{"preset": "classic"}',
    "/api/tables/{t}/seats/{seat}/move": '{"to": 2}',
    "/api/tables/{t}/host": '{"player": "%(seated)s"}',
}
"""Bodies that are not empty, by path; the guest that sits on seat 1 has a name."""


@pytest.mark.parametrize("row", PERMISSIONS, ids=lambda row: f"{row[0]} {row[1]}")
async def test_each_role_may_do_what_the_table_says(shared: Running, row: tuple[str, ...]) -> None:
    method, path, *expected = row
    for role, answer in zip(ROLES, expected, strict=True):
        host, seated, stranger = [await shared.guest() for _ in range(3)]
        opened = await host.get("POST", "/api/tables", {"preset": "classic"})
        await seated.get("POST", f"/api/tables/{opened['table']}/seats")
        people = {"stranger": stranger, "seated": seated, "host": host}
        headers = people[role].headers if role in people else {}
        body = BODIES.get(path, "{}") % {"seated": seated.id}
        got = await shared.http.request(
            method,
            path.format(t=opened["table"], seat=1),
            headers={**JSON, **headers},
            content=None if method in ("GET", "DELETE") else body,
        )
        told = "ok" if got.is_success else got.json()["error"]["code"]
        assert told == answer, f"{role}: {got.status_code} {got.text}"


async def test_openapi_names_every_operation_and_its_refusals(shared: Running) -> None:
    api = (await shared.http.get("/api/openapi.json")).json()
    operations = [
        (path, method, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    ]
    names = [operation["operationId"] for _, _, operation in operations]
    assert len(set(names)) == len(names)
    assert {"createGuest", "getMe", "playNow", "takeSeat", "listPresets", "getHealth"} <= set(names)
    for path, method, operation in operations:
        assert operation.get("summary"), (path, method)
        assert "_" not in operation["operationId"], "names are chosen, not made up by the framework"
        for status, answer in operation["responses"].items():
            if int(status) >= 400 and status != "422":
                schema = answer["content"]["application/json"]["schema"]
                assert schema["$ref"].endswith("/ErrorBody"), (path, method, status)
    tested = {(method.lower(), path.replace("{t}", "{code}")) for method, path, *_ in PERMISSIONS}
    ours = {
        (method, path)
        for path, method, operation in operations
        if {"players", "tables"} & set(operation["tags"])
    }
    assert ours - tested == {("post", "/api/guests")}, "a new endpoint needs a row of permissions"


async def test_openapis_422_is_our_own_error(shared: Running) -> None:
    api = (await shared.http.get("/api/openapi.json")).json()
    assert "HTTPValidationError" not in api["components"]["schemas"]

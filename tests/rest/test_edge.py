"""The edge: shapes of refusals, cross-site requests, headers, permissions, OpenAPI."""

import asyncio
from typing import Any

import pytest

from app.web import guard
from tests.clocks import FakeClock
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
        ("GET", "/api/health/", None, 404, "not_found"),
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


async def test_a_body_that_does_not_come_is_not_waited_for(
    shared: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", shared.port)
    writer.write(
        b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 20\r\n\r\n{"
    )
    assert b" 400 " in await asyncio.wait_for(reader.readline(), 30)
    writer.close()


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
    few, still = limits(requests_per_minute=3), FakeClock()
    async with serving(database_url, limits_=few, clock=still) as server:
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


async def test_openapis_422_is_our_own_error(shared: Running) -> None:
    api = (await shared.http.get("/api/openapi.json")).json()
    assert "HTTPValidationError" not in api["components"]["schemas"]

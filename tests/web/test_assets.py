"""Files under one hash, and the page that names them."""

from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp

from app.web.assets import Assets
from app.web.page import Page, policy_for


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "js" / "net").mkdir(parents=True)
    (tmp_path / "index.html").write_text(
        '<head><link rel="stylesheet" href="/s/HASH/a.css">'
        '<script type="module" src="/s/HASH/js/main.js"></script></head>'
    )
    (tmp_path / "a.css").write_text("body { margin: 0 }\n" * 100)
    (tmp_path / "js" / "main.js").write_text(
        'import { a } from "./net/a.js";\nimport "./b.js";\nexport { c } from "./c.js";\n'
        'const late = () => import("./late.js");\n// import "./not.js" is no file\n'
    )
    (tmp_path / "js" / "net" / "a.js").write_text('import { b } from "../b.js";\n')
    (tmp_path / "js" / "b.js").write_text('import "./main.js";\nexport const b = 1;\n')
    (tmp_path / "js" / "c.js").write_text("export const c = 1;\n")
    (tmp_path / "js" / "late.js").write_text("export const d = 1;\n")
    (tmp_path / "pic.png").write_bytes(b"\x89PNG" + bytes(1000))
    return tmp_path


def client(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x.test:8000")


async def test_a_file_is_immutable_under_the_hash_and_packed_for_who_can_unpack(
    folder: Path,
) -> None:
    assets = Assets(folder)
    async with client(assets) as http:
        packed = await http.get(f"{assets.prefix}a.css", headers={"accept-encoding": "gzip"})
        plain = await http.get(f"{assets.prefix}a.css", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content == (folder / "a.css").read_bytes()
    assert int(packed.headers["content-length"]) < len(plain.content)
    assert "immutable" in packed.headers["cache-control"]
    assert packed.headers["content-type"] == "text/css; charset=utf-8"


async def test_pictures_are_not_packed_again(folder: Path) -> None:
    assets = Assets(folder)
    async with client(assets) as http:
        answer = await http.get(f"{assets.prefix}pic.png", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/s/000000000000/a.css", "/s/a.css", "{}../app/main.py", "{}no"])
async def test_nothing_is_found_elsewhere(folder: Path, path: str) -> None:
    assets = Assets(folder)
    async with client(assets) as http:
        answer = await http.get(path.format(assets.prefix))
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_any_changed_byte_or_name_is_another_hash(folder: Path) -> None:
    first = Assets(folder).hash
    (folder / "js" / "c.js").write_text("export const c = 2;\n")
    second = Assets(folder).hash
    (folder / "a.css").rename(folder / "b.css")
    assert len({first, second, Assets(folder).hash}) == 3


def test_the_import_graph_is_followed_once_and_without_what_comes_late(folder: Path) -> None:
    assert Assets(folder).imports_of("js/main.js") == ["js/net/a.js", "js/b.js", "js/c.js"]


async def test_the_page_names_this_build_and_its_modules(folder: Path) -> None:
    assets = Assets(folder)
    async with client(Page(assets)) as http:
        answer = await http.get("/t/K7Q2MD")
    assert "HASH" not in answer.text
    assert f'src="{assets.prefix}js/main.js"' in answer.text
    for name in ("js/net/a.js", "js/b.js", "js/c.js"):
        assert f'<link rel="modulepreload" href="{assets.prefix}{name}">' in answer.text
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/", "/lobby", "/history", "/ranking", "/profile", "/how-to-play", "/settings", "/lobby/",
     "/t/K7Q2MD",
     "/match/0190b2f0-0000-7000-8000-000000000000", "/player/0190b2f0-0000-7000-8000-000000000000"],
)  # fmt: skip
async def test_every_address_of_the_client_gets_the_page(folder: Path, path: str) -> None:
    async with client(Page(Assets(folder))) as http:
        answer = await http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("path", ["/wp-admin", "/t/", "/t/a/b", "/lobby/x", "/index.html", "/.env"])
async def test_no_other_address_does(folder: Path, path: str) -> None:
    async with client(Page(Assets(folder))) as http:
        assert (await http.get(path)).status_code == 404


def test_the_policy_lets_no_foreign_or_inline_script_in() -> None:
    policy = policy_for(b"play.example:8000").decode()
    assert "script-src 'self';" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "connect-src 'self' ws://play.example:8000 wss://play.example:8000;" in policy


@pytest.mark.parametrize("host", [b"", b"evil; script-src *", b"a b", b"\xff"])
def test_a_strange_host_does_not_get_into_the_policy(host: bytes) -> None:
    assert "connect-src 'self';" in policy_for(host).decode()

"""Settings: read from the environment, nested, cross-checked."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from app.infra.config import Settings, Timing, checkout_hash


def test_nested_variables_reach_timing_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REBELOTE_TIMING__FAST_TURN", "1234")
    monkeypatch.setenv("REBELOTE_LIMITS__RESUME_GAP", "7")
    settings = Settings()
    assert (settings.timing.fast_turn, settings.limits.resume_gap) == (1234, 7)
    assert settings.timing.normal_turn == 20_000, "the others keep their defaults"


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOST", "PORT", "DATA_DIR", "DATABASE_URL"):
        monkeypatch.setenv(f"REBELOTE_{name}", "")
    settings = Settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.data_dir is None
    assert settings.database_url is None


def test_settings_do_not_change_after_the_start() -> None:
    with pytest.raises(ValidationError):
        Settings().port = 1  # type: ignore[misc]


def test_a_second_checkout_has_another_cookie() -> None:
    one, other = checkout_hash(Path("/a/rebelote")), checkout_hash(Path("/b/rebelote"))
    assert one != other
    assert Settings().cookie_name == f"rebelote_{checkout_hash()}"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("public_url", "cards.example"),
        ("public_url", "https://cards.example/"),
        ("public_url", "https://cards.example/belote"),
        ("public_url", "https://cards example"),
        ("public_url", "https://somebody@cards.example"),
        ("host", ""),
        ("database_url", "sqlite:///x.db"),
        ("port", 70_000),
        ("cookie_name", "a b"),
        ("log_level", "loud"),
        ("nonsense", 1),
    ],
)
def test_a_wrong_setting_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Settings(**{field: value})


def test_secure_cookies_over_plain_http_are_refused() -> None:
    with pytest.raises(ValidationError, match="secure_cookies"):
        Settings(secure_cookies=True, public_url="http://cards.example")


def test_https_makes_cookies_secure_unless_told_otherwise() -> None:
    assert Settings(public_url="https://cards.example").cookies_are_secure
    assert not Settings(public_url="http://192.168.1.2:8000").cookies_are_secure
    assert not Settings(public_url="https://x.example", secure_cookies=False).cookies_are_secure


@pytest.mark.parametrize(
    "wrong",
    [
        {"bot_min": 900, "bot_max": 500},
        {"heartbeat": 10_000},
        {"outage_gap": 9_000},
        {"fast_turn": 0},
        {"fast_turns": 1},
    ],
)
def test_timings_that_contradict_each_other_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Timing(**wrong)


def test_links_use_the_public_address_or_the_listening_one() -> None:
    assert Settings(host="127.0.0.1", port=8001).base_url == "http://127.0.0.1:8001"
    assert Settings(host="::1", port=80).base_url == "http://[::1]:80"
    assert Settings(public_url="https://cards.example").base_url == "https://cards.example"

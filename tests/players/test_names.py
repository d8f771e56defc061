"""Friendly names for guests, and what a name may look like."""

import unicodedata
from random import Random

import pytest

from app.infra.errors import AppError
from app.players.names import _WORDS, clean_name, guest_name, language_of


@pytest.mark.parametrize("language", ["en", "es", "fr", "pt"])
def test_every_pair_of_words_makes_a_name_that_may_stand(language: str) -> None:
    masculine, feminine, adjectives, first = _WORDS[language]
    for noun in masculine + feminine:
        for forms in adjectives:
            adjective = forms[noun in feminine]
            name = f"{adjective} {noun}" if first else f"{noun} {adjective}"
            assert clean_name(name) == name


def test_adjectives_agree_with_their_noun() -> None:
    names = {guest_name("fr-BE", Random(seed)) for seed in range(2_000)}
    assert "Loutre Vive" in names
    assert "Loutre Vif" not in names


@pytest.mark.parametrize(
    ("locale", "language"),
    [("es-UY", "es"), ("pt_BR", "pt"), ("FR", "fr"), ("de", "en"), (None, "en"), ("", "en")],
)
def test_an_unknown_language_gets_english(locale: str | None, language: str) -> None:
    assert language_of(locale) == language


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Zoe\u0308", "Zoë"),
        ("Jean-Luc O'Neil", "Jean-Luc O'Neil"),
        ("王小明", "王小明"),
        ("7 of 9", "7 of 9"),
        ("שָׁלוֹם", unicodedata.normalize("NFC", "שָׁלוֹם")),
        ("हिन्दी", "हिन्दी"),
        ("ที่นี่", "ที่นี่"),
        ("Nguyễn", "Nguyễn"),
        ("กำแพง", "กำแพง"),
        ("𠮷野家", "𠮷野家"),
        ("𝕬𝖉𝖆", "Ada"),
        ("Ａｄａ", "Ada"),
        ("Ⓐda ①", "Ada 1"),
    ],
)
def test_a_name_is_kept_clean(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "A",
        " A ",
        "x" * 21,
        "12345",
        "--",
        "a\u202eb",
        "a\u200bb",
        "<b>x</b>",
        "a\nb\x00",
        "a/b",
        "\u3164\u3164\u3164",
        "\u115f\u1160",
        "\uffa0\uffa0",
        "a\u034f\u034f",
        "a\ufe0f",
        "a\U000e0101",
        "\u17b4a\u17b5",
        "a\u180b",
        "Z" + "\u0335" * 4,
        "\u0301ab",
        "a \u0301b",
        "a-\u0301b",
        "\ufdfa\ufdfa",  # two letters that are written as thirty-six
        "\U00012219\U00012219",
        "\U00013000\U00013001",
    ],
)
def test_what_people_could_not_read_is_refused(typed: str) -> None:
    with pytest.raises(AppError) as refused:
        clean_name(typed)
    assert refused.value.code == "bad_name"

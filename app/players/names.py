"""Names: friendly ones for guests in their language, and what a name may look like.

Nouns come with their gender, adjectives in both forms, so that every pair is right in its tongue.
"""

import unicodedata
from random import Random
from typing import Final

from app.infra.errors import AppError

MIN_LENGTH: Final = 2
MAX_LENGTH: Final = 20
MAX_ACCENTS: Final = 3
"""On one letter, beyond what composes with it: as many as any script's words need."""
_MARKS: Final = frozenset(" .'’-_")
_UNSEEN: Final = (
    ("\u034f", "\u034f"),  # grapheme joiner
    ("\u115f", "\u1160"),  # fillers of Hangul, letters by category
    ("\u17b4", "\u17b5"),  # inherent vowels of Khmer
    ("\u180b", "\u180f"),  # selectors of Mongolian
    ("\u3164", "\u3164"),
    ("\ufe00", "\ufe0f"),  # variation selectors
    ("\uffa0", "\uffa0"),
    ("\U00016fe4", "\U00016fe4"),
    ("\U000e0100", "\U000e01ef"),
)
"""Letters and accents by their category that show nothing (Unicode's default ignorables)."""

_LOST: Final = (
    ("\U00010000", "\U000100ff"),  # Linear B
    ("\U00010280", "\U000103df"),  # Lycian to Old Persian
    ("\U00010600", "\U0001077f"),  # Linear A
    ("\U00010800", "\U00010cff"),  # Cypriot to Old Hungarian
    ("\U00012000", "\U00012fff"),  # cuneiform, Cypro-Minoan
    ("\U00013000", "\U0001467f"),  # hieroglyphs
)
"""Scripts that nobody writes any more: few machines show them, and some letters are as wide as a
table."""

# (masculine nouns, feminine nouns, adjectives as (masculine, feminine), adjective first?)
_Words = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...], bool]


def _same(*words: str) -> tuple[tuple[str, str], ...]:
    return tuple((word, word) for word in words)


_WORDS: Final[dict[str, _Words]] = {
    "en": (
        ("Heron", "Otter", "Fox", "Badger", "Falcon", "Lynx", "Robin", "Hare", "Magpie", "Raven",
         "Beaver", "Swift", "Wolf", "Finch", "Stag", "Owl", "Seal", "Crane", "Marten", "Kestrel"),
        (),
        _same("Quick", "Calm", "Bold", "Merry", "Clever", "Gentle", "Lucky", "Quiet", "Brave",
              "Bright", "Keen", "Kind", "Nimble", "Proud", "Sly", "Sunny", "Wise", "Witty"),
        True,
    ),
    "es": (
        ("Zorro", "Halcón", "Lince", "Tejón", "Búho", "Ciervo", "Cuervo", "Castor", "Lobo",
         "Erizo", "Mirlo", "Gorrión"),
        ("Garza", "Nutria", "Liebre", "Urraca", "Grulla", "Lechuza", "Foca", "Ardilla",
         "Golondrina"),
        (("Veloz", "Veloz"), ("Audaz", "Audaz"), ("Sereno", "Serena"), ("Alegre", "Alegre"),
         ("Astuto", "Astuta"), ("Amable", "Amable"), ("Valiente", "Valiente"), ("Sabio", "Sabia"),
         ("Ágil", "Ágil"), ("Discreto", "Discreta"), ("Risueño", "Risueña"), ("Noble", "Noble")),
        False,
    ),
    "fr": (
        ("Héron", "Renard", "Faucon", "Lynx", "Blaireau", "Hibou", "Cerf", "Corbeau", "Castor",
         "Loup", "Merle", "Martinet"),
        ("Loutre", "Mésange", "Grue", "Chouette", "Martre", "Hermine", "Hirondelle", "Cigogne"),
        (("Vif", "Vive"), ("Calme", "Calme"), ("Rusé", "Rusée"), ("Joyeux", "Joyeuse"),
         ("Brave", "Brave"), ("Sage", "Sage"), ("Agile", "Agile"), ("Discret", "Discrète"),
         ("Malin", "Maligne"), ("Hardi", "Hardie"), ("Aimable", "Aimable"), ("Fier", "Fière")),
        False,
    ),
    "pt": (
        ("Falcão", "Lince", "Texugo", "Mocho", "Veado", "Corvo", "Castor", "Lobo", "Melro",
         "Ouriço", "Pardal"),
        ("Garça", "Lontra", "Raposa", "Lebre", "Gralha", "Coruja", "Foca", "Andorinha", "Cegonha"),
        (("Veloz", "Veloz"), ("Audaz", "Audaz"), ("Sereno", "Serena"), ("Alegre", "Alegre"),
         ("Astuto", "Astuta"), ("Gentil", "Gentil"), ("Valente", "Valente"), ("Sábio", "Sábia"),
         ("Ágil", "Ágil"), ("Discreto", "Discreta"), ("Risonho", "Risonha"), ("Nobre", "Nobre")),
        False,
    ),
}  # fmt: skip


def language_of(locale: str | None) -> str:
    """The language we have for a locale such as ``es-UY``; English for all others."""
    tag = (locale or "").replace("_", "-").partition("-")[0].lower()
    return tag if tag in _WORDS else "en"


def guest_name(locale: str | None, random: Random) -> str:
    """A friendly name such as "Quick Heron", "Garza Serena" or "Loutre Vive"."""
    masculine, feminine, adjectives, first = _WORDS[language_of(locale)]
    noun = random.choice(masculine + feminine)
    form = 1 if noun in feminine else 0
    adjective = random.choice(adjectives)[form]
    return f"{adjective} {noun}" if first else f"{noun} {adjective}"


def clean_name(text: str) -> str:
    """A name as it is kept: composed, single spaces, plain letters instead of styled ones (𝕬, ﷺ);
    AppError ``bad_name`` if it can't be one.

    Letters and digits of any script and a few marks; two characters at least one of them a
    letter, at most twenty. No controls, no invisible or direction-changing characters, no towers
    of accents: what people read is what is there, and it stays in its line.
    """
    name = " ".join(unicodedata.normalize("NFC", "".join(map(_plain, text))).split())
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise AppError("bad_name")
    if not any(letter.isalpha() for letter in name):
        raise AppError("bad_name")
    if not all(_may_stand(letter) for letter in name) or not _accents_sit(name):
        raise AppError("bad_name")
    return name


def _plain(letter: str) -> str:
    """A letter without its style; Thai and Lao write a vowel as one that would be taken apart."""
    return letter if "\u0e00" <= letter <= "\u0eff" else unicodedata.normalize("NFKC", letter)


def _may_stand(letter: str) -> bool:
    if any(first <= letter <= last for first, last in _UNSEEN + _LOST):
        return False
    return letter in _MARKS or unicodedata.category(letter)[0] in "LN" or _is_accent(letter)


def _is_accent(letter: str) -> bool:
    # Scripts that write vowels as marks need them.
    return unicodedata.category(letter) in ("Mn", "Mc")


def _accents_sit(name: str) -> bool:
    """Whether every accent belongs to a letter or digit, and none carries too many."""
    room = 0
    for letter in name:
        if not _is_accent(letter):
            room = MAX_ACCENTS if unicodedata.category(letter)[0] in "LN" else 0
        elif room == 0:
            return False
        else:
            room -= 1
    return True

"""Names for bots: short first names from the countries where the game is played."""

from collections.abc import Collection
from random import Random

AVATAR = "bot"
NAMES: tuple[str, ...] = (
    "Ana", "Armand", "Boris", "Camille", "Clara", "Dora", "Elena", "Félix", "Gaspard", "Hugo",
    "Inés", "Iva", "Jeanne", "Kiril", "Léa", "Lucas", "Luka", "Manon", "Marius", "Marko", "Mateo",
    "Mira", "Nadia", "Nikola", "Odile", "Olga", "Paula", "Petar", "Rita", "Rosalie", "Sofia",
    "Tomás", "Vera", "Viktor", "Yvonne", "Zoé",
)  # fmt: skip


def bot_name(taken: Collection[str], rng: Random) -> str:
    """A name that nobody at the table has; ``taken`` are the names in its seats, in any case."""
    used = {name.casefold() for name in taken}
    free = [name for name in NAMES if name.casefold() not in used]
    return rng.choice(free or NAMES)

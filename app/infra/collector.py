"""Python's collector of cycles, set for a server that answers within milliseconds.

Almost everything a move allocates is freed by counting references. With the interpreter's own
thresholds the collector still ran 90 times a second under load (`make bench`), took a fifth of
the core, and its full rounds over all modules, models and live tables stopped every socket for up
to 0.3 s. So: what lives as long as the process is taken out of its sight once, and it looks less
often. Cycles are still found, some ten thousand objects later.
"""

import gc
from typing import Final

THRESHOLDS: Final = (50_000, 20, 20)
"""New containers (beyond those freed) before a round over the youngest; rounds before the next
generation. Hundreds of commands under way hold some ten thousand containers at any moment, which
must not look like growth."""


def settle() -> None:
    """Call once, when everything that stays has been built."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

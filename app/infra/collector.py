"""Python's collector of cycles, set for a server that answers within milliseconds.

Almost everything a move allocates is freed by counting references: under load (`make bench`) a
match leaves no cycle at all, a closed socket leaves about a hundred objects. With the interpreter's
own thresholds the collector still ran 90 times a second, took a fifth of the core, and its rounds
over all modules, models and live tables stopped every socket for up to 0.3 s. So: what lives as
long as the process is taken out of its sight once, it looks at the youngest objects less often, and
at the older ones only in a calm second, or when none has come for long.
"""

import asyncio
import gc
import time
from typing import Final

THRESHOLDS: Final = (50_000, 10_000, 10_000)
"""New containers (beyond those freed) before a round over the youngest; rounds before the next
generation: never by itself. Hundreds of commands under way hold some ten thousand containers at any
moment, which must not look like growth."""
LOOK_S: Final = 1.0
"""How often it is looked whether the moment is calm."""
ROUNDS: Final = 2
"""Rounds over the youngest after which a whole one is due: as many as a thousand closed sockets."""
CALM: Final = 0.25
"""The share of a core below which a second is calm ..."""
PUNCTUAL_S: Final = 0.01
"""... if it also ended on time: where others use the machine, using little of it means nothing."""
PATIENCE_S: Final = 600.0
"""Without a calm second since it was due, a whole round comes then: what closed sockets leave must
not pile up."""


def settle() -> None:
    """Call once, when everything that stays has been built."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


async def tidy_for_ever(look_s: float = LOOK_S, patience_s: float = PATIENCE_S) -> None:
    """Whole rounds, at calm moments. Run it beside everything else, until cancelled."""
    due_s = 0.0
    while True:
        began, used = time.monotonic(), time.process_time()
        await asyncio.sleep(look_s)
        lasted_s = time.monotonic() - began
        calm = is_calm((time.process_time() - used) / lasted_s, lasted_s - look_s)
        # Counted from when a round is due: after a quiet night the first rush is spared too.
        due_s = due_s + lasted_s if gc.get_count()[1] >= ROUNDS else 0.0
        if due_s > 0 and (calm or due_s >= patience_s):
            gc.collect()
            due_s = 0.0


def is_calm(busy: float, late_s: float) -> bool:
    """Whether nobody would notice a stall: ``busy`` is the share of a core that was used just now,
    ``late_s`` by how much the moment's end came too late."""
    return busy < CALM and late_s < PUNCTUAL_S

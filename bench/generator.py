"""The generator's process: it does what the conductor writes to it, a JSON line at a time.

    {"do": "seat", "base": "http://127.0.0.1:8000", "tables": 200}    guests and tables over REST
    {"do": "connect"}  {"do": "start"}  {"do": "close"}               their sockets, their matches
    {"do": "window", "target": "rebelote", "rate": null, "warm_s": 2, "seconds": 10}
    {"do": "echo", "base": "ws://127.0.0.1:8001/room", "rooms": 200}  the baseline's sockets
    {"do": "idle", "target": "echo", "sockets": 600}                  sockets that do nothing
    {"do": "acked", "path": "…"}                                      ids of acknowledged moves

Each is answered by one JSON line; `{"error": …}` if it failed. It ends when its input does.
"""

import asyncio
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import orjson
import uvloop

from bench.load import Load
from bench.players import Table, Tally, seat_all
from bench.rest import Rest
from bench.rooms import Room
from bench.socket import Socket
from bench.stats import spread

DRAIN_S = 10.0
"""How long a window waits for the answers to its last moves."""
CONNECT_AT_ONCE = 16


class Generator:
    """Both targets' clients. One command at a time."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.loads = {"rebelote": Load(seed=1), "echo": Load(seed=2)}
        self._tables: list[Table] = []
        self._rooms: list[Room] = []
        self._idle: list[Socket] = []
        self._rest: Rest | None = None
        self._ws = ""

    async def do(self, command: dict[str, Any]) -> dict[str, Any]:
        """Do one command; the answer."""
        what = command.pop("do")
        answer: dict[str, Any] = await getattr(self, f"do_{what}")(**command)
        return answer

    async def do_seat(self, base: str, tables: int) -> dict[str, Any]:
        """Guests and tables, over REST."""
        began = perf_counter()
        self._rest = Rest(base)
        self._use(base)
        load = self.loads["rebelote"]
        self._tables = await seat_all(self._rest, tables, load, self.tally)
        return {"tables": len(self._tables), "seconds": round(perf_counter() - began, 2)}

    async def do_moved(self, base: str) -> dict[str, Any]:
        """The server answers at another address now."""
        self._use(base)
        return {}

    async def do_connect(self, first: int = 0, last: int = 4) -> dict[str, Any]:
        """Connect the clients of the seats `first` to `last - 1` of every table."""
        began = perf_counter()
        clients = [c for table in self._tables for c in table.clients[first:last]]
        await self._a_few_at_once([client.connect(self._ws) for client in clients])
        return {"sockets": len(clients), "seconds": round(perf_counter() - began, 2)}

    async def do_start(self) -> dict[str, Any]:
        """Start a match at every table; its first moves wait for a window."""
        await self._a_few_at_once([table.start() for table in self._tables])
        load = self.loads["rebelote"]
        await self._until(lambda: load.waiting == len(self._tables), 20)
        return {"ready": load.waiting}

    async def do_echo(self, base: str, rooms: int) -> dict[str, Any]:
        """Connect the echo's clients."""
        self._rooms = [Room(i, self.loads["echo"]) for i in range(rooms)]
        await self._a_few_at_once([room.connect(base) for room in self._rooms])
        return {"sockets": rooms * 4}

    async def do_idle(self, base: str, sockets: int) -> dict[str, Any]:
        """Open sockets to the echo that do nothing, a room for each four."""

        async def one(number: int) -> None:
            url = f"{base}/idle{number // 4}"
            self._idle.append(await Socket.open(url, {}, lambda _: None, self._on_idle_lost))

        await self._a_few_at_once([one(i) for i in range(sockets)])
        return {"sockets": len(self._idle)}

    async def do_window(
        self, target: str, rate: float | None, warm_s: float, seconds: float
    ) -> dict[str, Any]:
        """Load the target, saturated or at `rate` moves a second, and measure `seconds` of it."""
        load = self.loads[target]
        if rate is None:
            load.saturate()
        else:
            load.pace(rate)
        await asyncio.sleep(warm_s)
        gc.collect()
        load.begin_window()
        began, moves, cpu = perf_counter(), load.moves, process_time()
        await asyncio.sleep(seconds)
        elapsed = perf_counter() - began
        moved = load.moves - moves
        busy = (process_time() - cpu) / elapsed
        load.hold()
        drained = await self._until(lambda: load.in_flight == 0, DRAIN_S)
        latencies, late = load.end_window()
        return {
            "moves_per_s": round(moved / elapsed, 1),
            "seconds": round(elapsed, 2),
            "samples": len(latencies),
            "ack_ms": spread(latencies),
            "send_late_ms": spread(late),
            "unanswered": 0 if drained else load.in_flight,
            "generator_cpu": round(busy, 3),
        }

    async def do_acked(self, path: str) -> dict[str, Any]:
        """Write the ids (16 bytes each) of all acknowledged moves to a file; answer the counts."""
        await asyncio.to_thread(Path(path).write_bytes, b"".join(self.tally.acked_ids))
        lost = sum(room.lost for room in self._rooms)
        return {
            "acked": len(self.tally.acked_ids),
            "counts": dict(sorted(self.tally.counts.items())),
            "echo_sockets_lost": lost,
        }

    async def do_close(self) -> dict[str, Any]:
        """Close every socket."""
        closers: list[Callable[[], None]] = [
            *(client.close for table in self._tables for client in table.clients),
            *(room.close for room in self._rooms),
            *(socket.close for socket in self._idle),
        ]
        for close in closers:
            close()
        self._rooms, self._idle = [], []
        if self._rest is not None:
            self._rest.close()
        await asyncio.sleep(0)
        return {}

    def _use(self, base: str) -> None:
        self._ws = base.replace("http", "ws", 1) + "/ws"

    def _on_idle_lost(self, code: int | None) -> None:
        self.tally.counts[f"idle_lost_{code}"] += 1

    async def _a_few_at_once(self, coroutines: list[Any]) -> None:
        turns = asyncio.Semaphore(CONNECT_AT_ONCE)

        async def one(coroutine: Any) -> None:
            async with turns:
                await coroutine

        await asyncio.gather(*(one(coroutine) for coroutine in coroutines))

    async def _until(self, condition: Any, seconds: float) -> bool:
        end = perf_counter() + seconds
        while not condition():
            if perf_counter() > end:
                return False
            await asyncio.sleep(0.01)
        return True


async def serve(reader: asyncio.StreamReader) -> None:
    """Read commands until the input ends."""
    generator = Generator()
    while line := await reader.readline():
        try:
            answer = await generator.do(orjson.loads(line))
        except Exception as error:  # noqa: BLE001 - told to the conductor, which stops the bench
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
        sys.stdout.buffer.flush()
    await generator.do_close()


async def main() -> None:
    """Serve standard input."""
    reader = asyncio.StreamReader(limit=2**20)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    # Millions of short-lived dicts and no cycles: the collector would only add its pauses to the
    # latencies. Windows collect by hand before they begin.
    gc.collect()
    gc.freeze()
    gc.disable()
    await serve(reader)


if __name__ == "__main__":
    uvloop.run(main())

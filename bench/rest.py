"""A small HTTP client for the generator's set-up: JSON over kept connections, nothing else."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

import orjson


class RestError(Exception):
    """An answer that is not 2xx."""

    def __init__(self, method: str, path: str, status: int, body: bytes) -> None:
        self.status = status
        self.body = body
        super().__init__(f"{method} {path}: {status} {body[:200].decode(errors='replace')}")


class Rest:
    """Requests to one server, at most `connections` at a time. End with `close`."""

    def __init__(self, base: str, connections: int = 8) -> None:
        parts = urlsplit(base)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._netloc = parts.netloc
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._turns = asyncio.Semaphore(connections)

    async def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, token: str | None = None
    ) -> Any:
        """The JSON of the answer (None if it has no body); raises `RestError`."""
        async with self._turns:
            reader, writer = await self._connection()
            writer.write(self._request(method, path, body, token))
            head = await reader.readuntil(b"\r\n\r\n")
            fields = _fields(head)
            answer = await reader.readexactly(int(fields.get("content-length", "0")))
            if fields.get("connection", "").lower() == "close":
                writer.close()
            else:
                self._free.append((reader, writer))
        status = int(head.split(b" ", 2)[1])
        if not 200 <= status < 300:
            raise RestError(method, path, status, answer)
        return orjson.loads(answer) if answer else None

    def close(self) -> None:
        """Hang up all connections."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._free:
            reader, writer = self._free.pop()
            if not reader.at_eof() and not writer.is_closing():
                return reader, writer
        return await asyncio.open_connection(self._host, self._port)

    def _request(
        self, method: str, path: str, body: dict[str, Any] | None, token: str | None
    ) -> bytes:
        payload = b"" if body is None else orjson.dumps(body)
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._netloc}"]
        if token is not None:
            lines.append(f"Authorization: Bearer {token}")
        if method != "GET":
            lines += ["Content-Type: application/json", f"Content-Length: {len(payload)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + payload


def _fields(head: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in head.decode("latin-1").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    return fields

"""Play a match of belote by random legal moves: a client to start from (§: docs/protocol.md)."""

import argparse
import json
import random
import time
import uuid
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

Frame = dict[str, Any]


class Player:
    """A player at a table; what it knows outlives a lost connection."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.have = 0  # the number of the last event applied
        self.decision: int | None = None  # the open one, whoever has to answer it
        self.pending: list[Frame] = []  # our command, until the server has answered it
        self.result: Frame | None = None

    def converse(self, socket: ClientConnection) -> None:
        """Begin, or go on where an earlier connection was lost (§5), and stay to the end."""
        frames = [{"t": "hello", "proto": 1, "resume": [{"table": self.table, "seq": self.have}]}]
        while not self.result:
            for frame in frames:
                socket.send(json.dumps(frame))
                time.sleep(0.25)  # at most 40 in 10 seconds (§2)
            try:
                frames = self.receive(json.loads(socket.recv(timeout=2.5)))
            except TimeoutError:  # say what we have (§5), and again what was not answered (§4)
                have = {"table": self.table, "seq": self.have, "decision": self.decision}
                frames = [{"t": "ping", "n": 1, "have": [have]}, *self.pending]

    def receive(self, frame: Frame) -> list[Frame]:
        """Take in a frame of the server (§2), and return what to send."""
        if frame.get("code") not in (None, "stale", "conflict", "unavailable", "draining"):
            raise SystemExit(f"refused: {frame['code']}")
        if frame["t"] == "snap":
            self.have, game = frame["seq"], frame["view"]["game"]
            self.result = game and game["result"]
        for event in frame.get("evs", []):
            if event["seq"] > self.have + 1:
                return [{"t": "resync", "table": self.table, "seq": self.have}]
            self.have = max(self.have, event["seq"])
            if event["type"] == "match_ended":
                self.result = event["d"]
        answered = None if frame.get("retry") else frame.get("ack") or frame.get("id")
        self.pending = [command for command in self.pending if command["id"] != answered]
        turn = frame.get("turn", {"decision": self.decision}) or {"decision": None}
        if turn["decision"] == self.decision:
            return []  # the turn that we know goes on
        self.decision, move = turn["decision"], choose(turn)
        command = {"t": "cmd", "id": str(uuid.uuid4()), "table": self.table, "c": move}
        self.pending = [{**command, "decision": self.decision}] if move else []
        return self.pending


def choose(turn: Frame) -> Frame | None:
    """Answer a turn (§3), if it is ours, with a command (§4): a better player goes here."""
    legal = turn.get("legal") or {"calls": [], "trumps": [], "cards": []}
    moves = [{"type": turn["kind"]}] if turn.get("kind") in ("continue", "ready") else []
    moves += [{"type": call} for call in legal["calls"] if call != "name"]
    moves += [{"type": "name", "trump": trump} for trump in legal["trumps"]]
    moves += [{"type": "play", "card": card} for card in legal["cards"]]
    return random.choice(moves) if moves else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", default="http://127.0.0.1:8000", help="the server")
    parser.add_argument("--table", help="the code of a table to join; without it, Play now")
    parser.add_argument("--seed", type=int, help="makes the choices repeatable")
    args = parser.parse_args()
    random.seed(args.seed)
    guest = httpx.post(f"{args.base}/api/guests", json={}, timeout=60).raise_for_status().json()
    headers = {"Authorization": f"Bearer {guest['token']}"}
    url = f"{args.base}/api/" + (f"tables/{args.table}/seats" if args.table else "play-now")
    place = httpx.post(url, json={}, headers=headers, timeout=60).raise_for_status().json()
    player = Player(args.table or place["table"])
    print(f"{guest['player']['id']} sits at {player.table}, seat {place['seat']}", flush=True)
    for wait in (0.25, 0.5, 1, 2, 4, *[5] * 20):  # §7
        try:
            with connect(f"ws{args.base[4:]}/ws", additional_headers=headers) as socket:
                player.converse(socket)
            break
        except (OSError, WebSocketException) as lost:
            print(f"{lost}: connecting again", flush=True)
            time.sleep(wait * random.uniform(0.5, 1))
    assert player.result, "no connection"
    print(f"winner: side {player.result['winner']}, totals {player.result['totals']}")


if __name__ == "__main__":
    main()

/** The socket's life, with a clock that stands still. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "../../static/js/core/reconnect.js";
import { RESEND_MS, RETRY_MS } from "../../static/js/core/outgoing.js";
import { Store } from "../../static/js/core/store.js";
import { FakeClock, FakeSocket, played, someView } from "./fakes.js";

const CODE = "K7Q2MD";
const WELCOME = { t: "welcome", proto: 1, build: "b", player: { id: "me" }, now: "" };

/** @param {Partial<{ random: () => number }>} [chance] */
function world(chance = {}) {
  const clock = new FakeClock();
  /** @type {FakeSocket[]} */
  const sockets = [];
  /** @type {[string, number | null][]} */
  const statuses = [];
  let ids = 0;
  const store = new Store();
  const link = new core.Link(store, {
    connect: (events) => {
      const socket = new FakeSocket(events);
      sockets.push(socket);
      return socket;
    },
    now: () => clock.now,
    after: (ms, then) => clock.after(ms, then),
    cancel: (timer) => clock.cancel(timer),
    random: chance.random ?? (() => 1),
    newId: () => `id-${(ids += 1)}`,
    build: "b",
  }, { onStatus: (status, code) => statuses.push([status, code]) });
  return { clock, sockets, statuses, store, link, last: () => sockets[sockets.length - 1] };
}

/** @param {ReturnType<typeof world>} w */
function online(w) {
  w.link.start();
  w.last().events.onOpen();
  w.last().say(WELCOME);
}

/** @param {ReturnType<typeof world>} w @param {number} seq @param {number} decision */
function snap(w, seq, decision) {
  const turn = { decision, seat: 0, kind: "play", left_ms: null };
  w.last().say({ t: "snap", table: CODE, seq, view: someView(), turn });
}

test("hello goes first, and tables are asked for after welcome", () => {
  const w = world();
  w.link.follow(CODE);
  w.link.start();
  w.last().events.onOpen();
  assert.deepEqual(w.last().sent, [{ t: "hello", proto: 1, build: "b", resume: [] }]);
  w.last().say(WELCOME);
  assert.deepEqual(w.last().of("sub"), [{ t: "sub", table: CODE }]);
  assert.equal(w.link.status, "online");
});

test("a table that is known is resumed, not asked for again", () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  w.last().events.onClose(1006);
  w.clock.pass(core.BACKOFF_MAX_MS);
  w.last().events.onOpen();
  assert.deepEqual(w.last().of("hello")[0].resume, [{ table: CODE, seq: 41 }]);
  w.last().say(WELCOME);
  assert.deepEqual(w.last().of("sub"), []);
});

test("a ping goes every five seconds with what the page has", () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 40);
  w.clock.pass(core.PING_MS);
  assert.deepEqual(w.last().of("ping"), [{ t: "ping", n: 1, have: [{ table: CODE, seq: 41, decision: 40 }] }]);
  w.last().say({ t: "pong", n: 1 });
  w.clock.pass(core.PING_MS);
  assert.equal(w.last().of("ping").length, 2);
});

test("without a pong the socket is given up before it closes by itself", () => {
  const w = world();
  online(w);
  w.clock.pass(core.PING_MS + core.PING_MS + core.PONG_MS);
  assert.equal(w.sockets[0].closed, true);
  assert.ok(w.sockets.length >= 2);
  assert.deepEqual(w.statuses.at(-1), ["reconnecting", 1006]);
});

test("a probe waits two seconds alone", () => {
  const w = world();
  online(w);
  w.link.probe();
  w.clock.pass(core.PROBE_MS);
  assert.equal(w.sockets[0].closed, true);
});

test("a probe does not wait for the backoff to run out", () => {
  const w = world();
  online(w);
  w.last().events.onClose(1006);
  w.link.probe();
  assert.equal(w.sockets.length, 2);
});

test("what an abandoned socket still says is not heard", () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  const [old] = w.sockets;
  old.events.onClose(1006);
  w.clock.pass(core.BACKOFF_MIN_MS);
  old.say({ t: "snap", table: CODE, seq: 3, view: someView(), turn: null });
  old.events.onClose(1006);
  assert.equal(w.store.get(CODE), null);
  assert.equal(w.sockets.length, 2);
});

test("backoff doubles from a quarter of a second to five and never ends", () => {
  const w = world();
  w.link.start();
  const waits = [];
  for (let i = 0; i < 9; i += 1) {
    const before = w.sockets.length;
    w.last().events.onClose(1006);
    let waited = 0;
    while (w.sockets.length === before) {
      w.clock.pass(50);
      waited += 50;
    }
    waits.push(waited);
  }
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
});

test("jitter takes off up to half of the wait", () => {
  const w = world({ random: () => 0 });
  w.link.start();
  w.last().events.onClose(1012);
  w.clock.pass(core.BACKOFF_MIN_MS / 2);
  assert.equal(w.sockets.length, 2);
});

for (const code of [4401, 4403, 4426]) {
  test(`close code ${code} is final until the page decides`, () => {
    const w = world();
    online(w);
    w.last().events.onClose(code);
    w.clock.pass(60_000);
    assert.equal(w.sockets.length, 1);
    assert.deepEqual(w.statuses.at(-1), ["stopped", code]);
    w.link.start();
    assert.equal(w.sockets.length, 2);
  });
}

for (const code of [4409, 4429]) {
  test(`close code ${code} asks for patience`, () => {
    const w = world();
    online(w);
    w.last().events.onClose(code);
    w.clock.pass(core.BACKOFF_MAX_MS - 1);
    assert.equal(w.sockets.length, 1);
    w.clock.pass(1);
    assert.equal(w.sockets.length, 2);
  });
}

test("a command is sent again with the same id while its decision is open", async () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  const answer = w.link.command(CODE, 41, { type: "play", card: "AS" });
  w.clock.pass(RESEND_MS);
  const sent = w.last().of("cmd");
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
  w.last().say({ t: "ev", table: CODE, evs: [played(42, 0, "AS")], turn: null, ack: "id-1" });
  assert.deepEqual(await answer, { ok: true });
  w.clock.pass(4_000);
  assert.equal(w.last().of("cmd").length, 2);
});

test("a command is sent again on the new socket", async () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  const answer = w.link.command(CODE, 41, { type: "pass" });
  w.last().events.onClose(1006);
  w.clock.pass(core.BACKOFF_MIN_MS);
  w.last().events.onOpen();
  assert.equal(w.last().of("cmd").length, 0);
  w.last().say(WELCOME);
  assert.equal(w.last().of("cmd")[0].id, "id-1");
  w.last().say({ t: "ack", id: "id-1", seq: 42 });
  assert.deepEqual(await answer, { ok: true });
});

test("a command whose decision is over is not sent again", async () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  const answer = w.link.command(CODE, 41, { type: "play", card: "AS" });
  w.last().say({ t: "turn", table: CODE, turn: { decision: 45, seat: 1, kind: "play", left_ms: null } });
  assert.deepEqual(await answer, { ok: false, code: "stale" });
  w.clock.pass(RESEND_MS);
  assert.equal(w.last().of("cmd").length, 1);
});

test("a nak is the answer, unless it says that the same may be sent again", async () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  const answer = w.link.command(CODE, 41, { type: "play", card: "AS" });
  w.last().say({ t: "nak", id: "id-1", code: "conflict", retry: true });
  w.clock.pass(RETRY_MS);
  assert.equal(w.last().of("cmd").length, 2);
  w.last().say({ t: "nak", id: "id-1", code: "must_follow", retry: false, facts: { suit: "C" } });
  assert.deepEqual(await answer, { ok: false, code: "must_follow", facts: { suit: "C" } });
});

test("a gap makes the page ask on the socket", () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  w.last().say({ t: "ev", table: CODE, evs: [played(43, 1, "AC")] });
  assert.deepEqual(w.last().of("resync"), [{ t: "resync", table: CODE, seq: 41 }]);
});

test("a table left is forgotten on both sides", () => {
  const w = world();
  w.link.follow(CODE);
  online(w);
  snap(w, 41, 41);
  w.link.unfollow(CODE);
  assert.deepEqual(w.last().of("unsub"), [{ t: "unsub", table: CODE }]);
  assert.deepEqual(w.store.resume(), []);
});

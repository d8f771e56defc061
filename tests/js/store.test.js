/** The store: contiguous events or a question, and what a turn is after them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../static/js/core/store.js";
import { played, someView } from "./fakes.js";

const CODE = "K7Q2MD";

function seated() {
  const store = new Store();
  store.want(CODE);
  const turn = { decision: 10, seat: 0, kind: "play", left_ms: 5_000, legal: {} };
  store.receive({ t: "snap", table: CODE, seq: 10, view: someView(), turn }, 1_000);
  return store;
}

/** @param {Store} store */
const table = (store) => /** @type {import("../../static/js/core/store.js").TableState} */ (store.get(CODE));

test("frames of a table that nobody asked for are not heard", () => {
  const store = new Store();
  assert.deepEqual(store.receive({ t: "snap", table: CODE, seq: 1, view: someView(), turn: null }, 0), []);
  assert.equal(store.get(CODE), null);
});

test("the next number is applied and told as a step", () => {
  const store = seated();
  /** @type {any[]} */
  const changes = [];
  store.listen((change) => changes.push(change));
  const turn = { decision: 11, seat: 1, kind: "play", left_ms: null };
  const asks = store.receive({ t: "ev", table: CODE, evs: [played(11, 0, "AS")], turn }, 2_000);
  assert.deepEqual(asks, []);
  assert.equal(table(store).seq, 11);
  assert.deepEqual(table(store).view.game?.hand, ["7D"]);
  assert.equal(table(store).turn?.decision, 11);
  assert.deepEqual(changes.map((c) => c.kind), ["steps"]);
  assert.equal(changes[0].steps[0].event.seq, 11);
});

test("what is known already is dropped", () => {
  const store = seated();
  store.receive({ t: "ev", table: CODE, evs: [played(9, 0, "AS"), played(10, 0, "AS")] }, 0);
  assert.equal(table(store).seq, 10);
  assert.deepEqual(table(store).view.game?.hand, ["AS", "7D"]);
});

test("at a gap the store asks, once, and changes nothing", () => {
  const store = seated();
  const frame = { t: "ev", table: CODE, evs: [played(12, 1, "AC")] };
  assert.deepEqual(store.receive(frame, 0), [{ t: "resync", table: CODE, seq: 10 }]);
  assert.deepEqual(store.receive(frame, 0), []);
  assert.equal(table(store).seq, 10);
});

test("after the answer to a question a new gap is asked about again", () => {
  const store = seated();
  store.receive({ t: "ev", table: CODE, evs: [played(12, 1, "AC")] }, 0);
  store.receive({ t: "snap", table: CODE, seq: 12, view: someView(), turn: null }, 0);
  const asks = store.receive({ t: "ev", table: CODE, evs: [played(14, 1, "AC")] }, 0);
  assert.deepEqual(asks, [{ t: "resync", table: CODE, seq: 12 }]);
});

test("an event that cannot be applied is cured by a snapshot, not by half a frame", () => {
  const store = seated();
  const evs = [played(11, 0, "AS"), { seq: 12, type: "card_eaten", v: 1, d: {} }];
  assert.deepEqual(store.receive({ t: "ev", table: CODE, evs }, 0), [{ t: "resync", table: CODE, seq: 10 }]);
  assert.deepEqual(table(store).view.game?.hand, ["AS", "7D"]);
});

test("a frame without a turn ends the turn that its events answered", () => {
  const store = seated();
  store.receive({ t: "ev", table: CODE, evs: [played(11, 0, "AS")] }, 0);
  assert.equal(table(store).turn, null);
});

test("a frame without a turn leaves it when its events do not touch it", () => {
  const store = seated();
  const evs = [{ seq: 11, type: "seat_to_bot", v: 1, d: { seat: 2, reason: "away", bot: "novice" } }];
  store.receive({ t: "ev", table: CODE, evs }, 3_000);
  assert.equal(table(store).turn?.decision, 10);
  assert.equal(table(store).clock?.endsAt, 6_000);
});

test("a ready check and a rematch end for everybody with what calls them off, turn or not", () => {
  const no = { seat: 2, yes: false };
  const endings = /** @type {const} */ ([
    ["ready", { yes: [0], bots: false }, "ready_answered", no],
    ["ready", { yes: [0], bots: false }, "seat_left", { seat: 2, removed: false }],
    ["ready", { yes: [0], bots: false }, "options_set", { options: {} }],
    ["rematch", { yes: [0] }, "rematch_answered", no],
    ["rematch", { yes: [0] }, "seat_left", { seat: 2, removed: false }],
  ]);
  for (const [kind, asked, type, d] of endings) {
    const store = seated();
    const view = { ...someView(), game: null, [kind]: asked };
    const turn = { decision: 10, seat: null, kind, left_ms: 20_000 };
    store.receive({ t: "snap", table: CODE, seq: 10, view, turn }, 0);
    store.receive({ t: "ev", table: CODE, evs: [{ seq: 11, type, v: 1, d }] }, 0);
    assert.equal(table(store).turn, null, `${kind} after ${type}`);
  }
});

test("a turn alone and presence change what they tell of", () => {
  const store = seated();
  store.receive({ t: "turn", table: CODE, turn: { decision: 10, seat: 0, kind: "play", left_ms: 900 } }, 100);
  assert.equal(table(store).clock?.endsAt, 1_000);
  store.receive({ t: "presence", table: CODE, seats: [true, false, null, null] }, 0);
  assert.deepEqual(table(store).view.presence, [true, false, null, null]);
});

test("after a reload the clock's ring goes on from where it was", () => {
  const store = seated();
  const turn = { decision: 10, seat: 0, kind: "play", left_ms: 5_000, whole_ms: 20_000 };
  store.receive({ t: "snap", table: CODE, seq: 10, view: someView(), turn }, 1_000);
  assert.deepEqual(table(store).clock, { endsAt: 6_000, totalMs: 20_000 });
});

test("a decision is open while the turn carries its number", () => {
  const store = seated();
  assert.equal(store.isOpen(CODE, 10), true);
  assert.equal(store.isOpen(CODE, 9), false);
  assert.equal(store.isOpen(CODE, null), true);
});

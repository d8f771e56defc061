/** The lobby's rows keep their place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ageMinutes, EVERYTHING, isOpen, swept, wanted, withChange, withList } from "../../static/js/core/lobby.js";

/** @param {string} code @param {Record<string, any>} [more] @returns {import("../../static/js/core/lobby.js").Row} */
const row = (code, more = {}) => ({
  code, status: "waiting", preset: "classic", target: 501, speed: "normal", rated: false, spectators: true,
  latecomers: true, opened_at: "2026-01-01T10:00:00Z", open: 3, host: null,
  seats: [seat("person"), seat("free"), seat("bot"), seat("free")], ...more,
});
/** @param {string} kind */
const seat = (kind) => ({ kind, player: null, name: null, avatar: null, level: null });
/** @param {{ code: string, gone?: boolean }[]} rows */
const codes = (rows) => rows.map(({ code, gone }) => (gone ? `-${code}` : code));

test("a new row enters at the foot, a changed one stays, one that is gone greys in its place", () => {
  const rows = [row("A"), row("B"), row("C")];
  const after = withChange(rows, [row("D"), row("B", { open: 1 })], ["A"]);
  assert.deepEqual(codes(after), ["-A", "B", "C", "D"]);
  assert.equal(after[1].open, 1);
});

test("a whole list again moves nothing either", () => {
  const after = withList([row("A"), row("B"), row("C")], [row("D"), row("C"), row("A")]);
  assert.deepEqual(codes(after), ["A", "-B", "C", "D"]);
});

test("a row that comes back is itself again, at its place", () => {
  const gone = withChange([row("A"), row("B")], [], ["A"]);
  assert.deepEqual(codes(withChange(gone, [row("A")], [])), ["A", "B"]);
  assert.deepEqual(codes(withList(gone, [row("A"), row("B")])), ["A", "B"]);
});

test("greyed rows go when nobody points at the list, or when there are too many", () => {
  const gone = withChange([row("A"), row("B")], [], ["A"]);
  assert.deepEqual(codes(swept(gone)), ["B"]);
  const many = Array.from({ length: 60 }, (_, i) => row(`T${i}`));
  assert.equal(withChange(many, [], many.map(({ code }) => code)).length, 0);
});

test("who may sit where", () => {
  const open = (/** @type {any} */ one) => one.seats.map((/** @type {any} */ s) => isOpen(one, s));
  assert.deepEqual(open(row("A")), [false, true, false, true]);
  assert.deepEqual(open(row("A", { status: "playing" })), [false, false, true, false]);
  assert.deepEqual(open(row("A", { status: "playing", rated: true })), [false, false, false, false]);
  assert.deepEqual(open(row("A", { status: "playing", latecomers: false })), [false, false, false, false]);
  assert.deepEqual(open(row("A", { gone: true })), [false, false, false, false]);
});

test("a filter says only what it asks for", () => {
  assert.deepEqual(wanted(EVERYTHING), { running: true });
  assert.deepEqual(wanted({ preset: "bela", rated: false, speed: null, seats: 2, running: false }), { preset: "bela", rated: false, seats: 2 });
  assert.equal(ageMinutes(row("A"), Date.parse("2026-01-01T10:02:59Z")), 2);
});

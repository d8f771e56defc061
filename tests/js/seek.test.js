/** What *Play now* looks for, remembered and asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN, queueFrame, WAITS, wishOf, withPreset } from "../../static/js/core/seek.js";

test("a newcomer looks for a normal casual classic match", () => {
  assert.deepEqual(wishOf(undefined), PLAIN);
  assert.deepEqual(queueFrame(PLAIN, false), { t: "queue", on: true, preset: "classic", speed: "normal", rated: false, party: false });
});

test("what was remembered is asked again", () => {
  const wish = { preset: "belot", target: 151, speed: "fast", rated: true, waitMs: 60_000 };
  assert.deepEqual(wishOf(JSON.parse(JSON.stringify(wish))), wish);
  assert.deepEqual(queueFrame(wish, true),
    { t: "queue", on: true, preset: "belot", speed: "fast", rated: true, party: true, target: 151, wait_ms: 60_000 });
});

test("nonsense from storage is not asked of the server", () => {
  for (const raw of [null, 7, "x", { preset: 3, target: "501", speed: "warp", rated: 1, waitMs: 5 }, { preset: "<b>", target: 0, waitMs: -1 }]) {
    assert.deepEqual(wishOf(raw), PLAIN);
  }
});

test("another game forgets the target, the same game keeps it", () => {
  const wish = { ...PLAIN, target: 1001, speed: "fast" };
  assert.deepEqual(withPreset(wish, "coinche"), { ...wish, preset: "coinche", target: null });
  assert.equal(withPreset(wish, "classic"), wish);
});

test("the longest wait is what the server allows", () => {
  assert.equal(Math.max(...WAITS.map((ms) => ms ?? 0)), 120_000);
});

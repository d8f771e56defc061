/** D6 in JavaScript: the page's `apply` against what the server's own `apply` wrote. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { applyGame, CannotApply, newGame } from "../../static/js/core/apply.js";
import { applyTable } from "../../static/js/core/apply_table.js";

const FOLDER = new URL("../vectors/", import.meta.url);
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")) : [];

/** @param {string} name @returns {any[]} */
const read = (name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));

/** A table's view has a code, a game's view has a phase. @param {any} view */
const applyTo = (view) => ("code" in view ? applyTable : applyGame);

test("the server has written vectors", () => {
  assert.ok(files.length > 0);
});

for (const name of files) {
  test(`${name}: apply(view, event) is the server's view after it`, () => {
    let checked = 0;
    for (const vector of read(name)) {
      let view = vector.view;
      for (const event of vector.events ?? [vector.event]) {
        const before = structuredClone(view);
        const after = /** @type {any} */ (applyTo(view))(view, event);
        assert.deepEqual(view, before, `${event.type} changed the view in place`);
        view = after;
        checked += 1;
      }
      assert.deepEqual(view, vector.after);
    }
    assert.ok(checked > 0);
  });
}

test("an unknown event cannot be applied, so that the store asks for a snapshot", () => {
  const view = newGame(/** @type {any} */ ({ players: 4 }), 0, 1, "ab");
  assert.throws(() => applyGame(view, { seq: 1, type: "card_eaten", v: 1, d: {} }), CannotApply);
});

test("a card without a trick cannot be applied", () => {
  const view = newGame(/** @type {any} */ ({ players: 4 }), 0, 1, "ab");
  const event = { seq: 1, type: "card_played", v: 1, d: { seat: 1, card: "AS", belote: null } };
  assert.throws(() => applyGame(view, event), CannotApply);
});

/** Clock, cards, places, queue and replay: the page's small pure parts. For the sheet: sheet.test.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bestSoFar, sortHand } from "../../static/js/core/cards.js";
import { leftSeconds, ringPercent, startCountdown } from "../../static/js/core/clock.js";
import { Presenter } from "../../static/js/core/queue.js";
import { framesOf, trickStep } from "../../static/js/core/replay.js";
import { inOrder, placeOf, sidesFor } from "../../static/js/core/places.js";
import { trickNumber, tricksInAll } from "../../static/js/core/tricks.js";
import { played, someView } from "./fakes.js";

test("seconds left are rounded up, and end at nothing", () => {
  const clock = startCountdown(1_200, 10_000);
  assert.equal(leftSeconds(clock, 10_000), 2);
  assert.equal(leftSeconds(clock, 11_100), 1);
  assert.equal(leftSeconds(clock, 99_000), 0);
  assert.equal(leftSeconds(startCountdown(null, 0), 5), null);
});

test("the ring runs from full to empty", () => {
  const clock = startCountdown(10_000, 0);
  assert.equal(ringPercent(clock, 0), 100);
  assert.equal(ringPercent(clock, 5_000), 50);
  assert.equal(ringPercent(clock, 20_000), 0);
  assert.equal(ringPercent(null, 0), 100);
});

test("trumps stand first, by their own rank, and colours alternate", () => {
  const hand = ["7H", "JH", "9H", "AS", "TS", "KD", "AC"];
  assert.deepEqual(sortHand(hand, "H"), ["JH", "9H", "7H", "AS", "TS", "KD", "AC"]);
  assert.deepEqual(sortHand(["7S", "AD", "8S"], null), ["8S", "7S", "AD"]);
});

test("the mark lies on the highest trump, else on the highest card led", () => {
  assert.equal(bestSoFar(["AC", "TC", "7H"], "H"), 2);
  assert.equal(bestSoFar(["TC", "AD", "AC"], "H"), 2);
  assert.equal(bestSoFar(["9H", "JH", "AH"], "H"), 1);
});

test("counterclockwise the next to play sits on the right", () => {
  assert.deepEqual([0, 1, 2, 3].map((seat) => placeOf(seat, 2, { players: 4 })), ["n", "w", "s", "e"]);
  assert.equal(placeOf(3, 2, { players: 4, direction: "clockwise" }), "w");
});

test("three sit at foot, right and left; two face each other", () => {
  assert.deepEqual([0, 1, 2].map((seat) => placeOf(seat, 1, { players: 3 })), ["w", "s", "e"]);
  assert.equal(placeOf(2, 1, { players: 3, direction: "clockwise" }), "w");
  assert.deepEqual([0, 1].map((seat) => placeOf(seat, 1, { players: 2, direction: "clockwise" })), ["n", "s"]);
});

test("sides are told from the viewer's own", () => {
  assert.deepEqual(sidesFor(4, 3), [1, 0]);
  assert.deepEqual(sidesFor(3, 1), [1, 2, 0]);
  assert.deepEqual(inOrder([10, 20], 4, 1), [20, 10]);
  assert.deepEqual(inOrder([7, 6], 2, null), [7, 6]);
});

test("tricks are counted from the cards that are held, on the table too", () => {
  const open = { counts: [8, 8], up: [["AS", null], ["AH", "KH"]], down: [[1, 0], [1, 1]], tricks: [1, 0], trick: { leader: 0, cards: [], winner: null }, rules: { players: 2 } };
  assert.equal(tricksInAll(/** @type {any} */ (open)), 13);
  assert.equal(trickNumber(/** @type {any} */ (open), false), 2);
  assert.equal(trickNumber(/** @type {any} */ (open), true), 1);
});

/** @param {string} type @param {number} seq @returns {any} */
const step = (type, seq) => ({ event: { ...played(seq, 0, "AS"), type }, before: someView(), after: { seq } });

test("steps are shown one at a time, each for its time", () => {
  const presenter = new Presenter(someView());
  presenter.push([step("card_played", 1), step("trick_taken", 2)]);
  assert.equal(presenter.next(0)?.event.seq, 1);
  assert.equal(presenter.next(100), null);
  assert.equal(presenter.due(100), 160);
  assert.equal(presenter.next(260)?.event.seq, 2);
  assert.equal(presenter.upToDate, true);
});

test("whoever answers makes the screen catch up at once", () => {
  const presenter = new Presenter(someView());
  presenter.push([step("trick_taken", 1), step("card_played", 2), step("card_played", 3)]);
  presenter.next(0);
  presenter.catchUp();
  assert.deepEqual(presenter.shown, { seq: 3 });
  presenter.push([step("card_played", 4)]);
  assert.equal(presenter.next(1)?.event.seq, 4);
});

test("a screen is far behind after a hidden tab's worth of steps", () => {
  const presenter = new Presenter(someView());
  presenter.push([step("card_played", 1)]);
  assert.equal(presenter.farBehind, false);
  presenter.push(Array.from({ length: 20 }, (_, i) => step("card_played", i + 2)));
  assert.equal(presenter.farBehind, true);
  presenter.catchUp();
  assert.equal(presenter.farBehind, false);
  assert.deepEqual(presenter.shown, { seq: 21 });
});

const RECORD = {
  deal: 1, dealer: 3, turned: "JS", pack: ["7S", "8S", "TD", "KD", "JS", "9S", "AH"], rules: { packets: "1 then 1" },
  hands: [["7S", "JS"], ["8S", "9S"], [], []],
  auction: [{ seat: 0, call: "take" }], contract: { taker: 0, trump: "S", value: null, factor: 1 },
  tricks: [{ leader: 0, cards: ["7S", "8S", "AH", "9S"], winner: 3 }],
};

test("a deal is replayed from the first packets to its last trick", () => {
  const frames = framesOf(RECORD);
  assert.deepEqual(frames.map((frame) => frame.kind), ["dealt", "call", "card", "card", "card", "card", "trick", "end"]);
  assert.deepEqual(frames[0].hands.slice(0, 2), [["7S"], ["8S"]]);
  assert.deepEqual(frames[2].hands[0], ["JS"]);
  assert.deepEqual(frames[6].taken, [0, 1]);
  assert.equal(trickStep(frames, 0, 1), 6);
  assert.equal(trickStep(frames, 6, -1), 0);
});

test("a deal that nobody took has an auction alone", () => {
  const frames = framesOf({ ...RECORD, contract: null, tricks: [], auction: [{ seat: 0, call: "pass" }] });
  assert.deepEqual(frames.map((frame) => frame.kind), ["dealt", "call", "end"]);
});

const OPEN = {
  deal: 1, dealer: 1, turned: null, pack: ["7S", "8H"], rules: { packets: "1+1+1 then 1", auction: "contracts", layout: "open" },
  hands: [["7S"], ["8H"]], up: [["9S"], ["9H"]], down: [["TS"], ["TH"]], auction: [{ seat: 0, call: "bid", trump: "S" }],
  contract: { taker: 0, trump: "S", value: null, factor: 1 },
  tricks: [{ leader: 0, cards: ["9S", "8H"], winner: 0 }],
};

test("in open belot the card below is turned up once the trick is complete", () => {
  const [, , , second, taken] = framesOf(OPEN);
  assert.deepEqual(second.up, [[null], ["9H"]]);
  assert.deepEqual(second.down, [["TS"], ["TH"]]);
  assert.deepEqual(taken.up, [["TS"], ["9H"]]);
  assert.deepEqual(taken.down, [[null], ["TH"]]);
});

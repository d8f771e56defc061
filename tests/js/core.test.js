/** Clock, cards, queue, replay and score sheet: the page's small pure parts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bestSoFar, sortHand } from "../../static/js/core/cards.js";
import { leftSeconds, ringPercent, startCountdown } from "../../static/js/core/clock.js";
import { Presenter } from "../../static/js/core/queue.js";
import { framesOf, trickStep } from "../../static/js/core/replay.js";
import { placeOf, usThem } from "../../static/js/table/places.js";
import { compared, sheetLines, winnerOf } from "../../static/js/table/sheet_lines.js";
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
  assert.deepEqual([0, 1, 2, 3].map((seat) => placeOf(seat, 2)), ["n", "w", "s", "e"]);
  assert.equal(placeOf(3, 2, "clockwise"), "w");
  assert.deepEqual(usThem([10, 20], 1), [20, 10]);
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
  deal: 1, dealer: 3, turned: "JS", pack: ["7S", "8S", "JS", "9S", "AH"],
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

/** @param {Record<string, any>} score @returns {any} */
const scored = (score) => ({
  deal: 5, dealer: 0, contract: { taker: 2, trump: "H", value: null, factor: 1 }, next_dealer: 1, secret: null,
  declarations: [], belote: [{ seat: 1, suit: "H", said: 2 }],
  score: {
    cards: [82, 70], last_ten: 0, tricks: [5, 3], declarations: [0, 0], belote: [0, 20], outcome: "made",
    capot: null, rounded: null, awarded: [173, 90], carried_in: 81, hung: 0, totals: [423, 427], ...score,
  },
});
/** @type {any} */
const RULES = { contract_counts: "all", declare: "automatic", belote: "trump", capot: "bonus 90" };

test("the sheet's lines stand in the order in which they are counted", () => {
  const lines = sheetLines(scored({}), RULES);
  assert.deepEqual(lines.map((line) => [line.key, line.bySide]), [
    ["sheet.cards", [82, 70]], ["sheet.last", [10, null]], ["sheet.declarations", [null, null]],
    ["sheet.belote", [null, 20]], ["sheet.compare.made", [92, 90]], ["sheet.scored", [92, 90]],
    ["sheet.carried", [81, null]], ["sheet.written", [173, 90]],
  ]);
});

test("a deal that hangs has no winner and says what hangs", () => {
  const deal = scored({ outcome: "litige", awarded: [0, 81], hung: 162 });
  assert.equal(winnerOf(deal), null);
  const keys = sheetLines(deal, RULES).map((line) => line.key);
  assert.ok(keys.includes("sheet.hung"));
  assert.ok(!keys.includes("sheet.carried"));
});

test("what is compared is what the rules count", () => {
  assert.deepEqual(compared(scored({}), { ...RULES, contract_counts: "tricks" }), [92, 70]);
  assert.deepEqual(compared(scored({}), { ...RULES, contract_counts: "belote" }), [92, 90]);
});

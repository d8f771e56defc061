/**
 * A finished deal, step by step, from its record (rebelote-deal/1). Pure: every frame is computed
 * from the record's own facts, no rule is asked.
 */
import { sideCount, sideOf } from "./places.js";

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./cards.js").Trump} Trump */
/** @typedef {Record<string, any>} DealRecord */
/** @typedef {{ seat: number, call: string, trump?: Trump, value?: number | "capot" }} Call */
/**
 * `up` and `down` are what lies before the seats in open belot, by place; empty elsewhere.
 * @typedef {{ kind: "dealt" | "call" | "card" | "trick" | "end", hands: Card[][],
 *   up: (Card | null)[][], down: (Card | null)[][], turned: Card | null, calls: Call[],
 *   contract: DealRecord | null, trick: { leader: number, cards: Card[], winner: number | null } | null,
 *   taken: number[], number: number, seat: number | null }} Frame
 */

/** @param {DealRecord} record @returns {Frame[]} */
export function framesOf(record) {
  const full = /** @type {Card[][]} */ (record.hands);
  const nothing = full.map(() => []);
  /** @type {Frame} */
  let frame = {
    kind: "dealt", hands: dealtBefore(record), up: record.up ?? nothing, down: record.down ?? nothing,
    turned: record.turned ?? null, calls: [], contract: null, trick: null,
    taken: Array.from({ length: sideCount(full.length) }, () => 0), number: 0, seat: null,
  };
  const frames = [frame];
  const push = (/** @type {Partial<Frame>} */ change) => {
    frame = { ...frame, ...change };
    frames.push(frame);
  };
  for (const call of record.auction ?? []) {
    push({ kind: "call", calls: [...frame.calls, call], seat: call.seat });
  }
  if (!record.contract) {
    push({ kind: "end", seat: null });
    return frames;
  }
  frame = { ...frame, hands: full.map((hand) => [...hand]), contract: record.contract, turned: null };
  for (const [i, trick] of (record.tricks ?? []).entries()) playTrick(push, () => frame, trick, i + 1);
  push({ kind: "end", seat: null });
  return frames;
}

/**
 * @param {(change: Partial<Frame>) => void} push @param {() => Frame} now
 * @param {{ leader: number, cards: Card[], winner: number | null }} trick @param {number} number
 */
function playTrick(push, now, trick, number) {
  const players = now().hands.length;
  trick.cards.forEach((card, i) => {
    const seat = (trick.leader + i) % players;
    push({
      kind: "card", number, seat,
      hands: now().hands.map((hand, s) => (s === seat ? hand.filter((c) => c !== card) : hand)),
      up: now().up.map((places, s) => (s === seat ? places.map((c) => (c === card ? null : c)) : places)),
      trick: { leader: trick.leader, cards: trick.cards.slice(0, i + 1), winner: null },
    });
  });
  const { winner } = trick;
  if (winner === null || winner === undefined || trick.cards.length < players) return;
  push({
    kind: "trick", number, seat: winner, trick: { ...trick }, ...turnedUp(now()),
    taken: now().taken.map((n, side) => (side === sideOf(winner, players) ? n + 1 : n)),
  });
}

/** Once a trick is complete, what lay under a played card is turned up. @param {Frame} frame */
const turnedUp = ({ up, down }) => ({
  up: up.map((places, seat) => places.map((card, i) => card ?? down[seat][i] ?? null)),
  down: down.map((places, seat) => places.map((card, i) => (up[seat][i] === null ? null : card))),
});

/** The hands before the auction: the first cards of the pack, as they were dealt. @param {DealRecord} record @returns {Card[][]} */
function dealtBefore(record) {
  const hands = /** @type {Card[][]} */ (record.hands);
  if (!record.contract || record.rules?.auction === "call") return hands;
  const [before] = String(record.rules?.packets ?? "").split(" then ");
  const each = before.split("+").reduce((sum, n) => sum + Number(n), 0);
  const first = new Set(record.pack.slice(0, each * hands.length));
  return hands.map((hand) => hand.filter((card) => first.has(card)));
}

/** The first frame of the next or the last trick; by deals the caller counts. @param {Frame[]} frames @param {number} at @param {1 | -1} way */
export function trickStep(frames, at, way) {
  let i = at + way;
  while (i > 0 && i < frames.length - 1 && frames[i].kind !== "trick") i += way;
  return Math.max(0, Math.min(frames.length - 1, i));
}

/**
 * The presentation queue: the state changes at once, the screen follows one step at a time.
 *
 * Pure: `now` is passed in and `due` says when to come back. A card, a trick's rest, a call: each
 * holds the screen for its time. Input is not held: it opens with the turn, and whoever answers
 * makes the screen catch up (`catchUp`).
 */

/** @typedef {import("./store.js").Step} Step */
/** @typedef {import("./types.js").TableView} TableView */

/** How long each event keeps the screen, in ms at normal speed (motion.md). */
export const HOLD_MS = /** @type {Record<string, number>} */ ({
  hand_dealt: 700,
  rest_dealt: 500,
  passed: 350,
  bid_made: 600,
  doubled: 900,
  redoubled: 900,
  third_doubled: 900,
  deal_annulled: 1_200,
  passed_out: 1_200,
  declared: 300,
  card_turned_up: 450,
  card_played: 260,
  trick_taken: 1_350, // 1000 still, then gathered in 320
  declarations_settled: 0,
  deal_scored: 250,
});

/** More than this behind, the screen jumps: it was hidden, or the line was down. */
const TOO_FAR = 14;

export class Presenter {
  /** @param {TableView} view @param {number} [speed] factor on every time */
  constructor(view, speed = 1) {
    this.shown = view;
    this.speed = speed;
    /** @type {Step[]} */
    this.waiting = [];
    this.freeAt = 0;
  }

  /** @param {Step[]} steps */
  push(steps) {
    this.waiting.push(...steps);
  }

  /** A snapshot replaces everything. @param {TableView} view */
  reset(view) {
    this.waiting = [];
    this.shown = view;
    this.freeAt = 0;
  }

  /** Whether the screen shows the latest state. */
  get upToDate() {
    return this.waiting.length === 0;
  }

  /** Whether the screen is so far behind that it had better jump. */
  get farBehind() {
    return this.waiting.length > TOO_FAR;
  }

  /** Milliseconds until the next step may be shown; null if there is none. @param {number} now */
  due(now) {
    return this.waiting.length === 0 ? null : Math.max(0, this.freeAt - now);
  }

  /** The next step to show, if its time has come. @param {number} now @returns {Step | null} */
  next(now) {
    if (this.waiting.length === 0 || now < this.freeAt) return null;
    const step = /** @type {Step} */ (this.waiting.shift());
    this.shown = step.after;
    this.freeAt = now + (HOLD_MS[step.event.type] ?? 0) * this.speed;
    return step;
  }

  /** Show the latest state at once. */
  catchUp() {
    const last = this.waiting.pop();
    if (last !== undefined) this.shown = last.after;
    this.waiting = [];
    this.freeAt = 0;
  }

  /** Seats and presence change without a step; the shown view follows them at once. @param {TableView} view */
  refresh(view) {
    if (this.upToDate) this.shown = view;
    else this.shown = { ...this.shown, presence: view.presence, paused: view.paused };
  }
}

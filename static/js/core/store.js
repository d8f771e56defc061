/**
 * What the page knows of its tables: view, number and turn of each, fed by frames (D5, D6).
 *
 * Pure: time is passed in, frames to send are returned, and listeners are told what changed.
 * Applies `have + 1`, drops older, asks at a gap; there are no optimistic rules: a card is "sent"
 * until its event comes.
 */
import { applyTable } from "./apply_table.js";
import { startCountdown } from "./clock.js";

/** @typedef {import("./types.js").TableView} TableView */
/** @typedef {import("./types.js").WireEvent} WireEvent */
/** @typedef {import("./types.js").Turn} Turn */
/** @typedef {import("./clock.js").Countdown} Countdown */
/** @typedef {{ event: WireEvent, before: TableView, after: TableView }} Step */
/**
 * @typedef {{ code: string, seq: number, view: TableView, turn: Turn | null,
 *   clock: Countdown | null }} TableState
 */
/**
 * @typedef {{ kind: "snap", table: TableState } |
 *   { kind: "steps", table: TableState, steps: Step[] } |
 *   { kind: "turn", table: TableState } | { kind: "presence", table: TableState }} Change
 */
/** @typedef {Record<string, any> & { t: string }} Frame */

export class Store {
  constructor() {
    /** @type {Map<string, TableState | null>} null: wanted, no snapshot yet */
    this.tables = new Map();
    /** @type {Set<string>} tables that wait for the answer to a resync */
    this.asked = new Set();
    /** @type {Set<(change: Change) => void>} */
    this.listeners = new Set();
  }

  /** @param {(change: Change) => void} listener @returns {() => void} how to stop */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param {Change} change */
  tell(change) {
    for (const listener of [...this.listeners]) listener(change);
  }

  /** @param {string} code */
  get(code) {
    return this.tables.get(code) ?? null;
  }

  /** Follow a table; true if it was not followed before. @param {string} code */
  want(code) {
    if (this.tables.has(code)) return false;
    this.tables.set(code, null);
    return true;
  }

  /** @param {string} code */
  drop(code) {
    this.tables.delete(code);
    this.asked.delete(code);
  }

  /** For `hello`: the tables of which something is known. */
  resume() {
    return this.known().map((table) => ({ table: table.code, seq: table.seq }));
  }

  /** For `ping`. */
  have() {
    return this.known().map((table) => ({
      table: table.code, seq: table.seq, decision: table.turn?.decision ?? null,
    }));
  }

  /** Tables that still want a first snapshot. */
  missing() {
    return [...this.tables].filter(([, table]) => table === null).map(([code]) => code);
  }

  known() {
    return [...this.tables.values()].filter((table) => table !== null);
  }

  /** A new socket: what was asked on the old one will not be answered. */
  forgetQuestions() {
    this.asked.clear();
  }

  /** Whether a command for this decision could still be taken. @param {string} code @param {number | null} decision */
  isOpen(code, decision) {
    if (decision === null) return true;
    const table = this.get(code);
    if (table === null || table.turn?.decision === decision) return true;
    return table.turn?.also?.some((one) => one.decision === decision) ?? false;
  }

  /**
   * One frame from the server. @param {Frame} frame @param {number} now monotonic ms
   * @returns {Frame[]} frames to send
   */
  receive(frame, now) {
    const code = frame.table;
    if (typeof code !== "string" || !this.tables.has(code)) return [];
    switch (frame.t) {
      case "snap":
        return this.snap(code, frame, now);
      case "ev":
        return this.events(code, frame, now);
      case "turn":
        return this.turn(code, frame, now);
      case "presence":
        return this.presence(code, frame);
      default:
        return [];
    }
  }

  /** @param {string} code @param {Frame} frame @param {number} now @returns {Frame[]} */
  snap(code, frame, now) {
    this.asked.delete(code);
    const turn = frame.turn ?? null;
    const table = { code, seq: frame.seq, view: frame.view, turn, clock: clockOf(turn, now) };
    this.tables.set(code, table);
    this.tell({ kind: "snap", table });
    return [];
  }

  /** @param {string} code @param {Frame} frame @param {number} now @returns {Frame[]} */
  events(code, frame, now) {
    const had = this.get(code);
    if (had === null) return [];
    const fresh = frame.evs.filter((/** @type {WireEvent} */ e) => e.seq > had.seq);
    if (fresh.length === 0) return this.turn(code, frame, now);
    /** @type {Step[]} */
    const steps = [];
    let { seq, view } = had;
    try {
      for (const event of fresh) {
        if (event.seq !== seq + 1) return this.ask(code, had.seq);
        const after = applyTable(view, event);
        steps.push({ event, before: view, after });
        seq = event.seq;
        view = after;
      }
    } catch {
      // Whatever could not be applied, a snapshot cures; the page is never reloaded for it.
      return this.ask(code, had.seq);
    }
    this.asked.delete(code);
    const turn = turnAfter(had, view, frame);
    const clock = turn === had.turn ? had.clock : clockOf(turn, now);
    const table = { code, seq, view, turn, clock };
    this.tables.set(code, table);
    this.tell({ kind: "steps", table, steps });
    return [];
  }

  /** @param {string} code @param {Frame} frame @param {number} now @returns {Frame[]} */
  turn(code, frame, now) {
    const had = this.get(code);
    if (had === null || !("turn" in frame)) return [];
    const table = { ...had, turn: frame.turn, clock: clockOf(frame.turn, now) };
    this.tables.set(code, table);
    this.tell({ kind: "turn", table });
    return [];
  }

  /** @param {string} code @param {Frame} frame @returns {Frame[]} */
  presence(code, frame) {
    const had = this.get(code);
    if (had === null) return [];
    const table = { ...had, view: { ...had.view, presence: frame.seats, watching: frame.watching ?? 0 } };
    this.tables.set(code, table);
    this.tell({ kind: "presence", table });
    return [];
  }

  /** Ask once, however many frames show the same gap. @param {string} code @param {number} seq @returns {Frame[]} */
  ask(code, seq) {
    if (this.asked.has(code)) return [];
    this.asked.add(code);
    return [{ t: "resync", table: code, seq }];
  }
}

/** @param {Turn | null} turn @param {number} now */
const clockOf = (turn, now) => (turn === null ? null : startCountdown(turn.left_ms, now, turn.whole_ms));

/**
 * A frame without `turn` leaves the turn as it is, unless its events ended it.
 * @param {TableState} had @param {TableView} view @param {Frame} frame @returns {Turn | null}
 */
function turnAfter(had, view, frame) {
  if ("turn" in frame) return frame.turn;
  // What all are asked is over with the check or the offer itself.
  if (had.turn?.kind === "ready" && view.ready === null) return null;
  if (had.turn?.kind === "rematch" && view.rematch === null) return null;
  const before = had.view.game;
  const after = view.game;
  const same = before?.turn === after?.turn && before?.phase === after?.phase;
  return same && before?.deal === after?.deal && !view.paused ? had.turn : null;
}

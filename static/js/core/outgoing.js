/**
 * Commands on their way (D7): each is kept with its id until it is answered, sent again after
 * 2.5 s and on reconnecting, but only while the decision that it answers is open.
 */

/** @typedef {import("./store.js").Frame} Frame */
/** @typedef {{ ok: true } | { ok: false, code: string, facts?: Record<string, any> }} Answer */
/**
 * @typedef {{ id: string, table: string, decision: number | null, c: Record<string, unknown>,
 *   settle: (answer: Answer) => void, timer: unknown }} Pending
 */
/**
 * @typedef {object} OutgoingPorts
 * @property {(table: string, decision: number | null) => boolean} isOpen
 * @property {(frame: Frame) => void} send
 * @property {(ms: number, then: () => void) => unknown} after
 * @property {(timer: unknown) => void} cancel
 * @property {() => string} newId
 */

export const RESEND_MS = 2_500;
/** After a nak that says `retry`: the server could not say yes or no just now. */
export const RETRY_MS = 400;

export class Outgoing {
  /** @param {OutgoingPorts} ports */
  constructor(ports) {
    this.ports = ports;
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
  }

  /**
   * @param {string} table @param {number | null} decision @param {Record<string, unknown>} c
   * @returns {Promise<Answer>}
   */
  add(table, decision, c) {
    return new Promise((settle) => {
      const id = this.ports.newId();
      const pending = { id, table, decision, c, settle, timer: null };
      this.pending.set(id, pending);
      this.transmit(pending);
    });
  }

  /** @param {Pending} pending */
  transmit(pending) {
    const { id, table, decision, c } = pending;
    this.ports.send({ t: "cmd", id, table, decision, c });
    this.again(pending, RESEND_MS);
  }

  /** @param {Pending} pending @param {number} ms */
  again(pending, ms) {
    this.ports.cancel(pending.timer);
    pending.timer = this.ports.after(ms, () => {
      if (this.isAlive(pending)) this.transmit(pending);
    });
  }

  /** A closed decision takes its commands with it. @param {Pending} pending */
  isAlive(pending) {
    if (this.ports.isOpen(pending.table, pending.decision)) return true;
    this.finish(pending.id, { ok: false, code: "stale" });
    return false;
  }

  /** After every frame: commands whose decision closed need not wait for an answer. */
  review() {
    for (const pending of [...this.pending.values()]) this.isAlive(pending);
  }

  resendAll() {
    for (const pending of [...this.pending.values()]) {
      if (this.isAlive(pending)) this.transmit(pending);
    }
  }

  /** @param {string} id */
  acknowledged(id) {
    this.finish(id, { ok: true });
  }

  /** @param {Frame} frame */
  refused(frame) {
    const pending = this.pending.get(frame.id);
    if (pending === undefined) return;
    if (frame.retry) this.again(pending, RETRY_MS);
    else this.finish(frame.id, { ok: false, code: frame.code, facts: frame.facts });
  }

  /** @param {string} id @param {Answer} answer */
  finish(id, answer) {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    this.ports.cancel(pending.timer);
    pending.settle(answer);
  }
}

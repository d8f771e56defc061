/** Doubles for the socket and the clock: time moves only when a test says so. */

/** @typedef {{ at: number, then: () => void }} Timer */

export class FakeClock {
  now = 0;
  /** @type {Timer[]} */
  timers = [];

  /** @param {number} ms @param {() => void} then */
  after(ms, then) {
    const timer = { at: this.now + ms, then };
    this.timers.push(timer);
    return timer;
  }

  /** @param {unknown} timer */
  cancel(timer) {
    this.timers = this.timers.filter((one) => one !== timer);
  }

  /** @param {number} ms */
  pass(ms) {
    const end = this.now + ms;
    for (;;) {
      const due = this.timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.cancel(due);
      this.now = Math.max(this.now, due.at);
      due.then();
    }
    this.now = end;
  }
}

export class FakeSocket {
  /** @type {any[]} */
  sent = [];
  closed = false;

  /** @param {import("../../static/js/core/reconnect.js").SocketEvents} events */
  constructor(events) {
    this.events = events;
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  /** @param {object} frame */
  say(frame) {
    this.events.onText(JSON.stringify(frame));
  }

  /** @param {string} t */
  of(t) {
    return this.sent.filter((frame) => frame.t === t);
  }
}

/** A table's view with a game whose turn is seat 0's. @param {Record<string, any>} [game] @returns {any} */
export function someView(game = {}) {
  return {
    code: "K7Q2MD", status: "playing", host: null, options: {}, paused: false, presence: [],
    ready: null, rematch: null, resign: [null, null],
    seats: [0, 1, 2, 3].map(() => ({ kind: "bot", strikes: 0, sitting_in: false })),
    you: { player: "me", seat: 0 }, match: null,
    game: {
      rules: { players: 4 }, viewer: 0, phase: "play", deal: 1, dealer: 3, turn: 0, round: 1,
      hand: ["AS", "7D"], counts: [2, 2, 2, 2], trick: { leader: 0, cards: [], winner: null },
      played: [], belote: [], up: [[], [], [], []], down: [[], [], [], []], tricks: [0, 0], auction: [], ...game,
    },
  };
}

/** @param {number} seq @param {number} seat @param {string} card */
export const played = (seq, seat, card) => ({
  seq, type: "card_played", v: 1, d: { seat, card, belote: null },
});

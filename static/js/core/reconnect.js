/**
 * The socket's life: hello, welcome, ping, backoff, and commands kept until they are answered.
 *
 * Pure: the socket, the clock, timers and chance are passed in (`Ports`), so that the whole of it
 * runs under `node --test`. The rules are those of docs/protocol.md.
 */
import { Outgoing } from "./outgoing.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./store.js").Frame} Frame */
/** @typedef {{ send: (text: string) => void, close: () => void }} Socket */
/**
 * @typedef {object} SocketEvents
 * @property {() => void} onOpen
 * @property {(text: string) => void} onText
 * @property {(code: number) => void} onClose
 */
/**
 * @typedef {object} Ports
 * @property {(events: SocketEvents) => Socket} connect
 * @property {() => number} now monotonic milliseconds
 * @property {(ms: number, then: () => void) => unknown} after starts a timer
 * @property {(timer: unknown) => void} cancel
 * @property {() => number} random 0 to 1
 * @property {() => string} newId
 * @property {string} build
 */
/** @typedef {"connecting" | "online" | "reconnecting" | "offline" | "stopped"} Status */

export const PROTO = 1;
export const PING_MS = 5_000;
export const PONG_MS = 9_000;
/** For the probe after becoming visible or online: a dead socket should not cost nine seconds. */
export const PROBE_MS = 2_000;
/** From opening a socket to `welcome`. */
export const WELCOME_MS = 8_000;
export const BACKOFF_MIN_MS = 250;
export const BACKOFF_MAX_MS = 5_000;

/** Close codes after which asking again changes nothing by itself; the page decides. */
const FINAL = new Set([4401, 4403, 4426]);
/** Close codes that ask for patience. */
const SLOW = new Set([4409, 4429]);

export class Link {
  /**
   * @param {Store} store @param {Ports} ports
   * @param {{ onStatus?: (status: Status, code: number | null) => void,
   *   onWelcome?: (frame: Frame) => void, onBeside?: (frame: Frame) => void, onError?: (code: string, table?: string) => void }} [hooks]
   */
  constructor(store, ports, hooks = {}) {
    this.store = store;
    this.ports = ports;
    this.hooks = hooks;
    /** @type {Status} */
    this.status = "offline";
    /** @type {Socket | null} */
    this.socket = null;
    this.failures = 0;
    this.pings = 0;
    /** The ping whose answer decides whether the socket lives: the oldest without one. */
    this.awaited = 0;
    /** @type {Record<string, unknown>} */
    this.timers = {};
    this.out = new Outgoing({
      isOpen: (table, decision) => store.isOpen(table, decision),
      send: (frame) => this.send(frame),
      after: ports.after,
      cancel: ports.cancel,
      newId: ports.newId,
    });
  }

  /** Open the socket, if it is not open. */
  start() {
    if (this.socket !== null) return;
    this.setStatus(this.failures === 0 ? "connecting" : "reconnecting", null);
    this.open();
  }

  /** Close for good, until `start`. */
  stop() {
    this.abandon();
    this.setStatus("offline", null);
  }

  /** Follow a table. @param {string} code */
  follow(code) {
    if (this.store.want(code)) this.send({ t: "sub", table: code });
  }

  /** @param {string} code */
  unfollow(code) {
    this.store.drop(code);
    this.send({ t: "unsub", table: code });
  }

  /**
   * Send a command and keep it until it is answered.
   * @param {string} table @param {number | null} decision @param {Record<string, unknown>} command
   */
  command(table, decision, command) {
    return this.out.add(table, decision, command);
  }

  /** The page became visible, or the network came back: do not wait for the next ping. */
  probe() {
    if (this.status === "online") {
      this.ping(PROBE_MS);
      return;
    }
    if (this.status !== "reconnecting" && this.status !== "connecting") return;
    this.abandon();
    this.open();
  }

  open() {
    this.arm("welcome", WELCOME_MS, () => this.lost(1006));
    // Each socket has events of its own: what an abandoned one says later is not heard.
    let current = true;
    const heard = (/** @type {() => void} */ then) => {
      if (current && this.forget === forget) then();
    };
    const forget = () => {
      current = false;
    };
    this.forget = forget;
    this.socket = this.ports.connect({
      onOpen: () => heard(() => this.hello()),
      onText: (text) => heard(() => this.hear(text)),
      onClose: (code) => heard(() => this.lost(code)),
    });
  }

  hello() {
    this.write({ t: "hello", proto: PROTO, build: this.ports.build, resume: this.store.resume() });
  }

  /** @param {string} text */
  hear(text) {
    /** @type {Frame} */
    const frame = JSON.parse(text);
    switch (frame.t) {
      case "welcome":
        this.welcomed(frame);
        break;
      case "pong":
        if (frame.n >= this.awaited) this.disarm("pong");
        break;
      case "ack":
        this.out.acknowledged(frame.id);
        break;
      case "nak":
        this.out.refused(frame);
        break;
      case "error":
        this.hooks.onError?.(frame.code, frame.table);
        break;
      case "lobby":
      case "queued":
      case "matched":
      case "cancelled":
        this.hooks.onBeside?.(frame);
        break;
      default:
        this.take(frame);
    }
  }

  /** @param {Frame} frame */
  take(frame) {
    for (const answer of this.store.receive(frame, this.ports.now())) this.send(answer);
    if (typeof frame.ack === "string") this.out.acknowledged(frame.ack);
    this.out.review();
  }

  /** @param {Frame} frame */
  welcomed(frame) {
    this.disarm("welcome");
    this.failures = 0;
    this.store.forgetQuestions();
    this.setStatus("online", null);
    this.hooks.onWelcome?.(frame);
    this.hooks.onBeside?.(frame);
    for (const code of this.store.missing()) this.send({ t: "sub", table: code });
    this.out.resendAll();
    this.arm("ping", PING_MS, () => this.ping(PONG_MS));
  }

  /** @param {number} patience ms until the socket counts as dead */
  ping(patience) {
    this.pings += 1;
    this.send({ t: "ping", n: this.pings, have: this.store.have() });
    if (!("pong" in this.timers) || patience < PONG_MS) {
      this.awaited = this.pings;
      this.arm("pong", patience, () => this.lost(1006));
    }
    this.arm("ping", PING_MS, () => this.ping(PONG_MS));
  }

  /** The socket is gone, or as good as gone. @param {number} code */
  lost(code) {
    this.abandon();
    if (FINAL.has(code)) {
      this.setStatus("stopped", code);
      return;
    }
    this.failures += 1;
    this.setStatus("reconnecting", code);
    this.arm("retry", this.backoff(code), () => this.open());
  }

  /** Full jitter between half and the whole of the doubling step. @param {number} code */
  backoff(code) {
    const step = SLOW.has(code) ? BACKOFF_MAX_MS : BACKOFF_MIN_MS * 2 ** (this.failures - 1);
    return Math.min(step, BACKOFF_MAX_MS) * (0.5 + this.ports.random() / 2);
  }

  abandon() {
    this.forget?.();
    for (const name of Object.keys(this.timers)) this.disarm(name);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** Send when online; hello and resume make good what could not be sent. @param {Frame} frame */
  send(frame) {
    if (this.status === "online") this.write(frame);
  }

  /** @param {Frame} frame */
  write(frame) {
    this.socket?.send(JSON.stringify(frame));
  }

  /** @param {string} name @param {number} ms @param {() => void} then */
  arm(name, ms, then) {
    this.disarm(name);
    this.timers[name] = this.ports.after(ms, () => {
      delete this.timers[name];
      then();
    });
  }

  /** @param {string} name */
  disarm(name) {
    if (!(name in this.timers)) return;
    this.ports.cancel(this.timers[name]);
    delete this.timers[name];
  }

  /** @param {Status} status @param {number | null} code */
  setStatus(status, code) {
    if (this.status === status && code === null) return;
    this.status = status;
    this.hooks.onStatus?.(status, code);
  }
}

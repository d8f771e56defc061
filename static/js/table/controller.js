/**
 * One table on the screen: follows the store, shows its steps one by one, sends what is chosen.
 *
 * The real state opens input; the shown one is what has been presented so far (core/queue.js).
 */
import { attempt, link, say, store, toast, update } from "../app.js";
import { sortHand } from "../core/cards.js";
import { leftMs } from "../core/clock.js";
import { errorText, t } from "../i18n.js";
import { api } from "../net/api.js";
import { sound } from "../ui/sound.js";
import { Chooser } from "./chooser.js";
import { narrate } from "./narrate.js";
import { tellPeople } from "./people.js";
import { sitDownLate } from "./watching.js";

/** @typedef {import("../core/store.js").Change} Change */
/** @typedef {import("../core/types.js").Card} Card */
/** @typedef {import("../core/types.js").TableView} TableView */

const REASON_MS = 2_500;
/** A second click of a double click must not choose another card. */
const CLICK_GUARD_MS = 350;
const HURRY_MS = 5_000;

export class TableController extends Chooser {
  /** @param {string} code */
  constructor(code) {
    super(code);
    /** @type {Card | null} */
    this.lifted = null;
    /** @type {Card | null} chosen before my turn */
    this.chosen = null;
    /** @type {{ card: Card, why: import("../core/types.js").Refusal } | null} */
    this.reason = null;
    /** @type {{ decision: number | null, what: string } | null} */
    this.sent = null;
    /** @type {number | null} the bot's seat that I take when this deal is over */
    this.lateSeat = null;
    this.playedAt = -Infinity;
    /** @type {number | null} the decision of which I was warned */
    this.hurried = null;
    /** @type {number | null} the decision that was announced */
    this.heard = null;
    this.stopListening = store.listen((change) => this.onChange(change));
    this.ticker = setInterval(() => this.tick(), 250);
  }

  dispose() {
    this.stopListening();
    clearInterval(this.ticker);
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }

  get secondsLeft() {
    const left = leftMs(this.state?.clock ?? null, performance.now());
    return left === null ? null : Math.ceil(left / 1000);
  }

  /** Cards in my hand as they should lie there now. */
  get hand() {
    const real = this.state?.view.game ?? null;
    const shown = this.shown?.game ?? null;
    if (real === null || shown === null || real.hand === null) return [];
    if (this.myTurn !== null || shown.hand === null) return real.hand;
    if (shown.deal !== real.deal || shown.phase === "auction") return shown.hand;
    return shown.hand.filter((card) => real.hand?.includes(card));
  }

  /** Cards of mine that lie face down, unseen by me too (bela). */
  get hiddenCards() {
    const game = (this.myTurn === null ? this.shown?.game : this.state?.view.game) ?? null;
    if (game === null || this.seat === null || game.rules.layout === "open") return 0;
    return (game.down?.[this.seat] ?? []).reduce((a, b) => a + b, 0);
  }

  /** What lies before me in open belot. */
  get piles() {
    const game = (this.myTurn === null ? this.shown?.game : this.state?.view.game) ?? null;
    const seat = this.seat ?? 0;
    return { up: game?.up?.[seat] ?? [], down: game?.down?.[seat] ?? [] };
  }

  /** All cards that are mine to play, in reading order. */
  get cards() {
    const trump = this.shown?.game?.contract?.trump ?? null;
    const up = /** @type {Card[]} */ (this.piles.up.filter((card) => card !== null));
    return [...sortHand(this.hand, trump), ...up];
  }

  /** @param {Change} change */
  onChange(change) {
    if (change.table.code !== this.code) return;
    if (change.kind === "snap") this.onSnap(change.table.view);
    else if (change.kind === "steps") this.presenter?.push(change.steps);
    this.presenter?.refresh(change.table.view);
    tellPeople(this, change);
    sitDownLate(this);
    this.onTurn();
    this.pump();
    update();
  }

  /** @param {TableView} view */
  onSnap(view) {
    this.restart(view);
    this.sent = null;
  }

  /** @override */
  clearForDeal() {
    super.clearForDeal();
    this.lifted = null;
    this.chosen = null;
  }

  /** A new decision: what was said about the old one is void. */
  onTurn() {
    const turn = this.state?.turn ?? null;
    if (this.sent !== null && this.sent.decision !== (turn?.decision ?? null)) this.sent = null;
    if (this.myTurn === null) {
      if (this.lifted !== null && !this.cards.includes(this.lifted)) this.lifted = null;
      this.reason = null;
      return;
    }
    if (this.heard === this.myTurn.decision) return;
    this.heard = this.myTurn.decision;
    sound("turn");
    say(narrate.myTurn(/** @type {TableView} */ (this.state?.view), this.myTurn));
    this.playChosen();
  }

  /** The card chosen before my turn goes now, if it may; with something to announce it waits for me. */
  playChosen() {
    const card = this.chosen;
    this.chosen = null;
    if (card === null || this.myTurn?.kind !== "play") return;
    const { legal } = this.myTurn;
    if (!legal?.cards.includes(card)) return;
    if ((legal.declarations ?? []).length > 0 || legal.belote?.includes(card)) this.lift(card);
    else this.play(card);
  }

  /** Whether this card could be played now. @param {Card} card */
  mayPlay(card) {
    return this.myTurn?.kind === "play" && this.sent === null && (this.myTurn.legal?.cards.includes(card) ?? false);
  }

  tick() {
    const state = this.state;
    if (state === null || state.clock === null) return;
    const left = leftMs(state.clock, performance.now()) ?? 0;
    const decision = state.turn?.decision ?? null;
    if (this.myTurn !== null && left > 0 && left < HURRY_MS && this.hurried !== decision) {
      this.hurried = decision;
      sound("hurry");
    }
    update();
  }

  /* ---- what the player does ---- */

  /** A card was pressed. @param {Card} card @param {boolean} sure a mouse click or a key, not a tap */
  press(card, sure) {
    if (performance.now() - this.playedAt < CLICK_GUARD_MS || this.sent?.what === card) return;
    const turn = this.myTurn;
    if (turn === null || turn.kind !== "play") {
      this.choose(card);
      return;
    }
    const why = turn.legal?.why[card];
    if (!turn.legal?.cards.includes(card)) {
      this.refuse(card, why ?? { code: "not_now", suit: null, beat: null });
      return;
    }
    if (sure || this.lifted === card) this.play(card);
    else this.lift(card);
  }

  /** Before my turn a card may be chosen, and chosen off again. @param {Card} card */
  choose(card) {
    if (this.state?.view.game?.phase !== "play") return;
    this.chosen = this.chosen === card ? null : card;
    update();
  }

  /** @param {Card | null} card */
  lift(card) {
    this.lifted = card;
    this.reason = null;
    update();
  }

  /** @param {Card} card @param {import("../core/types.js").Refusal} why */
  refuse(card, why) {
    this.lifted = null;
    const reason = { card, why };
    this.reason = reason;
    say(narrate.reason(why));
    clearTimeout(this.timers.reason);
    this.timers.reason = setTimeout(() => {
      if (this.reason !== reason) return;
      this.reason = null;
      update();
    }, REASON_MS);
    update();
  }

  /** @param {Card} card */
  play(card) {
    this.playedAt = performance.now();
    this.lifted = card;
    void this.answer(this.cardCommand(card), card);
  }

  /**
   * Answer an open decision: the turn's, or another one that is open to me.
   * @param {Record<string, unknown>} command @param {string} what @param {number} [decision] @override
   */
  async answer(command, what, decision = this.state?.turn?.decision) {
    if (decision === undefined || this.sent !== null) return;
    this.sent = { decision: this.state?.turn?.decision ?? null, what };
    this.catchUp();
    update();
    const answer = await link.command(this.code, decision, command);
    if (!answer.ok && answer.code !== "stale") {
      this.sent = null;
      this.lifted = null;
      toast(errorText(answer.code));
    }
    update();
  }

  pass() {
    if (this.myTurn?.legal?.calls.includes("pass")) void this.answer({ type: "pass" }, "pass");
  }

  take() {
    if (this.myTurn?.legal?.calls.includes("take")) void this.answer({ type: "take" }, "take");
  }

  /** @param {string} trump */
  name(trump) {
    void this.answer({ type: "name", trump }, `name-${trump}`);
  }

  next() {
    if (this.state?.turn?.kind !== "continue") this.closePanel();
    else void this.answer({ type: "continue" }, "continue");
  }

  /** @param {boolean} yes */
  answerReady(yes) {
    void this.answer({ type: "ready", yes }, "ready");
  }

  reclaim() {
    void link.command(this.code, null, { type: "reclaim" }).then((answer) => {
      if (!answer.ok) toast(errorText(answer.code));
    });
  }

  /** @param {number | null} [seat] */
  sit(seat = null) {
    return attempt(async () => {
      await api.post(`/api/tables/${this.code}/seats`, seat === null ? {} : { seat });
    });
  }

  /** @param {boolean} [bots] whether they take the free seats */
  start(bots = false) {
    return attempt(() => api.post(`/api/tables/${this.code}/start`, { bots }));
  }

  showLastTrick() {
    if (this.shown?.game?.last_trick) this.open("last");
    else toast(t("table.no_last_trick"));
  }
}

/**
 * One table on the screen: follows the store, shows its steps one by one, sends what is chosen.
 *
 * The real state opens input; the shown one is what has been presented so far (core/queue.js).
 */
import { attempt, link, say, store, toast, update } from "../app.js";
import { leftMs } from "../core/clock.js";
import { Presenter } from "../core/queue.js";
import { errorText, t } from "../i18n.js";
import { api } from "../net/api.js";
import { paceFactor } from "../prefs.js";
import { sound } from "../ui/sound.js";
import { flyIn, gather, handRect, playWhenDrawn } from "./motion.js";
import { bubbleOf, linesOfView, narrate, tellStep } from "./story.js";

/** @typedef {import("../core/store.js").Change} Change */
/** @typedef {import("../core/store.js").Step} Step */
/** @typedef {import("../core/types.js").Card} Card */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("./story.js").Line} Line */
/** @typedef {import("./story.js").Bubble} Bubble */
/** @typedef {null | "sheet" | "last" | "menu" | "leave"} Panel */

const REASON_MS = 2_500;
const CALL_MS = 2_200;
const SHOWN_CARDS_MS = 5_000;
/** A second click of a double click must not choose another card. */
const CLICK_GUARD_MS = 350;
const HURRY_MS = 5_000;

export class TableController {
  /** @param {string} code */
  constructor(code) {
    this.code = code;
    /** @type {Presenter | null} */
    this.presenter = null;
    /** @type {Line[]} */
    this.log = [];
    /** @type {Map<number, Bubble>} */
    this.bubbles = new Map();
    /** @type {import("../core/types.js").Trick | null} the complete trick that still lies there */
    this.resting = null;
    /** @type {Card | null} */
    this.lifted = null;
    /** @type {Card | null} chosen before my turn */
    this.chosen = null;
    /** @type {{ card: Card, why: import("../core/types.js").Refusal } | null} */
    this.reason = null;
    /** @type {{ decision: number | null, what: string } | null} */
    this.sent = null;
    /** @type {Panel} */
    this.panel = null;
    /** @type {number | null} deal shown in the sheet; null: the latest */
    this.sheetDeal = null;
    /** The score sheet of the last deal was read: the final screen may come. */
    this.endSeen = false;
    this.playedAt = -Infinity;
    /** @type {number | null} the decision of which I was warned */
    this.hurried = null;
    /** @type {number | null} the decision that was announced */
    this.announced = null;
    /** @type {Record<string, any>} */
    this.timers = {};
    this.stopListening = store.listen((change) => this.onChange(change));
    this.ticker = setInterval(() => this.tick(), 250);
  }

  dispose() {
    this.stopListening();
    clearInterval(this.ticker);
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }

  /** The latest state. */
  get state() {
    return store.get(this.code);
  }

  get shown() {
    return this.presenter?.shown ?? this.state?.view ?? null;
  }

  get seat() {
    return this.state?.view.you.seat ?? null;
  }

  /** The open decision, if it is mine. */
  get myTurn() {
    const turn = this.state?.turn ?? null;
    return turn !== null && turn.seat !== null && turn.seat === this.seat ? turn : null;
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

  /** @param {Change} change */
  onChange(change) {
    if (change.table.code !== this.code) return;
    if (change.kind === "snap") this.onSnap(change.table.view);
    else if (change.kind === "steps") this.presenter?.push(change.steps);
    this.presenter?.refresh(change.table.view);
    this.onTurn();
    this.pump();
    update();
  }

  /** @param {TableView} view */
  onSnap(view) {
    const first = this.presenter === null;
    this.presenter ??= new Presenter(view);
    this.presenter.reset(view);
    this.log = linesOfView(view);
    this.bubbles.clear();
    this.resting = null;
    this.sent = null;
    if (first && view.game?.phase === "scored") this.openSheet(null);
    if (first && view.game?.phase === "ended") this.endSeen = true;
  }

  /** A new decision: what was said about the old one is void. */
  onTurn() {
    const turn = this.state?.turn ?? null;
    if (this.sent !== null && this.sent.decision !== (turn?.decision ?? null)) this.sent = null;
    if (this.myTurn === null) {
      if (this.lifted !== null && !this.hand.includes(this.lifted)) this.lifted = null;
      this.reason = null;
      return;
    }
    if (this.announced === this.myTurn.decision) return;
    this.announced = this.myTurn.decision;
    sound("turn");
    say(narrate.myTurn(/** @type {TableView} */ (this.state?.view), this.myTurn));
    this.playChosen();
  }

  /** The card chosen before my turn goes now, if it may. */
  playChosen() {
    const card = this.chosen;
    this.chosen = null;
    if (card === null || this.myTurn?.kind !== "play") return;
    if (this.myTurn.legal?.cards.includes(card)) this.play(card);
  }

  /** Show the steps whose time has come. */
  pump() {
    const presenter = this.presenter;
    if (presenter === null) return;
    presenter.speed = paceFactor();
    clearTimeout(this.timers.pump);
    for (;;) {
      const step = presenter.next(performance.now());
      if (step === null) break;
      this.show(step);
    }
    const due = presenter.due(performance.now());
    if (due !== null) this.timers.pump = setTimeout(() => { this.pump(); update(); }, due + 1);
  }

  /** Whoever answers has seen enough. */
  catchUp() {
    const presenter = this.presenter;
    this.resting = null;
    if (presenter === null) return;
    for (const step of presenter.waiting) this.log.push(...tellStep(step));
    presenter.catchUp();
    if (this.state !== null) presenter.refresh(this.state.view);
  }

  /** One step comes onto the screen. @param {Step} step */
  show(step) {
    const { event, after } = step;
    this.log.push(...tellStep(step));
    if (this.log.length > 80) this.log.splice(0, this.log.length - 80);
    const words = narrate.step(step);
    if (words) say(words);
    this.speak(step);
    if (event.type !== "deal_scored" && event.type !== "match_ended") this.resting = null;
    if (event.type === "card_played") this.showCard(step);
    else if (event.type === "trick_taken") this.showTrick(step);
    else if (event.type === "hand_dealt") this.showDeal();
    else if (event.type === "rest_dealt") this.clearPasses();
    else if (event.type === "deal_scored") this.afterRest(() => this.openSheet(null));
    else if (event.type === "match_started") this.endSeen = false;
    if (event.type === "match_ended") sound(narrate.won(after) ? "won" : "lost");
  }

  /** @param {Step} step */
  showCard(step) {
    const { d } = step.event;
    const from = d.seat === this.seat ? handRect(d.card) : null;
    sound(d.belote ? "belote" : "card");
    playWhenDrawn(() => flyIn(d.card, d.seat, from));
  }

  /** @param {Step} step */
  showTrick(step) {
    const trick = step.after.game?.last_trick ?? null;
    this.resting = trick;
    const rest = 1_000 * paceFactor();
    clearTimeout(this.timers.gather);
    this.timers.gather = setTimeout(() => {
      if (this.resting !== trick || trick === null) return;
      sound("gather");
      void gather(step.event.d.winner).then(() => {
        if (this.resting === trick) this.resting = null;
        update();
      });
    }, rest);
  }

  showDeal() {
    this.bubbles.clear();
    this.lifted = null;
    this.chosen = null;
    if (this.panel === "sheet" || this.panel === "last") this.panel = null;
    sound("deal");
  }

  /** Passes leave with the auction; the taker's word stays a moment. */
  clearPasses() {
    for (const [seat, bubble] of this.bubbles) {
      if (bubble.kind === "pass") this.bubbles.delete(seat);
      else this.fade(seat, bubble, CALL_MS);
    }
  }

  /** What a seat says. @param {Step} step */
  speak(step) {
    for (const [seat, bubble] of bubbleOf(step)) {
      this.bubbles.set(seat, bubble);
      if (bubble.kind === "call") this.fade(seat, bubble, CALL_MS);
      if (bubble.kind === "cards") this.fade(seat, bubble, SHOWN_CARDS_MS);
    }
  }

  /** @param {number} seat @param {Bubble} bubble @param {number} ms */
  fade(seat, bubble, ms) {
    setTimeout(() => {
      if (this.bubbles.get(seat) !== bubble) return;
      this.bubbles.delete(seat);
      update();
    }, ms);
  }

  /** After the last trick has rested. @param {() => void} then */
  afterRest(then) {
    clearTimeout(this.timers.sheet);
    this.timers.sheet = setTimeout(() => { this.resting = null; then(); update(); }, 150);
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
    void this.answer({ type: "play", card }, card);
  }

  /** Answer the open decision. @param {Record<string, unknown>} command @param {string} what */
  async answer(command, what) {
    const turn = this.state?.turn ?? null;
    if (turn === null || this.sent !== null) return;
    this.sent = { decision: turn.decision, what };
    this.catchUp();
    update();
    const answer = await link.command(this.code, turn.decision, command);
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
    if (this.state?.view.game?.phase === "ended") {
      this.endSeen = true;
      this.closePanel();
      return;
    }
    if (this.state?.turn?.kind !== "continue") this.closePanel();
    else void this.answer({ type: "continue" }, "continue");
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

  start() {
    return attempt(() => api.post(`/api/tables/${this.code}/start`));
  }

  /** @param {number | null} deal */
  openSheet(deal) {
    this.sheetDeal = deal;
    this.panel = "sheet";
    update();
  }

  /** @param {Panel} panel */
  open(panel) {
    this.panel = this.panel === panel ? null : panel;
    update();
  }

  closePanel() {
    this.panel = null;
    update();
  }

  showLastTrick() {
    if (this.shown?.game?.last_trick) this.open("last");
    else toast(t("table.no_last_trick"));
  }
}

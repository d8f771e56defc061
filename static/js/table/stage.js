/**
 * What of a table has been presented so far: steps are shown one by one (core/queue.js), with what
 * seats say, the log, and the trick that still lies there. `TableController` adds the player's part.
 */
import { say, store, update } from "../app.js";
import { Presenter } from "../core/queue.js";
import { paceFactor } from "../prefs.js";
import { sound } from "../ui/sound.js";
import { cardRect, dealIn, flyIn, gather, playWhenDrawn, turnOver } from "./motion.js";
import { narrate } from "./narrate.js";
import { bubbleOf, bubblesOfView, linesOfView, tellStep } from "./story.js";

/** @typedef {import("../core/store.js").Step} Step */
/** @typedef {import("../core/types.js").Card} Card */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("./story.js").Line} Line */
/** @typedef {import("./story.js").Bubble} Bubble */
/** @typedef {null | "sheet" | "last" | "menu" | "leave" | "rules" | "person" | "host" | "resign"} Panel */

const CALL_MS = 2_200;
const SHOWN_CARDS_MS = 5_000;
const LOG_LINES = 80;

export class Stage {
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
    /** @type {Panel} */
    this.panel = null;
    /** @type {number | null} deal shown in the sheet; null: the latest */
    this.sheetDeal = null;
    /** The score sheet of the last deal was read: the final screen may come. */
    this.endSeen = false;
    /** @type {Record<string, any>} */
    this.timers = {};
  }

  /** The latest state. */
  get state() {
    return store.get(this.code);
  }

  get shown() {
    return this.presenter?.shown ?? this.state?.view ?? null;
  }

  /** The number of the newest event on the screen: in the page for whoever waits for it to catch up. */
  get shownSeq() {
    const next = this.presenter?.waiting[0];
    return next === undefined ? (this.state?.seq ?? 0) : next.event.seq - 1;
  }

  get seat() {
    return this.state?.view.you.seat ?? null;
  }

  /** A snapshot replaces what was shown. @param {TableView} view */
  restart(view) {
    const first = this.presenter === null;
    this.presenter ??= new Presenter(view);
    this.presenter.reset(view);
    this.log = linesOfView(view);
    this.bubbles = new Map(bubblesOfView(view));
    this.resting = null;
    if (first && view.game?.phase === "scored") this.openSheet(null);
    if (first && view.game?.phase === "ended") this.endSeen = true;
  }

  /** Show the steps whose time has come. */
  pump() {
    const presenter = this.presenter;
    if (presenter === null) return;
    presenter.speed = paceFactor();
    clearTimeout(this.timers.pump);
    if (presenter.farBehind) this.catchUp();
    for (;;) {
      const step = presenter.next(performance.now());
      if (step === null) break;
      this.show(step);
    }
    const due = presenter.due(performance.now());
    if (due !== null) this.timers.pump = setTimeout(() => { this.pump(); update(); }, due + 1);
  }

  /** Whoever answers has seen enough; a screen far behind jumps. */
  catchUp() {
    const presenter = this.presenter;
    this.resting = null;
    if (presenter === null) return;
    const skipped = [...presenter.waiting];
    presenter.catchUp();
    if (this.state !== null) presenter.refresh(this.state.view);
    if (skipped.some((step) => step.event.type === "hand_dealt")) this.clearForDeal();
    for (const step of skipped) {
      this.log.push(...tellStep(step));
      this.speak(step);
    }
    if (presenter.shown.game?.phase !== "auction") this.dropBids();
    if (skipped.some((step) => step.event.type === "deal_scored")) this.afterRest(() => this.openSheet(null));
  }

  /** One step comes onto the screen. @param {Step} step */
  show(step) {
    const { event, after } = step;
    this.log.push(...tellStep(step));
    this.log.splice(0, this.log.length - LOG_LINES);
    const words = narrate.step(step);
    if (words) say(words);
    this.speak(step);
    if (event.type !== "deal_scored" && event.type !== "match_ended") this.resting = null;
    if (event.type === "card_played") this.showCard(step);
    else if (event.type === "trick_taken") this.showTrick(step);
    else if (event.type === "hand_dealt") this.clearForDeal();
    else if (event.type === "rest_dealt") this.clearPasses();
    if (event.type === "hand_dealt" || event.type === "rest_dealt") this.showNewCards(step);
    if (event.type === "card_turned_up") playWhenDrawn(() => turnOver(event.d.card));
    if (event.type === "deal_scored") this.afterRest(() => this.openSheet(null));
    else if (event.type === "match_started") this.endSeen = false;
    if (event.type === "hand_dealt") sound("deal");
    if (event.type === "match_ended") sound(narrate.won(after) ? "won" : "lost");
  }

  /** @param {Step} step */
  showCard(step) {
    const { d } = step.event;
    const from = cardRect(d.card);
    sound(d.belote ? "belote" : "card");
    playWhenDrawn(() => flyIn(d.card, d.seat, from));
  }

  /** @param {Step} step */
  showNewCards({ event, before, after }) {
    const held = event.type === "rest_dealt" ? (before.game?.hand ?? []) : [];
    const fresh = (after.game?.hand ?? []).filter((card) => !held.includes(card));
    const dealer = after.game?.dealer ?? 0;
    playWhenDrawn(() => dealIn(dealer, fresh));
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

  /** Passes leave with the auction; what was bid and doubled stays a moment. */
  clearPasses() {
    for (const [seat, bubble] of this.bubbles) {
      if (bubble.kind === "pass") this.bubbles.delete(seat);
      else this.fade(seat, bubble, CALL_MS);
    }
  }

  /** Bids and passes belong to the auction. */
  dropBids() {
    for (const [seat, { kind }] of this.bubbles) {
      if (kind === "pass" || kind === "bid" || kind === "double") this.bubbles.delete(seat);
    }
  }

  /** What a seat says. @param {Step} step */
  speak(step) {
    for (const [seat, bubble] of bubbleOf(step)) {
      this.bubbles.set(seat, bubble);
      const declaring = step.after.game?.phase !== "auction" && bubble.kind === "pass";
      if (bubble.kind === "call" || declaring) this.fade(seat, bubble, CALL_MS);
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

  /** A new deal: nothing of the old one stays. */
  clearForDeal() {
    this.bubbles.clear();
    if (this.panel === "sheet" || this.panel === "last") this.panel = null;
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

  /** Whoever closes the sheet of the last deal, by whatever way, has read it. */
  closePanel() {
    const scored = ["scored", "ended"].includes(this.shown?.game?.phase ?? "");
    if (this.panel === "sheet" && scored && this.state?.view.game?.phase === "ended") this.endSeen = true;
    this.panel = null;
    update();
  }
}

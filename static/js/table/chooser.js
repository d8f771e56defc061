/**
 * What the player has chosen but not yet sent: a bid in the making, a double that was asked once,
 * declarations to withhold, belote to keep silent. What is legal comes with the turn.
 */
import { say, update } from "../app.js";
import { t } from "../i18n.js";
import { keyOf } from "./announce.js";
import { factorWord } from "./sheet_words.js";
import { Stage } from "./stage.js";
import { factorOf, rulesOf } from "./story.js";

/** @typedef {import("../core/types.js").Legal} Legal */
/** @typedef {import("../core/types.js").Trump} Trump */
/** @typedef {import("../core/types.js").Declaration} Declaration */
/** @typedef {"double" | "redouble" | "third"} DoubleCall */

/** How long a double waits for its second press. */
const SURE_MS = 3_000;

export class Chooser extends Stage {
  /** @param {string} code */
  constructor(code) {
    super(code);
    /** @type {{ value: number | "capot" | null, trump: Trump | null }} */
    this.wish = { value: null, trump: null };
    /** @type {{ call: DoubleCall, bid: string } | null} asked once, about this bid */
    this.sure = null;
    /** @type {Set<string>} declarations that are not to be announced */
    this.withheld = new Set();
    /** Belote is not said. */
    this.silent = false;
  }

  /** The open decision, if it is mine. */
  get myTurn() {
    const turn = this.state?.turn ?? null;
    return turn !== null && turn.seat !== null && turn.seat === this.seat ? turn : null;
  }

  /** Nothing of the last deal's choices stays. @override */
  clearForDeal() {
    super.clearForDeal();
    this.wish = { value: null, trump: null };
    this.sure = null;
    this.withheld.clear();
    this.silent = false;
  }

  /* ---- bids ---- */

  /** @param {Partial<Chooser["wish"]>} change */
  wishFor(change) {
    Object.assign(this.wish, change);
    update();
  }

  /** The value in the making: the one chosen if it is still open, else the lowest. @param {Legal} legal */
  wishedValue(legal) {
    const { value } = this.wish;
    if (value !== null && legal.values.includes(value)) return value;
    return legal.values[0] ?? null;
  }

  /** @param {number | "capot" | null} value @param {Trump} trump */
  bid(value, trump) {
    void this.answer({ type: "bid", value, trump }, "bid");
  }

  annul() {
    void this.answer({ type: "annul" }, "annul");
  }

  /** The decision that a double would answer now: my turn, or the standing bid out of turn. */
  get doubleDecision() {
    const turn = this.state?.turn ?? null;
    const mine = this.myTurn;
    if (mine?.legal?.calls.includes("double")) return mine.decision;
    return turn?.also?.find((one) => one.kind === "double")?.decision ?? null;
  }

  /** The first press asks, the second one counts. @param {DoubleCall} call */
  askDouble(call) {
    const decision = call === "double" ? this.doubleDecision : (this.myTurn?.decision ?? null);
    const view = this.state?.view;
    if (decision === null || !view) return;
    // About a bid, not a decision: my turn may open between the two presses.
    const bid = JSON.stringify(view.game?.standing ?? null);
    if (this.sure?.call === call && this.sure.bid === bid) {
      this.sure = null;
      void this.answer({ type: call }, call, decision);
      return;
    }
    const asked = { call, bid };
    this.sure = asked;
    say(t("bid.sure", { what: factorWord(rulesOf(view), factorOf(call) ?? 2) }));
    clearTimeout(this.timers.sure);
    this.timers.sure = setTimeout(() => {
      if (this.sure !== asked) return;
      this.sure = null;
      update();
    }, SURE_MS);
    update();
  }

  /* ---- announcements ---- */

  /** Those that are not withheld. @param {Declaration[]} held */
  announced(held) {
    return held.filter((one) => !this.withheld.has(keyOf(one)));
  }

  /** @param {string} key */
  toggleDeclaration(key) {
    if (!this.withheld.delete(key)) this.withheld.add(key);
    update();
  }

  toggleBelote() {
    this.silent = !this.silent;
    update();
  }

  /** Whether I have said belote, so that the other card brings rebelote. */
  get beloteBegun() {
    return this.state?.view.game?.belote.some((one) => one.seat === this.seat && one.said === 1) ?? false;
  }

  /** @param {Declaration[]} chosen */
  declare(chosen) {
    void this.answer({ type: "declare", declarations: chosen.map((one) => one.cards) }, "declare");
  }

  /** A card with what is announced along with it. @param {string} card @returns {Record<string, unknown>} */
  cardCommand(card) {
    const legal = this.myTurn?.legal;
    const held = legal?.declarations ?? [];
    return {
      type: "play", card,
      ...(held.length > 0 ? { declare: this.announced(held).map((one) => one.cards) } : {}),
      ...(legal?.belote?.includes(card) ? { belote: !this.silent } : {}),
    };
  }

  /**
   * Sent by the controller. @param {Record<string, unknown>} _command @param {string} _what
   * @param {number} [_decision] @returns {Promise<void>}
   */
  async answer(_command, _what, _decision) {
    throw new Error("the controller answers");
  }
}

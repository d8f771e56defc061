/**
 * "Which card may you play?": a trick, a hand, and the answer in a sentence. Positions, what is
 * legal and why not come from the server, made from the very rules that are explained; nothing
 * here knows a rule.
 */
import { attempt, update } from "../app.js";
import { sortHand } from "../core/cards.js";
import { num, rich, t } from "../i18n.js";
import { addCatalogue, hasCatalogue } from "../language.js";
import { api } from "../net/api.js";
import { cardImage, cardName, icon, suitSign, trumpName, trumpTile } from "../ui/bits.js";
import { classMap, html, nothing } from "../ui/html.js";

/** @typedef {import("../core/types.js").Card} Card */
/** @typedef {import("../core/types.js").Refusal} Refusal */
/** @typedef {{ trump: import("../core/types.js").Trump, leader: number, trick: Card[], best: number, hand: Card[], legal: Card[], why: Record<Card, Refusal> }} TryOne */
/** @typedef {import("../core/types.js").Rules} Rules */

const ROUNDS = 1_000;

export class Exercise {
  /** @param {string} preset @param {Record<string, any>} house what differs from it */
  constructor(preset, house) {
    this.preset = preset;
    this.house = house;
    this.round = Math.floor(Math.random() * ROUNDS);
    /** @type {TryOne[] | null} */
    this.all = null;
    this.at = 0;
    this.right = 0;
    /** @type {Card[]} cards that were pressed and may not be played */
    this.wrong = [];
    /** @type {Card | null} the one that was pressed and may */
    this.played = null;
    void this.load();
  }

  begin() {
    this.at = 0;
    this.right = 0;
    this.clear();
  }

  clear() {
    this.wrong = [];
    this.played = null;
  }

  async load() {
    const body = { preset: this.preset, rules: this.house, round: this.round };
    await attempt(async () => {
      const [answer] = await Promise.all([api.post("/api/rules/exercises", body), addCatalogue("table")]);
      this.all = answer.exercises;
      this.begin();
      update();
    });
  }

  get one() {
    return this.all?.[this.at] ?? null;
  }

  get done() {
    return this.all !== null && this.at >= this.all.length;
  }

  /** @param {Card} card */
  press(card) {
    const { one } = this;
    if (one === null || this.played !== null) return;
    if (one.legal.includes(card)) {
      this.played = card;
      if (this.wrong.length === 0) this.right += 1;
    } else if (!this.wrong.includes(card)) this.wrong.push(card);
    update();
    if (this.played !== null) focusSoon("[data-testid=try-next]");
  }

  next() {
    this.at += 1;
    this.clear();
    update();
    focusSoon("[data-testid=try-hand] button, [data-testid=try-again]");
  }

  again() {
    this.round = (this.round + 1) % ROUNDS;
    void this.load().then(() => focusSoon("[data-testid=try-hand] button"));
  }
}

/** Once it is drawn. @param {string} selector */
const focusSoon = (selector) => requestAnimationFrame(() => {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
});

/** @param {Exercise} exercise @param {Rules} rules */
export function exercisePart(exercise, rules) {
  const { one } = exercise;
  return html`<section class="howto__part try" data-testid="try"><h2>${t("how.title.try")}</h2><p>${t("how.try.text")}</p>
    ${exercise.done ? end(exercise) : one === null || !hasCatalogue("table") ? html`<p class="dim">${t("loading")}</p>`
      : board(exercise, one, rules)}</section>`;
}

/** @param {Exercise} exercise @param {TryOne} one @param {Rules} rules */
function board(exercise, one, rules) {
  const hand = sortHand(one.hand, one.trump);
  return html`<div class="try__felt">
    <p class="try__top">${trumpTile(one.trump, "tile--sm")}<b>${t("how.try.trumps", { trump: trumpName(one.trump) })}</b>
      <span class="num">${t("how.try.n", { n: exercise.at + 1, of: exercise.all?.length ?? 0 })}</span></p>
    <ol class="try__trick" aria-label=${t("how.try.trick")}>${one.trick.map((card, i) => html`<li>
        <span class="card ${i === one.best && exercise.played === null ? "is-winning" : ""}">${cardImage(card, cardName(card))}${i === one.best
          ? html`<span class="card__tag">${t("trick.winning")}</span>` : nothing}</span><small>${whose((one.leader + i) % rules.players, rules)}</small></li>`)}
      <li>${exercise.played === null ? html`<span class="try__slot"></span>`
        : html`<span class="card is-right">${cardImage(exercise.played, cardName(exercise.played))}</span>`}<small>${t("side.you")}</small></li></ol>
    <div class="try__say" aria-live="polite" data-testid="try-say">${sentence(exercise, one)}</div>
    <div class="try__hand" role="group" aria-label=${t("how.try.hand")} data-testid="try-hand" @keydown=${(/** @type {KeyboardEvent} */ event) => onKey(event, exercise, hand)}>
      ${hand.map((card) => cardButton(exercise, one, card))}</div></div>`;
}

/** @param {Exercise} exercise @param {TryOne} one @param {Card} card */
function cardButton(exercise, one, card) {
  if (card === exercise.played) return html`<span class="try__gone"></span>`;
  const wrong = exercise.wrong.includes(card);
  const over = exercise.played !== null;
  const name = cardName(card);
  return html`<button type="button" class=${classMap({ card: true, "is-illegal": wrong || (over && !one.legal.includes(card)), "is-right": over && one.legal.includes(card) })}
    data-card=${card} aria-label=${wrong ? t("card.not_allowed", { card: name }) : name} aria-disabled=${over ? "true" : nothing}
    @click=${() => exercise.press(card)}>${cardImage(card)}${wrong ? html`<span class="try__no">${icon("x", "icon--sm")}</span>` : nothing}</button>`;
}

/** @param {number} seat @param {Rules} rules */
const whose = (seat, rules) => t(rules.players === 4 && seat === 2 ? "how.try.partner" : "how.try.opponent");

/** @param {Exercise} exercise @param {TryOne} one */
function sentence(exercise, one) {
  if (exercise.played !== null) {
    const free = one.legal.length === one.hand.length;
    const key = free ? "how.try.free" : one.legal.length === 1 ? "how.try.only" : "how.try.right";
    return html`<p class="is-good">${icon("check")}<span>${t(key)}</span></p>
      <button class="btn btn--brass" type="button" data-testid="try-next" @click=${() => exercise.next()}>${t("how.try.next")}</button>`;
  }
  const card = exercise.wrong.at(-1);
  if (card === undefined) return html`<p>${t("how.try.ask")}</p>`;
  const why = one.why[card];
  return html`<p class="is-bad" data-testid="try-why">${icon("x")}<span>${rich(`why.${why.code}`, {
    suit: why.suit === null ? "" : html`<span class="nb">${suitSign(why.suit)} ${t(`suit.${why.suit}`)}</span>`,
    card: why.beat === null ? "" : cardName(why.beat),
  })}</span></p>`;
}

/** @param {Exercise} exercise */
const end = (exercise) => html`<div class="try__felt try__end"><b class="display">${t("how.try.done", { n: num(exercise.right), of: num(exercise.all?.length ?? 0) })}</b>
  <button class="btn btn--brass" type="button" data-testid="try-again" @click=${() => exercise.again()}>${icon("rotate-ccw")}${t("how.try.again")}</button></div>`;

/** Arrows go through the hand, numbers press its cards, as at the table. @param {KeyboardEvent} event @param {Exercise} exercise @param {Card[]} hand */
function onKey(event, exercise, hand) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const number = Number(event.key);
  const cards = hand.filter((card) => card !== exercise.played);
  if (number >= 1 && number <= hand.length) exercise.press(hand[number - 1]);
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const at = cards.indexOf(/** @type {HTMLElement} */ (event.target).dataset.card ?? "");
    const next = cards[(at + (event.key === "ArrowLeft" ? -1 : 1) + cards.length) % cards.length];
    const group = /** @type {HTMLElement} */ (event.currentTarget);
    /** @type {HTMLElement | null} */ (group.querySelector(`[data-card="${next}"]`))?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

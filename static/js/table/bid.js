/** The auction: the turned-up card, and the panel where I answer. Only what is legal can be pressed. */
import { suitOf } from "../core/cards.js";
import { rich, t } from "../i18n.js";
import { cardImage, cardName, cardSign, suitSign, trumpName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { cue } from "./felt.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").Legal} Legal */

/** @param {Table} table @param {GameView} game */
export function auction(table, game) {
  const legal = table.myTurn?.kind === "call" ? (table.myTurn.legal ?? null) : null;
  return html`<div class="auction">
    <div class="turnup">${game.turned === null ? nothing : html`<span class="card"
      data-testid="turned">${cardImage(game.turned, t("table.turned", { card: cardName(game.turned) }))}</span>`}</div>
    ${legal === null ? html`<div class="bid bid--wait">${cue(table)}</div>` : panel(table, game, legal)}
  </div>`;
}

/** @param {Table} table @param {GameView} game @param {Legal} legal */
function panel(table, game, legal) {
  const first = legal.calls.includes("take") && game.turned !== null;
  return html`<div class="bid bid--turn" role="group" aria-label=${t("bid.label")} data-testid="bid-panel">
    ${first ? firstRound(table, /** @type {string} */ (game.turned)) : secondRound(table, game, legal)}</div>`;
}

/** @param {Table} table */
const seconds = (table) => {
  const n = table.secondsLeft;
  return n === null ? nothing : html`<span class="bid__time num">${t("time.seconds", { n })}</span>`;
};

/** @param {Table} table */
const passButton = (table) => html`<button class="btn" type="button" data-testid="pass"
  ?disabled=${table.sent !== null} @click=${() => table.pass()}>${t("call.pass")}</button>`;

/** @param {Table} table @param {string} turned */
function firstRound(table, turned) {
  const suit = suitOf(turned);
  return html`<div class="bid__head"><b>${t(`bid.question.${suit}`)}</b>
      <span>${rich("bid.you_get", { card: cardSign(turned) })}</span>${seconds(table)}</div>
    <div class="bid__go">${passButton(table)}
      <button class="btn btn--ember" type="button" data-testid="take" ?disabled=${table.sent !== null}
        @click=${() => table.take()}>${rich("bid.take", {
          suit: html`<span class="tile tile--sm">${suitSign(suit)}</span> ${trumpName(suit)}`,
        })}</button></div>`;
}

/** @param {Table} table @param {GameView} game @param {Legal} legal */
function secondRound(table, game, legal) {
  return html`<div class="bid__head"><b>${t("bid.name_trump")}</b>
      <span>${game.turned === null ? nothing : rich("bid.you_get", { card: cardSign(game.turned) })}</span>
      ${seconds(table)}</div>
    <div class="suits suits--${legal.trumps.length}">${legal.trumps.map((trump) => html`<button type="button"
      class="suitbtn" data-testid="name-${trump}" ?disabled=${table.sent !== null}
      @click=${() => table.name(trump)}>${trump.length === 1 ? suitSign(/** @type {any} */ (trump)) : nothing}
      <span>${trumpName(trump)}</span></button>`)}</div>
    ${legal.calls.includes("pass") ? html`<div class="bid__go bid__go--one">${passButton(table)}</div>` : nothing}`;
}

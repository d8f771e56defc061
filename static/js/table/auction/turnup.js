/** Take the card that was turned up, or in the second round name another suit. */
import { suitOf } from "../../core/cards.js";
import { rich, t } from "../../i18n.js";
import { cardSign, suitSign, trumpName } from "../../ui/bits.js";
import { html, nothing } from "../../ui/html.js";
import { buttonTrump, panel, passButton } from "./parts.js";

/** @typedef {import("../controller.js").TableController} Table */
/** @typedef {import("../../core/types.js").GameView} GameView */
/** @typedef {import("../../core/types.js").Legal} Legal */

/** @param {Table} table @param {GameView} game @param {Legal} legal */
export const turnUpPanel = (table, game, legal) => legal.calls.includes("take") && game.turned !== null
  ? firstRound(table, game.turned, legal) : secondRound(table, game, legal);

/** @param {string | null} turned */
const youGet = (turned) => (turned === null ? nothing : rich("bid.you_get", { card: cardSign(turned) }));

/** @param {Table} table @param {string} turned @param {Legal} legal */
function firstRound(table, turned, legal) {
  const suit = suitOf(turned);
  return panel("turnup", t(`bid.question.${suit}`), youGet(turned), table, html`<div class="bid__go">
    ${passButton(table, legal)}
    <button class="btn btn--ember" type="button" data-testid="take" ?disabled=${table.sent !== null}
      @click=${() => table.take()}>${rich("bid.take", { suit: buttonTrump(suit) })}</button></div>`);
}

/** @param {Table} table @param {GameView} game @param {Legal} legal */
const secondRound = (table, game, legal) => panel("turnup", t("bid.name_trump"), youGet(game.turned), table,
  html`${nameRow(table, legal)}${legal.calls.includes("pass")
    ? html`<div class="bid__go bid__go--one">${passButton(table, legal)}</div>` : nothing}`);

/** Suits that are named by one press. @param {Table} table @param {Legal} legal */
export const nameRow = (table, legal) => html`<div class="suits suits--${legal.trumps.length}">${legal.trumps.map(
  (trump) => html`<button type="button" class="suitbtn" data-testid="name-${trump}" ?disabled=${table.sent !== null}
    @click=${() => table.name(trump)}>${trump.length === 1 ? suitSign(/** @type {any} */ (trump)) : nothing}
    <span>${trumpName(trump)}</span></button>`)}</div>`;

/** Coinche and contrée: a value and a trump, each higher than the last; coinche and surcoinche. */
import { num, rich, t } from "../../i18n.js";
import { html, nothing } from "../../ui/html.js";
import { bidSign, doubledBy, nameAt } from "../story.js";
import { buttonTrump, doubles, panel, passButton, trumpRow } from "./parts.js";

/** @typedef {import("../controller.js").TableController} Table */
/** @typedef {import("../../core/types.js").GameView} GameView */
/** @typedef {import("../../core/types.js").Legal} Legal */

/** @param {Table} table @param {GameView} game @param {Legal} legal */
export function levelsPanel(table, game, legal) {
  const bids = legal.calls.includes("bid");
  const answer = html`${passButton(table, legal)}${bids ? bidButton(table, legal) : nothing}${doubles(table, legal)}`;
  return panel("coinche", t(bids ? "bid.yours" : "bid.answer"), standing(table, game), table, html`
    ${bids ? html`${steps(table, game, legal)}${trumpRow(table, game.rules.trumps, legal.trumps, table.wish.trump)}` : nothing}
    <div class="bid__go bid__go--${legal.calls.length}">${answer}</div>`);
}

/** Who stands at what, and who doubled it. @param {Table} table @param {GameView} game */
export function standing(table, game) {
  const view = table.shown;
  const bid = game.standing ?? null;
  if (bid === null || view === null) return t("bid.first");
  const doubler = doubledBy(game);
  if (doubler !== null && bid.factor !== 1) {
    return rich(`bid.doubled_by.${bid.factor}`, { who: nameAt(view, doubler), bid: bidSign(bid) });
  }
  return rich("bid.stands", { who: nameAt(view, bid.taker), bid: bidSign(bid) });
}

/** @param {Table} table @param {GameView} game @param {Legal} legal */
function steps(table, game, legal) {
  const values = /** @type {(number | "capot")[]} */ ([...game.rules.bids]);
  if (game.rules.capot_bid !== "none") values.push("capot");
  const chosen = table.wishedValue(legal);
  return html`<div class="steps steps--${values.length}" role="group" aria-label=${t("bid.value")}>${values.map(
    (value) => html`<button class="step ${value === "capot" ? "step--capot" : ""}" type="button" data-testid="bid-value-${value}"
      aria-pressed=${value === chosen} ?disabled=${table.sent !== null || !legal.values.includes(value)}
      @click=${() => table.wishFor({ value })}>${value === "capot" ? t("bid.capot") : num(value)}</button>`)}</div>`;
}

/** The button repeats the whole bid. @param {Table} table @param {Legal} legal */
function bidButton(table, legal) {
  const value = table.wishedValue(legal);
  const trump = table.wish.trump !== null && legal.trumps.includes(table.wish.trump) ? table.wish.trump : null;
  const ready = value !== null && trump !== null;
  return html`<button class="btn btn--ember" type="button" data-testid="bid-go" ?disabled=${!ready || table.sent !== null}
    @click=${() => ready && table.bid(value, trump)}>${trump === null || value === null ? t("bid.choose_trump")
      : rich("bid.go", { value: value === "capot" ? t("bid.capot") : num(value), trump: buttonTrump(trump) })}</button>`;
}

/** Parts of every bidding panel: its head, pass, doubling that asks once, trumps to choose from. */
import { t } from "../../i18n.js";
import { icon, suitSign, trumpName } from "../../ui/bits.js";
import { html, nothing } from "../../ui/html.js";
import { factorWord } from "../sheet_words.js";
import { factorOf, rulesOf } from "../story.js";

/** @typedef {import("../controller.js").TableController} Table */
/** @typedef {import("../../core/types.js").Legal} Legal */
/** @typedef {import("../../core/types.js").Trump} Trump */

/** @param {string} kind @param {unknown} title @param {unknown} side @param {Table} table @param {unknown} body */
export const panel = (kind, title, side, table, body) => html`<div class="bid bid--turn bid--${kind}"
  role="group" aria-label=${t("bid.label")} data-testid="bid-panel">
  <div class="bid__head"><b>${title}</b><span>${side}</span>${seconds(table)}</div>${body}</div>`;

/** @param {Table} table */
export function seconds(table) {
  const n = table.secondsLeft;
  return n === null ? nothing : html`<span class="bid__time num">${t("time.seconds", { n })}</span>`;
}

/** @param {Table} table @param {Legal} legal */
export const passButton = (table, legal) => !legal.calls.includes("pass") ? nothing
  : html`<button class="btn" type="button" data-testid="pass" ?disabled=${table.sent !== null}
      @click=${() => table.pass()}>${t("call.pass")}</button>`;

/**
 * Double, redouble, third: in wine, and the first press only asks.
 * @param {Table} table @param {"double" | "redouble" | "third"} call
 */
export function doubleButton(table, call) {
  const view = table.state?.view;
  if (!view) return nothing;
  const word = factorWord(rulesOf(view), factorOf(call) ?? 2);
  const sure = table.sure?.call === call;
  return html`<button class="btn btn--wine ${sure ? "btn--sure" : ""}" type="button" data-testid=${call}
    ?disabled=${table.sent !== null} @click=${() => table.askDouble(call)}>${icon("zap")}
    <span>${sure ? t("bid.sure", { what: word }) : word}</span></button>`;
}

/** Whichever of the three is legal. @param {Table} table @param {Legal} legal */
export const doubles = (table, legal) => /** @type {const} */ (["double", "redouble", "third"])
  .filter((call) => legal.calls.includes(call)).map((call) => doubleButton(table, call));

/** The row of trumps; those that can't be named are shown, but not to be pressed. @param {Table} table @param {readonly Trump[]} all @param {readonly Trump[]} open @param {Trump | null} chosen */
export const trumpRow = (table, all, open, chosen) => html`<div class="suits suits--${all.length}"
  role="group" aria-label=${t("bid.trumps")}>${all.map((trump) => html`<button class="suitbtn" type="button"
    data-testid="bid-trump-${trump}" aria-label=${trumpName(trump)} aria-pressed=${trump === chosen}
    ?disabled=${table.sent !== null || !open.includes(trump)} @click=${() => table.wishFor({ trump })}
    >${trump.length === 1 ? suitSign(/** @type {any} */ (trump))
      : html`<b aria-hidden="true">${t(`trump.short.${trump}`)}</b>`}<span>${trumpName(trump)}</span></button>`)}</div>`;

/** A trump on its tile, for a button. @param {Trump} trump */
export const buttonTrump = (trump) => trump.length === 1
  ? html`<span class="tile tile--sm">${suitSign(/** @type {any} */ (trump))}</span> <span class="btn__trump">${trumpName(trump)}</span>` : trumpName(trump);

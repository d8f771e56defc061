/** Bela: name a suit or pass; a dealer whom all passed to must name one, or may throw the deal in. */
import { t } from "../../i18n.js";
import { html, nothing } from "../../ui/html.js";
import { panel, passButton } from "./parts.js";
import { nameRow } from "./turnup.js";

/** @typedef {import("../controller.js").TableController} Table */
/** @typedef {import("../../core/types.js").GameView} GameView */
/** @typedef {import("../../core/types.js").Legal} Legal */

/** @param {Table} table @param {GameView} game @param {Legal} legal */
export function callPanel(table, game, legal) {
  const forced = !legal.calls.includes("pass");
  const hidden = table.hiddenCards > 0 ? t("bid.hidden", { n: table.hiddenCards }) : nothing;
  return panel("call", t(forced ? "bid.must_call" : "bid.call"), hidden, table, html`
    ${nameRow(table, legal)}
    ${forced && !legal.calls.includes("annul") ? nothing : html`<div class="bid__go bid__go--one">
      ${passButton(table, legal)}${legal.calls.includes("annul") ? annulButton(table) : nothing}</div>`}`);
}

/** @param {Table} table */
const annulButton = (table) => html`<button class="btn btn--line" type="button" data-testid="annul"
  ?disabled=${table.sent !== null} @click=${() => table.annul()}>${t("bid.annul")}</button>`;

/** Belot: contracts by rank, from clubs to all trumps; contra, recontra, and a third where it is played. */
import { rich, t } from "../../i18n.js";
import { html, nothing } from "../../ui/html.js";
import { standing } from "./levels.js";
import { buttonTrump, doubles, panel, passButton, trumpRow } from "./parts.js";

/** @typedef {import("../controller.js").TableController} Table */
/** @typedef {import("../../core/types.js").GameView} GameView */
/** @typedef {import("../../core/types.js").Legal} Legal */

/** @param {Table} table @param {GameView} game @param {Legal} legal */
export function contractsPanel(table, game, legal) {
  const bids = legal.calls.includes("bid");
  const trump = table.wish.trump !== null && legal.trumps.includes(table.wish.trump) ? table.wish.trump : null;
  return panel("contracts", t(bids ? "bid.contract" : "bid.answer"), standing(table, game), table, html`
    ${bids ? trumpRow(table, game.rules.trumps, legal.trumps, trump) : nothing}
    <div class="bid__go bid__go--${legal.calls.length}">${passButton(table, legal)}
      ${bids ? html`<button class="btn btn--ember" type="button" data-testid="bid-go" ?disabled=${trump === null || table.sent !== null}
        @click=${() => trump !== null && table.bid(null, trump)}>${trump === null ? t("bid.choose_contract")
          : rich("bid.play", { trump: buttonTrump(trump) })}</button>` : nothing}
      ${doubles(table, legal)}</div>`);
}

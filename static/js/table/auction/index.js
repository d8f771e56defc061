/**
 * The auction: what lies on the table meanwhile, and the panel where I answer. One panel for each
 * kind of auction; what can be pressed in it is what the turn says is legal, nothing else.
 */
import { cardName, cardImage } from "../../ui/bits.js";
import { t } from "../../i18n.js";
import { html, nothing } from "../../ui/html.js";
import { cue } from "../cue.js";
import { callPanel } from "./call.js";
import { contractsPanel } from "./contracts.js";
import { levelsPanel } from "./levels.js";
import { doubleButton } from "./parts.js";
import { turnUpPanel } from "./turnup.js";

/** @typedef {import("../controller.js").TableController} Table */
/** @typedef {import("../../core/types.js").GameView} GameView */
/** @typedef {import("../../core/types.js").Legal} Legal */

/** @type {Record<string, (table: Table, game: GameView, legal: Legal) => unknown>} */
const PANELS = { turn_up: turnUpPanel, levels: levelsPanel, contracts: contractsPanel, call: callPanel };

/** @param {Table} table @param {GameView} game */
export function auction(table, game) {
  const legal = table.myTurn?.kind === "call" ? (table.myTurn.legal ?? null) : null;
  return html`<div class="auction">
    ${game.turned === null ? nothing : html`<div class="turnup"><span class="card" data-testid="turned"
      >${cardImage(game.turned, t("table.turned", { card: cardName(game.turned) }))}</span></div>`}
    ${legal === null ? waiting(table) : PANELS[game.rules.auction](table, game, legal)}
  </div>`;
}

/** While others think: who, and a double where it may be said out of turn. @param {Table} table */
function waiting(table) {
  const double = table.doubleDecision !== null && table.myTurn === null;
  return html`<div class="bid bid--wait ${double ? "bid--outofturn" : ""}">${cue(table)}
    ${double ? doubleButton(table, "double") : nothing}</div>`;
}

/** The two plates of the felt: the contract, or the bid to beat; and the totals. */
import { connection } from "../app.js";
import { inOrder, SIDE_KINDS } from "../core/places.js";
import { num, t } from "../i18n.js";
import { icon, trumpName, trumpTile } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { factorWord, titles, valueWords } from "./sheet_words.js";
import { doubledBy, nameAt, ofView } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").Contract} Contract */

/** @param {Table} table @param {GameView} game */
export function contractPlate(table, game) {
  const view = /** @type {TableView} */ (table.shown);
  const bid = game.contract ?? game.standing ?? null;
  if (bid === null || (game.phase === "auction" && game.rules.auction === "turn_up")) return auctionPlate(game);
  const bidding = game.contract === null;
  return html`<div class="contract plate" data-testid="contract">${trumpTile(bid.trump)}
    <div><b>${valueWords(bid.value)}${bid.value === null ? "" : " "}<span>${trumpName(bid.trump)}</span></b><span>${bidding
      ? icon("gavel", "icon--sm") : html`<span class="mark mark--taker">${icon("sword")}</span>`}
      <span class="contract__who">${t(bidding ? "table.bid_by" : "table.taken_by", { who: nameAt(view, bid.taker) })}</span></span></div>
    ${doubleStrip(view, game, bid)}</div>`;
}

/** @param {GameView} game */
function auctionPlate(game) {
  const text = game.phase !== "auction" ? t("table.between")
    : game.rules.auction === "turn_up" ? t(`table.round.${game.round}`) : t("table.no_bid");
  return html`<div class="contract plate" data-testid="contract"><span class="tile tile--q"
    >${icon("gavel", "icon--lg")}</span><div><b>${t("table.auction")}</b><span>${text}</span></div></div>`;
}

/** A double stays in view: its word, by how much, and who said it. @param {TableView} view @param {GameView} game @param {Contract} bid */
function doubleStrip(view, game, bid) {
  if (bid.factor === 1) return nothing;
  const word = factorWord(game.rules, bid.factor);
  const doubler = doubledBy(game);
  const by = doubler === null ? nothing : html`<span>${nameAt(view, doubler)}</span>`;
  return html`<div class="contract__double" data-testid="doubled">${icon("zap", "icon--sm")}
    <b>${word} ×${bid.factor === "match" ? 8 : bid.factor}</b>${by}</div>`;
}

/** On a phone it is also the button that opens the sheet. @param {Table} table @param {GameView} game */
export function totalsPlate(table, game) {
  const of = ofView(/** @type {TableView} */ (table.shown));
  const totals = inOrder(game.totals, game.rules.players, table.seat);
  const hanging = game.hanging > 0 ? html` · <b>${t("table.hanging", { n: game.hanging })}</b>` : nothing;
  return html`<button type="button" class="totals totals--n${totals.length} plate totals--${connection().status}" title=${t("table.score_sheet")}
    @click=${() => table.openSheet(null)}>
    ${titles(of).map((title, i) => html`<span class=${SIDE_KINDS[i]}><span class="dt">${title}</span
      ><span class="dd" data-testid="total-${SIDE_KINDS[i]}">${num(totals[i])}</span></span>`)}
    <span class="totals__to">${t("table.target", { n: game.rules.target })}${hanging}</span></button>`;
}

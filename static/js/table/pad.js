/** Beside the table on a desktop: the score pad, and the log under it. */
import { collected, takerSide, winnerOf } from "../core/score/lines.js";
import { inOrder, SIDE_KINDS } from "../core/places.js";
import { num, t } from "../i18n.js";
import { icon, suitSign } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { titles, valueWords } from "./sheet_words.js";
import { nameAt, ofView } from "./story.js";
import { trickNumber, tricksInAll } from "../core/tricks.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").DealScored} DealScored */

/** @param {Table} table @param {GameView} game */
export const side = (table, game) => html`<aside class="side">${pad(table, game)}${log(table, game)}</aside>`;

/** @param {Table} table @param {GameView} game */
function pad(table, game) {
  const view = /** @type {TableView} */ (table.shown);
  const { players, target } = game.rules;
  return html`<section class="pad paper pad--${players === 3 ? "three" : "two"}" aria-label=${t("table.score_sheet")}>
    <div class="pad__title"><b>${t("table.score_sheet")}</b><span>${t("pad.first_to", { n: target })}</span></div>
    <div class="pad__scroll"><table><thead><tr><th scope="col">${t("pad.deal")}</th>
      ${titles(ofView(view)).map((title, i) => html`<th class=${SIDE_KINDS[i]} scope="col">${title}</th>`)}</tr></thead>
    <tbody>${game.deals.map((deal) => padRow(table, game, deal))}${liveRow(game)}</tbody>
    <tfoot><tr><td>${t("pad.total")}</td>${inOrder(game.totals, players, table.seat).map((n) => html`<td>${num(n)}</td>`)}</tr></tfoot></table></div>
  </section>`;
}

/** @param {Table} table @param {GameView} game @param {DealScored} deal */
function padRow(table, game, deal) {
  const view = /** @type {TableView} */ (table.shown);
  const { score, contract } = deal;
  const { rules } = game;
  const taker = nameAt(view, contract.taker);
  const value = contract.value === null ? "" : `${valueWords(contract.value)}, `;
  const words = value + (score.outcome === "made" ? taker : t(`pad.${score.outcome}`, { who: taker }));
  const notes = score.awarded.map((_, sideNumber) => padNotes(deal, rules, sideNumber));
  return html`<tr><td><div><span class="deal">${deal.deal}</span>${trumpMark(contract.trump)}
      <button class="pad__go" type="button" @click=${() => table.openSheet(deal.deal)}>${words}</button></div></td>
    ${inOrder(score.awarded, rules.players, table.seat).map((n, i) => html`<td>${num(n)}${inOrder(notes, rules.players, table.seat)[i]}</td>`)}</tr>`;
}

/** What hangs stands at the taker's side, what was carried at the winner's. @param {DealScored} deal @param {import("../core/types.js").Rules} rules @param {number} sideNumber */
function padNotes(deal, rules, sideNumber) {
  const carried = collected(deal, rules);
  if (carried > 0 && winnerOf(deal, rules) === sideNumber) return html`<small class="plus">${t("pad.with", { n: carried })}</small>`;
  if (deal.score.hung > 0 && takerSide(deal, rules) === sideNumber) return html`<small>${t("pad.hangs", { n: deal.score.hung })}</small>`;
  return nothing;
}

/** @param {string} trump */
const trumpMark = (trump) => trump.length === 1
  ? suitSign(/** @type {any} */ (trump)) : html`<span class="nt">${t(`trump.short.${trump}`)}</span>`;

/** @param {GameView} game */
function liveRow(game) {
  if (!["auction", "declaring", "play"].includes(game.phase)) return nothing;
  const trump = game.contract?.trump;
  return html`<tr class="live"><td><div><span class="deal">${game.deal}</span>
    ${trump === undefined ? nothing : trumpMark(trump)}
    <span>${t(game.phase === "auction" ? "pad.live.auction" : "pad.live.play")}</span></div></td>
    ${game.totals.map(() => html`<td></td>`)}</tr>`;
}

/** @param {Table} table @param {GameView} game */
function log(table, game) {
  const title = game.phase === "play"
    ? t("log.title.play", { deal: game.deal, trick: trickNumber(game, table.resting !== null), of: tricksInAll(game) })
    : t("log.title", { deal: game.deal });
  return html`<section class="log panel" aria-label=${t("log.label")}><h2>${title}</h2>
    <ol>${table.log.slice(-24).map((line, i, all) => html`<li class=${i === all.length - 1 ? "now" : ""}
      >${icon(line.icon)}<span>${line.text()}</span><span class="num">${line.number ?? ""}</span></li>`)}</ol></section>`;
}

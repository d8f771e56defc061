/** Beside the table on a desktop: the score pad, and the log under it. */
import { num, t } from "../i18n.js";
import { icon, suitSign } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { usThem } from "./places.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").DealScored} DealScored */

/** @param {Table} table @param {GameView} game */
export const side = (table, game) => html`<aside class="side">${pad(table, game)}${log(table, game)}</aside>`;

/** @param {Table} table @param {GameView} game */
function pad(table, game) {
  const [us, them] = usThem(game.totals, table.seat);
  return html`<section class="pad paper" aria-label=${t("table.score_sheet")}>
    <div class="pad__title"><b>${t("table.score_sheet")}</b><span>${t("pad.first_to", { n: game.rules.target })}</span></div>
    <div class="pad__scroll"><table><thead><tr><th scope="col">${t("pad.deal")}</th>
      <th class="us" scope="col">${t("side.us")}</th><th class="them" scope="col">${t("side.them")}</th></tr></thead>
    <tbody>${game.deals.map((deal) => padRow(table, deal))}${liveRow(game)}</tbody>
    <tfoot><tr><td>${t("pad.total")}</td><td>${num(us)}</td><td>${num(them)}</td></tr></tfoot></table></div>
  </section>`;
}

/** @param {Table} table @param {DealScored} deal */
function padRow(table, deal) {
  const view = /** @type {TableView} */ (table.shown);
  const { score, contract } = deal;
  const [us, them] = usThem(score.awarded, table.seat);
  const taker = nameAt(view, contract.taker);
  const words = score.outcome === "made" ? taker : t(`pad.${score.outcome}`, { who: taker });
  const hangs = score.hung > 0 ? html`<small>${t("pad.hangs", { n: score.hung })}</small>` : nothing;
  const winner = score.outcome === "made" ? contract.taker % 2 : 1 - (contract.taker % 2);
  const [usWon] = usThem([winner === 0, winner === 1], table.seat);
  const plus = score.carried_in > 0 && score.outcome !== "litige"
    ? html`<small class="plus">${t("pad.with", { n: score.carried_in })}</small>` : nothing;
  const takerIsUs = usThem([contract.taker % 2 === 0, contract.taker % 2 === 1], table.seat)[0];
  return html`<tr><td><div><span class="deal">${deal.deal}</span>
      ${contract.trump.length === 1 ? suitSign(/** @type {any} */ (contract.trump)) : nothing}
      <button class="pad__go" type="button" @click=${() => table.openSheet(deal.deal)}>${words}</button></div></td>
    <td>${num(us)}${usWon ? plus : nothing}${takerIsUs ? hangs : nothing}</td>
    <td>${num(them)}${usWon ? nothing : plus}${takerIsUs ? nothing : hangs}</td></tr>`;
}

/** @param {GameView} game */
function liveRow(game) {
  if (game.phase !== "auction" && game.phase !== "play") return nothing;
  const trump = game.contract?.trump;
  return html`<tr class="live"><td><div><span class="deal">${game.deal}</span>
    ${trump?.length === 1 ? suitSign(/** @type {any} */ (trump)) : nothing}
    <span>${t(`pad.live.${game.phase}`)}</span></div></td><td></td><td></td></tr>`;
}

/** @param {Table} table @param {GameView} game */
function log(table, game) {
  const done = game.tricks.reduce((a, b) => a + b, 0);
  const title = game.phase === "play"
    ? t("log.title.play", { deal: num(game.deal), trick: Math.min(8, done + (table.resting ? 0 : 1)) })
    : t("log.title", { deal: num(game.deal) });
  return html`<section class="log panel" aria-label=${t("log.label")}><h2>${title}</h2>
    <ol>${table.log.slice(-24).map((line, i, all) => html`<li class=${i === all.length - 1 ? "now" : ""}
      >${icon(line.icon)}<span>${line.text()}</span><span class="num">${line.number ?? ""}</span></li>`)}</ol></section>`;
}

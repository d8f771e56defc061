/** The score sheet after a deal, and of any deal of the match at any time: in words, line by line. */
import { sheetLines } from "../core/score/lines.js";
import { whyNotOver } from "../core/score/open_end.js";
import { inOrder, SIDE_KINDS } from "../core/places.js";
import { num, rich, t } from "../i18n.js";
import { cardName, cardSign, icon, suitSign, trumpTile } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { headline, lineWords, subline, takerSide, titles } from "./sheet_words.js";

/** @typedef {import("../core/types.js").DealScored} DealScored */
/** @typedef {import("../core/types.js").Rules} Rules */
/** @typedef {import("../core/score/lines.js").SheetLine} SheetLine */
/**
 * What a sheet is made of; the table, and the history's match page, fill it.
 * @typedef {object} SheetOf
 * @property {DealScored[]} deals
 * @property {Rules} rules
 * @property {number | null} viewer seat
 * @property {(seat: number) => string} name
 * @property {number | null} deal which deal; null: the latest
 * @property {boolean} over whether the match has ended
 * @property {(deal: number) => void} choose
 * @property {() => void} close
 * @property {unknown} foot buttons
 */

/** @type {import("./sheet_words.js").Form} */
const FORM = {
  cards: (cards) => html`<span class="decl" role="img" aria-label=${cards.map(cardName).join(", ")}>${cards.map(cardSign)}</span>`,
};

/** @param {SheetOf} of */
export function scoreSheet(of) {
  const deal = of.deals.find((one) => one.deal === of.deal) ?? of.deals.at(-1);
  return html`<div class="scrim" @click=${of.close}></div>
    <div class="sheet paper sheet--${of.rules.players === 3 ? "three" : "two"}" role="dialog" aria-modal="true" aria-labelledby="sh-t" data-dialog
      data-testid="score-sheet">
      <div class="sheet__top">${tabs(of, deal)}<button class="iconbtn iconbtn--ink" type="button"
        aria-label=${t("action.close")} @click=${of.close}>${icon("x")}</button></div>
      ${deal === undefined ? html`<div class="sheet__empty"><h1 id="sh-t">${t("table.score_sheet")}</h1>
        <p>${t("sheet.empty")}</p></div>` : html`${head(of, deal)}
        <div class="sheet__body">${lines(of, deal)}${races(of, deal)}</div>`}
      <div class="sheet__foot">${of.foot}</div></div>`;
}

/** @param {SheetOf} of @param {DealScored | undefined} open */
const tabs = (of, open) => html`<ol class="dealtabs" aria-label=${t("sheet.deals")}>${of.deals.map(
  (deal) => html`<li><button type="button" class="dealtab ${deal === open ? "is-on" : ""}"
    aria-current=${deal === open ? "true" : nothing} @click=${() => of.choose(deal.deal)}
    aria-label=${t("deal.n", { n: deal.deal })}><span>${deal.deal}</span>${sign(deal)}
    ${deal.score.hung > 0 ? html`<small>${t("sheet.hung.tab")}</small>` : nothing}</button></li>`,
)}</ol>`;

/** @param {DealScored} deal */
const sign = ({ contract: { trump } }) => trump.length === 1
  ? suitSign(/** @type {any} */ (trump)) : html`<span class="nt">${t(`trump.short.${trump}`)}</span>`;

/** @param {SheetOf} of @param {DealScored} deal */
const head = (of, deal) => html`<div class="sheet__head">${trumpTile(deal.contract.trump, "tile--xl")}
  <div><h1 id="sh-t">${headline(of, deal)}</h1><p>${subline(of, deal)}</p></div>
  <span class="stamp stamp--${deal.score.outcome}" aria-hidden="true">${t(`sheet.stamp.${deal.score.outcome}`)}</span></div>`;

/** @param {SheetOf} of @param {DealScored} deal */
function lines(of, deal) {
  const { players } = of.rules;
  const taking = takerSide(deal, of.rules);
  const takes = inOrder(deal.score.awarded.map((_, side) => side === taking), players, of.viewer);
  return html`<table class="lines"><thead><tr><th scope="col">${t("deal.n", { n: deal.deal })}</th>
    ${titles(of).map((title, i) => html`<th scope="col" class=${SIDE_KINDS[i]}>${mark(takes[i])}<span>${title}</span></th>`)}</tr></thead>
    <tbody>${sheetLines(deal, of.rules).map((line) => row(of, line))}</tbody></table>`;
}

/** @param {boolean} taking */
const mark = (taking) => taking
  ? html`<span class="mark mark--taker">${icon("sword")}<span class="sr">${t("seat.taking")}</span></span>`
  : html`<span class="mark">${icon("shield")}<span class="sr">${t("seat.defending")}</span></span>`;

/** @param {SheetOf} of @param {SheetLine} line */
const row = (of, line) => html`<tr class=${line.kind}><th scope="row">${rich(line.key, lineWords(of, line.params, FORM))}
  ${line.note === null ? nothing : html`<small>${rich(line.note, lineWords(of, line.noteParams, FORM))}</small>`}</th>
  ${inOrder(line.bySide, of.rules.players, of.viewer).map((n) => html`<td>${figure(n, line)}</td>`)}</tr>`;

/** @param {number | null} n @param {SheetLine} line */
export const figure = (n, line) => (n === null ? "–" : `${line.plus && n > 0 ? "+" : ""}${num(n)}`);

/** @param {SheetOf} of @param {DealScored} deal */
function races(of, deal) {
  const { target, players } = of.rules;
  const totals = inOrder(deal.score.totals, players, of.viewer);
  const added = inOrder(deal.score.awarded, players, of.viewer);
  const why = deal === of.deals.at(-1) ? whyNotOver(deal, of.rules, of.over) : null;
  return html`<section class="races" aria-label=${t("sheet.totals", { n: target })}>
    <h2>${t("sheet.totals", { n: target })}</h2>
    ${titles(of).map((title, i) => race(SIDE_KINDS[i], title, totals[i], added[i], Math.max(target, ...totals), target))}
    ${why === null ? nothing : html`<p class="notover">${icon("circle-help")}${t(why.key, why.params)}</p>`}</section>`;
}

/** @param {string} kind @param {string} title @param {number} total @param {number} added @param {number} top @param {number} target */
function race(kind, title, total, added, top, target) {
  const scale = 100 / top;
  const was = total - added;
  const from = Math.max(0, Math.min(was, total));
  const words = total >= target ? t("sheet.race.there", { was, added })
    : t(added < 0 ? "sheet.race.needs_less" : "sheet.race.needs", { was, added: Math.abs(added), n: target - total });
  return html`<div class="race race--${kind}"><span class="race__n">${title}</span>
    <svg class="race__bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bg" width="100" height="10"/><rect class="was" width=${from * scale} height="10"/>
      <rect class="new" x=${from * scale} width=${Math.max(0, Math.min(added, total)) * scale} height="10"/></svg>
    <b class="display">${num(total)}</b><small>${words}</small></div>`;
}

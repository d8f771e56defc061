/** The score sheet after a deal, and of any deal of the match at any time: in words, line by line. */
import { num, rich, t } from "../i18n.js";
import { cardSign, cardName, icon, suitSign, trumpName, trumpTile } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { ourSide, usThem } from "./places.js";
import { sheetLines, winnerOf } from "./sheet_lines.js";

/** @typedef {import("../core/types.js").DealScored} DealScored */
/** @typedef {import("../core/types.js").Rules} Rules */
/** @typedef {import("./sheet_lines.js").SheetLine} SheetLine */
/**
 * What a sheet is made of; the table, and the history's match page, fill it.
 * @typedef {object} SheetOf
 * @property {DealScored[]} deals
 * @property {Rules} rules
 * @property {number | null} viewer seat
 * @property {(seat: number) => string} name
 * @property {number | null} deal which deal; null: the latest
 * @property {(deal: number) => void} choose
 * @property {() => void} close
 * @property {unknown} foot buttons
 */

/** @param {SheetOf} of */
export function scoreSheet(of) {
  const deal = of.deals.find((one) => one.deal === of.deal) ?? of.deals.at(-1);
  return html`<div class="scrim" @click=${of.close}></div>
    <div class="sheet paper" role="dialog" aria-modal="true" aria-labelledby="sh-t" data-dialog
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
const sign = (deal) =>
  deal.contract.trump.length === 1 ? suitSign(/** @type {any} */ (deal.contract.trump)) : nothing;

/** @param {SheetOf} of @param {DealScored} deal */
function head(of, deal) {
  const { score, contract } = deal;
  const [us, them] = usThem(score.awarded, of.viewer);
  const winner = winnerOf(deal);
  const carried = score.carried_in > 0 && winner !== null
    ? ` ${t("sheet.head.carried", { n: score.carried_in, side: sideName(of, winner) })}` : "";
  const hung = score.hung > 0 ? ` ${t("sheet.head.hung", { n: score.hung })}` : "";
  return html`<div class="sheet__head">${trumpTile(contract.trump, "tile--xl")}
    <div><h1 id="sh-t">${t(`sheet.title.${score.outcome}`, {
      who: of.name(contract.taker), suit: trumpName(contract.trump),
    })}</h1><p>${t("sheet.head", { us, them })}${carried}${hung}</p></div>
    <span class="stamp stamp--${score.outcome}" aria-hidden="true">${t(`sheet.stamp.${score.outcome}`)}</span></div>`;
}

/** @param {SheetOf} of @param {number} side */
const sideName = (of, side) => t(side === ourSide(of.viewer) ? "side.us" : "side.them");

/** @param {SheetOf} of @param {DealScored} deal */
function lines(of, deal) {
  const takers = deal.contract.taker % 2 === ourSide(of.viewer);
  const mark = (/** @type {boolean} */ taking) => taking
    ? html`<span class="mark mark--taker">${icon("sword")}<span class="sr">${t("seat.taking")}</span></span>`
    : html`<span class="mark">${icon("shield")}<span class="sr">${t("seat.defending")}</span></span>`;
  return html`<table class="lines"><thead><tr><th scope="col">${t("deal.n", { n: deal.deal })}</th>
    <th scope="col" class="us">${mark(takers)}${t("side.us")}</th>
    <th scope="col" class="them">${mark(!takers)}${t("side.them")}</th></tr></thead>
    <tbody>${sheetLines(deal, of.rules).map((line) => row(of, line))}</tbody></table>`;
}

/** @param {SheetOf} of @param {SheetLine} line */
function row(of, line) {
  const [us, them] = usThem(line.bySide, of.viewer);
  return html`<tr class=${line.kind}><th scope="row">${rich(line.key, words(of, line.params))}
    ${line.note === null ? nothing : html`<small>${rich(line.note, words(of, line.noteParams))}</small>`}</th>
    <td>${figure(us, line)}</td><td>${figure(them, line)}</td></tr>`;
}

/** @param {number | null} n @param {SheetLine} line */
const figure = (n, line) => (n === null ? "–" : `${line.plus ? "+" : ""}${num(n)}`);

/** Seats, suits and cards of a line as words. @param {SheetOf} of @param {Record<string, any>} params */
function words(of, params) {
  /** @type {Record<string, unknown>} */
  const out = { ...params };
  if ("seat" in params) out.who = of.name(params.seat);
  if ("suit" in params) out.suit = t(`suit.${params.suit}`);
  if ("kind" in params) out.what = t(`declaration.${params.kind}`);
  if ("side" in params) out.side = sideName(of, params.side);
  if ("tricks" in params) [out.us, out.them] = usThem(params.tricks, of.viewer);
  if ("rule" in params) out.rule = params.rule.replace(/[^0-9]/g, "");
  if ("cards" in params) {
    out.cards = params.cards === null ? "" : html`<span class="decl" aria-label=${params.cards.map(cardName).join(", ")}
      >${params.cards.map(cardSign)}</span>`;
  }
  return out;
}

/** @param {SheetOf} of @param {DealScored} deal */
function races(of, deal) {
  const { target } = of.rules;
  const [us, them] = usThem(deal.score.totals, of.viewer);
  const [newUs, newThem] = usThem(deal.score.awarded, of.viewer);
  return html`<section class="races" aria-label=${t("sheet.totals", { n: target })}>
    <h2>${t("sheet.totals", { n: target })}</h2>
    ${race("us", us, newUs, target)}${race("them", them, newThem, target)}</section>`;
}

/** @param {"us" | "them"} side @param {number} total @param {number} added @param {number} target */
function race(side, total, added, target) {
  const scale = 100 / Math.max(target, total);
  const was = Math.max(0, total - added);
  const words = total >= target
    ? t("sheet.race.there", { was, added }) : t("sheet.race.needs", { was, added, n: target - total });
  return html`<div class="race race--${side}"><span class="race__n">${t(`side.${side}`)}</span>
    <svg class="race__bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bg" width="100" height="10"/><rect class="was" width=${was * scale} height="10"/>
      <rect class="new" x=${was * scale} width=${Math.max(0, added) * scale} height="10"/></svg>
    <b class="display">${num(total)}</b><small>${words}</small></div>`;
}

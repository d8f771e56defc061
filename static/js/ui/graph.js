/** Both totals over the deals of a match: ink on paper, in words beside the lines. */
import { num, t } from "../i18n.js";
import { ourSide } from "../table/places.js";
import { html, nothing, svg } from "./html.js";

/** @typedef {import("../core/types.js").DealScored} DealScored */

const W = 760;
const H = 330;
const LEFT = 56;
const RIGHT = 70;
const TOP = 34;
const BOTTOM = 40;

/**
 * @param {{ deals: DealScored[], target: number, viewer: number | null, end: number[] }} of
 */
export function totalsGraph({ deals, target, viewer, end }) {
  const us = ourSide(viewer);
  const ours = [0, ...deals.map((deal) => deal.score.totals[us])];
  const theirs = [0, ...deals.map((deal) => deal.score.totals[1 - us])];
  const top = Math.max(target, ...ours, ...theirs) * 1.04;
  const x = (/** @type {number} */ i) => LEFT + (i * (W - LEFT - RIGHT)) / Math.max(1, deals.length);
  const y = (/** @type {number} */ n) => H - BOTTOM - (Math.max(0, n) * (H - TOP - BOTTOM)) / top;
  const points = (/** @type {number[]} */ line) => line.map((n, i) => `${x(i)},${y(n)}`).join(" ");
  const words = t("graph.words", {
    us: ours.slice(1).map((n) => num(n)).join(", "), them: theirs.slice(1).map((n) => num(n)).join(", "),
  });
  const [endUs, endThem] = apart(y(end[us]), y(end[1 - us]));
  return html`<figure class="chart paper"><figcaption><b class="display">${t("graph.title")}</b>
      <span class="key"><i></i>${t("side.us")}<i class="k-th"></i>${t("side.them")}</span></figcaption>
    <svg class="graph" viewBox="0 0 ${W} ${H}" role="img" aria-label=${words}>
      ${grid(top, target).map((n) => svg`<line class="g" x1=${LEFT} x2=${W - RIGHT} y1=${y(n)} y2=${y(n)}/>
        <text class="ax" x=${LEFT - 10} y=${y(n) + 5} text-anchor="end">${num(n)}</text>`)}
      <line class="tgt" x1=${LEFT} x2=${W - RIGHT} y1=${y(target)} y2=${y(target)}/>
      <text class="ax ax--t" x=${LEFT - 10} y=${y(target) + 5} text-anchor="end">${num(target)}</text>
      <polyline class="l-th" points=${points(theirs)}/><polyline class="l-us" points=${points(ours)}/>
      ${theirs.slice(1).map((n, i) => svg`<rect class="d-th" x=${x(i + 1) - 5} y=${y(n) - 5} width="10" height="10"/>`)}
      ${ours.slice(1).map((n, i) => svg`<circle class="d-us" cx=${x(i + 1)} cy=${y(n)} r="5.5"/>`)}
      ${deals.map((deal, i) => label(deal, x(i + 1), deals.length))}
      <text class="end us" x=${W - RIGHT + 12} y=${endUs + 7}>${num(end[us])}</text>
      <text class="end them" x=${W - RIGHT + 12} y=${endThem + 7}>${num(end[1 - us])}</text>
    </svg></figure>`;
}

/** A deal's number and suit under the axis; with many deals every other one. @param {DealScored} deal @param {number} at @param {number} n */
function label(deal, at, n) {
  if (n > 14 && deal.deal % 2 === 0) return nothing;
  const { trump } = deal.contract;
  const red = trump === "H" || trump === "D";
  const suit = trump.length === 1
    ? svg`<use href="#s-${trump}" class=${red ? "r" : "k"} x=${at - 18} y=${H - 26} width="14" height="14"/>` : nothing;
  return svg`${suit}<text class="ax" x=${at + 6} y=${H - 14} text-anchor="middle">${deal.deal}</text>`;
}

/** Round steps below the target; a line too near to it would hide its number. @param {number} top @param {number} target */
function grid(top, target) {
  const step = [50, 100, 200, 250, 500].find((size) => top / size <= 6) ?? 500;
  const lines = [];
  for (let n = 0; n <= top; n += step) if (Math.abs(n - target) > step * 0.4) lines.push(n);
  return lines;
}

/** Two end figures never cover each other. @param {number} a @param {number} b @returns {[number, number]} */
function apart(a, b) {
  const gap = 28 - Math.abs(a - b);
  if (gap <= 0) return [a, b];
  return a <= b ? [a - gap / 2, b + gap / 2] : [a + gap / 2, b - gap / 2];
}

/** Both totals over the deals of a match: ink on paper, in words beside the lines. */
import { num, t } from "../i18n.js";
import { inOrder } from "../core/places.js";
import { html, nothing, svg } from "./html.js";

/** @typedef {import("../core/types.js").DealScored} DealScored */

const W = 760;
const H = 330;
const LEFT = 56;
const RIGHT = 70;
const TOP = 34;
const BOTTOM = 40;

/** The lines' looks, in the viewer's order of sides. */
const KINDS = /** @type {const} */ (["us", "th", "3d"]);

/**
 * @param {{ deals: DealScored[], target: number, players: number, viewer: number | null,
 *   titles: string[], end: number[] }} of
 */
export function totalsGraph({ deals, target, players, viewer, titles, end }) {
  const sides = titles.map((title, i) => ({
    title, kind: KINDS[i], end: inOrder(end, players, viewer)[i],
    totals: [0, ...deals.map((deal) => inOrder(deal.score.totals, players, viewer)[i])],
  }));
  const all = sides.flatMap((side) => side.totals);
  const top = Math.max(target, ...all) * 1.04;
  const low = Math.min(0, ...all);
  const x = (/** @type {number} */ i) => LEFT + (i * (W - LEFT - RIGHT)) / Math.max(1, deals.length);
  const y = (/** @type {number} */ n) => H - BOTTOM - ((n - low) * (H - TOP - BOTTOM)) / (top - low);
  const words = [t("graph.title"), ...sides.map((side) =>
    t("graph.side", { who: side.title, totals: side.totals.slice(1).map((n) => num(n)).join(", ") }))].join(". ");
  const ends = apart(sides.map((side) => y(side.end)));
  return html`<figure class="chart paper"><figcaption><b class="display">${t("graph.title")}</b>
      <span class="key">${sides.map((side) => html`<i class="k-${side.kind}"></i>${side.title}`)}</span></figcaption>
    <svg class="graph" viewBox="0 0 ${W} ${H}" role="img" aria-label=${words}>
      ${grid(top, target).map((n) => svg`<line class="g" x1=${LEFT} x2=${W - RIGHT} y1=${y(n)} y2=${y(n)}/>
        <text class="ax" x=${LEFT - 10} y=${y(n) + 5} text-anchor="end">${num(n)}</text>`)}
      <line class="tgt" x1=${LEFT} x2=${W - RIGHT} y1=${y(target)} y2=${y(target)}/>
      <text class="ax ax--t" x=${LEFT - 10} y=${y(target) + 5} text-anchor="end">${num(target)}</text>
      ${sides.toReversed().map((side) => svg`<polyline class="l-${side.kind}" points=${side.totals.map((n, i) => `${x(i)},${y(n)}`).join(" ")}/>
        ${side.totals.slice(1).map((n, i) => dot(side.kind, x(i + 1), y(n)))}`)}
      ${deals.map((deal, i) => label(deal, x(i + 1), deals.length))}
      ${sides.map((side, i) => svg`<text class="end e-${side.kind}" x=${W - RIGHT + 12} y=${ends[i] + 7}>${num(side.end)}</text>`)}
    </svg></figure>`;
}

/** @param {typeof KINDS[number]} kind @param {number} x @param {number} y */
const dot = (kind, x, y) => kind === "us" ? svg`<circle class="d-us" cx=${x} cy=${y} r="5.5"/>`
  : kind === "th" ? svg`<rect class="d-th" x=${x - 5} y=${y - 5} width="10" height="10"/>`
    : svg`<polygon class="d-3d" points=${`${x},${y - 7} ${x + 7},${y + 5} ${x - 7},${y + 5}`}/>`;

/** A deal's number and suit under the axis; with many deals every other one. @param {DealScored} deal @param {number} at @param {number} n */
function label(deal, at, n) {
  if (n > 14 && deal.deal % 2 === 0) return nothing;
  const { trump } = deal.contract;
  const red = trump === "H" || trump === "D";
  const suit = trump.length === 1 ? svg`<use href="#s-${trump}" class=${red ? "r" : "k"} x=${at - 18} y=${H - 26} width="14" height="14"/>` : nothing;
  return svg`${suit}<text class="ax" x=${at + 6} y=${H - 14} text-anchor="middle">${deal.deal}</text>`;
}

/** Round steps below the target; a line too near to it would hide its number. @param {number} top @param {number} target */
function grid(top, target) {
  const step = [10, 25, 50, 100, 200, 250, 500].find((size) => top / size <= 6) ?? 500;
  const lines = [];
  for (let n = 0; n <= top; n += step) if (Math.abs(n - target) > step * 0.4) lines.push(n);
  return lines;
}

/** End figures never cover each other: from the highest down, each keeps its distance. @param {number[]} ys */
function apart(ys) {
  const order = ys.map((_, i) => i).sort((a, b) => ys[a] - ys[b]);
  const placed = [...ys];
  order.forEach((i, rank) => {
    if (rank > 0) placed[i] = Math.max(placed[i], placed[order[rank - 1]] + 28);
  });
  const over = Math.max(0, ...placed.map((y) => y - (H - BOTTOM)));
  return placed.map((y) => y - over);
}

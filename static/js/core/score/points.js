/** A deal's award in points, with or without a bid, taken apart (docs/rules.md §4). Data only. */
import { line, takerSide, trickPoints } from "./lines.js";

/** @typedef {import("./lines.js").SheetLine} SheetLine */
/** @typedef {import("../types.js").DealScored} DealScored */
/** @typedef {import("../types.js").Rules} Rules */

/** "total 252" as kind and number. @param {string} rule */
const parsed = (rule) => {
  const [kind, n] = rule.split(" ");
  return { kind, n: Number(n) };
};

/** @param {number} side @param {number} n */
const to = (side, n) => (side === 0 ? [n, 0] : [0, n]);

/**
 * @param {DealScored} deal @param {Rules} rules
 * @param {boolean} solo whether one seat alone took every trick (the sheet does not say: both are tried)
 * @returns {import("./lines.js").Award}
 */
export function pointsAward(deal, rules, solo) {
  const { score, contract } = deal;
  const taker = takerSide(deal, rules);
  const of = { deal, rules, taker, other: 1 - taker, points: score.rounded ?? trickPoints(deal), ...capotOf(deal, rules, taker, solo) };
  const bonus = bonuses(of);
  const rows = [...mainRows(of), ...bonus].filter((row) => row.bySide.some((n) => n !== 0));
  const plain = rules.scoring === "points" && score.outcome === "made" && score.capot === null
    && contract.factor === 1 && score.rounded === null;
  if (plain) {
    const whole = of.points.map((n, side) => n + score.declarations[side] + score.belote[side]);
    return { info: [], rows: [line("sheet.scored", whole, { note: "sheet.scored.made" })], base: [0, 0] };
  }
  return { info: [], rows, base: [0, 0] };
}

/**
 * @typedef {{ deal: DealScored, rules: Rules, taker: number, other: number, points: number[],
 *   paid: number | null, pays: { kind: string, n: number } }} Of
 */

/** Who is paid for every trick, and how. @param {DealScored} deal @param {Rules} rules @param {number} taker @param {boolean} solo */
function capotOf({ score }, rules, taker, solo) {
  const rule = solo && rules.solo_capot !== "none" ? rules.solo_capot : rules.capot;
  const paid = rules.capot_to === "taker" && score.capot !== taker ? null : score.capot;
  return { paid, pays: parsed(String(rule)) };
}

/** What the sides have for tricks and bid. @param {Of} of @returns {SheetLine[]} */
function mainRows(of) {
  const { deal, rules, taker, other } = of;
  const { outcome } = deal.score;
  if (outcome === "litige") return [line("sheet.a.others", to(other, of.points[other]), { note: "sheet.a.others.note" })];
  if (rules.scoring === "points_and_bid") return bidRows(of, outcome === "made" ? taker : other);
  return outcome === "made" ? ownRows(of) : failedRows(of);
}

/** Each side's own trick points, and a capot in place of them or on top. @param {Of} of @returns {SheetLine[]} */
function ownRows({ deal, points, paid, pays }) {
  const key = deal.score.rounded === null ? "sheet.a.tricks" : "sheet.a.rounded";
  if (paid === null) return [line(key, points)];
  const note = { noteParams: { side: paid } };
  if (pays.kind === "total") return [line("sheet.a.capot", to(paid, pays.n), { note: "sheet.a.capot.total", ...note })];
  return [line(key, points), line("sheet.a.capot", to(paid, pays.n), { note: "sheet.a.capot.bonus", ...note })];
}

/** Without bids: the others score every trick point, or a capot of theirs. @param {Of} of @returns {SheetLine[]} */
function failedRows(of) {
  const { deal, other, points, rules } = of;
  if (deal.score.capot !== null) {
    return ownRows(of).map((row) => ({ ...row, bySide: to(other, Number(row.bySide[other])) }));
  }
  const all = rules.failed === "all_162" ? 162 : points.reduce((a, b) => a + b, 0);
  return [line("sheet.a.all", to(other, all), { note: "sheet.a.all.note" })];
}

/** @param {Of} of @param {number} winner @returns {SheetLine[]} */
function bidRows(of, winner) {
  const { deal, rules, paid } = of;
  const { value } = deal.contract;
  const factor = Number(deal.contract.factor);
  const bid = value === "capot" ? 250 : Number(value);
  if (value === "capot" && rules.capot_bid === "flat_500") {
    return [line("sheet.a.flat", to(winner, 500 * factor), factor === 1 ? {}
      : { note: "sheet.a.flat.doubled", noteParams: { n: 500, factor } })];
  }
  const every = paid === winner;
  if (factor > 1) {
    const base = every ? Number(rules.doubled_capot) : 160;
    return [line("sheet.a.doubled", to(winner, (base + bid) * factor), {
      note: "sheet.a.doubled.note", noteParams: { base, bid, factor },
    })];
  }
  const bidRow = line("sheet.a.bid", to(winner, bid));
  if (deal.score.outcome === "made") return [...ownRows(of), bidRow];
  const base = every ? ownRows(of) : [line("sheet.a.base", to(winner, 160), { note: "sheet.a.base.note" })];
  return [...base, bidRow];
}

/** Declarations and belote, after failure or a double has moved them. @param {Of} of @returns {SheetLine[]} */
function bonuses({ deal, rules, taker, other }) {
  const { outcome, declarations, belote } = deal.score;
  const rows = (/** @type {number[]} */ d, /** @type {number[]} */ b, moved = "") => [
    line("sheet.a.declarations", d, moved ? { note: `sheet.a.declarations.${moved}` } : {}),
    line(rules.auction === "call" ? "sheet.a.bela" : "sheet.a.belote", b),
  ];
  if (outcome === "litige") {
    const kept = rules.belote_in_litige === "kept" ? belote[taker] : 0;
    return rows(to(other, declarations[other]), to(taker, kept).map((n, s) => n + to(other, belote[other])[s]));
  }
  if (outcome === "made" && deal.contract.factor === 1) return rows([...declarations], [...belote]);
  const [winner, loser] = outcome === "made" ? [taker, other] : [other, taker];
  const keeps = rules.belote_on_failure === "kept" ? belote[loser] : 0;
  const b = [0, 0];
  b[loser] = keeps;
  b[winner] = belote[winner] + belote[loser] - keeps;
  const d = to(winner, declarations[winner]);
  if (loser === taker) d[rules.declarations_on_failure === "owner" ? loser : winner] += declarations[loser];
  const moved = declarations[loser] > 0 && d[loser] === 0 ? (loser === taker ? "moved" : "gone") : "";
  return rows(d, b, moved);
}

/** A deal's award in match points, taken apart (docs/rules.md §5). Data only. */
import { line, takerSide, trickPoints } from "./lines.js";

/** @typedef {import("./lines.js").SheetLine} SheetLine */
/** @typedef {import("../types.js").DealScored} DealScored */
/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {{ deal: DealScored, rules: Rules, taker: number, shares: number[], raw: number[], m: number, factor: number, nt: number }} Of */

/** M counts so many times after a third double. */
const THIRD = 8;

/** @param {DealScored} deal @param {Rules} rules @returns {import("./lines.js").Award} */
export function matchAward(deal, rules) {
  const { score, contract } = deal;
  const nt = contract.trump === "NT" ? Number(rules.nt_factor) : 1;
  const raw = trickPoints(deal).map((n, side) => (n + score.declarations[side] + score.belote[side]) * nt);
  const shares = score.rounded ?? raw.map(() => 0);
  const m = shares.reduce((a, b) => a + b, 0);
  const factor = contract.factor === "match" ? THIRD : contract.factor;
  const of = { deal, rules, taker: takerSide(deal, rules), shares, raw, m, factor, nt };
  const { base, rows } = outcomeOf(of);
  return { info: infoLines(of), rows: [...rows, ...capotRow(of), ...penaltyRow(of)], base };
}

/** @param {Of} of @returns {SheetLine[]} */
function infoLines({ deal, raw, shares, m, nt }) {
  const together = raw.reduce((a, b) => a + b, 0);
  const trio = raw.length > 2;
  const trump = deal.score.outcome === "litige" ? "equal" : deal.contract.trump.length === 1 ? "suit" : deal.contract.trump;
  return [
    ...(nt > 1 ? [line("sheet.m.no_trumps", raw)] : []),
    line("sheet.m.shares", shares, {
      note: trio ? "sheet.m.shares.alone" : `sheet.m.shares.${trump}`, noteParams: { together, m },
    }),
  ];
}

/** @param {Of} of @returns {{ base: number[], rows: SheetLine[] }} */
function outcomeOf(of) {
  const { deal, taker, shares, m, factor } = of;
  const none = shares.map(() => 0);
  switch (deal.score.outcome) {
    case "made": {
      if (factor === 1) return { base: shares, rows: [] };
      const all = none.with(taker, m * factor);
      return { base: none, rows: [line("sheet.m.doubled", all, { note: "sheet.m.times", noteParams: { m, factor } })] };
    }
    case "litige": {
      const note = factor > 1 ? "sheet.m.equal.doubled" : "sheet.m.equal.note";
      const written = factor > 1 ? none : shares.with(taker, 0);
      return { base: none, rows: [line("sheet.m.equal", written, { note, noteParams: { n: factor > 1 ? m * factor : shares[taker], m, factor } })] };
    }
    default:
      return { base: none, rows: [failedRow(of)] };
  }
}

/** @param {Of} of */
function failedRow({ deal, rules, taker, shares, raw, m, factor }) {
  const written = shares.with(taker, 0);
  const trio = shares.length > 2;
  for (const side of heirs(rules, taker, raw)) written[side] += shares[taker];
  const bySide = written.map((n) => n * factor);
  if (trio) return line("sheet.m.failed", bySide, { note: `sheet.m.${factor === 1 ? "failed" : "failed_times"}.${rules.failed_trio}`, noteParams: { n: shares[taker], seat: deal.contract.taker, factor } });
  return line("sheet.m.failed", bySide, factor === 1 ? { note: "sheet.m.failed.note", noteParams: { m } }
    : { note: "sheet.m.times", noteParams: { m, factor } });
}

/** Who gets the share of a taker who failed. @param {Rules} rules @param {number} taker @param {number[]} raw */
function heirs(rules, taker, raw) {
  const others = raw.slice(1).map((_, i) => (taker + i + 1) % raw.length);
  if (others.length === 1 || rules.failed_trio === "both") return others;
  if (rules.failed_trio === "vanish") return [];
  return [others.reduce((best, side) => (raw[side] > raw[best] ? side : best))];
}

/** @param {Of} of @returns {SheetLine[]} */
function capotRow({ deal, rules, factor, nt, shares }) {
  const { capot } = deal.score;
  if (capot === null || (rules.capot_to === "taker" && capot !== takerSide(deal, rules))) return [];
  const n = Number(String(rules.capot).split(" ")[1]);
  const before = rules.capot_doubling === "before";
  const times = before ? factor * nt : 1;
  const note = before && times > 1 ? "sheet.m.capot.before" : "sheet.m.capot.after";
  return [line("sheet.m.capot", shares.map((_, side) => (side === capot ? n * times : 0)), {
    note, noteParams: { n, times, side: capot },
  })];
}

/** @param {Of} of @returns {SheetLine[]} */
function penaltyRow({ deal, rules, taker, factor, shares }) {
  const n = Number(rules.failure_penalty);
  if (n === 0) return [];
  const { outcome, tricks } = deal.score;
  const pays = shares.map((_, side) => (outcome === "failed" && side === taker)
    || (outcome === "made" && factor > 1 && side !== taker) || tricks[side] === 0);
  if (!pays.includes(true)) return [];
  return [line("sheet.m.penalty", pays.map((yes) => (yes ? -n : 0)))];
}

/**
 * A deal's score in lines, in the order in which they are counted. Data only: the figures are the
 * server's (`deal_scored`); here they are put beside their words. Where a figure is taken apart
 * ("160 and the bid of 100, twice"), the parts are shown only if they add up to what the server
 * awarded; otherwise the sheet says the sum alone. Nothing here decides a score.
 */
import { seatsOf, sideOf } from "../places.js";
import { matchAward } from "./match.js";
import { pointsAward } from "./points.js";

/** @typedef {import("../types.js").DealScored} DealScored */
/** @typedef {import("../types.js").Rules} Rules */
/**
 * @typedef {{ kind: string, key: string, params: Record<string, any>, note: string | null,
 *   noteParams: Record<string, any>, bySide: (number | null)[], plus?: boolean }} SheetLine
 * `key` and `note` are keys of the catalogue; `params` hold seats, suits and numbers.
 */
/**
 * How an award is taken apart: `info` explains, `rows` add up to the award with `base`, which
 * stands in an info line already. @typedef {{ info: SheetLine[], rows: SheetLine[], base: number[] }} Award
 */

/** @param {string} key @param {readonly (number | null)[]} bySide @param {Partial<SheetLine>} [more] @returns {SheetLine} */
export const line = (key, bySide, more = {}) => ({
  kind: "", key, params: {}, note: null, noteParams: {}, ...more, bySide: [...bySide],
});

/** @param {number} count @param {number | null} side @param {number} value @returns {(number | null)[]} */
export const only = (count, side, value) =>
  Array.from({ length: count }, (_, i) => (i === side ? value : null));

/** @param {readonly number[]} a @param {readonly number[]} b */
const sum = (a, b) => a.map((n, i) => n + b[i]);

/** @param {DealScored} deal @param {Rules} rules */
export const takerSide = (deal, rules) => sideOf(deal.contract.taker, rules.players);

/** Trick points with the last ten. @param {DealScored} deal */
export const trickPoints = ({ score }) =>
  score.cards.map((n, side) => n + (side === score.last_ten ? 10 : 0));

/** The side whose deal it is: null if it hangs, or if two opponents share it. @param {DealScored} deal @param {Rules} rules */
export function winnerOf(deal, rules) {
  const taker = takerSide(deal, rules);
  if (deal.score.outcome === "made") return taker;
  return deal.score.outcome === "failed" && deal.score.awarded.length === 2 ? 1 - taker : null;
}

/** What was carried in and has found a winner. @param {DealScored} deal @param {Rules} rules */
export const collected = (deal, rules) =>
  (winnerOf(deal, rules) === null ? 0 : deal.score.carried_in);

/** What the sides' counts are when they are compared. @param {DealScored} deal @param {Rules} rules */
export function compared(deal, rules) {
  let total = trickPoints(deal);
  if (rules.contract_counts !== "tricks") total = sum(total, deal.score.belote);
  if (rules.contract_counts === "all") total = sum(total, deal.score.declarations);
  return total;
}

/** @param {DealScored} deal @param {Rules} rules @returns {SheetLine[]} */
export function sheetLines(deal, rules) {
  if (deal.score.outcome === "match") {
    return [...declarationLines(deal, rules), line("sheet.match", deal.score.awarded, { kind: "cmp" })];
  }
  return [
    ...trickLines(deal), ...declarationLines(deal, rules), ...beloteLines(deal, rules),
    compareLine(deal, rules), ...awardLines(deal, rules), ...writtenLines(deal, rules),
  ];
}

/** @param {DealScored} deal */
function trickLines({ score }) {
  return [
    line("sheet.cards", score.cards, { note: "sheet.cards.note", noteParams: { tricks: score.tricks } }),
    line("sheet.last", only(score.cards.length, score.last_ten, 10)),
  ];
}

/** @param {DealScored} deal @param {Rules} rules */
function declarationLines(deal, rules) {
  if (rules.declare === "none") return [];
  const none = deal.score.awarded.map(() => null);
  if (deal.declarations.length === 0) {
    return [line("sheet.declarations", none, { note: "sheet.declarations.none" })];
  }
  return deal.declarations.map((one) => {
    const { side, note } = placeOfDeclaration(one, deal, rules);
    return line("sheet.declaration", side === null ? none : only(none.length, side, one.points ?? 0), {
      kind: side === null ? "off" : "", params: { seat: one.seat, kind: one.kind, cards: one.cards },
      note: `sheet.declaration.${note}`, noteParams: { points: one.points ?? 0 },
    });
  });
}

/**
 * At whose side a declaration counts when the sides are compared, and what became of it.
 * @param {import("../types.js").SeenDeclaration} one @param {DealScored} deal @param {Rules} rules
 * @returns {{ side: number | null, note: string }}
 */
function placeOfDeclaration(one, { score }, rules) {
  const own = sideOf(one.seat, rules.players);
  const outcome = one.outcome ?? "void";
  if (outcome === "scored") return { side: own, note: outcome };
  if (outcome !== "taken" && outcome !== "lost") return { side: null, note: outcome };
  if (score.tricks[own] === 0) return { side: outcome === "taken" ? 1 - own : null, note: outcome };
  return { side: own, note: outcome === "taken" ? "taken_after" : "lost_after" };
}

/** @param {DealScored} deal @param {Rules} rules */
function beloteLines(deal, rules) {
  if (rules.belote === "none") return [];
  const key = rules.auction === "call" ? "sheet.bela" : "sheet.belote";
  const none = deal.score.awarded.map(() => null);
  const counted = deal.belote.filter((one) => deal.score.belote[sideOf(one.seat, rules.players)] > 0);
  if (counted.length === 0) return [line(key, none, { note: "sheet.belote.none" })];
  return counted.map((one) => line(key, only(none.length, sideOf(one.seat, rules.players), 20), {
    note: "sheet.belote.note", noteParams: { seat: one.seat, suit: one.suit },
  }));
}

/** @param {DealScored} deal @param {Rules} rules */
function compareLine(deal, rules) {
  const total = compared(deal, rules);
  const taker = takerSide(deal, rules);
  const mine = total[taker];
  const others = total.reduce((a, b) => a + b, 0) - mine;
  const { outcome, capot } = deal.score;
  const kind = outcome === "made" ? "cmp" : "cmp cmp--bad";
  const { value } = deal.contract;
  if (capot !== null) {
    return line(`sheet.compare.${outcome}_flat`, total, {
      kind, note: "sheet.compare.capot", noteParams: { side: capot },
    });
  }
  if (value === "capot") return line("sheet.compare.failed_flat", total, { kind, note: "sheet.compare.capot_bid" });
  const short = typeof value === "number" && mine < value;
  const by = Math.abs(mine - (short || (rules.made_if === "bid") ? Number(value) : others));
  return line(by === 0 ? `sheet.compare.${outcome}_flat` : `sheet.compare.${outcome}`, total, {
    kind, params: { n: by }, note: compareNote(outcome, rules.made_if, short),
    noteParams: { taker: mine, others, bid: value ?? 0 },
  });
}

/** @param {string} outcome @param {string} madeIf @param {boolean} short of the bid */
function compareNote(outcome, madeIf, short) {
  if (outcome === "litige") return "sheet.compare.note.litige";
  if (outcome === "made") return `sheet.compare.note.made.${madeIf}`;
  if (short) return "sheet.compare.note.short";
  return madeIf === "at_least" ? "sheet.compare.note.failed.at_least" : "sheet.compare.note.failed.more";
}

/** How the award came about, if its parts add up to it; else the award alone. @param {DealScored} deal @param {Rules} rules @returns {SheetLine[]} */
export function awardLines(deal, rules) {
  const { awarded } = deal.score;
  const winner = winnerOf(deal, rules);
  const due = awarded.map((n, side) => n - (side === winner ? deal.score.carried_in : 0));
  const tries = rules.scoring === "match_points" ? [matchAward(deal, rules)]
    : [pointsAward(deal, rules, false), pointsAward(deal, rules, true)];
  for (const { info, rows, base } of tries) {
    const total = rows.reduce((sums, row) => sums.map((n, side) => n + (row.bySide[side] ?? 0)), base);
    if (due.every((n, side) => n === total[side])) return [...info, ...rows.map(withDashes)];
  }
  return [line("sheet.scored", due)];
}

/** What a side has nothing of is a dash. @param {SheetLine} row @returns {SheetLine} */
const withDashes = (row) => ({ ...row, bySide: row.bySide.map((n) => n || null) });

/** @param {DealScored} deal @param {Rules} rules */
function writtenLines(deal, rules) {
  const { score } = deal;
  const carried = collected(deal, rules);
  const count = score.awarded.length;
  /** @type {SheetLine[]} */
  const lines = [];
  if (carried > 0) {
    lines.push(line("sheet.carried", only(count, winnerOf(deal, rules), carried), { kind: "carry", plus: true }));
  }
  if (score.hung > 0) {
    const before = score.hung > score.carried_in ? score.carried_in : score.hung;
    lines.push(line("sheet.hung", only(count, null, 0), {
      kind: "hang", note: before > 0 ? "sheet.hung.note_more" : "sheet.hung.note",
      noteParams: { n: score.hung, before },
    }));
  }
  lines.push(line("sheet.written", score.awarded, { kind: "sum" }));
  return lines;
}

/** Seats of the side, for those who tell of it by names. @param {number} side @param {Rules} rules */
export const seatsOfSide = (side, rules) => seatsOf(side, rules.players);

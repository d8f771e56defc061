/**
 * A deal's score in lines, in the order in which they are counted. Data only: the figures are the
 * server's (`deal_scored`); here they are put beside their words.
 */

/** @typedef {import("../core/types.js").DealScored} DealScored */
/** @typedef {import("../core/types.js").Rules} Rules */
/**
 * @typedef {{ kind: string, key: string, params: Record<string, any>, note: string | null,
 *   noteParams: Record<string, any>, bySide: (number | null)[], plus?: boolean }} SheetLine
 * `key` and `note` are keys of the catalogue; `params` hold seats, suits and numbers.
 */

/** @param {number | null} side @param {number} value @returns {(number | null)[]} */
const only = (side, value) => [side === 0 ? value : null, side === 1 ? value : null];

/** @param {readonly number[]} a @param {readonly number[]} b */
const sum = (a, b) => a.map((n, i) => n + b[i]);

/** The side whose deal it is; null if it hangs. @param {DealScored} deal */
export function winnerOf(deal) {
  const taker = deal.contract.taker % 2;
  if (deal.score.outcome === "litige") return null;
  return deal.score.outcome === "made" ? taker : 1 - taker;
}

/** What the two sides' counts are when they are compared. @param {DealScored} deal @param {Rules} rules */
export function compared(deal, rules) {
  const { score } = deal;
  let total = score.cards.map((n, side) => n + (side === score.last_ten ? 10 : 0));
  if (rules.contract_counts !== "tricks") total = sum(total, score.belote);
  if (rules.contract_counts === "all") total = sum(total, score.declarations);
  return total;
}

/** @param {DealScored} deal @param {Rules} rules @returns {SheetLine[]} */
export function sheetLines(deal, rules) {
  return [
    ...trickLines(deal), ...declarationLines(deal, rules), ...beloteLines(deal, rules),
    compareLine(deal, rules), ...resultLines(deal, rules),
  ];
}

/** @param {string} key @param {(number | null)[]} bySide @param {Partial<SheetLine>} [more] @returns {SheetLine} */
const line = (key, bySide, more = {}) => ({
  kind: "", key, params: {}, note: null, noteParams: {}, bySide, ...more,
});

/** @param {DealScored} deal */
function trickLines({ score }) {
  return [
    line("sheet.cards", score.cards, {
      note: "sheet.cards.note", noteParams: { tricks: score.tricks },
    }),
    line("sheet.last", only(score.last_ten, 10)),
  ];
}

/** @param {DealScored} deal @param {Rules} rules */
function declarationLines(deal, rules) {
  if (rules.declare === "none") return [];
  if (deal.declarations.length === 0) {
    return [line("sheet.declarations", [null, null], { note: "sheet.declarations.none" })];
  }
  return deal.declarations.map((one) => {
    const own = one.seat % 2;
    const points = one.points ?? 0;
    const side = one.outcome === "taken" ? 1 - own : own;
    const counts = one.outcome === "scored" || one.outcome === "taken";
    return line("sheet.declaration", counts ? only(side, points) : [null, null], {
      kind: counts ? "" : "off", params: { seat: one.seat, kind: one.kind, cards: one.cards },
      note: `sheet.declaration.${one.outcome}`, noteParams: { points },
    });
  });
}

/** @param {DealScored} deal @param {Rules} rules */
function beloteLines(deal, rules) {
  if (rules.belote === "none") return [];
  const [said] = deal.belote;
  return [line("sheet.belote", deal.score.belote.map((n) => n || null), {
    note: said === undefined ? "sheet.belote.none" : "sheet.belote.note",
    noteParams: said === undefined ? {} : { seat: said.seat, suit: said.suit },
  })];
}

/** @param {DealScored} deal @param {Rules} rules */
function compareLine(deal, rules) {
  const total = compared(deal, rules);
  const taker = deal.contract.taker % 2;
  const { outcome } = deal.score;
  const by = Math.abs(total[taker] - total[1 - taker]);
  const capot = deal.score.capot !== null;
  return line(`sheet.compare.${outcome}`, total, {
    kind: outcome === "made" ? "cmp" : "cmp cmp--bad", params: { n: by },
    note: capot ? "sheet.compare.capot" : `sheet.compare.${outcome}.note`,
    noteParams: { taker: total[taker], others: total[1 - taker] },
  });
}

/** @param {DealScored} deal @param {Rules} rules */
function resultLines(deal, rules) {
  const { score } = deal;
  const winner = winnerOf(deal);
  const carried = winner === null ? 0 : score.carried_in;
  /** @type {SheetLine[]} */
  const lines = [];
  if (score.capot !== null) {
    lines.push(line("sheet.capot", [null, null], {
      note: "sheet.capot.note", noteParams: { side: score.capot, rule: String(rules.capot ?? "") },
    }));
  }
  lines.push(line("sheet.scored", score.awarded.map((n, side) => n - (side === winner ? carried : 0)), {
    note: `sheet.scored.${score.outcome}`,
  }));
  if (carried > 0 && winner !== null) {
    lines.push(line("sheet.carried", only(winner, carried), { kind: "carry", plus: true }));
  }
  if (score.hung > 0) {
    lines.push(line("sheet.hung", [null, null], {
      kind: "hang", note: "sheet.hung.note", noteParams: { n: score.hung },
    }));
  }
  lines.push(line("sheet.written", score.awarded, { kind: "sum" }));
  return lines;
}

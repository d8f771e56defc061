/** Why a match goes on although somebody is at the target. Data only: the server ends matches. */

/** @typedef {import("../types.js").DealScored} DealScored */
/** @typedef {import("../types.js").Rules} Rules */

/**
 * A key of the catalogue, or null: nobody is there yet, or the match is over.
 * @param {DealScored} last the latest deal @param {Rules} rules @param {boolean} over
 * @returns {{ key: string, params: Record<string, any> } | null}
 */
export function whyNotOver(last, rules, over) {
  const { totals, capot } = last.score;
  const best = Math.max(...totals);
  if (over || best < rules.target) return null;
  if (totals.filter((total) => total === best).length > 1) {
    return { key: "sheet.not_over.tie", params: { n: best } };
  }
  if (capot !== null && rules.finish_on_capot === "no") {
    return { key: "sheet.not_over.capot", params: { n: rules.target } };
  }
  return null;
}

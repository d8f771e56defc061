/** Rules in words: a rule's name, a value in short, and a whole sentence of it. */
import { num, t } from "../i18n.js";

/** @typedef {{ key: string, params: Record<string, any> }} Words */

/** @type {Record<string, (value: any) => Words>} fields whose values are more than a word */
const SPECIAL = {
  target: (n) => ({ key: "rule.target.points", params: { n } }),
  packets: (text) => {
    const [before, after] = String(text).split(" then ");
    return { key: `rule.packets.${after === undefined ? "all" : "two"}`, params: { before: before.replaceAll("+", " + "), after: (after ?? "").replaceAll("+", " + ") } };
  },
  trumps: (list) => ({ key: `rule.trumps.${list.includes("AT") ? "at" : list.includes("NT") ? "nt" : "suits"}`, params: {} }),
  bids: (list) => ({ key: "rule.bids.range", params: { from: list[0], to: list.at(-1) } }),
  capot: (text) => numbered("capot", text),
  solo_capot: (text) => numbered("solo_capot", text),
  double: (text) => timed("double", text),
  redouble: (text) => timed("redouble", text),
};

/** "total 252", or "none". @param {string} field @param {string} text @returns {Words} */
function numbered(field, text) {
  const [kind, n] = String(text).split(" ");
  return { key: `rule.${field}.${kind}`, params: { n: Number(n ?? 0) } };
}

/** "in_turn ×2", or "none". @param {string} field @param {string} text @returns {Words} */
function timed(field, text) {
  const [kind, n] = String(text).split(" ×");
  return { key: `rule.${field}.${kind}`, params: { n: Number(n ?? 0) } };
}

/** @param {string} field @param {any} value @returns {Words} */
const wordsOf = (field, value) => SPECIAL[field]?.(value) ?? { key: `rule.${field}.${value}`, params: {} };

/** @param {string} field */
export const ruleName = (field) => t(`rule.${field}`);

/** @param {string} field @param {any} value */
export function valueName(field, value) {
  const { key, params } = wordsOf(field, value);
  return t(key, params);
}

/** @param {string} field @param {any} value */
export function valueSentence(field, value) {
  const { key, params } = wordsOf(field, value);
  return t(`${key}.text`, params);
}

/** A difference in few words, for a chip. @param {string} field @param {any} value */
export const chipWords = (field, value) => t("rules.chip", { rule: ruleName(field), value: valueName(field, value) });

/** @param {number} n */
export const points = (n) => num(n);

/**
 * A score sheet's words: seats, suits and cards of a line as the reader calls them. `form` says how
 * suits and cards are shown: as pictures on the page, as plain words in tests and for the log.
 */
import { awardLines, collected, takerSide, winnerOf } from "../core/score/lines.js";
import { inOrder, sideTitles, sidesFor } from "../core/places.js";
import { num, t } from "../i18n.js";

/** @typedef {import("../core/types.js").DealScored} DealScored */
/** @typedef {import("../core/types.js").Rules} Rules */
/** @typedef {import("../core/score/lines.js").SheetLine} SheetLine */
/** @typedef {{ rules: Rules, viewer: number | null, name: (seat: number) => string }} Of */
/** @typedef {{ cards: (cards: string[]) => unknown }} Form */

/** @param {Of} of */
export const titles = (of) => sideTitles(of.rules.players, of.viewer, of.name, t);

/** @param {Of} of @param {number} side */
export const sideTitle = (of, side) =>
  titles(of)[sidesFor(of.rules.players, of.viewer).indexOf(side)];

/** A contract's trumps as words. @param {string} trump */
export const trumpWords = (trump) => t(trump.length === 1 ? `suit.${trump}` : `trump.${trump}`);

/** "90", "capot", or nothing where the game has no levels. @param {number | "capot" | null} value */
export const valueWords = (value) =>
  value === null ? "" : value === "capot" ? t("bid.capot") : num(value);

/** What a double is called in this game. @param {Rules} rules @param {number | "match"} factor */
export const factorWord = (rules, factor) => t(`double.${doubleFamily(rules)}.${factor}`);

/** Coinche, contre or contra: each game has its own word. @param {Rules} rules */
export const doubleFamily = (rules) =>
  rules.auction === "contracts" ? "contra" : rules.preset === "contree" ? "contre" : "coinche";

/**
 * The values of a line's sentence. @param {Of} of @param {Record<string, any>} params @param {Form} form
 */
export function lineWords(of, params, form) {
  /** @type {Record<string, unknown>} */
  const out = { ...params };
  if ("seat" in params) out.who = of.name(params.seat);
  if ("suit" in params) out.suit = t(`suit.${params.suit}`);
  if ("kind" in params) out.what = t(`declaration.${params.kind}`);
  if ("side" in params) out.side = sideTitle(of, params.side);
  if ("bid" in params) out.bid = valueWords(params.bid);
  if ("tricks" in params) {
    out.tricks = inOrder(/** @type {number[]} */ (params.tricks), of.rules.players, of.viewer).map(num).join(" – ");
  }
  if ("cards" in params) out.cards = params.cards === null ? "" : form.cards(params.cards);
  return out;
}

/** "Ana bid 90 in hearts and made it". @param {Of} of @param {DealScored} deal */
export function headline(of, deal) {
  const { contract, score } = deal;
  if (score.outcome === "match") {
    const long = deal.declarations.find((one) => one.cards !== null && one.cards.length === 8);
    return t("sheet.title.match", { who: long === undefined ? "" : of.name(long.seat) });
  }
  const how = of.rules.auction === "levels" ? "bid" : of.rules.auction === "contracts" ? "play" : "take";
  return t(`sheet.title.${how}.${score.outcome}`, {
    who: of.name(contract.taker), trump: trumpWords(contract.trump),
    value: contract.value === "capot" ? t("bid.capot.word") : valueWords(contract.value),
  });
}

/** What the sides wrote, what was carried and what hangs. @param {Of} of @param {DealScored} deal */
export function subline(of, deal) {
  const { score, contract } = deal;
  const written = inOrder(score.awarded, of.rules.players, of.viewer);
  const sentences = [titles(of).map((who, i) => t("sheet.head.side", { who, n: written[i] })).join(" · ") + "."];
  if (contract.factor !== 1) sentences.unshift(`${factorWord(of.rules, contract.factor)}.`);
  const carried = collected(deal, of.rules);
  const winner = winnerOf(deal, of.rules);
  if (carried > 0 && winner !== null) {
    sentences.push(t("sheet.head.carried", { n: carried, side: sideTitle(of, winner) }));
  }
  if (score.hung > 0) sentences.push(t("sheet.head.hung", { n: score.hung }));
  return sentences.join(" ");
}

export { awardLines, takerSide, winnerOf };

/**
 * The words of score sheets. Every worked figure of docs/rules.md §6 (`scores.json`, written by the
 * referee) becomes a sheet in Spanish and in English; `sheets/*.txt` hold how they read, to be read
 * by a person. `REBELOTE_WRITE=1` writes them anew.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { awardLines, collected, compared, sheetLines, winnerOf } from "../../static/js/core/score/lines.js";
import { whyNotOver } from "../../static/js/core/score/open_end.js";
import { num, t, useCatalogue } from "../../static/js/i18n.js";
import { headline, lineWords, subline, titles } from "../../static/js/table/sheet_words.js";

const HERE = new URL("./", import.meta.url);
const STATIC = new URL("../../static/", HERE);
/** @type {{ presets: Record<string, any>, sheets: { case: string, preset: string, house: any, deal: any }[] }} */
const { presets, sheets } = JSON.parse(readFileSync(new URL("scores.json", HERE), "utf8"));
const SHEETS = sheets.map((sheet) => ({ ...sheet, rules: { ...presets[sheet.preset], ...sheet.house } }));

/** Four players are told by names only in titles: seat 0 looks. */
const NAMES = ["Ana", "Bea", "Caro", "Dani"];
const FORM = { cards: (/** @type {string[]} */ cards) => ` ${cards.join(" ")}` };

/** @param {typeof SHEETS[number]} sheet */
const of = (sheet) => ({ rules: sheet.rules, viewer: 0, name: (/** @type {number} */ seat) => NAMES[seat] });

/** One line as it reads. @param {any} view @param {any} line */
function lineText(view, line) {
  const words = (/** @type {string} */ key, /** @type {any} */ params) => t(key, lineWords(view, params, FORM));
  const note = line.note === null ? "" : ` (${words(line.note, line.noteParams)})`;
  const figures = line.bySide.map((/** @type {number | null} */ n) => (n === null ? "–" : `${line.plus ? "+" : ""}${num(n)}`));
  return `  ${words(line.key, line.params)}${note}: ${figures.join(" | ")}`;
}

/** @param {typeof SHEETS[number]} sheet */
function sheetText(sheet) {
  const view = of(sheet);
  const lines = sheetLines(sheet.deal, sheet.rules).map((line) => lineText(view, line));
  return [`# ${sheet.case} [${sheet.preset}]`, headline(view, sheet.deal), subline(view, sheet.deal),
    `  ${titles(view).join(" | ")}`, ...lines].join("\n");
}

for (const lang of /** @type {const} */ (["es", "en"])) {
  test(`the worked figures read as they should in ${lang}`, () => {
    const catalogue = (/** @type {string} */ folder) => JSON.parse(readFileSync(new URL(`i18n/${folder}${lang}.json`, STATIC), "utf8"));
    useCatalogue(lang, { ...catalogue(""), ...catalogue("table/") });
    const text = `${SHEETS.map(sheetText).join("\n\n")}\n`;
    const file = new URL(`sheets/${lang}.txt`, HERE);
    if (process.env.REBELOTE_WRITE || !existsSync(file)) {
      mkdirSync(new URL("sheets/", HERE), { recursive: true });
      writeFileSync(file, text);
    }
    assert.equal(text, readFileSync(file, "utf8"));
    assert.doesNotMatch(text, /\{\w+\}|sheet\.|undefined|NaN/);
  });
}

test("every figure of an award is taken apart, and its parts add up", () => {
  for (const { case: name, rules, deal } of SHEETS) {
    const lines = awardLines(deal, rules);
    assert.ok(!lines.some((line) => line.key === "sheet.scored" && line.note === null), name);
  }
});

test("the figures of the page stand in its sheets", () => {
  for (const { case: name, rules, deal } of SHEETS) {
    const lines = sheetLines(deal, rules);
    assert.deepEqual(lines.at(-1)?.bySide, deal.score.awarded, name);
    assert.equal(lines.at(-1)?.key, "sheet.written", name);
    const hung = lines.find((line) => line.key === "sheet.hung");
    assert.equal(hung?.noteParams.n ?? 0, deal.score.hung, name);
    const carried = lines.find((line) => line.key === "sheet.carried");
    assert.equal(carried === undefined ? 0 : deal.score.carried_in, collected(deal, rules), name);
  }
});

test("every kind of scoring has its words", () => {
  const keys = new Set(SHEETS.flatMap(({ rules, deal }) => sheetLines(deal, rules).map((line) => line.key)));
  for (const key of [
    "sheet.scored", "sheet.a.all", "sheet.a.capot", "sheet.a.rounded", "sheet.a.bid", "sheet.a.base", "sheet.a.doubled",
    "sheet.a.flat", "sheet.m.shares", "sheet.m.no_trumps", "sheet.m.doubled", "sheet.m.failed", "sheet.m.equal",
    "sheet.m.capot", "sheet.m.penalty", "sheet.carried", "sheet.hung",
  ]) assert.ok(keys.has(key), key);
});

/** @param {Record<string, any>} score @returns {any} */
const scored = (score) => ({
  deal: 5, dealer: 0, contract: { taker: 2, trump: "H", value: null, factor: 1 }, next_dealer: 1, secret: null,
  declarations: [], belote: [{ seat: 1, suit: "H", said: 2 }],
  score: {
    cards: [82, 70], last_ten: 0, tricks: [5, 3], declarations: [0, 0], belote: [0, 20], outcome: "made",
    capot: null, rounded: null, awarded: [173, 90], carried_in: 81, hung: 0, totals: [423, 427], ...score,
  },
});
const RULES = presets.classic;

test("the sheet's lines stand in the order in which they are counted", () => {
  const lines = sheetLines(scored({}), RULES);
  assert.deepEqual(lines.map((line) => [line.key, line.bySide]), [
    ["sheet.cards", [82, 70]], ["sheet.last", [10, null]], ["sheet.declarations", [null, null]],
    ["sheet.belote", [null, 20]], ["sheet.compare.made", [92, 90]], ["sheet.scored", [92, 90]],
    ["sheet.carried", [81, null]], ["sheet.written", [173, 90]],
  ]);
});

test("a deal that hangs has no winner and says what hangs", () => {
  const deal = scored({ outcome: "litige", awarded: [0, 81], hung: 162 });
  assert.equal(winnerOf(deal, RULES), null);
  const keys = sheetLines(deal, RULES).map((line) => line.key);
  assert.ok(keys.includes("sheet.hung"));
  assert.ok(!keys.includes("sheet.carried"));
});

test("what is compared is what the rules count", () => {
  assert.deepEqual(compared(scored({}), { ...RULES, contract_counts: "tricks" }), [92, 70]);
  assert.deepEqual(compared(scored({}), { ...RULES, contract_counts: "belote" }), [92, 90]);
});

test("parts that do not add up are not shown: the award stands alone", () => {
  const odd = awardLines(scored({ outcome: "failed", awarded: [1, 2], carried_in: 0 }), RULES);
  assert.deepEqual(odd.map((line) => [line.key, line.note, line.bySide]), [["sheet.scored", null, [1, 2]]]);
});

test("why a match is not over: equal totals, or a capot where none may end it", () => {
  const belot = presets.belot;
  const deal = (/** @type {any} */ score) => scored({ carried_in: 0, ...score });
  assert.equal(whyNotOver(deal({ totals: [165, 131], capot: 0 }), belot, false)?.key, "sheet.not_over.capot");
  assert.equal(whyNotOver(deal({ totals: [152, 152] }), belot, false)?.key, "sheet.not_over.tie");
  assert.equal(whyNotOver(deal({ totals: [140, 131] }), belot, false), null);
  assert.equal(whyNotOver(deal({ totals: [169, 143] }), belot, true), null);
});

/** Texts: no key is missing, no sentence stands in code, values and plurals work. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, pickLanguage, rich, t, useCatalogue } from "../../static/js/i18n.js";

const STATIC = new URL("../../static/", import.meta.url);
/** What is fetched at once, and the words for tables and rules that are fetched when they are wanted. */
const FOLDERS = ["", "table/", "rules/"];
/** @param {string} lang @param {string} folder @returns {Record<string, any>} */
const catalogue = (lang, folder) => JSON.parse(readFileSync(new URL(`i18n/${folder}${lang}.json`, STATIC), "utf8"));
/** @type {Record<string, Record<string, any>>} */
const CATALOGUES = Object.fromEntries(LANGUAGES.map((lang) => [
  lang, Object.assign({}, ...FOLDERS.map((folder) => catalogue(lang, folder))),
]));

/** @param {URL} folder @returns {[string, string][]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return sources(new URL(`${entry.name}/`, folder));
    if (!entry.name.endsWith(".js")) return [];
    return /** @type {[string, string][]} */ ([[entry.name, readFileSync(new URL(entry.name, folder), "utf8")]]);
  });
}
const SOURCES = sources(new URL("js/", STATIC));

/** Names of the values in a text or in its plural forms. @param {any} entry */
function values(entry) {
  const texts = typeof entry === "string" ? [entry] : Object.values(entry);
  return [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

for (const lang of LANGUAGES) {
  test(`${lang} has every key of English, with the same values`, () => {
    const english = CATALOGUES.en;
    assert.deepEqual(Object.keys(CATALOGUES[lang]).sort(), Object.keys(english).sort());
    for (const key of Object.keys(english)) {
      assert.deepEqual(values(CATALOGUES[lang][key]), values(english[key]), key);
      assert.notEqual(CATALOGUES[lang][key], "", key);
    }
  });
}

test("every key that the code names is in the catalogue", () => {
  const missing = SOURCES.flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:t|rich)\(\s*"([\w.-]+)"/g)].map((match) => `${file}: ${match[1]}`))
    .filter((found) => !(found.split(": ")[1] in CATALOGUES.en));
  assert.deepEqual(missing, []);
});

test("every family of keys that the code makes has members", () => {
  const families = SOURCES.flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:t|rich)\(\s*`([\w.-]+)\.\$\{/g)].map((match) => [file, match[1]]));
  assert.ok(families.length > 10);
  for (const [file, family] of families) {
    const known = Object.keys(CATALOGUES.en).some((key) => key.startsWith(`${family}.`));
    assert.ok(known, `${file}: ${family}`);
  }
});

test("no key of the catalogue is forgotten by the code", () => {
  const code = SOURCES.map(([, text]) => text).join("\n");
  const unused = Object.keys(CATALOGUES.en).filter((key) => {
    if (code.includes(`"${key}"`)) return false;
    const parts = key.split(".");
    // Made keys: some beginning of the key stands before `${` in the code.
    return !parts.some((_, i) => i > 0 && code.includes(`\`${parts.slice(0, i).join(".")}.\${`));
  });
  assert.deepEqual(unused, []);
});

test("every refusal and error code of the server has a sentence", () => {
  const errors = readFileSync(new URL("../../app/infra/errors.py", import.meta.url), "utf8");
  const play = readFileSync(new URL("../../app/belote/play.py", import.meta.url), "utf8");
  const codes = [...errors.matchAll(/^ {4}"(\w+)": ErrorKind/gm)].map((match) => match[1]);
  const refusals = [...play.matchAll(/^ {4}"(must_\w+)",$/gm)].map((match) => match[1]);
  assert.ok(codes.length > 20 && refusals.length >= 6);
  assert.deepEqual(codes.filter((code) => !(`error.${code}` in CATALOGUES.en)), []);
  assert.deepEqual(refusals.filter((code) => !(`why.${code}` in CATALOGUES.en)), []);
});

test("templates hold no words of their own", () => {
  const found = SOURCES.flatMap(([file, text]) => {
    const body = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
    return [...body.matchAll(/>\s*([A-Za-zÀ-ÿ]{3,}(?: [A-Za-zÀ-ÿ]+)*)\s*<\//g)]
      .map((match) => match[1]).filter((words) => words !== "Rebelote").map((words) => `${file}: ${words}`);
  });
  assert.deepEqual(found, []);
});

test("templates carry no style attributes, which the CSP would block", () => {
  const found = SOURCES.filter(([, text]) => /<[^>]*\sstyle=/.test(text)).map(([file]) => file);
  assert.deepEqual(found, []);
});

test("values, plural forms and their fallback", () => {
  useCatalogue("es", { a: "Hola, {who}", b: { one: "{n} mesa", other: "{n} mesas" } });
  assert.equal(t("a", { who: "Ana" }), "Hola, Ana");
  assert.equal(t("b", { n: 1 }), "1 mesa");
  assert.equal(t("b", { n: 3 }), "3 mesas");
  assert.match(t("b", { n: 1_000_000 }), /mesas$/); // `many` in Spanish: not in the catalogue
  assert.equal(t("nowhere"), "nowhere");
  assert.deepEqual(rich("a", { who: { html: true } }), ["Hola, ", { html: true }]);
});

test("the first language that the browser asks for and we have", () => {
  assert.equal(pickLanguage(["de-DE", "pt-BR", "en"]), "pt");
  assert.equal(pickLanguage(["de"]), "en");
});

test("a name from right to left stays in its place", () => {
  useCatalogue("en", { said: "{name} plays 10" });
  assert.equal(t("said", { name: "Ada" }), "Ada plays 10");
  assert.equal(t("said", { name: "\u05d3\u05e0\u05d9" }), "\u2068\u05d3\u05e0\u05d9\u2069 plays 10");
  assert.deepEqual(rich("said", { name: "\u0639\u0645\u0631" }), ["\u2068\u0639\u0645\u0631\u2069", " plays 10"]);
  useCatalogue("en", CATALOGUES.en);
});

/**
 * Texts: one catalogue a language, `{name}` for values, plural keys by Intl.PluralRules.
 *
 * No sentence stands in code; a test walks the sources and the four catalogues.
 * A value that is an object holds plural forms and is chosen by the parameter `n`; a form that a
 * catalogue does not have (es, fr and pt know `many`) falls back to `other`.
 */

export const LANGUAGES = /** @type {const} */ (["es", "pt", "fr", "en"]);
/** @typedef {"es" | "pt" | "fr" | "en"} Language */
/** @typedef {Record<string, unknown>} Params */
/** @typedef {{ [key: string]: string | { [form: string]: string } }} Messages */

/** @type {Language} */
let language = "en";
/** @type {Messages} */
let messages = {};
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

/** The language that the browser asks for, else English. @param {readonly string[]} wanted */
export function pickLanguage(wanted) {
  for (const tag of wanted) {
    const short = /** @type {Language} */ (tag.slice(0, 2).toLowerCase());
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/** @param {Language} lang @param {Messages} catalogue */
export function useCatalogue(lang, catalogue) {
  language = lang;
  messages = catalogue;
  plurals = new Intl.PluralRules(lang);
  numbers = new Intl.NumberFormat(lang);
}

/** More of the same language. @param {Messages} more */
export function addMessages(more) {
  messages = { ...messages, ...more };
}

/** @returns {Language} */
export function currentLanguage() {
  return language;
}

/** @param {string} key */
export function has(key) {
  return key in messages;
}

/** The text before its values are put in. @param {string} key @param {Params} params */
function pattern(key, params) {
  const entry = messages[key];
  if (entry === undefined) return key;
  if (typeof entry === "string") return entry;
  const n = typeof params.n === "number" ? params.n : 0;
  return entry[plurals.select(n)] ?? entry.other ?? key;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A value as text. One that is written from right to left is kept from turning the words beside it. @param {unknown} value */
function plain(value) {
  if (typeof value === "number") return num(value);
  const text = String(value);
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** A sentence as text. @param {string} key @param {Params} [params] @returns {string} */
export function t(key, params = {}) {
  return pattern(key, params).replace(/\{(\w+)\}/g, (whole, name) =>
    name in params ? plain(params[name]) : whole,
  );
}

/**
 * A sentence whose values may be templates (a suit's sign, a bold name).
 * @param {string} key @param {Params} [params] @returns {unknown[]}
 */
export function rich(key, params = {}) {
  return pattern(key, params)
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined || !(name in params)) return part;
      const value = params[name];
      return typeof value === "number" || typeof value === "string" ? plain(value) : value;
    });
}

/**
 * The sentence of an error code; an unknown code gets the general one.
 * @param {string} code @param {Record<string, any>} [facts] what the server says besides
 */
export function errorText(code, facts) {
  if (code === "rated_pause" && facts?.window) {
    const { matches, quit = 0, absent = 0, abandoned = 0 } = facts.window;
    return t("error.rated_pause.facts", { matches, quit, missed: absent + abandoned, n: Math.ceil(facts.left_ms / 60_000) });
  }
  return has(`error.${code}`) ? t(`error.${code}`) : t("error.unknown", { code });
}

/** @param {number} n */
export function num(n) {
  return numbers.format(n).replace("-", "\u2212"); // a minus sign, not a hyphen
}

/** A moment in the reader's own style. @param {string} iso */
export function when(iso) {
  const date = new Date(iso);
  const today = new Date().toDateString() === date.toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const time = { hour: "numeric", minute: "2-digit" };
  if (today) return t("time.today", { time: new Intl.DateTimeFormat(language, time).format(date) });
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "short", ...time }).format(date);
}

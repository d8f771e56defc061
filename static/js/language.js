/** Fetching catalogues and putting the page into its language. */
import { BASE } from "./ui/html.js";
import { update } from "./app.js";
import { addMessages, currentLanguage, pickLanguage, useCatalogue } from "./i18n.js";
import { prefs, savePrefs } from "./prefs.js";

/** Catalogues that are fetched when a screen needs them, by folder: `rules` and `table`. */
/** @type {Set<string>} */
const extras = new Set();

/** @param {string} path @returns {Promise<import("./i18n.js").Messages>} */
const fetched = async (path) => (await fetch(`${BASE}i18n/${path}.json`)).json();

/** @param {import("./i18n.js").Language} language @param {Iterable<string>} folders */
async function load(language, folders) {
  const parts = [language, ...[...folders].map((folder) => `${folder}/${language}`)];
  useCatalogue(language, Object.assign({}, ...(await Promise.all(parts.map(fetched)))));
}

/** @param {import("./i18n.js").Language} language @param {boolean} chosen by the reader */
export async function loadLanguage(language, chosen) {
  await load(language, extras);
  document.documentElement.lang = language;
  if (chosen) savePrefs({ language });
  update();
}

/** A catalogue more, in this language and every later one. @param {string} folder */
export async function addCatalogue(folder) {
  if (extras.has(folder)) return;
  const language = currentLanguage();
  const more = await fetched(`${folder}/${language}`);
  extras.add(folder);
  // The reader may have changed the language meanwhile: then all of it is fetched anew.
  if (language === currentLanguage()) addMessages(more);
  else await load(currentLanguage(), extras);
}

/** @param {string} folder */
export const hasCatalogue = (folder) => extras.has(folder);

/** The reader's choice, else the browser's, else English. */
export const wantedLanguage = () => prefs.language ?? pickLanguage(navigator.languages);

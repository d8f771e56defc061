/** Fetching a catalogue and putting the page into its language. */
import { BASE } from "./ui/html.js";
import { update } from "./app.js";
import { pickLanguage, useCatalogue } from "./i18n.js";
import { prefs, savePrefs } from "./prefs.js";

/** @param {import("./i18n.js").Language} language @param {boolean} chosen by the reader */
export async function loadLanguage(language, chosen) {
  const answer = await fetch(`${BASE}i18n/${language}.json`);
  useCatalogue(language, await answer.json());
  document.documentElement.lang = language;
  if (chosen) savePrefs({ language });
  update();
}

/** The reader's choice, else the browser's, else English. */
export const wantedLanguage = () => prefs.language ?? pickLanguage(navigator.languages);

/** The reader's own settings, kept in this browser. Nothing here is sent anywhere. */

import { PLAIN, wishOf } from "./core/seek.js";

/** @typedef {import("./core/seek.js").Wish} Wish */
/**
 * @typedef {object} Prefs
 * @property {import("./i18n.js").Language | null} language null: what the browser asks for
 * @property {"normal" | "fast"} pace
 * @property {boolean} sounds
 * @property {number} volume 0 to 1
 * @property {boolean} fourColours
 * @property {"auto" | "large" | "standard"} faces
 * @property {"green" | "blue"} felt
 * @property {boolean} singleTap
 * @property {string} speed last chosen for a table of one's own
 * @property {Wish} seek what *Play now* looks for
 */

const KEY = "rebelote.prefs";

/** @type {Prefs} */
const DEFAULTS = {
  language: null, pace: "normal", sounds: true, volume: 0.6, fourColours: false, faces: "auto",
  felt: "green", singleTap: false, speed: "normal", seek: PLAIN,
};

/** @returns {Prefs} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...kept, seek: wishOf(kept.seek) };
  } catch {
    return { ...DEFAULTS }; // storage refused, or written by something else
  }
}

/** @type {Prefs} */
export const prefs = read();

/** @param {Partial<Prefs>} change */
export function savePrefs(change) {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Storage may be refused (private window): the choice then lasts as long as the page.
  }
}

/** What the style sheets read. */
export function showPrefs() {
  const { dataset } = document.documentElement;
  dataset.felt = prefs.felt;
  dataset.pace = prefs.pace;
  dataset.deck = prefs.fourColours ? "four" : "two";
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
export const reducedMotion = () => still.matches;

/** The factor on every time of motion. */
export const paceFactor = () => (prefs.pace === "fast" ? 0.6 : 1);

/** Style sheets that a screen brings along: fetched once, in order, before the screen is shown. */
import { BASE } from "./html.js";

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/** @param {string} name */
function load(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `${BASE}css/${name}.css`;
  const loaded = new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", done); // a plain screen is better than none
  });
  // Before the sheet of the plain pages, which mends a few of them: as if all stood in the document.
  document.head.insertBefore(link, document.querySelector('link[href$="/pages.css"]'));
  return loaded;
}

/** @param {readonly string[]} names */
export function needStyles(names) {
  for (const name of names) if (!sheets.has(name)) sheets.set(name, load(name));
  return Promise.all(names.map((name) => sheets.get(name)));
}

/** The way in: texts and icons first, then the screen that the address asks for. */
import { link, loadPlayer, onDraw, update } from "./app.js";
import { t } from "./i18n.js";
import { addCatalogue, loadLanguage, wantedLanguage } from "./language.js";
import { showPrefs } from "./prefs.js";
import { currentScreen, startRouter } from "./router.js";
import { BASE, html, render } from "./ui/html.js";
import { onDeckChange } from "./ui/bits.js";
import { closeSettings, settingsOpen, settingsSheet } from "./ui/settings.js";
import { keepFocus } from "./ui/focus.js";
import { soundsOnFirstGesture } from "./ui/sound.js";
import { needStyles } from "./ui/styles.js";
import { toastList } from "./ui/topbar.js";
import { elsewhereSheet } from "./views/elsewhere.js";
import { seekSheet } from "./views/seek.js";

/**
 * Every screen but the first is fetched when it is asked for, with the style sheets that it needs.
 * @template T @param {Promise<T>} module @param {string[]} styles @returns {Promise<T>}
 */
const fetched = async (module, ...styles) => (await Promise.all([module, needStyles(styles)]))[0];

/** A screen that tells of deals needs the words of the table too. @template T @param {Promise<T>} module @param {string[]} styles @returns {Promise<T>} */
const atTable = async (module, ...styles) => (await Promise.all([fetched(module, ...styles), addCatalogue("table")]))[0];

const SHEET = ["sheet", "end"];
const TABLE = ["table", "felt", "auction", "seats", ...SHEET, "rules", "people", "fitting"];

/** @type {[RegExp, import("./router.js").Open][]} */
const ROUTES = [
  [/^\/$/, async () => (await fetched(import("./views/landing.js"), "landing")).landing()],
  [/^\/t\/([^/]+)\/?$/, async ([code]) => (await atTable(import("./table/screen.js"), ...TABLE)).tableScreen(code.toUpperCase())],
  [/^\/party\/([^/]+)\/?$/, async ([code]) => (await import("./views/party.js")).partyScreen(code.toUpperCase())],
  [/^\/lobby\/?$/, async () => (await import("./views/lobby.js")).lobby()],
  [/^\/history\/?$/, async () => (await import("./views/history.js")).historyScreen()],
  [/^\/match\/([^/]+)\/?$/, async ([id]) => (await atTable(import("./views/replay.js"), "table", ...SHEET, "replay", "seats")).replay(id)],
  [/^\/ranking\/?$/, async () => (await import("./views/ranking.js")).ranking()],
  [/^\/profile\/?$/, async () => (await fetched(import("./views/profile.js"), "profile")).profile()],
  [/^\/how-to-play(?:\/([a-z0-9-]+))?\/?$/, async ([game]) => (await fetched(import("./views/howto.js"), "rules")).howto(game)],
];

/** The icons stand in the page: an outside sprite is refused by some browsers' CSP. */
async function loadSprite() {
  const text = await (await fetch(`${BASE}vendor/sprite.svg`)).text();
  const sprite = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  document.body.prepend(document.importNode(sprite, true));
}

const root = /** @type {HTMLElement} */ (document.getElementById("app"));

function draw() {
  const screen = currentScreen();
  if (screen === null) return;
  document.title = screen.title();
  document.body.className = screen.body();
  render(html`${screen.render()}${settingsSheet()}${seekSheet()}${elsewhereSheet()}${toastList()}`, root);
  keepFocus(root);
}

async function start() {
  showPrefs();
  soundsOnFirstGesture();
  onDraw(draw);
  onDeckChange(update);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && settingsOpen()) closeSettings();
  });
  await Promise.all([loadLanguage(wantedLanguage(), false), loadSprite()]);
  const known = loadPlayer().then((player) => {
    if (player !== null) link.start();
  });
  await startRouter(ROUTES);
  await known;
}

start().catch((error) => {
  console.error(error);
  root.textContent = t("error.unknown", { code: "" });
});

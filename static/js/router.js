/** Addresses to screens, with the History API. The server answers every one with index.html. */
import { update } from "./app.js";

/** @typedef {import("./app.js").Screen} Screen */
/** @typedef {(params: string[]) => Screen | Promise<Screen>} Open */

/** @type {[RegExp, Open][]} */
let routes = [];
/** @type {Screen | null} */
let screen = null;
let opening = 0;

/** @param {[RegExp, Open][]} table */
export function startRouter(table) {
  routes = table;
  addEventListener("popstate", () => void open());
  document.addEventListener("click", followLink);
  document.addEventListener("keydown", (event) => screen?.onKey?.(event));
  return open();
}

export const currentScreen = () => screen;

/** @param {string} path @param {{ replace?: boolean }} [how] */
export function go(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  return open();
}

async function open() {
  const path = location.pathname;
  const [pattern, show] = routes.find(([route]) => route.test(path)) ?? routes[0];
  const params = (pattern.exec(path) ?? []).slice(1).map((part) => decodeURIComponent(part ?? ""));
  opening += 1;
  const mine = opening;
  const next = await show(params);
  if (mine !== opening) {
    next.dispose?.(); // the reader has gone on meanwhile
    return;
  }
  screen?.dispose?.();
  screen = next;
  scrollTo(0, 0);
  update();
}

/** Links inside the page change the screen without loading. @param {MouseEvent} event */
function followLink(event) {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const anchor = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (!(anchor instanceof HTMLAnchorElement)) return;
  if (anchor.origin !== location.origin || anchor.target || anchor.hasAttribute("download")) return;
  if (anchor.pathname.startsWith("/api/") || anchor.pathname.startsWith("/s/")) return;
  event.preventDefault();
  void go(anchor.pathname + anchor.search);
}

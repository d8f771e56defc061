/** Focus follows dialogs: into one when it opens, round inside it, and back when it closes. */

/** @type {Element | null} */
let dialog = null;
/** @type {HTMLElement | null} */
let before = null;

const FOCUSABLE = "button:not([disabled]), a[href], input, select, [tabindex='0']";

/** Called after each drawing. @param {HTMLElement} root */
export function keepFocus(root) {
  const dialogs = root.querySelectorAll("[data-dialog]");
  const top = dialogs.length > 0 ? dialogs[dialogs.length - 1] : null;
  if (top === dialog) return;
  if (dialog === null && document.activeElement instanceof HTMLElement) {
    before = document.activeElement;
  }
  dialog = top;
  if (top !== null) first(top)?.focus({ preventScroll: true });
  else if (before?.isConnected) before.focus({ preventScroll: true });
}

/** @param {Element} box @returns {HTMLElement | null} */
const first = (box) => box.querySelector("[data-first]") ?? box.querySelector(FOCUSABLE);

addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || dialog === null) return;
  const stops = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll(FOCUSABLE)]);
  if (stops.length === 0) return;
  const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const leaving = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!leaving) return;
  event.preventDefault();
  stops[event.shiftKey ? stops.length - 1 : 0].focus();
});

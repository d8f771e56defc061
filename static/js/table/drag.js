/**
 * Dragging a card onto the table: it follows the pointer; let go above its place it is played, let
 * go below it goes home. A press that hardly moves stays a click.
 */
import { reducedMotion } from "../prefs.js";

/** @typedef {import("./controller.js").TableController} Table */

/** A finger may tremble this far and still tap. */
const SLACK_PX = 10;
/** Part of the card's height above which letting go plays it. */
const FAR_ENOUGH = 0.4;
const HOME_MS = 260;

/** @param {PointerEvent} event @param {Table} table @param {string} card */
export function dragStart(event, table, card) {
  if (event.button !== 0 || !event.isPrimary || !table.mayPlay(card)) return;
  const element = /** @type {HTMLElement} */ (event.currentTarget);
  const from = { x: event.clientX, y: event.clientY };
  const height = element.getBoundingClientRect().height;
  let moved = false;

  const follow = (/** @type {PointerEvent} */ e) => {
    if (e.pointerId !== event.pointerId) return;
    const x = e.clientX - from.x;
    const y = e.clientY - from.y;
    if (!moved && Math.hypot(x, y) < SLACK_PX) return;
    if (!moved) {
      moved = true;
      element.setPointerCapture(e.pointerId);
      element.classList.add("is-dragged");
    }
    const tilt = reducedMotion() ? 0 : Math.max(-6, Math.min(6, x / 20));
    element.style.translate = `${x}px ${y}px`;
    element.style.rotate = `${tilt}deg`;
  };
  const end = (/** @type {PointerEvent} */ e) => {
    if (e.pointerId !== event.pointerId) return;
    for (const [name, listener] of listeners) removeEventListener(name, listener);
    if (!moved) return;
    // The click that follows a drag is not a press.
    element.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => element.removeEventListener("click", swallow, { capture: true }), 60);
    const far = e.type === "pointerup" && from.y - e.clientY > height * FAR_ENOUGH;
    if (far && table.mayPlay(card)) table.play(card);
    settle(element, far);
  };
  const listeners = /** @type {[string, any][]} */ ([["pointermove", follow], ["pointerup", end], ["pointercancel", end]]);
  // Of the window: the hand may close up under a finger, which then lets go above another card.
  for (const [name, listener] of listeners) addEventListener(name, listener);
}

/** @param {Event} event */
function swallow(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** A played card keeps its place until it is drawn away; another goes home. @param {HTMLElement} element @param {boolean} played */
function settle(element, played) {
  const { translate, rotate } = element.style;
  const clear = () => {
    element.classList.remove("is-dragged");
    element.style.translate = "";
    element.style.rotate = "";
  };
  if (played) {
    setTimeout(clear, 1_500); // refused after all: it is still in the hand
    return;
  }
  clear();
  if (!reducedMotion()) {
    element.animate([{ translate, rotate }, { translate: "0 0", rotate: "0deg" }], { duration: HOME_MS, easing: "cubic-bezier(.3, 1.3, .5, 1)" });
  }
}

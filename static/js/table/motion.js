/** What moves on the table (motion.md): cards travel, only transform and opacity are animated. */
import { update } from "../app.js";
import { paceFactor, reducedMotion } from "../prefs.js";

const CARD_MS = 200;
const DEAL_MS = 260;
const GATHER_MS = 320;
const EASE_CARD = "cubic-bezier(.22, .7, .24, 1)";
const EASE_IN = "cubic-bezier(.5, 0, .9, .5)";

/** After the next drawing and before it is painted: `update` draws in a microtask. @param {() => void} then */
export function playWhenDrawn(then) {
  update();
  queueMicrotask(then);
}

/** Where a card lies that can be seen before it is played: in my hand, or face up before a seat. @param {string} card */
export function cardRect(card) {
  const element = document.querySelector(`.hand [data-card="${card}"], .piles [data-card="${card}"]`);
  return element?.getBoundingClientRect() ?? null;
}

/** A card that lay face down is turned over in its place. @param {string} card */
export function turnOver(card) {
  if (reducedMotion()) return;
  document.querySelector(`.piles [data-card="${card}"]`)?.animate(
    [{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: DEAL_MS * paceFactor(), easing: EASE_CARD },
  );
}

/** @param {DOMRect} rect */
const centre = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

/** @param {number} seat */
const seatFace = (seat) =>
  document.querySelector(`[data-seat="${seat}"] .seat__face`)?.getBoundingClientRect() ?? null;

/**
 * A card comes to its place in the trick, from my hand or from its seat.
 * @param {string} card @param {number} seat @param {DOMRect | null} from
 */
export function flyIn(card, seat, from) {
  const element = document.querySelector(`.trick [data-card="${card}"]`);
  const start = from ?? seatFace(seat);
  if (element === null || start === null || reducedMotion()) return;
  const to = element.getBoundingClientRect();
  const rest = getComputedStyle(element).transform;
  const a = centre(start);
  const b = centre(to);
  const scale = from === null ? 0.45 : Math.min(1.6, start.width / to.width);
  element.animate(
    [
      { transform: `translate(${a.x - b.x}px, ${a.y - b.y}px) ${rest} scale(${scale})`, zIndex: 10 },
      { transform: rest, zIndex: 10 },
    ],
    { duration: CARD_MS * paceFactor(), easing: EASE_CARD },
  );
}

/**
 * Cards come to my hand from the dealer's seat, one after the other, and the turn-up turns over.
 * @param {number} dealer seat @param {readonly string[]} cards those that are new
 */
export function dealIn(dealer, cards) {
  const start = seatFace(dealer);
  if (start === null || reducedMotion()) return;
  const from = centre(start);
  cards.forEach((card, i) => {
    const element = document.querySelector(`.hand [data-card="${card}"], .piles [data-card="${card}"]`);
    if (element === null) return;
    const to = centre(element.getBoundingClientRect());
    element.animate(
      [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(.4)`, opacity: 0 },
        { opacity: 1, offset: 0.4 }, { transform: "none", opacity: 1 }],
      { duration: DEAL_MS * paceFactor(), delay: i * 60 * paceFactor(), easing: EASE_CARD, fill: "backwards" },
    );
  });
  document.querySelector(".turnup .card")?.animate(
    [{ transform: "rotateY(90deg)" }, { transform: "none" }],
    { duration: DEAL_MS * paceFactor(), delay: 300 * paceFactor(), easing: EASE_CARD, fill: "backwards" },
  );
}

/** The trick goes to its winner. @param {number} winner seat @returns {Promise<unknown>} */
export function gather(winner) {
  const cards = [...document.querySelectorAll(".trick [data-card]")];
  const target = seatFace(winner);
  if (target === null || cards.length === 0) return Promise.resolve();
  const duration = GATHER_MS * paceFactor();
  const moves = cards.map((card) => {
    const rest = getComputedStyle(card).transform;
    const a = centre(card.getBoundingClientRect());
    const b = centre(target);
    const frames = reducedMotion()
      ? [{ opacity: 1 }, { opacity: 0 }]
      : [
          { transform: rest, opacity: 1 },
          { opacity: 1, offset: 0.66 },
          { transform: `translate(${b.x - a.x}px, ${b.y - a.y}px) ${rest} scale(.3)`, opacity: 0 },
        ];
    return card.animate(frames, { duration, easing: EASE_IN, fill: "forwards" }).finished;
  });
  return Promise.allSettled(moves);
}

/** One burst for a won match, under the sheet; nothing with reduced motion. */
export async function confetti() {
  if (reducedMotion()) return;
  const url = new URL("../../vendor/canvas-confetti/confetti.js", import.meta.url).href;
  const { create } = await import(url);
  const canvas = document.createElement("canvas");
  canvas.className = "confetti";
  document.body.append(canvas);
  // No worker: its script would be a blob, which the CSP refuses.
  const burst = create(canvas, { resize: true, useWorker: false });
  await burst({
    particleCount: 60, spread: 80, startVelocity: 38, ticks: 110, origin: { x: 0.5, y: 0.42 },
    colors: ["#d3b06b", "#ecd197", "#f7efdc", "#fdf8ec"],
  });
  canvas.remove();
}

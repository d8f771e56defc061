/** Who sits where on the screen: I at the foot, my partner on top. */

/** @typedef {"s" | "e" | "n" | "w"} Place */

/** Counterclockwise the next to play sits on my right, clockwise on my left. */
const COUNTER = /** @type {const} */ (["s", "e", "n", "w"]);
const CLOCKWISE = /** @type {const} */ (["s", "w", "n", "e"]);

/**
 * @param {number} seat @param {number | null} viewer the spectator looks from seat 0
 * @param {string} [direction] of the rules @returns {Place}
 */
export function placeOf(seat, viewer, direction = "counterclockwise") {
  const order = direction === "clockwise" ? CLOCKWISE : COUNTER;
  return order[(seat - (viewer ?? 0) + 4) % 4];
}

/** The side that is called "us": the viewer's, or side 0 for the spectator. @param {number | null} viewer */
export const ourSide = (viewer) => (viewer ?? 0) % 2;

/** `[us, them]` of something that has one entry a side. @template T @param {readonly T[]} bySide @param {number | null} viewer @returns {[T, T]} */
export function usThem(bySide, viewer) {
  const us = ourSide(viewer);
  return [bySide[us], bySide[1 - us]];
}

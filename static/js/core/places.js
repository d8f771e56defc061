/**
 * Who sits where on the screen, and in which order sides are told: I at the foot, my partner on
 * top; my side first, then the others in order of play. Pure.
 */

/** @typedef {"s" | "e" | "n" | "w"} Place */
/** @typedef {{ players: number, direction?: string }} Round of a table's rules */

/** Counterclockwise the next to play sits on my right, clockwise on my left. By players. */
const COUNTER = /** @type {Record<number, readonly Place[]>} */ ({
  2: ["s", "n"], 3: ["s", "e", "w"], 4: ["s", "e", "n", "w"],
});
const CLOCKWISE = /** @type {Record<number, readonly Place[]>} */ ({
  2: ["s", "n"], 3: ["s", "w", "e"], 4: ["s", "w", "n", "e"],
});

/** @param {number} seat @param {number | null} viewer the spectator looks from seat 0 @param {Round} round @returns {Place} */
export function placeOf(seat, viewer, { players, direction }) {
  const order = (direction === "clockwise" ? CLOCKWISE : COUNTER)[players];
  return order[(seat - (viewer ?? 0) + players) % players];
}

/** @param {number} players */
export const sideCount = (players) => (players === 4 ? 2 : players);

/** @param {number} seat @param {number} players */
export const sideOf = (seat, players) => (players === 4 ? seat % 2 : seat);

/** The seats of a side. @param {number} side @param {number} players */
export const seatsOf = (side, players) => (players === 4 ? [side, side + 2] : [side]);

/** Sides in the order in which the viewer reads them, the own first. @param {number} players @param {number | null} viewer */
export function sidesFor(players, viewer) {
  const count = sideCount(players);
  const own = sideOf(viewer ?? 0, players);
  return Array.from({ length: count }, (_, i) => (own + i) % count);
}

/** Something that has one entry a side, in the viewer's order. @template T @param {readonly T[]} bySide @param {number} players @param {number | null} viewer */
export const inOrder = (bySide, players, viewer) =>
  sidesFor(players, viewer).map((side) => bySide[side]);

/** Colours and marks of sides, in the viewer's order. */
export const SIDE_KINDS = /** @type {const} */ (["us", "them", "third"]);

/**
 * What the sides are called, in the viewer's order: us and them, or by their names where there are
 * no partners, or where the viewer has no side.
 * @param {number} players @param {number | null} viewer @param {(seat: number) => string} name
 * @param {(key: string, params?: any) => string} t
 */
export function sideTitles(players, viewer, name, t) {
  return sidesFor(players, viewer).map((side, i) => {
    if (viewer !== null && players === 4) return t(i === 0 ? "side.us" : "side.them");
    if (viewer !== null && i === 0) return t("side.you");
    const [a, b] = seatsOf(side, players).map(name);
    return b === undefined ? a : t("side.pair", { a, b });
  });
}

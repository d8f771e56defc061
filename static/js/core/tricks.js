/** How far a deal is: tricks done and to come, counted from the cards that are still held. Pure. */

/** @typedef {import("./types.js").GameView} GameView */

/** Cards that a seat still has to play: in the hand, face up, face down. @param {GameView} game @param {number} seat */
export const cardsLeft = (game, seat) => (game.counts[seat] ?? 0)
  + (game.up?.[seat] ?? []).filter((card) => card !== null).length
  + (game.down?.[seat] ?? []).reduce((a, b) => a + b, 0);

/** @param {GameView} game */
const done = (game) => game.tricks.reduce((a, b) => a + b, 0);

/** Tricks of the whole deal. @param {GameView} game */
export function tricksInAll(game) {
  const left = game.counts.map((_, seat) => cardsLeft(game, seat));
  const lying = game.trick !== null && game.trick.cards.length === game.rules.players ? 1 : 0;
  return done(game) + Math.max(...left) + lying;
}

/** The trick on the table, from 1; a complete one that still lies there is the last one. @param {GameView} game @param {boolean} resting */
export const trickNumber = (game, resting) => Math.max(1, Math.min(tricksInAll(game), done(game) + (resting ? 0 : 1)));

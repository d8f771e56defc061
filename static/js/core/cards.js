/**
 * Cards as the wire writes them: rank + suit, "TH" is the ten of hearts.
 *
 * Only for showing: names, order in the hand. What may be played and who wins comes from the
 * server.
 */

/** @typedef {"S" | "H" | "D" | "C"} Suit */
/** @typedef {Suit | "NT" | "AT"} Trump */
/** @typedef {string} Card two characters: rank `789TJQKA`, suit `SHDC` */

export const SUITS = /** @type {const} */ (["S", "H", "C", "D"]);

/** Plain order, weakest first. */
const PLAIN = "789JQKTA";
/** Trump order, weakest first. */
const TRUMP = "78QKTA9J";

/** @param {Card} card */
export const rankOf = (card) => card[0];
/** @param {Card} card @returns {Suit} */
export const suitOf = (card) => /** @type {Suit} */ (card[1]);
/** @param {Suit} suit */
export const isRed = (suit) => suit === "H" || suit === "D";

/**
 * The hand in reading order: trumps first, then suits in alternating colour, high to low by the
 * contract's own rank.
 * @param {readonly Card[]} cards @param {Trump | null} trump @returns {Card[]}
 */
export function sortHand(cards, trump) {
  const order = suitOrder(cards, trump);
  return [...cards].sort((a, b) => {
    const bySuit = order.indexOf(suitOf(a)) - order.indexOf(suitOf(b));
    return bySuit !== 0 ? bySuit : strength(b, trump) - strength(a, trump);
  });
}

/** @param {Card} card @param {Trump | null} trump */
function strength(card, trump) {
  const ranks = trump === "AT" || suitOf(card) === trump ? TRUMP : PLAIN;
  return ranks.indexOf(rankOf(card));
}

/** @param {readonly Card[]} cards @param {Trump | null} trump @returns {Suit[]} */
function suitOrder(cards, trump) {
  const held = SUITS.filter((suit) => cards.some((card) => suitOf(card) === suit));
  const first = held.filter((suit) => suit === trump);
  const rest = held.filter((suit) => suit !== trump);
  const reds = rest.filter(isRed);
  const blacks = rest.filter((suit) => !isRed(suit));
  // Begin with the colour that the trumps do not have, or with the colour there is more of.
  const redFirst = first.length > 0 ? !isRed(first[0]) : reds.length > blacks.length;
  const [lead, follow] = redFirst && reds.length > 0 ? [reds, blacks] : [blacks, reds];
  /** @type {Suit[]} */
  const mixed = [];
  for (let i = 0; i < Math.max(lead.length, follow.length); i += 1) {
    if (lead[i]) mixed.push(lead[i]);
    if (follow[i]) mixed.push(follow[i]);
  }
  return [...first, ...mixed];
}

/**
 * Which card of an open trick lies best, for the mark on the table alone: who takes the trick is
 * told by the server. @param {readonly Card[]} cards @param {Trump | null} trump
 */
export function bestSoFar(cards, trump) {
  let best = 0;
  cards.forEach((card, i) => {
    if (i > 0 && beats(card, cards[best], trump)) best = i;
  });
  return best;
}

/** @param {Card} card @param {Card} other @param {Trump | null} trump */
function beats(card, other, trump) {
  if (suitOf(card) === suitOf(other)) return strength(card, trump) > strength(other, trump);
  return suitOf(card) === trump;
}

/** Small parts that every screen uses: icons, suits, faces, cards. */
import { rankOf, suitOf, isRed } from "../core/cards.js";
import { has, t } from "../i18n.js";
import { prefs } from "../prefs.js";
import { BASE, html, nothing } from "./html.js";

/** @typedef {import("../core/cards.js").Card} Card */
/** @typedef {import("../core/cards.js").Suit} Suit */
/** @typedef {import("../core/cards.js").Trump} Trump */

/** @param {string} name @param {string} [size] */
export const icon = (name, size = "") => html`<svg class="icon ${size}" aria-hidden="true"
  ><use href="#i-${name}"></use></svg>`;

/** A suit's sign, named for those who do not see it. @param {Suit} suit */
export const suitSign = (suit) => html`<svg class="suit ${isRed(suit) ? "suit--red" : "suit--black"}
  suit-${suit}" role="img" aria-label=${t(`suit.${suit}`)}><use href="#s-${suit}"></use></svg>`;

/** A contract's tile: the suit on a little card, or the letters of no trumps. @param {Trump} trump @param {string} [size] */
export const trumpTile = (trump, size = "") => html`<span class="tile ${size}"
  >${trump.length === 1 ? suitSign(/** @type {Suit} */ (trump)) : t(`trump.short.${trump}`)}</span>`;

/** @param {Trump} trump */
export const trumpName = (trump) => t(trump.length === 1 ? `suit.${trump}` : `trump.${trump}`);

/** "ten of hearts". @param {Card} card */
export const cardName = (card) =>
  t("card.name", { rank: t(`rank.${rankOf(card)}`), suit: t(`suit.${suitOf(card)}`) });

/** The letter or number of a rank. @param {Card} card */
export const rankSign = (card) => t(`rank.short.${rankOf(card)}`);

/** "J♥" in running text: no line ends between the two. @param {Card} card */
export const cardSign = (card) => html`<span class="nb"><b class="cs">${rankSign(card)}</b>${suitSign(suitOf(card))}</span>`;

const small = matchMedia("(max-width: 720px), (max-height: 480px)");
/** @param {() => void} then */
export const onDeckChange = (then) => small.addEventListener("change", then);

/** The folder of the deck that fits the screen and the reader's wish. */
function deck() {
  const large = prefs.faces === "large" || (prefs.faces === "auto" && small.matches);
  return `${large ? "big" : "std"}${prefs.fourColours ? "4" : ""}`;
}

/** @param {Card} card */
export const cardUrl = (card) => `${BASE}cards/${deck()}/${card}.svg`;

/** A card's picture; the name stands beside it or in `alt`. @param {Card} card @param {string} [alt] */
export const cardImage = (card, alt = "") =>
  html`<img src=${cardUrl(card)} alt=${alt} draggable="false" decoding="async">`;

/** A card that only lies there. @param {Card} card @param {string} [classes] */
export const cardFace = (card, classes = "") =>
  html`<span class="card ${classes}">${cardImage(card, cardName(card))}</span>`;

/** Have the deck at hand before the first deal. */
export function preloadDeck() {
  for (const suit of "SHDC") {
    for (const rank of "789TJQKA") new Image().src = cardUrl(rank + suit);
  }
}

export const AVATARS = ["js", "qs", "ks", "jh", "qh", "kh", "jd", "qd", "kd", "jc", "qc", "kc"];

/** @param {string | null} avatar */
const avatarFile = (avatar) =>
  avatar === "bot" || AVATARS.includes(avatar ?? "") ? avatar : AVATARS[0];

/** @param {string | null} avatar @param {string} [size] */
export const face = (avatar, size = "") => html`<span class="avatar ${size}"
  ><img src="${BASE}avatars/${avatarFile(avatar)}.svg" alt="" draggable="false"></span>`;

export const brandMark = () => html`<svg class="brand__mark" viewBox="0 0 26 32" aria-hidden="true"
  ><rect x="8.2" y="2.4" width="16" height="22.4" rx="2.6" fill="#6d1f2b" stroke="#d3b06b"
  transform="rotate(12 16 14)"/><rect x="2" y="5.5" width="16" height="22.4" rx="2.6"
  fill="#fdf8ec" transform="rotate(-8 10 17)"/><g transform="translate(10 17) rotate(-8)"
  fill="#c3202f"><use href="#s-H" x="-5.5" y="-5.5" width="11" height="11"></use></g></svg>`;

/** @param {{ kind: string, name: string | null }} seat */
export const seatName = (seat) =>
  seat.kind === "free" ? t("seat.free") : (seat.name ?? t("seat.bot"));

/** @param {string} preset */
export const presetName = (preset) => (has(`preset.${preset}`) ? t(`preset.${preset}`) : preset);

/** A thin bar, 0 to 1. @param {number} part @param {string} label @param {string} [classes] */
export const bar = (part, label, classes = "") => html`<svg class="bar ${classes}"
  viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=${label}
  ><rect class="fill" width=${Math.round(Math.min(1, Math.max(0, part)) * 1000) / 10} height="8"
  ></rect></svg>`;

/** @param {unknown} condition @param {() => unknown} what */
export const when = (condition, what) => (condition ? what() : nothing);

/** My cards: the fan, and in open belot what lies before the seats, with the cards below. */
import { sortHand } from "../core/cards.js";
import { rich, t } from "../i18n.js";
import { prefs } from "../prefs.js";
import { cardImage, cardName, suitSign } from "../ui/bits.js";
import { classMap, html, nothing, repeat, vars } from "../ui/html.js";
import { dragStart } from "./drag.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").Turn} Turn */

/** @param {Table} table @param {GameView} game */
export function hand(table, game) {
  const cards = sortHand(table.hand, game.contract?.trump ?? null);
  const hidden = table.hiddenCards;
  const n = cards.length + hidden;
  return html`<div class="hand"><ol class="fan" data-n=${n} aria-label=${t("table.hand")} ${vars({ "--n": n })}>
    ${repeat(cards, (card) => card, (card, i) => {
      const state = stateOf(table, card);
      return html`<li class=${classMap(state)} ${vars({ "--i": i })}>${cardButton(table, card, state)}
        ${table.reason?.card === card ? reason(table) : nothing}</li>`;
    })}${Array.from({ length: hidden }, (_, i) => html`<li class="is-hidden" ${vars({ "--i": cards.length + i })}
      ><span class="card card--back" role="img" aria-label=${t("card.hidden")}></span></li>`)}</ol></div>`;
}

/** @param {Table} table @param {string} card */
function stateOf(table, card) {
  const turn = table.myTurn?.kind === "play" ? table.myTurn : null;
  const legal = turn?.legal?.cards.includes(card) ?? false;
  return {
    "is-legal": legal, "is-illegal": turn !== null && !legal, "is-lifted": table.lifted === card,
    "is-chosen": table.chosen === card, "is-sent": table.sent?.what === card,
  };
}

/** @param {Table} table @param {string} card @param {Record<string, boolean>} state */
const cardButton = (table, card, state) => html`<button class=${classMap({ card: true, ...state })} type="button"
  data-card=${card} data-testid="card-${card}" aria-label=${cardLabel(card, state)}
  @pointerdown=${(/** @type {PointerEvent} */ e) => dragStart(e, table, card)}
  @click=${(/** @type {PointerEvent} */ e) => table.press(card, isSure(e))}>${cardImage(card)}</button>`;

/** A mouse or a key means it; a finger lifts first, unless the reader wants single taps. @param {PointerEvent} event */
function isSure(event) {
  return event.pointerType === "mouse" || event.pointerType === "" || event.detail === 0
    || prefs.singleTap;
}

/** @param {string} card @param {Record<string, boolean>} state */
function cardLabel(card, state) {
  const name = cardName(card);
  if (state["is-illegal"]) return t("card.not_allowed", { card: name });
  if (state["is-chosen"]) return t("card.chosen", { card: name });
  return name;
}

/** @param {Table} table */
function reason(table) {
  const { why } = /** @type {NonNullable<Table["reason"]>} */ (table.reason);
  return html`<span class="reason" role="tooltip" data-testid="reason">${rich(`why.${why.code}`, {
    suit: why.suit === null ? "" : html`<span class="tile">${suitSign(why.suit)}</span> ${t(`suit.${why.suit}`)}`,
    card: why.beat === null ? "" : cardName(why.beat),
  })}</span>`;
}

/**
 * Open belot: four places before a seat, a face-up card on one that nobody knows.
 * @param {Table} table @param {GameView} game @param {number} seat
 */
export function piles(table, game, seat) {
  const mine = seat === table.seat;
  const places = mine ? table.piles : { up: game.up[seat] ?? [], down: game.down[seat] ?? [] };
  if (places.up.length === 0) return nothing;
  return html`<ol class="piles ${mine ? "piles--mine" : "piles--theirs"}" aria-label=${t(mine ? "table.piles.mine" : "table.piles.theirs")}>
    ${places.up.map((card, place) => pile(table, card, places.down[place] === 1, mine))}</ol>`;
}

/** @param {Table} table @param {string | null} card @param {boolean} under @param {boolean} mine */
function pile(table, card, under, mine) {
  if (card === null && !under) return html`<li class="pile pile--empty"></li>`;
  const below = under ? html`<span class="card card--back pile__under" role="img" aria-label=${t("card.under")}></span>` : nothing;
  if (card === null) return html`<li class="pile">${below}</li>`;
  if (!mine) {
    return html`<li class="pile">${below}<span class="card pile__up" data-card=${card}>${cardImage(card, cardName(card))}</span></li>`;
  }
  const state = stateOf(table, card);
  return html`<li class=${classMap({ pile: true, ...state })}>${below}<span class="pile__up">${cardButton(table, card, state)}</span>
    ${table.reason?.card === card ? reason(table) : nothing}</li>`;
}

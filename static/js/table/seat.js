/** A seat: face, name, marks, ring, and what it says. */
import { ringPercent } from "../core/clock.js";
import { placeOf, sideOf } from "../core/places.js";
import { cardsLeft } from "../core/tricks.js";
import { t } from "../i18n.js";
import { cardImage, cardName, face, icon, seatName } from "../ui/bits.js";
import { classMap, html, nothing } from "../ui/html.js";
import { announcedAt } from "./announce.js";
import { rulesOf } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */

/** @param {Table} table @param {number} seat */
export function seatPlate(table, seat) {
  const view = /** @type {TableView} */ (table.shown);
  const game = view.game;
  const who = view.seats[seat];
  const place = placeOf(seat, view.you.seat, rulesOf(view));
  const turn = table.state?.turn ?? null;
  const acting = turn !== null && turn.seat === seat;
  const absent = who.kind === "person" && !who.sitting_in && view.presence[seat] === false;
  return html`<div class=${classMap({
      seat: true, [`seat--${place}`]: true, "is-acting": acting,
      "is-me-now": acting && seat === view.you.seat,
      "is-hurry": acting && (table.secondsLeft ?? 99) <= 5, "is-away": absent, "is-free": who.kind === "free",
    })} data-seat=${seat} data-testid="seat-${seat}">
    ${game !== null && place !== "s" ? backs(handCards(game, seat)) : nothing}
    <div class="seat__face">${acting ? ring(table) : nothing}
      ${who.kind === "free" ? html`<span class="avatar">${icon("plus", "icon--lg")}</span>` : face(who.avatar)}
      ${game === null ? nothing : marks(game, seat)}</div>
    <div class="seat__plate"><span class="seat__name ${isLong(seatName(who)) ? "seat__name--long" : ""}"><span>${seatName(who)}</span></span>
      <span class="seat__sub">${subLine(table, seat, absent)}</span>
      ${game === null ? nothing : announcedAt(game, seat)}</div>
    ${bubble(table, seat, place)}
  </div>`;
}

/** A word that a narrow plate can't hold in its usual size. @param {string} name */
const isLong = (name) => name.split(" ").some((word) => word.length > 8);

/** Cards in a hand; those of open belot that lie on the table are shown there. @param {import("../core/types.js").GameView} game @param {number} seat */
const handCards = (game, seat) => (game.rules.layout === "open" ? game.counts[seat] : cardsLeft(game, seat));

/** @param {number} n */
const backs = (n) => html`<span class="backs" aria-hidden="true"
  >${Array.from({ length: n }, () => html`<i></i>`)}</span>`;

/** @param {Table} table */
function ring(table) {
  const clock = table.state?.clock ?? null;
  const left = ringPercent(clock, performance.now());
  return html`<svg class="seat__ring" viewBox="0 0 100 100" aria-hidden="true">
    <circle class="track" cx="50" cy="50" r="46.5"/>
    <circle class="left" cx="50" cy="50" r="46.5" pathLength="100"
      stroke-dasharray="${left} 100"/></svg>`;
}

/** @param {import("../core/types.js").GameView} game @param {number} seat */
function marks(game, seat) {
  const taker = game.contract?.taker;
  const side = taker === undefined ? nothing
    : sideOf(seat, game.rules.players) === sideOf(taker, game.rules.players)
      ? html`<span class="mark mark--taker seat__mark" title=${t("seat.taking")}>${icon("sword")}
          <span class="sr">${t("seat.taking")}</span></span>`
      : html`<span class="mark seat__mark" title=${t("seat.defending")}>${icon("shield")}
          <span class="sr">${t("seat.defending")}</span></span>`;
  return html`${side}${seat === game.dealer && game.deal > 0
    ? html`<span class="dealer" title=${t("seat.dealer")}><span aria-hidden="true"
        >${t("seat.dealer.letter")}</span><span class="sr">${t("seat.dealer")}</span></span>`
    : nothing}`;
}

/** @param {Table} table @param {number} seat @param {boolean} absent */
function subLine(table, seat, absent) {
  const view = /** @type {TableView} */ (table.shown);
  const who = view.seats[seat];
  if (who.kind === "bot" || who.sitting_in) {
    const title = who.sitting_in ? t("seat.bot_for", { who: who.name }) : t("seat.bot");
    return html`<span class="botbadge" title=${title}>${icon("bot")}${t("seat.bot")}</span>`;
  }
  if (who.kind === "free") return t("seat.free.sub");
  if (absent) {
    const seconds = table.state?.turn?.seat === seat ? table.secondsLeft : null;
    return seconds === null ? t("seat.away") : t("seat.away_seconds", { n: seconds });
  }
  return who.level === null ? "" : t("level", { n: who.level });
}

/** @param {Table} table @param {number} seat @param {string} place */
function bubble(table, seat, place) {
  const said = table.bubbles.get(seat);
  if (said === undefined) return nothing;
  const kinds = { pass: "bubble--pass", call: "bubble--call", bid: "bubble--bid", double: "bubble--coinche", cards: "bubble--cards" };
  return html`<span class="bubble bubble--${place} ${kinds[said.kind]}">${said.cards
    ? said.cards.map((card) => html`<span class="card">${cardImage(card, cardName(card))}</span>`)
    : html`<span class="bubble__text">${said.text()}</span>`}</span>`;
}

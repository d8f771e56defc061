/** The felt: contract, totals, seats, trick, my hand. */
import { connection } from "../app.js";
import { bestSoFar } from "../core/cards.js";
import { placeOf } from "../core/places.js";
import { trickNumber } from "../core/tricks.js";
import { t } from "../i18n.js";
import { cardImage, cardName, icon } from "../ui/bits.js";
import { html, nothing, repeat } from "../ui/html.js";
import { announceStrip, declarePanel } from "./announce.js";
import { auction } from "./auction/index.js";
import { cue } from "./cue.js";
import { hand, piles } from "./hand.js";
import { claimButton, resignNotice } from "./offers.js";
import { contractPlate, totalsPlate } from "./plates.js";
import { seatPlate } from "./seat.js";
import { watchNotice } from "./watching.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */

/** @param {Table} table @param {GameView} game */
export function felt(table, game) {
  const me = bottomSeat(table);
  const others = Array.from({ length: game.rules.players }, (_, seat) => seat).filter((seat) => seat !== me);
  return html`<section class="table" aria-label=${t("table.label")}>
  <div class="felt felt--n${game.rules.players} felt--${game.rules.layout}">
    <h1 class="sr">${t("table.title", { code: table.code })}</h1>
    <div class="status">${contractPlate(table, game)}${totalsPlate(table, game)}</div>
    ${others.map((seat) => html`${seatPlate(table, seat)}${piles(table, game, seat)}`)}
    <div class="mid">${middle(table, game)}</div>
    ${piles(table, game, me)}
    <div class="foot">${seatPlate(table, me)}${tools(table)}</div>
    ${hand(table, game)}
    ${notice(table)}
  </div></section>`;
}

/** @param {Table} table */
const bottomSeat = (table) => table.seat ?? 0;

/** @param {Table} table @param {GameView} game */
function middle(table, game) {
  if (game.phase === "auction" || game.phase === "dealing") return auction(table, game);
  if (game.phase === "declaring") {
    return html`<div class="auction">${table.myTurn?.kind === "declare" ? declarePanel(table)
      : html`<div class="bid bid--wait">${cue(table)}</div>`}</div>`;
  }
  return html`${trick(table, game)}${announceStrip(table)}${cue(table)}${claimButton(table)}`;
}

/** @param {Table} table @param {GameView} game */
function trick(table, game) {
  const view = /** @type {TableView} */ (table.shown);
  const shown = table.resting ?? game.trick;
  if (shown === null) return html`<div class="trick"></div>`;
  const n = game.rules.players;
  const best = shown.winner !== null
    ? (shown.winner - shown.leader + n) % n
    : bestSoFar(shown.cards, game.contract?.trump ?? null);
  const mine = table.myTurn?.kind === "play" && table.resting === null;
  const number = t("table.trick", { n: trickNumber(game, table.resting !== null) });
  return html`<div class="trick" aria-label=${number} data-testid="trick">
    ${mine ? html`<span class="slot"></span>` : nothing}
    ${repeat(shown.cards, (card) => card, (card, i) => {
      const seat = (shown.leader + i) % n;
      const winning = i === best;
      return html`<span class="card card--${placeOf(seat, view.you.seat, game.rules)}
        ${winning ? "is-winning" : ""}" data-card=${card}>${cardImage(card, cardName(card))}
        ${winning ? html`<span class="card__tag">${t(shown.winner === null ? "trick.winning" : "trick.won")}</span>` : nothing}</span>`;
    })}</div>`;
}

/** @param {Table} table */
const tools = (table) => html`<div class="tbar">
  <button class="tbtn" type="button" title=${t("table.last_trick")} data-testid="last-trick"
    @click=${() => table.showLastTrick()}>${icon("layers")}<span>${t("table.last_trick")}</span><kbd aria-hidden="true">L</kbd></button>
  <button class="tbtn tbtn--sheet" type="button" title=${t("table.score_sheet")}
    @click=${() => table.openSheet(null)}>${icon("scroll-text")}<span>${t("table.score_sheet")}</span></button>
  <button class="tbtn tbtn--menu" type="button" aria-label=${t("table.menu")}
    @click=${() => table.open("menu")}>${icon("settings")}</button></div>`;

/** What must be known at once: a bot plays for me; the table waits. @param {Table} table */
function notice(table) {
  const view = table.state?.view;
  if (!view) return nothing;
  const { status } = connection();
  if (status === "reconnecting" || status === "stopped") {
    return html`<div class="notice" role="status"><p>${t(`connection.${status}`)}</p></div>`;
  }
  const mine = table.seat === null ? null : view.seats[table.seat];
  if (mine?.sitting_in) {
    return html`<div class="notice notice--bot" role="status"><p>${t("table.bot_for_you")}</p>
      <button class="btn btn--ember" type="button" data-testid="reclaim"
        @click=${() => table.reclaim()}>${t("table.reclaim")}</button></div>`;
  }
  return table.seat === null ? watchNotice(table) : resignNotice(table);
}

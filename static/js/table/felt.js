/** The felt: contract, totals, seats, trick, my hand. */
import { connection } from "../app.js";
import { bestSoFar, sortHand } from "../core/cards.js";
import { num, rich, t } from "../i18n.js";
import { cardImage, cardName, icon, suitSign, trumpName, trumpTile } from "../ui/bits.js";
import { prefs } from "../prefs.js";
import { classMap, html, nothing, repeat, vars } from "../ui/html.js";
import { auction } from "./bid.js";
import { placeOf, usThem } from "./places.js";
import { seatPlate } from "./seat.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */

/** @param {Table} table @param {GameView} game */
export const felt = (table, game) => html`<section class="table" aria-label=${t("table.label")}>
  <div class="felt">
    <h1 class="sr">${t("table.title", { code: table.code })}</h1>
    <div class="status">${contractPlate(table, game)}${totalsPlate(table, game)}</div>
    ${[0, 1, 2, 3].filter((seat) => seat !== bottomSeat(table)).map((seat) => seatPlate(table, seat))}
    <div class="mid">${game.phase === "auction" || game.phase === "dealing"
      ? auction(table, game)
      : html`${trick(table, game)}${cue(table)}`}</div>
    <div class="foot">${seatPlate(table, bottomSeat(table))}${tools(table)}</div>
    ${hand(table, game)}
    ${notice(table)}
  </div></section>`;

/** @param {Table} table */
const bottomSeat = (table) => table.seat ?? 0;

/** @param {Table} table @param {GameView} game */
function contractPlate(table, game) {
  const view = /** @type {TableView} */ (table.shown);
  const { contract } = game;
  if (contract === null) {
    const round = game.phase === "auction" ? t(`table.round.${game.round}`) : t("table.between");
    return html`<div class="contract plate" data-testid="contract"><span class="tile tile--q"
      >${icon("gavel", "icon--lg")}</span><div><b>${t("table.auction")}</b><span>${round}</span></div></div>`;
  }
  return html`<div class="contract plate" data-testid="contract">${trumpTile(contract.trump)}
    <div><b>${trumpName(contract.trump)}</b><span><span class="mark mark--taker">${icon("sword")}</span>
      ${t("table.taken_by", { who: nameAt(view, contract.taker) })}</span></div></div>`;
}

/** On a phone it is also the button that opens the sheet. @param {Table} table @param {GameView} game */
function totalsPlate(table, game) {
  const [us, them] = usThem(game.totals, table.seat);
  const hanging = game.hanging > 0
    ? html` · <b>${t("table.hanging", { n: game.hanging })}</b>` : nothing;
  return html`<button type="button" class="totals plate totals--${connection().status}" title=${t("table.score_sheet")}
    @click=${() => table.openSheet(null)}>
    <span class="us"><span class="dt">${t("side.us")}</span><span class="dd" data-testid="total-us">${num(us)}</span></span>
    <span class="them"><span class="dt">${t("side.them")}</span><span class="dd" data-testid="total-them">${num(them)}</span></span>
    <span class="totals__to">${t("table.target", { n: game.rules.target })}${hanging}</span></button>`;
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
  const number = t("table.trick", { n: game.tricks.reduce((a, b) => a + b, 0) + (table.resting ? 0 : 1) });
  return html`<div class="trick" aria-label=${number} data-testid="trick">
    ${mine ? html`<span class="slot"></span>` : nothing}
    ${repeat(shown.cards, (card) => card, (card, i) => {
      const seat = (shown.leader + i) % n;
      const winning = i === best;
      return html`<span class="card card--${placeOf(seat, view.you.seat, game.rules.direction)}
        ${winning ? "is-winning" : ""}" data-card=${card}>${cardImage(card, cardName(card))}
        ${winning ? html`<span class="card__tag">${t(shown.winner === null ? "trick.winning" : "trick.won")}</span>` : nothing}</span>`;
    })}</div>`;
}

/** Whose turn it is, and how long. @param {Table} table */
export function cue(table) {
  const view = table.state?.view;
  if (!view || view.game?.phase === "ended") return nothing;
  if (view.paused) return html`<p class="cue cue--wait">${t("table.paused")}</p>`;
  const turn = table.state?.turn ?? null;
  const seconds = table.secondsLeft;
  const time = seconds === null ? nothing : html`<span>${t("time.seconds", { n: seconds })}</span>`;
  if (turn?.kind === "continue") {
    return html`<button type="button" class="cue cue--button" data-testid="continue-cue"
      @click=${() => table.openSheet(null)}>${t("table.score_sheet")} ${time}</button>`;
  }
  if (turn === null || turn.seat === null) return nothing;
  if (table.myTurn !== null) {
    return html`<p class="cue" data-testid="your-turn">${t("table.your_turn")} ${time}</p>`;
  }
  const who = view.seats[turn.seat];
  const away = who.kind === "person" && !who.sitting_in && view.presence[turn.seat] === false;
  return html`<p class="cue cue--wait">${t(away ? "table.waiting_for" : "table.thinking",
    { who: nameAt(view, turn.seat) })} ${away ? time : nothing}</p>`;
}

/** @param {Table} table */
const tools = (table) => html`<div class="tbar">
  <button class="tbtn" type="button" title=${t("table.last_trick")} data-testid="last-trick"
    @click=${() => table.showLastTrick()}>${icon("layers")}<span>${t("table.last_trick")}</span><kbd aria-hidden="true">L</kbd></button>
  <button class="tbtn tbtn--sheet" type="button" title=${t("table.score_sheet")}
    @click=${() => table.openSheet(null)}>${icon("scroll-text")}<span>${t("table.score_sheet")}</span></button>
  <button class="tbtn tbtn--menu" type="button" aria-label=${t("table.menu")}
    @click=${() => table.open("menu")}>${icon("settings")}</button></div>`;

/** @param {Table} table @param {GameView} game */
function hand(table, game) {
  const trump = game.contract?.trump ?? null;
  const cards = sortHand(table.hand, trump);
  const turn = table.myTurn?.kind === "play" ? table.myTurn : null;
  return html`<div class="hand"><ol class="fan" data-n=${cards.length}
    aria-label=${t("table.hand")} ${vars({ "--n": cards.length })}>
    ${repeat(cards, (card) => card, (card, i) => {
      const legal = turn?.legal?.cards.includes(card) ?? false;
      const state = {
        "is-legal": legal, "is-illegal": turn !== null && !legal, "is-lifted": table.lifted === card,
        "is-chosen": table.chosen === card, "is-sent": table.sent?.what === card,
      };
      return html`<li class=${classMap(state)} ${vars({ "--i": i })}>
        <button class=${classMap({ card: true, ...state })} type="button" data-card=${card}
          data-testid="card-${card}" aria-label=${cardLabel(card, state)}
          @click=${(/** @type {PointerEvent} */ e) => table.press(card, isSure(e))}>${cardImage(card)}</button>
        ${table.reason?.card === card ? reason(table) : nothing}</li>`;
    })}</ol></div>`;
}

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
    return html`<div class="notice" role="status"><p>${t("table.bot_for_you")}</p>
      <button class="btn btn--ember" type="button" data-testid="reclaim"
        @click=${() => table.reclaim()}>${t("table.reclaim")}</button></div>`;
  }
  if (table.seat === null) return html`<div class="notice" role="status"><p>${t("table.watching")}</p></div>`;
  return nothing;
}

/** Those without a seat: what they see, how many they are, and how one of them gets a bot's seat. */
import { attempt, update } from "../app.js";
import { t } from "../i18n.js";
import { api } from "../net/api.js";
import { icon, seatName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */

/** How many watch, for everybody to see. @param {TableView} view */
export function watchCount(view) {
  const n = view.watching ?? 0;
  if (n === 0) return nothing;
  return html`<span class="watchers" data-testid="watching" title=${t("watch.count", { n })}>${icon("eye", "icon--sm")}<span
    aria-hidden="true">${n}</span><span class="sr">${t("watch.count", { n })}</span></span>`;
}

/** The bots' seats that somebody may still take in this match. @param {TableView} view */
const lateSeats = (view) => view.status === "playing" && !view.options.rated && view.options.latecomers
  ? view.seats.flatMap((seat, i) => (seat.kind === "bot" ? [i] : [])) : [];

/** @param {Table} table @param {number} seat */
function wish(table, seat) {
  table.lateSeat = table.lateSeat === seat ? null : seat;
  sitDownLate(table);
  update();
}

/** A seat is taken between two deals: at once if it is such a moment, else when it comes. @param {Table} table */
export function sitDownLate(table) {
  const { lateSeat, state } = table;
  if (lateSeat === null || state === null) return;
  if (state.view.you.seat !== null || !lateSeats(state.view).includes(lateSeat)) {
    table.lateSeat = null;
    return;
  }
  if (state.turn?.kind !== "continue") return;
  table.lateSeat = null;
  void attempt(() => api.post(`/api/tables/${table.code}/seats`, { seat: lateSeat }));
}

/** @param {Table} table @param {TableView} view @param {number} seat */
function lateButton(table, view, seat) {
  const who = seatName(view.seats[seat]);
  const mine = table.lateSeat === seat;
  const words = t(mine ? "watch.take_back" : "watch.sit_for", { who });
  return html`<button class="btn" type="button" data-testid="late-${seat}" aria-pressed=${mine} aria-label=${words} title=${words}
    @click=${() => wish(table, seat)}>${icon(mine ? "check" : "bot", "icon--sm")}${who}</button>`;
}

/** @param {Table} table */
export function watchNotice(table) {
  const view = table.state?.view ?? null;
  if (view === null || table.seat !== null || view.status !== "playing") return nothing;
  const seats = lateSeats(view);
  return html`<div class="notice notice--watch" role="status" data-testid="watch-notice"><p>${icon("eye", "icon--sm")} ${t("table.watching")}
      ${seats.length === 0 ? nothing : t(table.lateSeat === null ? "watch.offer" : "watch.soon")}</p>
    ${seats.length === 0 ? nothing : html`<div class="notice__seats">${seats.map((seat) => lateButton(table, view, seat))}</div>`}</div>`;
}

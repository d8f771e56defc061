/** Before a match: who sits where, how to be found, and when it begins. */
import { me } from "../app.js";
import { placeOf } from "../core/places.js";
import { num, t } from "../i18n.js";
import { houseChips } from "../rules/chips.js";
import { face, icon, presetName, seatName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { copyLink } from "../views/share.js";
import { hostOptions, seatButton } from "./people.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */

/** @param {Table} table @param {TableView} view */
export function waitingRoom(table, view) {
  const { options } = view;
  return html`<main class="waiting"><section class="waiting__felt" aria-label=${t("waiting.seats")}>
      ${view.seats.map((_, seat) => waitingSeat(table, view, seat))}
      <div class="waiting__mid">${middle(table, view)}</div></section>
    <aside class="waiting__side panel"><h1>${t("waiting.title")}</h1>
      <p class="chips"><span class="chip chip--brass">${presetName(options.preset)}</span>
        <span class="chip chip--line">${t("points", { n: options.rules.target })}</span>
        <span class="chip chip--line">${t(`speed.${options.speed}`)}</span>
        <span class="chip chip--line">${t(`visibility.${options.visibility}`)}</span>
        ${options.rated ? html`<span class="chip chip--line">${t("rated")}</span>` : nothing}
        ${houseChips(options, "", undefined, true)}</p>
      <button class="btn btn--line" type="button" data-testid="waiting-rules" @click=${() => table.open("rules")}>${icon("book-open")}${t("rules.open")}</button>
      <p class="eyebrow">${t("waiting.code")}</p>
      <p class="waiting__code" data-testid="table-code">${view.code}</p>
      <div class="waiting__share"><button class="btn" type="button" data-testid="copy-link"
          @click=${() => void copyLink(`/t/${view.code}`)}>${icon("link")}${t("waiting.copy")}</button></div>
      <img class="waiting__qr" src="/api/tables/${view.code}/qr.svg" alt=${t("waiting.qr")}
        width="164" height="164" @error=${hide}>
      <p class="dim">${t("waiting.help")}</p>${hostOptions(table, view)}</aside></main>`;
}

/** @param {Event} event */
function hide(event) {
  /** @type {HTMLElement} */ (event.target).hidden = true;
}

/** @param {Table} table @param {TableView} view @param {number} seat */
function waitingSeat(table, view, seat) {
  const who = view.seats[seat];
  const place = placeOf(seat, view.you.seat, view.options.rules);
  const partner = view.seats.length === 4 && view.you.seat !== null && seat !== view.you.seat && seat % 2 === view.you.seat % 2;
  if (who.kind === "free") {
    const canSit = view.you.seat === null;
    return html`<div class="wseat wseat--${place} is-free" data-testid="seat-${seat}">
      ${canSit ? html`<button class="wseat__sit" type="button" data-testid="sit-${seat}"
          aria-label=${t("waiting.sit_at", { n: seat + 1 })} @click=${() => table.sit(seat)}>${icon("plus", "icon--lg")}</button>`
        : html`<span class="avatar avatar--empty">${icon("plus", "icon--lg")}</span>`}
      <b>${canSit ? t("waiting.sit") : t("seat.free")}</b><small>${partner ? t("seat.partner") : ""}</small></div>`;
  }
  const mine = seat === view.you.seat;
  const sub = mine ? t("seat.you") : partner ? t("seat.partner") : who.kind === "bot" ? t("seat.bot")
    : who.level === null ? "" : t("level", { n: who.level });
  const host = who.player !== null && who.player === view.host ? html`<span class="wseat__host" title=${t("host")}>${icon("crown", "icon--sm")}<span class="sr">${t("host")}</span></span>` : nothing;
  return html`<div class="wseat wseat--${place}" data-testid="seat-${seat}">${face(who.avatar)}
    <b>${seatName(who)}${host}</b><small>${sub}</small>${seatButton(table, view, seat)}</div>`;
}

/** @param {Table} table @param {TableView} view */
function middle(table, view) {
  const free = view.seats.filter((seat) => seat.kind === "free").length;
  if (view.you.seat === null) {
    return html`<p class="display waiting__say">${t("waiting.invite")}</p>
      <button class="btn btn--brass btn--big" type="button" data-testid="sit-down" ?disabled=${free === 0}
        @click=${() => table.sit()}>${t("waiting.sit_down")}</button>`;
  }
  const isHost = view.host === me()?.id;
  const canStart = isHost && (free === 0 || !view.options.rated);
  const why = view.options.rated && free > 0 ? html`<p class="dim" data-testid="waiting-rated">${t("waiting.rated")}</p>` : nothing;
  return html`<p class="display waiting__say">${t("waiting.free", { n: free })}</p>${why}${canStart
    ? html`<button class="btn btn--brass btn--big" type="button" data-testid="start-with-bots"
        @click=${() => table.start(free > 0)}>${free > 0 ? t("waiting.start_bots", { n: num(free) }) : t("waiting.start")}</button>`
    : isHost ? nothing : html`<p class="dim">${t("waiting.host")}</p>`}`;
}

/** What the host may do with the people of a table, and what everybody hears of it. */
import { attempt, me, shut, toast } from "../app.js";
import { t } from "../i18n.js";
import { api } from "../net/api.js";
import { face, icon, seatName } from "../ui/bits.js";
import { choice } from "../ui/choice.js";
import { html, nothing } from "../ui/html.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/store.js").Change} Change */
/** @typedef {import("../core/store.js").Step} Step */

/** @param {TableView} view */
export const iAmHost = (view) => view.host !== null && view.host === me()?.id;

/** Whose dialog is open. */
let chosen = 0;

/** The host's way to somebody's dialog. @param {Table} table @param {TableView} view @param {number} seat */
export function seatButton(table, view, seat) {
  if (!iAmHost(view) || view.status === "playing" || view.seats[seat].kind === "free") return nothing;
  return html`<button class="iconbtn wseat__more" type="button" data-testid="manage-${seat}"
    aria-label=${t("host.manage", { who: seatName(view.seats[seat]) })}
    @click=${() => { chosen = seat; table.open("person"); }}>${icon("sliders-horizontal")}</button>`;
}

/** @param {Table} table @param {() => Promise<any>} what */
function then(table, what) {
  table.closePanel();
  void attempt(what);
}

/** @param {Table} table @param {TableView} view */
export function personDialog(table, view) {
  const who = view.seats[chosen];
  if (!iAmHost(view) || who === undefined || who.kind === "free") return nothing;
  const path = `/api/tables/${table.code}`;
  const mine = chosen === view.you.seat;
  const seats = view.seats.map((seat, i) => ({ seat, i })).filter(({ i }) => i !== chosen);
  return html`<div class="scrim" @click=${() => table.closePanel()}></div>
    <div class="dialog panel dialog--person" role="dialog" aria-modal="true" aria-labelledby="pe-t" data-dialog data-testid="person">
      <div class="dialog__top"><h2 id="pe-t">${face(who.avatar, "avatar--sm")}${seatName(who)}</h2><button class="iconbtn" type="button"
        aria-label=${t("action.close")} @click=${() => table.closePanel()}>${icon("x")}</button></div>
      <p class="eyebrow">${t("host.move")}</p>
      <div class="person__moves">${seats.map(({ seat, i }) => html`<button class="btn" type="button" data-testid="move-to-${i}"
        @click=${() => then(table, () => api.post(`${path}/seats/${chosen}/move`, { to: i }))}>${seat.kind === "free"
          ? t("host.move_to", { n: i + 1 }) : t("host.swap", { who: seatName(seat) })}</button>`)}</div>
      ${mine ? nothing : html`<div class="dialog__foot">
        <button class="btn btn--wine" type="button" data-testid="send-away" @click=${() => then(table, () => api.del(`${path}/seats/${chosen}`))}
          >${icon("log-out")}${t("host.remove")}</button>
        ${who.kind !== "person" ? nothing : html`<button class="btn" type="button" data-testid="hand-over"
          @click=${() => then(table, () => api.post(`${path}/host`, { player: who.player }))}>${icon("crown")}${t("host.hand_over")}</button>`}</div>`}
    </div>`;
}

/** The way to the host's menu, once a match has begun: before it everything is on the screen. @param {Table} table @param {TableView} view @param {string} [classes] */
export const hostButton = (table, view, classes = "iconbtn iconbtn--host") => iAmHost(view) && view.status !== "closed"
  ? html`<button class=${classes} type="button" data-testid="host-menu" aria-label=${t("host.menu")} title=${t("host.menu")} @click=${() => table.open("host")}
    >${icon("crown")}</button>` : nothing;

/** Who sits at the table, and what may be allowed there. @param {Table} table @param {TableView} view */
export function hostDialog(table, view) {
  if (!iAmHost(view)) return nothing;
  return html`<div class="scrim" @click=${() => table.closePanel()}></div>
    <div class="dialog panel dialog--host" role="dialog" aria-modal="true" aria-labelledby="ho-t" data-dialog data-testid="host-dialog">
      <div class="dialog__top"><h2 id="ho-t">${t("host.menu")}</h2><button class="iconbtn" type="button" data-first
        aria-label=${t("action.close")} @click=${() => table.closePanel()}>${icon("x")}</button></div>
      <ul class="hostlist">${view.seats.map((seat, i) => hostRow(table, view, seat, i))}</ul>${hostOptions(table, view)}</div>`;
}

/** @param {Table} table @param {TableView} view @param {import("../core/types.js").SeatView} seat @param {number} i */
function hostRow(table, view, seat, i) {
  if (seat.kind === "free") return html`<li><span class="avatar avatar--sm avatar--empty">${icon("plus", "icon--sm")}</span><span>${t("seat.free")}</span></li>`;
  const mine = i === view.you.seat;
  const sub = mine ? t("seat.you") : seat.kind === "bot" ? t("seat.bot") : seat.sitting_in ? t("host.away") : "";
  const give = seat.kind === "person" && !mine && view.status === "playing";
  return html`<li>${face(seat.avatar, "avatar--sm")}<span><b>${seatName(seat)}</b><small>${sub}</small></span>
    ${give ? html`<button class="btn" type="button" data-testid="hand-over-${i}"
      @click=${() => then(table, () => api.post(`/api/tables/${table.code}/host`, { player: seat.player }))}>${icon("crown", "icon--sm")}${t("host.hand_over")}</button>` : nothing}
    ${seatButton(table, view, i)}</li>`;
}

/** What the host may change at any time. @param {Table} table @param {TableView} view */
export function hostOptions(table, view) {
  if (!iAmHost(view)) return nothing;
  const { spectators, latecomers, rated } = view.options;
  const set = (/** @type {Record<string, boolean>} */ change) => attempt(() => api.patch(`/api/tables/${table.code}/options`, change));
  const answers = /** @type {[boolean, string][]} */ ([[true, t("settings.on")], [false, t("settings.off")]]);
  return html`<div class="hostopts">${choice(t("create.spectators"), spectators, answers, (yes) => set({ spectators: yes }), "", "host-spectators")}
    ${rated ? nothing : choice(t("host.latecomers"), latecomers, answers, (yes) => set({ latecomers: yes }), t("host.latecomers.help"), "host-latecomers")}</div>`;
}

/** What other people did, as one line at the foot: the log is not on every screen. @param {Table} table @param {Change} change */
export function tellPeople(table, change) {
  if (change.kind !== "steps") return;
  for (const step of change.steps) {
    const text = news(table, step);
    if (text !== "") toast(text);
  }
}

/** @param {Table} table @param {Step} step */
function news(table, { event: { type, d }, before, after }) {
  const mine = before.you.seat;
  switch (type) {
    case "host_changed":
      return d.host === me()?.id ? t("host.you") : "";
    case "seat_left":
      if (d.seat === mine && d.removed) shut.set(table.code, "sent_away");
      return "";
    case "seat_taken":
      return before.status === "playing" && d.seat !== after.you.seat ? t("host.sat_down", { who: seatName(after.seats[d.seat]) }) : "";
    case "ready_answered":
      return !d.yes && d.seat !== mine ? t("ready.refused", { who: seatName(before.seats[d.seat]) }) : "";
    case "rematch_answered":
      return !d.yes && d.seat !== mine ? t("rematch.refused", { who: seatName(before.seats[d.seat]) }) : "";
    case "resign_answered":
      return !d.yes && d.seat !== mine && mine !== null && (d.seat + 2) % 4 === mine && after.seats.length === 4
        ? t("resign.refused", { who: seatName(after.seats[d.seat]) }) : "";
    case "claimed":
      return d.seat === mine ? "" : t("claim.said", { who: seatName(after.seats[d.seat]) });
    default:
      return "";
  }
}

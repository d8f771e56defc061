/** Panels over the table: score sheet, last trick, menu, leaving. */
import { attempt, loadPlayer, me, update } from "../app.js";
import { placeOf } from "../core/places.js";
import { t } from "../i18n.js";
import { api } from "../net/api.js";
import { prefs, savePrefs } from "../prefs.js";
import { go } from "../router.js";
import { cardImage, cardName, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { openSettings } from "../ui/settings.js";
import { rulesDialog } from "../rules/dialog.js";
import { mayResign, resignDialog } from "./offers.js";
import { hostDialog, iAmHost, personDialog } from "./people.js";
import { scoreSheet } from "./sheet.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */

/** @param {Table} table */
export function panels(table) {
  const view = table.shown;
  if (view === null) return nothing;
  switch (table.panel) {
    case "sheet":
      return view.game === null ? nothing : sheet(table, view, view.game);
    case "last":
      return view.game?.last_trick ? lastTrick(table, view, view.game) : nothing;
    case "menu":
      return menu(table);
    case "rules":
      return rulesDialog(view.options, () => table.closePanel());
    case "leave":
      return leaving(table, view);
    case "host":
      return hostDialog(table, table.state?.view ?? view);
    case "person":
      return personDialog(table, table.state?.view ?? view);
    case "resign":
      return resignDialog(table, view);
    default:
      return nothing;
  }
}

/** @param {Table} table @param {TableView} view @param {GameView} game */
const sheet = (table, view, game) => scoreSheet({
  deals: game.deals, rules: game.rules, viewer: view.you.seat, deal: table.sheetDeal,
  name: (seat) => nameAt(view, seat), over: game.phase === "ended", close: () => table.closePanel(),
  choose: (deal) => table.openSheet(deal), foot: sheetFoot(table, game),
});

/** @param {Table} table @param {GameView} game */
function sheetFoot(table, game) {
  const between = table.state?.turn?.kind === "continue";
  const ended = game.phase === "ended";
  const ready = table.seat !== null && (table.state?.view.game?.continued.includes(table.seat) ?? false);
  const seconds = between ? table.secondsLeft : null;
  const label = ended ? t("sheet.result") : between ? t("sheet.next") : t("action.close");
  const waiting = ready && between;
  return html`${waiting ? html`<p class="sheet__wait">${t("sheet.waiting")}</p>` : nothing}
    <button class="btn btn--ink" type="button" data-first data-testid="continue"
      ?disabled=${waiting || (between && table.sent !== null)} @click=${() => table.next()}>${label}
      ${seconds === null ? nothing : html`<span class="num">${t("time.seconds", { n: seconds })}</span>`}</button>`;
}

/** @param {Table} table @param {TableView} view @param {GameView} game */
function lastTrick(table, view, game) {
  const trick = /** @type {import("../core/types.js").Trick} */ (game.last_trick);
  const n = game.rules.players;
  return html`<div class="scrim" @click=${() => table.closePanel()}></div>
    <div class="lasttrick" role="dialog" aria-modal="true" aria-label=${t("table.last_trick")} data-dialog
      @click=${() => table.closePanel()}>
      <h2>${t("last.title", { who: nameAt(view, trick.winner ?? trick.leader) })}</h2>
      <div class="trick">${trick.cards.map((card, i) => {
        const seat = (trick.leader + i) % n;
        const place = placeOf(seat, view.you.seat, game.rules);
        return html`<figure class="card card--${place} ${seat === trick.winner ? "is-winning" : ""}"
          >${cardImage(card, cardName(card))}<figcaption class="card__tag card__tag--name">${nameAt(view, seat)}</figcaption></figure>`;
      })}</div>
      <button class="btn" type="button" data-first @click=${() => table.closePanel()}>${t("action.close")}</button></div>`;
}

/** In landscape on a phone there is no top bar: its buttons stand here. @param {Table} table */
const menu = (table) => html`<div class="scrim" @click=${() => table.closePanel()}></div>
  <div class="dialog panel dialog--menu" role="dialog" aria-modal="true" aria-labelledby="mn-t" data-dialog>
    <div class="dialog__top"><h2 id="mn-t">${t("table.menu")}</h2><button class="iconbtn" type="button"
      aria-label=${t("action.close")} @click=${() => table.closePanel()}>${icon("x")}</button></div>
    <button class="btn" type="button" @click=${() => table.openSheet(null)}>${icon("scroll-text")}${t("table.score_sheet")}</button>
    <button class="btn" type="button" @click=${() => { table.closePanel(); openSettings(); }}>${icon("settings")}${t("nav.settings")}</button>
    <button class="btn" type="button" @click=${() => table.open("rules")}>${icon("book-open")}${t("rules.open")}</button>
    <button class="btn" type="button" @click=${() => toggleSound()}>${icon(prefs.sounds ? "volume-2" : "volume-x")}${soundLabel()}</button>
    ${table.state !== null && iAmHost(table.state.view) ? html`<button class="btn" type="button" @click=${() => table.open("host")}>${icon("crown")}${t("host.menu")}</button>` : nothing}
    <button class="btn" type="button" @click=${() => table.open("leave")}>${icon("log-out")}${t("table.leave")}</button></div>`;

export const soundLabel = () => t(prefs.sounds ? "table.sound_on" : "table.sound_off");

export function toggleSound() {
  savePrefs({ sounds: !prefs.sounds });
  update();
}

/** @param {Table} table @param {TableView} view */
function leaving(table, view) {
  const people = view.seats.filter((seat) => seat.kind === "person").length;
  const text = view.status !== "playing" ? "waiting" : people > 1 ? "together" : "playing";
  return html`<div class="scrim" @click=${() => table.closePanel()}></div>
    <div class="dialog panel" role="dialog" aria-modal="true" aria-labelledby="lv-t" data-dialog>
      <h2 id="lv-t">${t("leave.title")}</h2>
      <p>${t(`leave.text.${text}`)}</p>
      <div class="dialog__foot dialog__foot--stack">
        <a class="btn btn--brass" href="/" data-testid="leave-later">${t("leave.later")}</a>
        <button class="btn" type="button" data-testid="leave-now" @click=${() => leave(table)}>${t("leave.now")}</button>
        ${mayResign(table) ? html`<button class="btn" type="button" data-testid="resign" @click=${() => table.open("resign")}>${icon("flag")}${t("resign.title")}</button>` : nothing}
        <button class="btn btn--line" type="button" data-first @click=${() => table.closePanel()}>${t("leave.stay")}</button>
      </div></div>`;
}

/** @param {Table} table */
export const leave = (table) => attempt(async () => {
  if (table.seat !== null) await api.del(`/api/tables/${table.code}/seats/me`);
  await go("/");
  if (me() !== null) await loadPlayer();
});

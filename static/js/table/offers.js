/** What people ask each other beside the game: a rematch, to resign together; and to claim the rest. */
import { link, tellRefusal } from "../app.js";
import { t } from "../i18n.js";
import { face, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { sideOf } from "../core/places.js";
import { copyLink } from "../views/share.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */

/** @param {Table} table @param {number | null} decision @param {Record<string, unknown>} command */
async function ask(table, decision, command) {
  const answer = await link.command(table.code, decision, command);
  if (!answer.ok && answer.code !== "stale") tellRefusal(answer.code);
}

/* ---- a rematch ---- */

/** Whether the same people may play again: everybody is still there. @param {TableView} view */
export const rematchIsOpen = (view) =>
  view.status === "finished" && view.you.seat !== null && view.seats.every((seat) => seat.kind !== "free");

/** @param {Table} table @param {boolean} yes */
function answerRematch(table, yes) {
  const turn = table.state?.turn ?? null;
  void ask(table, turn?.kind === "rematch" ? turn.decision : null, { type: "rematch", yes });
}

/** A seat that somebody has left is there for whoever comes. @param {Table} table @param {TableView} view */
const sitBox = (table, view) => view.seats.every((seat) => seat.kind === "person") ? nothing
  : html`<div class="rematch rematch--off"><p>${t("waiting.invite")}</p>
    <button class="btn btn--brass" type="button" data-testid="sit-down" @click=${() => table.sit()}>${t("waiting.sit_down")}</button></div>`;

/** Four faces with their answers, and mine to give. @param {Table} table */
export function rematchBox(table) {
  const view = table.state?.view ?? null;
  if (view === null || view.status !== "finished") return nothing;
  if (view.you.seat === null) return sitBox(table, view);
  if (!rematchIsOpen(view)) {
    return html`<div class="rematch rematch--off"><p class="dim" role="status" data-testid="rematch-off">${t("rematch.somebody_left")}</p>
      <button class="btn" type="button" data-testid="copy-link" @click=${() => void copyLink(`/t/${view.code}`)}>${icon("link", "icon--sm")}${t("waiting.copy")}</button></div>`;
  }
  const yes = view.rematch?.yes ?? null;
  const mine = yes?.includes(view.you.seat) ?? false;
  const seconds = yes === null ? null : table.secondsLeft;
  return html`<section class="rematch panel" aria-label=${t("rematch.title")} data-testid="rematch-box">
    <ul class="ready">${view.seats.map((seat, i) => {
      const ready = seat.kind === "bot" || (yes?.includes(i) ?? false);
      const word = t(ready ? "rematch.yes" : "rematch.open");
      return html`<li class=${ready ? "is-ready" : ""}>${face(seat.avatar, "avatar--sm")}<b>${nameAt(view, i)}</b>
        <span title=${word}>${icon(ready ? "check" : "timer")}<span class="sr">${word}</span></span></li>`;
    })}</ul>
    <div class="rematch__go"><p role="status">${yes === null ? t("rematch.ask") : mine ? t("rematch.waiting") : t("rematch.offered")}
      ${seconds === null ? nothing : html`<span class="num">${t("time.seconds", { n: seconds })}</span>`}</p>
      ${yes === null ? nothing : html`<button class="btn" type="button" data-testid="rematch-no"
        @click=${() => answerRematch(table, false)}>${t(mine ? "rematch.take_back" : "rematch.no")}</button>`}
      ${mine ? nothing : html`<button class="btn btn--brass" type="button" data-testid="rematch"
        @click=${() => answerRematch(table, true)}>${icon("rotate-ccw")}${t("rematch.title")}</button>`}</div></section>`;
}

/* ---- to resign ---- */

/** The offer of my side, if one was made. @param {TableView} view */
function offerOf(view) {
  const { seat } = view.you;
  return seat === null ? null : (view.resign[sideOf(seat, view.seats.length)] ?? null);
}

/** Whether I may offer to give up now. @param {Table} table */
export function mayResign(table) {
  const view = table.state?.view ?? null;
  return view !== null && view.status === "playing" && view.you.seat !== null && offerOf(view) === null;
}

/** @param {Table} table @param {number | null} decision @param {boolean} yes */
const answerResign = (table, decision, yes) => void ask(table, decision, { type: "resign", yes });

/** Asked once more before it is said. @param {Table} table @param {TableView} view */
export function resignDialog(table, view) {
  const seat = view.you.seat ?? 0;
  const partner = view.seats.length === 4 ? (seat + 2) % 4 : null;
  const alone = partner === null || view.seats[partner].kind === "bot" || view.seats[partner].sitting_in;
  const text = alone ? t("resign.text.alone") : t("resign.text", { partner: nameAt(view, /** @type {number} */ (partner)) });
  const yes = () => { table.closePanel(); answerResign(table, null, true); };
  return html`<div class="scrim" @click=${() => table.closePanel()}></div>
    <div class="dialog panel" role="alertdialog" aria-modal="true" aria-labelledby="rs-t" data-dialog data-testid="resign-dialog">
      <h2 id="rs-t">${t("resign.title")}</h2><p>${text}</p>
      <div class="dialog__foot"><button class="btn" type="button" data-first @click=${() => table.closePanel()}>${t("resign.play_on")}</button>
        <button class="btn btn--wine" type="button" data-testid="resign-sure" @click=${yes}>${icon("flag")}${t("resign.sure")}</button></div></div>`;
}

/** What my partner asks, or what I have asked. @param {Table} table */
export function resignNotice(table) {
  const view = table.state?.view ?? null;
  const offer = view === null ? null : offerOf(view);
  if (view === null || offer === null || offer.refused || view.status !== "playing") return nothing;
  if (offer.seat === view.you.seat) {
    return html`<div class="notice" role="status" data-testid="resign-mine"><p>${t("resign.waiting", { partner: nameAt(view, (offer.seat + 2) % 4) })}</p>
      <button class="btn" type="button" @click=${() => answerResign(table, null, false)}>${t("resign.take_back")}</button></div>`;
  }
  const open = table.state?.turn?.also?.find((one) => one.kind === "resign")?.decision ?? null;
  return html`<div class="notice notice--ask" role="alert" data-testid="resign-asked"><p>${t("resign.asked", { who: nameAt(view, offer.seat) })}</p>
    <button class="btn" type="button" data-testid="resign-no" @click=${() => answerResign(table, open, false)}>${t("resign.play_on")}</button>
    <button class="btn btn--wine" type="button" data-testid="resign-yes" @click=${() => answerResign(table, open, true)}>${t("resign.agree")}</button></div>`;
}

/* ---- the rest ---- */

/** On lead and certain of every trick: one press instead of all the cards. @param {Table} table */
export function claimButton(table) {
  const open = table.state?.turn?.also?.find((one) => one.kind === "claim");
  if (open === undefined || table.myTurn?.kind !== "play" || table.cards.length < 2) return nothing;
  return html`<button class="btn claim" type="button" data-testid="claim" ?disabled=${table.sent !== null}
    @click=${() => table.answer({ type: "claim" }, "claim", open.decision)}>${icon("layers")}${t("claim")}</button>`;
}

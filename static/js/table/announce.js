/**
 * What I announce: declarations, with my first card or before the lead, and belote. Which ones I
 * hold and may withhold comes with the turn; the page only keeps my choice.
 */
import { num, t } from "../i18n.js";
import { cardName, cardSign, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { panel } from "./auction/parts.js";
import { beloteWord, rulesOf } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").Declaration} Declaration */
/** @typedef {import("../core/types.js").GameView} GameView */

/** A declaration's name among mine. @param {Declaration} one */
export const keyOf = (one) => one.cards.join("");

/** Asked before the lead: I declare, or say nothing. @param {Table} table */
export function declarePanel(table) {
  const held = table.myTurn?.legal?.declarations ?? [];
  // Whoever holds nothing is asked like everybody else; the server answers for them.
  if (held.length === 0) return html`<p class="cue cue--wait cue--still" data-testid="declare-empty">${t("announce.empty")}</p>`;
  const chosen = table.announced(held);
  const words = chosen.length === 0 ? t("announce.nothing") : t("announce.declare");
  return panel("declare", t("announce.title"), t("announce.before_lead"), table, html`${toggles(table, held)}
    <div class="bid__go">${chosen.length === 0 ? nothing : html`<button class="btn" type="button" data-testid="declare-none"
        ?disabled=${table.sent !== null} @click=${() => table.declare([])}>${t("announce.nothing")}</button>`}
      <button class="btn btn--ember" type="button" data-testid="declare-go" ?disabled=${table.sent !== null}
        @click=${() => table.declare(chosen)}>${words}</button></div>`);
}

/** @param {Table} table @param {Declaration[]} held */
const toggles = (table, held) => html`<div class="anns" role="group" aria-label=${t("announce.title")}>${held.map(
  (one) => html`<button class="ann" type="button" data-testid="announce-${one.cards.join("-")}"
    aria-pressed=${!table.withheld.has(keyOf(one))} aria-label=${label(one)} @click=${() => table.toggleDeclaration(keyOf(one))}>
    ${icon(table.withheld.has(keyOf(one)) ? "plus" : "check", "icon--sm")}<b>${t(`declaration.${one.kind}`)}</b>
    <span class="decl">${one.cards.map(cardSign)}</span><small class="num">+${num(one.points)}</small></button>`)}</div>`;

/** @param {Declaration} one */
const label = (one) => t("announce.one", { what: t(`declaration.${one.kind}`), cards: one.cards.map(cardName).join(", "), n: one.points });

/** In the line between trick and hand, while it is my turn to play. @param {Table} table */
export function announceStrip(table) {
  const view = table.state?.view;
  const legal = table.myTurn?.kind === "play" ? table.myTurn.legal : null;
  const held = legal?.declarations ?? [];
  const belote = legal?.belote ?? [];
  if (!view || (held.length === 0 && belote.length === 0)) return nothing;
  const word = beloteWord(rulesOf(view), belote.length > 0 && table.beloteBegun ? "rebelote" : "belote");
  return html`<div class="strip" data-testid="announce">
    ${held.length === 0 ? nothing : html`<p>${t("announce.with_card")}</p>${toggles(table, held)}`}
    ${belote.length === 0 ? nothing : html`<button class="ann ann--belote" type="button" data-testid="say-belote"
      aria-pressed=${!table.silent} @click=${() => table.toggleBelote()}>${icon(table.silent ? "volume-x" : "megaphone", "icon--sm")}
      <b>${word}</b><small>${t(table.silent ? "announce.silent" : "announce.said", { cards: "" })}</small>
      <span class="decl">${belote.map(cardSign)}</span></button>`}</div>`;
}

/** What a seat has announced in this deal, and what became of it. @param {GameView} game @param {number} seat */
export function announcedAt(game, seat) {
  if (!["play", "declaring", "scored"].includes(game.phase)) return nothing;
  const kinds = game.declarations.filter((one) => one.seat === seat && one.outcome !== "withheld");
  const said = game.belote.filter((one) => one.seat === seat);
  if (kinds.length === 0 && said.length === 0) return nothing;
  return html`<span class="seat__said">${kinds.map((one) => html`<i class="said said--${one.outcome ?? "open"}"
      title=${t(`outcome.${one.outcome ?? "open"}`)}>${t(`declaration.${one.kind}`)}<span class="sr">, ${t(`outcome.${one.outcome ?? "open"}`)}</span></i>`)}
    ${said.map((one) => html`<i class="said said--scored">${beloteWord(game.rules, one.said === 2 ? "short" : "belote_short")}</i>`)}</span>`;
}

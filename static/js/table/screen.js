/** The table's screen: finds the table, follows it, and shows what it is at: waiting, play, end. */
import { attempt, ensurePlayer, link, shut, update } from "../app.js";
import { errorText, t } from "../i18n.js";
import { prefs } from "../prefs.js";
import { go } from "../router.js";
import { icon, preloadDeck, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { settingsOpen } from "../ui/settings.js";
import { brand, connectionSign, pageBar, settingsButton } from "../ui/topbar.js";
import { houseChips } from "../rules/chips.js";
import { TableController } from "./controller.js";
import { matchEnd } from "./end.js";
import { felt } from "./felt.js";
import { side } from "./pad.js";
import { panels, soundLabel, toggleSound } from "./panels.js";
import { hostButton } from "./people.js";
import { readyDialog } from "./ready.js";
import { waitingRoom } from "./waiting.js";
import { watchCount } from "./watching.js";
import { watchParty } from "../views/party.js";

/** @typedef {import("../core/types.js").TableView} TableView */

/** @param {string} code @returns {import("../app.js").Screen} */
export function tableScreen(code) {
  preloadDeck();
  shut.delete(code);
  const table = new TableController(code);
  const late = new URLSearchParams(location.search).get("seat");
  if (late !== null && /^[0-3]$/.test(late)) table.lateSeat = Number(late);
  void follow(code);
  const unwatch = watchParty(() => stage(table) === "end");
  return {
    title: () => t(table.myTurn === null ? "table.title" : "table.title.turn", { code }),
    body: () => bodyClass(table),
    render: () => render(table),
    onKey: (event) => onKey(table, event),
    dispose: () => {
      unwatch();
      table.dispose();
      link.unfollow(code);
    },
  };
}

/** @param {string} code */
async function follow(code) {
  const known = await attempt(async () => {
    await ensurePlayer();
    const { api } = await import("../net/api.js");
    await api.get(`/api/tables/${encodeURIComponent(code)}`);
    link.start();
    link.follow(code);
    return true;
  });
  if (!known) await go("/", { replace: true });
}

/** @param {TableController} table */
function stage(table) {
  const view = table.shown;
  if (shut.has(table.code)) return "shut";
  if (view === null) return "loading";
  if (view.game === null) return view.status === "closed" ? "closed" : "waiting";
  const ended = view.game.phase === "ended" && table.presenter?.upToDate;
  // A match that ended with a deal shows that deal's sheet first.
  const byDeal = ["target", "deal"].includes(view.game.result?.reason ?? "");
  if (ended && (table.endSeen || !byDeal)) return "end";
  if (view.status === "closed" && view.game.phase !== "ended") return "closed";
  return "play";
}

/** Panels that make sense beside the result. */
const OVER_THE_END = new Set(["host", "person", "rules"]);

/** Which layout the style sheets lay out. @param {TableController} table */
function bodyClass(table) {
  switch (stage(table)) {
    case "play": {
      const game = table.shown?.game;
      if (!game || !["auction", "dealing", "declaring"].includes(game.phase)) return "page-table page-play";
      const wide = game.rules.auction === "levels" || game.rules.auction === "contracts";
      return `page-table page-bid ${game.phase === "declaring" ? "page-declaring" : wide ? "page-coinche" : "page-turnup"}`;
    }
    case "end":
      return "page-end";
    default:
      return "page-waiting";
  }
}

/** @param {TableController} table */
function render(table) {
  const view = table.shown;
  switch (stage(table)) {
    case "loading":
      return html`${pageBar()}<main class="waiting"><p class="dim">${t("loading")}</p></main>`;
    case "shut": {
      const why = shut.get(table.code) ?? "";
      return html`${pageBar()}<main class="waiting waiting--closed" data-testid="shut"><h1>${why === "forbidden" ? t("watch.forbidden") : errorText(why)}</h1>
        <a class="btn btn--brass btn--big" href="/lobby">${t("nav.lobby")}</a></main>`;
    }
    case "closed":
      return html`${pageBar()}<main class="waiting waiting--closed"><h1>${t("table.closed")}</h1>
        <a class="btn btn--brass btn--big" href="/">${t("nav.home")}</a></main>`;
    case "waiting":
      return html`${tableBar(table, /** @type {TableView} */ (view))}
        ${waitingRoom(table, /** @type {TableView} */ (view))}${panels(table)}${readyDialog(table, /** @type {TableView} */ (table.state?.view ?? view))}`;
    case "end":
      return html`${pageBar()}${matchEnd(table, /** @type {any} */ (view), /** @type {any} */ (view?.game))}${OVER_THE_END.has(table.panel ?? "") ? panels(table) : nothing}
        ${readyDialog(table, /** @type {TableView} */ (table.state?.view ?? view))}`;
    default: {
      const game = /** @type {import("../core/types.js").GameView} */ (view?.game);
      return html`${tableBar(table, /** @type {TableView} */ (view))}
        <main class="room" data-seq=${table.shownSeq} data-decision=${table.state?.turn?.decision ?? nothing}>${felt(table, game)}${side(table, game)}</main>${panels(table)}`;
    }
  }
}

/** @param {TableController} table @param {TableView} view */
const tableBar = (table, view) => html`<header class="topbar">${brand()}
  <span class="chip chip--x">${presetName(view.options.preset)}</span>
  <span class="chip chip--x chip--line">${t("points", { n: view.options.rules.target })}</span>
  ${houseChips(view.options, "chip--x", () => table.open("rules"))}
  <span class="chip chip--x chip--line" data-testid=${view.game === null ? nothing : "table-code"}>${view.code}</span>
  <div class="topbar__end">${watchCount(table.state?.view ?? view)}${connectionSign()}
    ${view.game === null ? nothing : hostButton(table, table.state?.view ?? view)}
    <button class="iconbtn iconbtn--sound" type="button" aria-label=${soundLabel()} @click=${toggleSound}
      >${icon(prefs.sounds ? "volume-2" : "volume-x")}</button>
    ${view.game === null ? nothing : html`<button class="iconbtn iconbtn--sheet" type="button"
      aria-label=${t("table.score_sheet")} @click=${() => table.openSheet(null)}>${icon("scroll-text")}</button>`}
    <button class="iconbtn iconbtn--rules" type="button" aria-label=${t("rules.open")} title=${t("rules.open")} data-testid="table-rules"
      @click=${() => table.open("rules")}>${icon("book-open")}</button>
    ${settingsButton()}
    <button class="iconbtn" type="button" aria-label=${t("table.leave")} data-testid="leave"
      @click=${() => table.open("leave")}>${icon("log-out")}</button></div></header>`;

/**
 * Keys: 1 to 8 a card, arrows lift, Enter plays, P passes, L the last trick, S the sheet, Escape
 * closes. @param {TableController} table @param {KeyboardEvent} event
 */
function onKey(table, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || settingsOpen()) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, select, textarea")) return;
  if (event.key === "Escape") {
    if (table.panel !== null) table.closePanel();
    else table.lift(null);
    return;
  }
  if (table.panel === "last" && event.key.toLowerCase() === "l") {
    table.closePanel();
    return;
  }
  if (table.panel !== null || stage(table) !== "play") return;
  if (keyOnHand(table, event, target)) event.preventDefault();
}

/** @param {TableController} table @param {KeyboardEvent} event @param {HTMLElement} target whether the key was used */
function keyOnHand(table, event, target) {
  const { cards } = table;
  const number = Number(event.key);
  if (number >= 1 && number <= cards.length) {
    focusCard(cards[number - 1]);
    table.press(cards[number - 1], false);
    return true;
  }
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowRight":
      step(table, cards, event.key === "ArrowLeft" ? -1 : 1);
      return true;
    case "Enter":
      // On a button Enter is that button's own.
      if (target.closest("button, a") || table.lifted === null) return false;
      table.press(table.lifted, true);
      return true;
    case "p": case "P":
      table.pass();
      return true;
    case "l": case "L":
      table.showLastTrick();
      return true;
    case "s": case "S":
      table.openSheet(null);
      return true;
    default:
      return false;
  }
}

/** On my turn the arrows go over the cards that may be played, else through the hand. @param {TableController} table @param {string[]} hand @param {number} by */
function step(table, hand, by) {
  const turn = table.myTurn?.kind === "play" ? table.myTurn : null;
  const cards = turn === null ? hand : hand.filter((card) => turn.legal?.cards.includes(card));
  if (cards.length === 0) return;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.card ?? "";
  const at = cards.indexOf(table.lifted ?? focused);
  const next = cards[at === -1 ? (by > 0 ? 0 : cards.length - 1) : (at + by + cards.length) % cards.length];
  focusCard(next);
  if (turn !== null) table.lift(next);
  update();
}

/** @param {string} card */
const focusCard = (card) =>
  /** @type {HTMLElement | null} */ (document.querySelector(`.hand [data-card="${card}"], .piles [data-card="${card}"]`))?.focus();

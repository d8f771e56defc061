/** Open tables, live, as rows that never jump under the pointer. */
import { attempt, beside, connection, ensurePlayer, link, me, partyOfMine, update } from "../app.js";
import { ageMinutes, EVERYTHING, isOpen, swept, wanted, withChange, withList } from "../core/lobby.js";
import { num, t } from "../i18n.js";
import { api } from "../net/api.js";
import { go } from "../router.js";
import { knownPresets, loadPresets } from "../rules/book.js";
import { listChips } from "../rules/chips.js";
import { cardFace, face, icon, presetName } from "../ui/bits.js";
import { html, nothing, repeat } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";
import { createSheet, openCreate } from "./make.js";
import { joinByCode } from "./join.js";
import { invite, partyBox, partySheet, watchParty } from "./party.js";
import { playNow, withPartner } from "./seek.js";
import { wishButton, wishSheet } from "./wish.js";

/** How often a newcomer, who has no socket yet, asks for the list; and how often ages are drawn. */
const REFRESH_MS = 5_000;

/** @typedef {import("../core/lobby.js").Row} Row */
/** @typedef {import("../core/lobby.js").RowSeat} RowSeat */
/** @typedef {import("../core/lobby.js").Filter} Filter */

/** What one looks for is kept while the page is open. @type {Filter} */
let filter = { ...EVERYTHING };

/** @returns {import("../app.js").Screen} */
export function lobby() {
  /** @type {Row[] | null} */
  let rows = null;
  let more = false;
  let code = "";
  let codeError = "";
  const asRest = async () => {
    if (document.hidden || isLive()) return;
    const query = new URLSearchParams(wanted(filter));
    const answer = await attempt(() => api.get(`/api/tables?${query}`));
    if (answer === undefined || isLive()) return;
    rows = withList(rows ?? [], answer.tables);
    more = answer.more ?? false;
    update();
  };
  const follow = () => {
    if (isLive()) link.send({ t: "lobby", on: true, ...wanted(filter) });
    else void asRest();
  };
  const hear = (/** @type {any} */ frame) => {
    if (frame.t === "welcome") follow();
    if (frame.t !== "lobby") return;
    rows = frame.full ? withList(rows ?? [], frame.tables) : withChange(rows ?? [], frame.tables, frame.gone ?? []);
    more = frame.more;
    update();
  };
  const unwatch = watchParty();
  beside.add(hear);
  follow();
  void attempt(loadPresets).then(update);
  const timer = setInterval(() => { void asRest(); update(); }, REFRESH_MS);
  const choose = (/** @type {Partial<Filter>} */ change) => {
    filter = { ...filter, ...change };
    rows = null;
    follow();
    update();
  };
  const sweep = (/** @type {PointerEvent} */ event) => {
    if (rows === null || event.pointerType !== "mouse") return;
    rows = swept(rows);
    update();
  };

  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    codeError = await joinByCode(code);
    update();
  };

  const start = () => html`<section class="start" aria-label=${t("lobby.start")}>
    <button class="playnow" type="button" data-testid="play-now" @click=${() => playNow()}>
      <span class="playnow__cards" aria-hidden="true">${["JH", "9H", "AH"].map((card) => cardFace(card))}</span>
      <span><b class="display">${t(withPartner() ? "party.play" : "landing.play")}</b><small>${t("lobby.play.text")}</small></span>${icon("arrow-right")}</button>
    <button class="btn btn--big" type="button" data-testid="create-table" @click=${() => openCreate()}>${icon("plus")}${t("landing.create")}</button>
    <form class="code" @submit=${submit}><label for="lcode">${t("landing.join")}</label>
      <input id="lcode" data-testid="join-code" placeholder="K7Q2MD" autocomplete="off" maxlength="9"
        .value=${code} @input=${(/** @type {any} */ e) => { code = e.target.value; }}>
      <button class="btn" type="submit">${t("action.join")}</button>
      ${codeError ? html`<p class="code__error" role="alert">${codeError}</p>` : nothing}</form>
    <div class="start__foot">${wishButton()}${partyBox()}
      ${partyOfMine() !== null ? nothing : html`<button class="wishline" type="button" data-testid="invite" @click=${() => invite()}>${icon("users", "icon--sm")}<span>${t("party.invite")}</span></button>`}</div></section>`;

  const list = () => {
    if (rows === null) return html`<p class="dim">${t("loading")}</p>`;
    if (rows.length === 0) return html`<p class="empty panel">${t("lobby.empty")}</p>`;
    return html`<ol class="rows" @pointerleave=${sweep}>${repeat(rows, (row) => row.code, tableRow)}</ol>
      ${more ? html`<p class="dim">${t("lobby.more")}</p>` : nothing}`;
  };

  return {
    title: () => t("lobby.title"),
    body: () => "page-lobby",
    dispose: () => {
      clearInterval(timer);
      unwatch();
      beside.delete(hear);
      if (isLive()) link.send({ t: "lobby", on: false });
    },
    render: () => html`${pageBar()}<main class="lobby lobby--one">${start()}
      <section class="tables" aria-labelledby="tb"><div class="shead"><h1 id="tb">${t("lobby.title")}</h1>
        <span>${rows === null ? "" : t("lobby.count", { n: swept(rows).length })}</span></div>
      ${filters(choose)}${list()}</section></main>${phoneTabs()}${createSheet()}${wishSheet()}${partySheet()}`,
  };
}

/** Whether the list comes by itself. */
const isLive = () => me() !== null && connection().status === "online";

/** @param {(change: Partial<Filter>) => void} choose */
function filters(choose) {
  const presets = /** @type {[string, string][]} */ ((knownPresets() ?? []).map(({ name }) => [name, presetName(name)]));
  return html`<div class="filters" role="group" aria-label=${t("lobby.filters")}>
    ${pick("game", filter.preset, [[null, t("lobby.any.game")], ...presets], (preset) => choose({ preset }))}
    ${pick("rated", filter.rated, [[null, t("lobby.any.rated")], [false, t("casual")], [true, t("rated")]], (rated) => choose({ rated }))}
    ${pick("speed", filter.speed, [[null, t("lobby.any.speed")], ...["fast", "normal", "relaxed"].map((speed) => /** @type {[string, string]} */ ([speed, t(`speed.${speed}`)]))],
      (speed) => choose({ speed }))}
    ${pick("seats", filter.seats, [[0, t("lobby.any.seats")], ...[1, 2, 3].map((n) => /** @type {[number, string]} */ ([n, t("lobby.seats", { n })]))],
      (seats) => choose({ seats }))}
    <button class="chip chip--pick" type="button" data-testid="filter-running" aria-pressed=${filter.running}
      @click=${() => choose({ running: !filter.running })}>${icon("eye", "icon--sm")}${t("lobby.running")}</button></div>`;
}

/**
 * @template T @param {string} name @param {T} value @param {[T, string][]} options @param {(value: T) => void} choose
 */
const pick = (name, value, options, choose) => html`<label class="filter"><span class="sr">${t(`lobby.filter.${name}`)}</span>
  <select data-testid="filter-${name}" @change=${(/** @type {any} */ e) => choose(options[e.target.selectedIndex][0])}>
    ${options.map(([option, text]) => html`<option ?selected=${option === value}>${text}</option>`)}</select></label>`;

/** @param {Row} row */
function tableRow(row) {
  const joins = row.seats.some((seat) => isOpen(row, seat));
  const playing = row.status === "playing";
  const watched = playing && row.spectators && !row.gone;
  const first = row.seats.find((seat) => seat.player !== null && seat.player === row.host) ?? row.seats.find((seat) => seat.kind === "person");
  return html`<li class="trow panel ${joins || watched ? "" : "is-full"} ${row.gone ? "is-gone" : ""}" data-testid="row-${row.code}">
    <div class="trow__name"><h3>${first?.name ? t("lobby.table_of", { who: first.name }) : row.code}</h3>
      <div class="chips"><span class="chip chip--brass">${presetName(row.preset)}</span>
      ${listChips(row.house)}
      ${row.rated ? html`<span class="chip chip--line">${t("rated")}</span>` : nothing}
      <span class="chip chip--line">${row.gone ? t("lobby.gone") : playing ? t("lobby.playing") : t("lobby.age", { n: ageMinutes(row, Date.now()) })}</span></div></div>
    <div class="trow__meta"><span>${icon("flag", "icon--sm")}${num(row.target)}</span>
      <span>${icon("timer", "icon--sm")}${t(`speed.${row.speed}`)}</span></div>
    <ol class="seats">${row.seats.map((seat, i) => rowSeat(row, seat, i))}</ol>
    ${watched ? html`<a class="btn trow__go" href="/t/${row.code}" data-testid="watch-${row.code}">${t("lobby.watch")}</a>`
      : html`<button class="btn trow__go" type="button" ?disabled=${!joins || playing} @click=${() => sit(row, null)}>${t("action.join")}</button>`}</li>`;
}

/** @param {Row} row @param {RowSeat} seat @param {number} i */
function rowSeat(row, seat, i) {
  const open = isOpen(row, seat);
  if (seat.kind === "free") {
    return html`<li class="s-free"><button type="button" class="sit" ?disabled=${!open} data-testid="sit-${row.code}-${i}"
      aria-label=${t("waiting.sit_at", { n: i + 1 })} @click=${() => sit(row, i)}>${icon("plus")}</button></li>`;
  }
  const sub = seat.kind === "bot" ? t("seat.bot") : seat.level === null ? "" : t("level", { n: seat.level });
  if (open) {
    const words = t("watch.sit_for", { who: seat.name ?? t("seat.bot") });
    return html`<li><button type="button" class="sit sit--bot" data-testid="sit-${row.code}-${i}" title=${words} aria-label=${words}
      @click=${() => sit(row, i)}>${face(seat.avatar, "avatar--sm")}${icon("plus", "icon--sm")}</button><span><b>${seat.name}</b><small>${sub}</small></span></li>`;
  }
  return html`<li>${face(seat.avatar, "avatar--sm")}<span><b>${seat.name}</b><small>${sub}</small></span></li>`;
}

/**
 * A free seat is taken at once; a bot's only between two deals: who may watch waits for that at the
 * table. @param {Row} row @param {number | null} seat
 */
const sit = (row, seat) => attempt(async () => {
  await ensurePlayer();
  if (row.status === "playing" && row.spectators) {
    await go(`/t/${row.code}?seat=${seat}`);
    return;
  }
  await api.post(`/api/tables/${row.code}/seats`, seat === null ? {} : { seat });
  await go(`/t/${row.code}`);
});

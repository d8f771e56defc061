/** Open tables, as rows that never jump under the pointer. */
import { attempt, ensurePlayer, update } from "../app.js";
import { num, t } from "../i18n.js";
import { api } from "../net/api.js";
import { go } from "../router.js";
import { listChips } from "../rules/chips.js";
import { cardFace, face, icon, presetName } from "../ui/bits.js";
import { html, nothing, repeat } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";
import { createSheet, openCreate } from "./make.js";
import { joinByCode, playNow } from "./landing.js";

/** How often the list is asked for while the page is looked at. */
const REFRESH_MS = 5_000;

/** @typedef {{ kind: string, player: string | null, name: string | null, avatar: string | null, level: number | null }} RowSeat */
/**
 * @typedef {{ code: string, status: string, preset: string, target: number, speed: string,
 *   rated?: boolean, house?: Record<string, any>, seats: RowSeat[], age_s?: number, bots?: string | null, gone?: boolean }} Row
 */

/** @returns {import("../app.js").Screen} */
export function lobby() {
  /** @type {Row[] | null} */
  let rows = null;
  let filter = "all";
  let code = "";
  let codeError = "";
  const load = async () => {
    if (document.hidden) return;
    const answer = await attempt(() => api.get("/api/tables"));
    if (answer === undefined) return;
    rows = keepPlaces(rows ?? [], answer.tables);
    update();
  };
  void load();
  const timer = setInterval(load, REFRESH_MS);

  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    codeError = await joinByCode(code);
    update();
  };

  const start = () => html`<section class="start" aria-label=${t("lobby.start")}>
    <button class="playnow" type="button" data-testid="play-now" @click=${() => playNow()}>
      <span class="playnow__cards" aria-hidden="true">${["JH", "9H", "AH"].map((card) => cardFace(card))}</span>
      <span><b class="display">${t("landing.play")}</b><small>${t("lobby.play.text")}</small></span>${icon("arrow-right")}</button>
    <button class="btn btn--big" type="button" data-testid="create-table" @click=${() => openCreate()}>${icon("plus")}${t("landing.create")}</button>
    <form class="code" @submit=${submit}><label for="lcode">${t("landing.join")}</label>
      <input id="lcode" data-testid="join-code" placeholder="K7Q2MD" autocomplete="off" maxlength="9"
        .value=${code} @input=${(/** @type {any} */ e) => { code = e.target.value; }}>
      <button class="btn" type="submit">${t("action.join")}</button>
      ${codeError ? html`<p class="code__error" role="alert">${codeError}</p>` : nothing}</form></section>`;

  const filters = () => html`<div class="filters" role="group" aria-label=${t("lobby.filters")}>
    ${["all", "free", "fast", "normal", "relaxed"].map((name) => html`<button class="chip chip--pick" type="button"
      aria-pressed=${filter === name} @click=${() => { filter = name; update(); }}>${t(`lobby.filter.${name}`)}</button>`)}</div>`;

  const list = () => {
    if (rows === null) return html`<p class="dim">${t("loading")}</p>`;
    const shown = rows.filter((row) => matches(row, filter));
    if (shown.length === 0) return html`<p class="empty panel">${t("lobby.empty")}</p>`;
    return html`<ol class="rows">${repeat(shown, (row) => row.code, tableRow)}</ol>`;
  };

  return {
    title: () => t("lobby.title"),
    body: () => "page-lobby",
    dispose: () => clearInterval(timer),
    render: () => html`${pageBar()}<main class="lobby lobby--one">${start()}
      <section class="tables" aria-labelledby="tb"><div class="shead"><h1 id="tb">${t("lobby.title")}</h1>
        <span>${rows === null ? "" : t("lobby.count", { n: rows.filter((row) => !row.gone).length })}</span></div>
      ${filters()}${list()}</section></main>${phoneTabs()}${createSheet()}`,
  };
}

/** New rows enter at the foot; one that closed greys and keeps its place. @param {Row[]} old @param {Row[]} fresh */
function keepPlaces(old, fresh) {
  const byCode = new Map(fresh.map((row) => [row.code, row]));
  const kept = old.filter((row) => byCode.has(row.code) || !row.gone)
    .map((row) => byCode.get(row.code) ?? { ...row, gone: true });
  const known = new Set(old.map((row) => row.code));
  return [...kept, ...fresh.filter((row) => !known.has(row.code))];
}

/** @param {Row} row @param {string} filter */
function matches(row, filter) {
  if (filter === "all") return true;
  if (filter === "free") return row.status === "waiting" && row.seats.some((seat) => seat.kind === "free");
  return row.speed === filter;
}

/** @param {Row} row */
function tableRow(row) {
  const open = row.status === "waiting" && row.seats.some((seat) => seat.kind === "free") && !row.gone;
  const first = row.seats.find((seat) => seat.kind === "person");
  return html`<li class="trow panel ${open ? "" : "is-full"} ${row.gone ? "is-gone" : ""}">
    <div class="trow__name"><h3>${first?.name ? t("lobby.table_of", { who: first.name }) : row.code}</h3>
      <div class="chips"><span class="chip chip--brass">${presetName(row.preset)}</span>
      ${listChips(row.house)}
      ${row.rated ? html`<span class="chip chip--line">${t("rated")}</span>` : nothing}</div></div>
    <div class="trow__meta"><span>${icon("flag", "icon--sm")}${num(row.target)}</span>
      <span>${icon("timer", "icon--sm")}${t(`speed.${row.speed}`)}</span></div>
    <ol class="seats">${row.seats.map((seat, i) => rowSeat(row, seat, i, open))}</ol>
    <button class="btn trow__go" type="button" ?disabled=${!open} @click=${() => sit(row.code, null)}>${t("action.join")}</button></li>`;
}

/** @param {Row} row @param {RowSeat} seat @param {number} i @param {boolean} open */
function rowSeat(row, seat, i, open) {
  if (seat.kind === "free") {
    return html`<li class="s-free"><button type="button" class="sit" ?disabled=${!open}
      aria-label=${t("waiting.sit_at", { n: i + 1 })} @click=${() => sit(row.code, i)}>${icon("plus")}</button></li>`;
  }
  const sub = seat.kind === "bot" ? t("seat.bot") : seat.level === null ? "" : t("level", { n: seat.level });
  return html`<li>${face(seat.avatar, "avatar--sm")}<span><b>${seat.name}</b><small>${sub}</small></span></li>`;
}

/** @param {string} code @param {number | null} seat */
const sit = (code, seat) => attempt(async () => {
  await ensurePlayer();
  await api.post(`/api/tables/${code}/seats`, seat === null ? {} : { seat });
  await go(`/t/${code}`);
});


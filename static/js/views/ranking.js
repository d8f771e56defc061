/** The ranking by experience; my row always in view. */
import { attempt, me, update } from "../app.js";
import { num, t } from "../i18n.js";
import { api } from "../net/api.js";
import { face, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";

const PAGE = 25;

/** @typedef {{ rank: number, player: { id: string, name: string, avatar: string }, xp: number, level: number, matches: number, won: number }} Row */
/** @typedef {{ rows: Row[], me: Row | null, total: number }} Ranking */

/** @returns {import("../app.js").Screen} */
export function ranking() {
  /** @type {Ranking | null} */
  let page = null;
  let offset = 0;
  const load = async (/** @type {number} */ from) => {
    const answer = await attempt(() => api.get(`/api/leaderboards/experience?limit=${PAGE}&offset=${from}`));
    if (answer === undefined) return;
    page = answer;
    offset = from;
    update();
  };
  void load(0);

  const pager = (/** @type {Ranking} */ one) => one.total <= PAGE ? nothing : html`<div class="pager">
    <button class="btn" type="button" ?disabled=${offset === 0} @click=${() => load(Math.max(0, offset - PAGE))}
      >${icon("arrow-left")}${t("action.previous")}</button>
    <span class="num">${t("pager", { from: offset + 1, to: Math.min(one.total, offset + PAGE), total: one.total })}</span>
    <button class="btn" type="button" ?disabled=${offset + PAGE >= one.total} @click=${() => load(offset + PAGE)}
      >${t("action.next")}${icon("arrow-right")}</button></div>`;

  return {
    title: () => t("nav.ranking"),
    body: () => "page-ranking page-plain",
    render: () => html`${pageBar()}<main class="plain"><h1>${t("ranking.title")}</h1>
      <p class="dim">${t("ranking.text")}</p>
      ${page === null ? html`<p class="dim">${t("loading")}</p>` : html`${table(page)}${pager(page)}`}</main>${phoneTabs()}`,
  };
}

/** @param {Ranking} page */
function table(page) {
  if (page.rows.length === 0) return html`<p class="empty panel">${t("ranking.empty")}</p>`;
  const mine = me()?.id;
  const apart = page.me !== null && !page.rows.some((row) => row.player.id === mine);
  return html`<table class="ranking paper" data-testid="ranking"><thead><tr><th scope="col">${t("ranking.rank")}</th>
    <th scope="col">${t("ranking.player")}</th><th scope="col">${t("ranking.level")}</th>
    <th scope="col" class="opt">${t("ranking.matches")}</th><th scope="col" class="opt">${t("ranking.won")}</th>
    <th scope="col">${t("ranking.xp")}</th></tr></thead>
    <tbody>${page.rows.map((row) => line(row, row.player.id === mine))}
      ${apart ? html`<tr class="gap"><td colspan="6">…</td></tr>${line(/** @type {Row} */ (page.me), true)}` : nothing}</tbody></table>`;
}

/** @param {Row} row @param {boolean} mine */
const line = (row, mine) => html`<tr class=${mine ? "me" : ""} data-testid=${mine ? "my-row" : nothing}>
  <td class="num">${num(row.rank)}</td><td><span class="who">${face(row.player.avatar, "avatar--xs")}<b>${row.player.name}</b></span></td>
  <td class="num">${num(row.level)}</td><td class="num opt">${num(row.matches)}</td><td class="num opt">${num(row.won)}</td>
  <td class="num"><b>${num(row.xp)}</b></td></tr>`;

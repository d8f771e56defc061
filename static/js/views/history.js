/** My matches, the latest first. */
import { attempt, loadPlayer, me, update } from "../app.js";
import { num, t, when } from "../i18n.js";
import { api } from "../net/api.js";
import { icon, presetName } from "../ui/bits.js";
import { html, nothing, repeat } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";

/** @typedef {{ seat: number, side: number, id: string | null, name: string, avatar: string, won: boolean | null, outcome: string | null, xp: number | null }} MatchSeat */
/**
 * @typedef {{ id: string, table: string, preset: string, target: number, started_at: string,
 *   ended_at: string | null, reason: string | null, winner: number | null,
 *   totals: number[] | null, deals: number | null, players: MatchSeat[] }} Match
 */

/** @returns {import("../app.js").Screen} */
export function historyScreen() {
  /** @type {Match[] | null} */
  let matches = null;
  /** @type {string | null} */
  let next = null;
  const load = () => attempt(async () => {
    if (me() === null && (await loadPlayer()) === null) {
      matches = [];
      update();
      return;
    }
    const answer = await api.get(`/api/matches?player=me&limit=20${next ? `&before=${next}` : ""}`);
    matches = [...(matches ?? []), ...answer.matches];
    next = answer.next;
    update();
  });
  void load();
  return {
    title: () => t("nav.history"),
    body: () => "page-history page-plain",
    render: () => html`${pageBar()}<main class="plain"><h1>${t("history.title")}</h1>
      ${matches === null ? html`<p class="dim">${t("loading")}</p>` : matchList(matches, me()?.id ?? null)}
      ${next === null ? nothing : html`<button class="btn" type="button" @click=${load}>${t("history.more")}</button>`}
      </main>${phoneTabs()}`,
  };
}

/** @param {Match[]} matches @param {string | null} mine a player's id */
export function matchList(matches, mine) {
  if (matches.length === 0) {
    return html`<div class="empty panel"><p>${t("history.empty")}</p><a class="btn btn--brass" href="/">${t("landing.play")}</a></div>`;
  }
  return html`<ol class="matches" data-testid="history">${repeat(matches, (match) => match.id, (match) => row(match, mine))}</ol>`;
}

/** @param {Match} match @param {string | null} mine */
function row(match, mine) {
  const own = match.players.find((one) => one.id !== null && one.id === mine);
  const side = own?.side ?? 0;
  const result = own?.outcome === "quit" ? "quit" : match.ended_at === null ? "running"
    : match.winner === null ? "abandoned" : match.winner === side ? "won" : "lost";
  const totals = match.totals ?? match.players.map(() => 0);
  const others = totals.filter((_, i) => i !== side);
  const href = match.ended_at === null ? `/t/${match.table}` : `/match/${match.id}`;
  return html`<li class="panel match"><span class="res res--${result}">${t(`history.${result}`)}</span>
    <span class="match__what"><b>${presetName(match.preset)}</b>
      <small>${company(match, own)}, ${when(match.ended_at ?? match.started_at)}</small></span>
    <span class="match__totals num">${[totals[side], ...others].map((n) => num(n)).join("–")}</span>
    <span class="match__xp num">${own?.xp ? t("history.xp", { n: own.xp }) : ""}</span>
    <a class="btn" href=${href} data-testid="open-match">${icon(match.ended_at === null ? "play" : "film")}
      ${t(match.ended_at === null ? "history.go_on" : "end.review")}</a></li>`;
}

/** With a partner, or against one or two. @param {Match} match @param {MatchSeat | undefined} own */
function company(match, own) {
  const others = match.players.filter((one) => one.seat !== (own?.seat ?? 0));
  const partner = others.find((one) => one.side === (own?.side ?? 0));
  return partner !== undefined ? t("history.with", { who: partner.name })
    : t("history.against", { who: others.map((one) => one.name).join(", ") });
}

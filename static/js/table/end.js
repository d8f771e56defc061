/** The end of a match: who won, how it went, what it earned. */
import { attempt, loadPlayer, me, update } from "../app.js";
import { num, t } from "../i18n.js";
import { api } from "../net/api.js";
import { bar, face, icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { totalsGraph } from "../ui/graph.js";
import { playNow } from "../views/landing.js";
import { confetti } from "./motion.js";
import { usThem } from "./places.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */
/**
 * @typedef {{ lines: { reason: string, count: number, points: number }[], total: number,
 *   level_before: number, level_after: number, xp_before: number, xp_after: number,
 *   level_from: number, level_to: number }} Experience
 */

/** Experience by match: asked once each. @type {Map<string, Experience | null>} */
const earned = new Map();

/** @param {string} match */
function experienceOf(match) {
  if (!earned.has(match)) {
    earned.set(match, null);
    void attempt(async () => {
      earned.set(match, await api.get(`/api/matches/${match}/experience`));
      await loadPlayer();
      update();
    });
  }
  return earned.get(match) ?? null;
}

let celebrated = "";

/** @param {Table} table @param {TableView} view @param {GameView} game */
export function matchEnd(table, view, game) {
  const result = /** @type {import("../core/types.js").Result} */ (game.result);
  const [us, them] = usThem(result.totals, view.you.seat);
  const [weWon] = result.winner === null ? [false]
    : usThem([result.winner === 0, result.winner === 1], view.you.seat);
  const match = view.match?.id ?? "";
  if (weWon && view.you.seat !== null && celebrated !== match) {
    celebrated = match;
    void confetti();
  }
  return html`<main class="end" data-testid="match-end"><section class="win">
      <p class="eyebrow">${t("end.over", { deals: t("deals.n", { n: game.deals.length }) })}</p>
      <h1>${headline(view, result, weWon)}</h1>
      <div class="versus">${pair(view, true)}
        <p class="final"><b class="display" data-testid="final-us">${num(us)}</b><i>${t("end.to")}</i>
          <span class="display" data-testid="final-them">${num(them)}</span></p>${pair(view, false)}</div>
      ${totalsGraph({ deals: game.deals, target: game.rules.target, viewer: view.you.seat, end: result.totals })}
      <div class="end__go">${again(table, view)}
        <a class="btn btn--big" href="/lobby" data-testid="to-lobby">${t("nav.lobby")}</a>
        <a class="btn btn--big" href="/match/${match}" data-testid="review">${icon("film")}${t("end.review")}</a></div>
    </section>
    ${view.you.seat === null ? nothing : html`<aside class="gain">${experience(experienceOf(match))}</aside>`}</main>`;
}

/** @param {TableView} view @param {import("../core/types.js").Result} result @param {boolean} weWon */
function headline(view, result, weWon) {
  if (result.winner === null) return t("end.abandoned");
  if (view.you.seat === null) {
    const [a, b] = [result.winner, result.winner + 2].map((seat) => nameAt(view, seat));
    return t("end.they_win", { a, b });
  }
  const partner = nameAt(view, (view.you.seat + 2) % 4);
  if (weWon) return t("end.you_win", { partner });
  const [a, b] = [result.winner, result.winner + 2].map((seat) => nameAt(view, seat));
  return t("end.they_win", { a, b });
}

/** @param {TableView} view @param {boolean} ours */
function pair(view, ours) {
  const mine = view.you.seat ?? 0;
  const seats = ours ? [mine, (mine + 2) % 4] : [(mine + 1) % 4, (mine + 3) % 4];
  return html`<ul class="pair ${ours ? "pair--us" : "pair--them"}">${seats.map((seat) => {
    const who = view.seats[seat];
    const sub = who.kind === "bot" ? t("seat.bot") : who.level === null ? "" : t("level", { n: who.level });
    return html`<li>${face(who.avatar)}<span><b>${nameAt(view, seat)}</b><small>${sub}</small></span></li>`;
  })}</ul>`;
}

/** The host begins another match at this table; the others find one. @param {Table} table @param {TableView} view */
function again(table, view) {
  const here = view.status === "finished" && view.host !== null && view.host === me()?.id;
  const act = here ? () => table.start() : playNow;
  return html`<button class="btn btn--brass btn--big" type="button" data-testid="play-again"
    @click=${act}>${icon("rotate-ccw")}${t("end.again")}<small>${presetName(view.options.preset)}</small></button>`;
}

/** @param {Experience | null} xp */
function experience(xp) {
  if (xp === null) return html`<section class="panel box"><h2>${t("xp.title")}</h2><p class="dim">${t("loading")}</p></section>`;
  const each = (/** @type {{ count: number, points: number }} */ line) =>
    line.count > 1 ? `${num(line.count)} × ${num(line.points / line.count)}` : "";
  const risen = xp.level_after > xp.level_before;
  const within = xp.xp_after - xp.level_from;
  const width = xp.level_to - xp.level_from;
  const progress = t("xp.progress", { n: within, of: width });
  return html`<section class="panel box" data-testid="experience"><h2>${t("xp.title")}</h2>
    <table class="xp"><tbody>${xp.lines.map((line) => html`<tr><th scope="row">${t(`xp.${line.reason}`)}</th>
      <td>${each(line)}</td><td>+${num(line.points)}</td></tr>`)}</tbody>
      <tfoot><tr><th scope="row">${t("xp.total")}</th><td></td><td>+${num(xp.total)}</td></tr></tfoot></table>
    <div class="lvl"><span class="medal"><b class="display">${xp.level_after}</b></span><div>
      <p><b>${t(risen ? "xp.level_reached" : "level", { n: xp.level_after })}</b><span class="num">${progress}</span></p>
      ${bar(width > 0 ? within / width : 0, progress)}
      <small>${t("xp.sum", { before: xp.xp_before, total: xp.total, after: xp.xp_after, next: xp.level_after + 1, at: xp.level_to })}</small>
    </div></div></section>`;
}

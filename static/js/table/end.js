/** The end of a match: who won, how it went, what it earned. */
import { attempt, loadPlayer, me, update } from "../app.js";
import { inOrder, seatsOf, sideOf, sidesFor, SIDE_KINDS } from "../core/places.js";
import { has, num, t } from "../i18n.js";
import { api } from "../net/api.js";
import { bar, face, icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { totalsGraph } from "../ui/graph.js";
import { partyBox } from "../views/party.js";
import { playNow, withPartner } from "../views/seek.js";
import { confetti } from "./motion.js";
import { rematchBox, rematchIsOpen } from "./offers.js";
import { hostButton } from "./people.js";
import { asPlayed } from "./played.js";
import { titles } from "./sheet_words.js";
import { nameAt, ofView } from "./story.js";

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
const ASK_AGAIN_MS = 3000;

/** @param {string} match */
function experienceOf(match) {
  if (!earned.has(match)) {
    earned.set(match, null);
    void ask(match);
  }
  return earned.get(match) ?? null;
}

/** Asks until there is an answer: the line may be down just now. @param {string} match */
async function ask(match) {
  const answer = await attempt(() => api.get(`/api/matches/${match}/experience`));
  if (answer === undefined) {
    setTimeout(() => void ask(match), ASK_AGAIN_MS);
    return;
  }
  earned.set(match, answer);
  update();
  await attempt(loadPlayer);
  update();
}

let celebrated = "";

/** @param {Table} table @param {TableView} now @param {GameView} game */
export function matchEnd(table, now, game) {
  const view = asPlayed(now);
  const result = /** @type {import("../core/types.js").Result} */ (game.result);
  const { players, target } = game.rules;
  const viewer = view.you.seat;
  const weWon = result.winner !== null && result.winner === sideOf(viewer ?? 0, players);
  const match = view.match?.id ?? "";
  if (weWon && viewer !== null && celebrated !== match) {
    celebrated = match;
    void confetti();
  }
  return html`<main class="end" data-testid="match-end"><section class="win">
      <p class="eyebrow">${t("end.over", { deals: t("deals.n", { n: game.deals.length }) })}</p>
      <h1>${headline(view, game, result, weWon)}</h1>${how(result)}
      ${versus(view, game, result)}
      ${rematchBox(table)}
      ${game.deals.length === 0 ? nothing : totalsGraph({ deals: game.deals, target, players, viewer, titles: titles(ofView(view)), end: result.totals })}
      ${now.you.seat === null ? nothing : partyBox()}
      <div class="end__go">${again(table, now)}
        <a class="btn btn--big" href="/lobby" data-testid="to-lobby">${t("nav.lobby")}</a>
        <a class="btn btn--big" href="/match/${match}" data-testid="review">${icon("film")}${t("end.review")}</a>${hostButton(table, table.state?.view ?? now, "btn btn--big btn--icon")}</div>
    </section>
    ${viewer === null ? nothing : html`<aside class="gain">${experience(experienceOf(match))}</aside>`}</main>`;
}

/** A match may end before the target: a run of eight, a third double, a resignation. @param {import("../core/types.js").Result} result */
const how = (result) => (has(`end.how.${result.reason}`) ? html`<p class="dim">${t(`end.how.${result.reason}`)}</p>` : nothing);

/** @param {TableView} view @param {GameView} game @param {import("../core/types.js").Result} result @param {boolean} weWon */
function headline(view, game, result, weWon) {
  const { players } = game.rules;
  if (result.winner === null) return t("end.abandoned");
  if (weWon && view.you.seat !== null) {
    if (players !== 4) return t("end.i_win");
    return t("end.you_win", { partner: nameAt(view, (view.you.seat + 2) % 4) });
  }
  const [a, b] = seatsOf(result.winner, players).map((seat) => nameAt(view, seat));
  return b === undefined ? t("end.one_wins", { a }) : t("end.they_win", { a, b });
}

/** Faces of the sides, with the totals between or under them. @param {TableView} view @param {GameView} game @param {import("../core/types.js").Result} result */
function versus(view, game, result) {
  const { players } = game.rules;
  const totals = inOrder(result.totals, players, view.you.seat);
  const sides = sidesFor(players, view.you.seat);
  const final = (/** @type {number} */ i) => html`<b class="display" data-testid="final-${SIDE_KINDS[i]}">${num(totals[i])}</b>`;
  if (players === 3) {
    return html`<div class="versus versus--three">${sides.map((side, i) => html`<div>${pair(view, [side], SIDE_KINDS[i])}<p class="final">${final(i)}</p></div>`)}</div>`;
  }
  const [us, them] = sides.map((side) => seatsOf(side, players));
  return html`<div class="versus">${pair(view, us, "us")}
    <p class="final">${final(0)}<i>${t("end.to")}</i><span>${final(1)}</span></p>${pair(view, them, "them")}</div>`;
}

/** @param {TableView} view @param {number[]} seats @param {string} kind */
function pair(view, seats, kind) {
  return html`<ul class="pair pair--${kind}">${seats.map((seat) => {
    const who = view.seats[seat];
    const sub = who.kind === "bot" ? t("seat.bot") : who.level === null ? "" : t("level", { n: who.level });
    return html`<li>${face(who.avatar)}<span><b>${nameAt(view, seat)}</b><small>${sub}</small></span></li>`;
  })}</ul>`;
}

/** The host begins another match at this table; the others find one. @param {Table} table @param {TableView} view */
function again(table, view) {
  const now = table.state?.view ?? view;
  const open = rematchIsOpen(now);
  const here = !open && now.status === "finished" && now.host !== null && now.host === me()?.id;
  const act = here ? () => table.start(!now.options.rated) : () => playNow(view.options.preset);
  return html`<button class="btn ${open ? "" : "btn--brass"} btn--big" type="button" data-testid="play-again"
    @click=${act}>${icon("rotate-ccw")}${t(!here && withPartner() ? "party.play" : "end.again")}<small>${presetName(view.options.preset)}</small></button>`;
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

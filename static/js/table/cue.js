/** Whose turn it is, and how long: one pill between trick and hand. */
import { t } from "../i18n.js";
import { html, nothing } from "../ui/html.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */

/** @param {Table} table */
export function cue(table) {
  const view = table.state?.view;
  if (!view || view.game?.phase === "ended") return nothing;
  if (view.paused) return html`<p class="cue cue--wait">${t("table.paused")}</p>`;
  const turn = table.state?.turn ?? null;
  const seconds = table.secondsLeft;
  const time = seconds === null ? nothing : html`<span>${t("time.seconds", { n: seconds })}</span>`;
  if (turn?.kind === "continue") {
    return html`<button type="button" class="cue cue--button" data-testid="continue-cue"
      @click=${() => table.openSheet(null)}>${t("table.score_sheet")} ${time}</button>`;
  }
  if (turn === null || turn.seat === null) return nothing;
  if (table.seat !== null && view.seats[table.seat].sitting_in) return nothing; // its notice lies here
  if (table.myTurn !== null) {
    return html`<p class="cue" data-testid="your-turn">${t("table.your_turn")} ${time}</p>`;
  }
  const who = view.seats[turn.seat];
  const away = who.kind === "person" && !who.sitting_in && view.presence[turn.seat] === false;
  return html`<p class="cue cue--wait">${t(away ? "table.waiting_for" : "table.thinking",
    { who: nameAt(view, turn.seat) })} ${away ? time : nothing}</p>`;
}

/** Before a match of several people each is asked once more: is everybody there? */
import { t } from "../i18n.js";
import { face, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { nameAt } from "./story.js";

/** @typedef {import("./controller.js").TableController} Table */
/** @typedef {import("../core/types.js").TableView} TableView */

/** @param {Table} table @param {TableView} view */
export function readyDialog(table, view) {
  const turn = table.state?.turn ?? null;
  if (turn?.kind !== "ready" || table.seat === null) return nothing;
  const yes = view.ready?.yes ?? [];
  const answered = yes.includes(table.seat);
  const seconds = table.secondsLeft;
  return html`<div class="scrim"></div>
    <div class="dialog panel dialog--ready" role="dialog" aria-modal="true" aria-labelledby="rd-t" data-dialog data-testid="ready">
      <div class="dialog__top"><h2 id="rd-t">${t("ready.title")}</h2>${seconds === null ? nothing
        : html`<span class="bid__time num">${t("time.seconds", { n: seconds })}</span>`}</div>
      <p>${t(answered ? "ready.waiting" : "ready.text")}</p>
      <ul class="ready">${view.seats.map((seat, i) => seat.kind === "free" ? nothing : html`<li class=${yes.includes(i) || seat.kind === "bot" ? "is-ready" : ""}>
        ${face(seat.avatar, "avatar--sm")}<b>${nameAt(view, i)}</b>${icon(yes.includes(i) || seat.kind === "bot" ? "check" : "timer")}</li>`)}</ul>
      ${answered ? nothing : html`<div class="dialog__foot"><button class="btn" type="button" data-testid="ready-no" ?disabled=${table.sent !== null}
          @click=${() => table.answerReady(false)}>${t("ready.no")}</button>
        <button class="btn btn--brass" type="button" data-first data-testid="ready-yes" ?disabled=${table.sent !== null}
          @click=${() => table.answerReady(true)}>${t("ready.yes")}</button></div>`}
    </div>`;
}

/** Nobody plays in two places: the way back to where one sits. */
import { closeElsewhere, isElsewhere, tablesOfMine } from "../app.js";
import { t } from "../i18n.js";
import { icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";

/** @param {import("../app.js").MyTable[]} tables */
export const goOn = (tables) => tables.map((table) => html`<a class="btn btn--line btn--go"
  href="/t/${table.code}" data-testid="continue-match" @click=${closeElsewhere}>${icon("play")}
  ${t(table.status === "playing" ? "landing.continue" : "landing.back", { preset: presetName(table.preset), code: table.code })}</a>`);

export function elsewhereSheet() {
  if (!isElsewhere()) return nothing;
  const tables = tablesOfMine().filter(({ status }) => status === "playing" || status === "waiting");
  return html`<div class="scrim" @click=${closeElsewhere}></div>
    <div class="dialog panel" role="dialog" aria-modal="true" aria-labelledby="el-t" data-dialog data-testid="elsewhere"
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") closeElsewhere(); }}>
      <h2 id="el-t">${t("elsewhere.title")}</h2><p>${t("error.busy_elsewhere")}</p>
      <div class="dialog__foot dialog__foot--stack">${goOn(tables)}
        <button class="btn" type="button" @click=${closeElsewhere}>${t("action.close")}</button></div></div>`;
}

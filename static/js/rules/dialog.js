/** The rules of one table, over it: its game explained as it is played here. */
import { attempt, update } from "../app.js";
import { t } from "../i18n.js";
import { icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { changesOf, checkRules, loadBook } from "./book.js";
import { houseChips } from "./chips.js";
import { gameText, inShort } from "./text.js";

/** @typedef {{ preset: string, rules: import("../core/types.js").Rules }} Options */

/** @type {{ of: string, checked: import("./book.js").Checked | null } | null} the rules that were asked about last */
let asked = null;

/** @param {Options} options */
function checkedOf(options) {
  const of = JSON.stringify([options.preset, options.rules]);
  if (asked?.of !== of) {
    const mine = { of, checked: /** @type {import("./book.js").Checked | null} */ (null) };
    asked = mine;
    void attempt(async () => {
      await loadBook();
      mine.checked = await checkRules(options.preset, { target: options.rules.target, ...changesOf(options) });
      update();
    });
  }
  return asked.checked;
}

/** @param {Options} options @param {() => void} close */
export function rulesDialog(options, close) {
  const checked = checkedOf(options);
  return html`<div class="scrim" @click=${close}></div>
    <div class="dialog panel dialog--rules" role="dialog" aria-modal="true" aria-labelledby="ru-t" data-dialog data-testid="rules">
      <div class="dialog__top"><h2 id="ru-t">${presetName(options.preset)}</h2><button class="iconbtn" type="button" data-first
        aria-label=${t("action.close")} @click=${close}>${icon("x")}</button></div>
      ${checked === null ? html`<p class="dim">${t("loading")}</p>` : html`<p class="dim">${inShort(checked.rules)}</p>
        <p class="chips">${houseChips(options, "", undefined, true)}</p>
        <div class="howto">${gameText(checked)}</div>`}
      ${checked === null ? nothing : html`<div class="dialog__foot"><button class="btn" type="button" @click=${close}>${t("action.close")}</button></div>`}
    </div>`;
}

/** The rules of one table, over it: its game explained as it is played here. */
import { attempt, update } from "../app.js";
import { t } from "../i18n.js";
import { icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { changesOf, checkRules, loadBook } from "./book.js";
import { houseChips } from "./chips.js";
import { Exercise, exercisePart } from "./exercise.js";
import { gameText, inShort } from "./text.js";

/** @typedef {{ preset: string, rules: import("../core/types.js").Rules }} Options */

/** @typedef {{ of: string, checked: import("./book.js").Checked | null, exercise: Exercise | null }} Asked */
/** @type {Asked | null} the rules that were asked about last */
let asked = null;

/** @param {Options} options */
function askedAbout(options) {
  const of = JSON.stringify([options.preset, options.rules]);
  if (asked?.of !== of) {
    const mine = /** @type {Asked} */ ({ of, checked: null, exercise: null });
    asked = mine;
    void attempt(async () => {
      await loadBook();
      const house = { target: options.rules.target, ...changesOf(options) };
      mine.checked = await checkRules(options.preset, house);
      mine.exercise = new Exercise(options.preset, house);
      update();
    });
  }
  return asked;
}

/** @param {Options} options @param {() => void} close */
export function rulesDialog(options, close) {
  const { checked, exercise } = askedAbout(options);
  return html`<div class="scrim" @click=${close}></div>
    <div class="dialog panel dialog--rules" role="dialog" aria-modal="true" aria-labelledby="ru-t" data-dialog data-testid="rules">
      <div class="dialog__top"><h2 id="ru-t">${presetName(options.preset)}</h2><button class="iconbtn" type="button" data-first
        aria-label=${t("action.close")} @click=${close}>${icon("x")}</button></div>
      ${checked === null ? html`<p class="dim">${t("loading")}</p>` : html`<p class="dim">${inShort(checked.rules)}</p>
        <p class="chips">${houseChips(options, "", undefined, true)}</p>
        <div class="howto">${gameText(checked)}${exercise === null ? nothing : exercisePart(exercise, checked.rules)}</div>`}
      ${checked === null ? nothing : html`<div class="dialog__foot"><button class="btn" type="button" @click=${close}>${t("action.close")}</button></div>`}
    </div>`;
}

/** What *Play now* looks for: chosen once, remembered, and one press away from the game. */
import { attempt, update } from "../app.js";
import { SPEEDS, USUAL_S, WAITS, withPreset } from "../core/seek.js";
import { num, t } from "../i18n.js";
import { prefs, savePrefs } from "../prefs.js";
import { knownPresets, loadPresets, presetRules } from "../rules/book.js";
import { icon, presetName } from "../ui/bits.js";
import { choice } from "../ui/choice.js";
import { html } from "../ui/html.js";
import { playNow, withPartner } from "./seek.js";
import { targetOf, wishLine } from "./wish_words.js";

/** @typedef {import("../core/seek.js").Wish} Wish */

let open = false;

/** The way there, under *Play now*: it says what would be played. */
export const wishButton = () => html`<button class="wishline" type="button" data-testid="wish" aria-haspopup="dialog"
  @click=${openWish}>${icon("sliders-horizontal", "icon--sm")}<span>${wishLine(prefs.seek)}</span><span class="wishline__do">${t("wish.change")}</span></button>`;

function openWish() {
  open = true;
  update();
  void attempt(loadPresets);
}

function close() {
  open = false;
  update();
}

/** @param {Partial<Wish>} change */
function set(change) {
  savePrefs({ seek: { ...prefs.seek, ...change } });
  update();
}

/** @param {Event} event */
function setPreset(event) {
  const { value } = /** @type {HTMLSelectElement} */ (event.target);
  set(withPreset(prefs.seek, value));
}

/** Games in the order of the house; partners sit at tables of four alone. */
function games() {
  const known = (knownPresets() ?? []).filter(({ rules }) => !withPartner() || rules.players === 4);
  return known.length === 0 ? [prefs.seek.preset] : known.map(({ name }) => name);
}

/** @param {number | null} waitMs */
function waitWords(waitMs) {
  if (waitMs === null) return t("time.seconds", { n: USUAL_S });
  return waitMs < 60_000 ? t("time.seconds", { n: waitMs / 1000 }) : t("time.minutes", { n: waitMs / 60_000 });
}

/** The dialog, over the screens that have the button. */
export function wishSheet() {
  if (!open) return "";
  const { seek } = prefs;
  const targets = presetRules(seek.preset)?.targets ?? [];
  const play = () => { close(); void playNow(); };
  return html`<div class="scrim" @click=${close}></div>
    <div class="dialog panel dialog--wish" role="dialog" aria-modal="true" aria-labelledby="wi-t" data-dialog data-testid="wish-dialog"
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") close(); }}>
      <div class="dialog__top"><h2 id="wi-t">${t("wish.title")}</h2><button class="iconbtn" type="button" aria-label=${t("action.close")} @click=${close}>${icon("x")}</button></div>
      <label class="filter wish__game"><span>${t("create.game")}</span>
        <select data-testid="wish-game" @change=${setPreset}>${games().map((name) => html`<option value=${name} ?selected=${name === seek.preset}>${presetName(name)}</option>`)}</select></label>
      ${targets.length < 2 ? "" : choice(t("create.target"), targetOf(seek), targets.map((/** @type {number} */ n) => /** @type {[number, string]} */ ([n, num(n)])), (target) => set({ target }), "", "wish-target")}
      ${choice(t("create.speed"), seek.speed, SPEEDS.map((speed) => /** @type {[string, string]} */ ([speed, t(`speed.${speed}`)])), (speed) => set({ speed }), t(`create.speed.${seek.speed}`), "wish-speed")}
      ${choice(t("create.rated"), seek.rated, [[false, t("casual")], [true, t("rated")]], (rated) => set({ rated }), t(`wish.rated.${seek.rated}`), "wish-rated")}
      ${choice(t("wish.wait"), seek.waitMs, WAITS.map((ms) => /** @type {[number | null, string]} */ ([ms, waitWords(ms)])), (waitMs) => set({ waitMs }), t("wish.wait.help"), "wish-wait")}
      <div class="dialog__foot"><button class="btn btn--brass btn--big" type="button" data-first data-testid="wish-play" @click=${play}
        >${t(withPartner() ? "party.play" : "landing.play")}</button></div></div>`;
}

/** The settings: a sheet over whatever screen is open. */
import { update } from "../app.js";
import { currentLanguage, LANGUAGES, t } from "../i18n.js";
import { loadLanguage } from "../language.js";
import { prefs, savePrefs, showPrefs } from "../prefs.js";
import { icon } from "./bits.js";
import { choice } from "./choice.js";
import { html, nothing } from "./html.js";
import { sound } from "./sound.js";

let open = false;

export function openSettings() {
  open = true;
  update();
}

export function closeSettings() {
  open = false;
  update();
}

export const settingsOpen = () => open;

/** @param {Partial<import("../prefs.js").Prefs>} change */
function set(change) {
  savePrefs(change);
  showPrefs();
  update();
}

/** @param {boolean} value @param {(value: boolean) => void} choose @param {string} label */
const onOff = (label, value, choose) =>
  choice(label, value, [[true, t("settings.on")], [false, t("settings.off")]], choose);

export function settingsSheet() {
  if (!open) return nothing;
  return html`<div class="scrim" @click=${closeSettings}></div>
    <div class="dialog panel" role="dialog" aria-modal="true" aria-labelledby="set-t" data-dialog>
      <div class="dialog__top"><h2 id="set-t">${t("nav.settings")}</h2>
        <button class="iconbtn" type="button" aria-label=${t("action.close")}
          @click=${closeSettings}>${icon("x")}</button></div>
      ${choice(t("settings.language"), currentLanguage(),
        LANGUAGES.map((lang) => [lang, t(`language.${lang}`)]),
        (language) => void loadLanguage(language, true))}
      ${choice(t("settings.pace"), prefs.pace,
        [["normal", t("settings.pace.normal")], ["fast", t("settings.pace.fast")]],
        (pace) => set({ pace: /** @type {any} */ (pace) }))}
      ${onOff(t("settings.sounds"), prefs.sounds, (sounds) => { set({ sounds }); sound("turn"); })}
      ${onOff(t("settings.four"), prefs.fourColours, (fourColours) => set({ fourColours }))}
      ${choice(t("settings.faces"), prefs.faces,
        [["auto", t("settings.faces.auto")], ["large", t("settings.faces.large")],
          ["standard", t("settings.faces.standard")]],
        (faces) => set({ faces: /** @type {any} */ (faces) }))}
      ${choice(t("settings.felt"), prefs.felt,
        [["green", t("settings.felt.green")], ["blue", t("settings.felt.blue")]],
        (felt) => set({ felt: /** @type {any} */ (felt) }))}
      ${onOff(t("settings.single_tap"), prefs.singleTap, (singleTap) => set({ singleTap }))}
    </div>`;
}

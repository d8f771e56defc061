/** Creating a table: game, target, speed, who may come, bots. */
import { attempt, ensurePlayer, link, update } from "../app.js";
import { num, t } from "../i18n.js";
import { api } from "../net/api.js";
import { prefs, savePrefs } from "../prefs.js";
import { go } from "../router.js";
import { icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";

let open = false;
let busy = false;
/** Presets as the server knows them; asked once. @type {{ name: string, rules: any }[] | null} */
let presets = null;

const wish = {
  preset: "classic",
  target: 501,
  speed: /** @type {string} */ (prefs.speed),
  visibility: "public",
  bots: true,
};

export function openCreate() {
  open = true;
  update();
  if (presets !== null) return;
  void attempt(async () => {
    presets = (await api.get("/api/presets")).filter(isPlayable);
    update();
  });
}

/** What this page's table can ask for: a turn-up auction of four, and no choice of declarations. @param {{ rules: any }} preset */
const isPlayable = ({ rules }) => rules.auction === "turn_up" && rules.players === 4
  && rules.declare !== "player" && rules.belote_said !== "player";

function close() {
  open = false;
  update();
}

/** @param {Partial<typeof wish>} change */
function set(change) {
  Object.assign(wish, change);
  update();
}

async function create() {
  busy = true;
  update();
  await attempt(async () => {
    await ensurePlayer();
    link.start();
    savePrefs({ speed: wish.speed, preset: wish.preset });
    const { preset, target, speed, visibility } = wish;
    const bots = wish.bots ? "novice" : null;
    const seat = await api.post("/api/tables", { preset, target, speed, visibility, bots });
    open = false;
    await go(`/t/${seat.table}`);
  });
  busy = false;
  update();
}

/**
 * @template T @param {string} label @param {T} value @param {[T, string][]} options
 * @param {(value: T) => void} choose @param {string} [help]
 */
const choice = (label, value, options, choose, help = "") => html`<fieldset class="choice">
  <legend>${label}</legend><div class="choice__row">${options.map(
    ([option, text]) => html`<button type="button" class="chip chip--pick"
      aria-pressed=${option === value} @click=${() => choose(option)}>${text}</button>`,
  )}</div>${help ? html`<p class="choice__help">${help}</p>` : nothing}</fieldset>`;

/** @returns {[string, string][]} */
function presetOptions() {
  const names = presets === null ? ["classic"] : presets.map((preset) => preset.name);
  return names.map((name) => [name, presetName(name)]);
}

/** @returns {[number, string][]} */
function targetOptions() {
  const rules = presets?.find((preset) => preset.name === wish.preset)?.rules;
  const targets = Array.isArray(rules?.targets) ? rules.targets : [501, 701, 1001];
  return targets.map((/** @type {number} */ n) => [n, num(n)]);
}

/** @param {string} preset */
function choosePreset(preset) {
  const target = presets?.find((one) => one.name === preset)?.rules?.target ?? 501;
  set({ preset, target });
}

export function createSheet() {
  if (!open) return nothing;
  return html`<div class="scrim" @click=${close}></div>
    <div class="dialog panel" role="dialog" aria-modal="true" aria-labelledby="cr-t" data-dialog
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") close(); }}>
      <div class="dialog__top"><h2 id="cr-t">${t("landing.create")}</h2>
        <button class="iconbtn" type="button" aria-label=${t("action.close")} @click=${close}
          >${icon("x")}</button></div>
      ${choice(t("create.game"), wish.preset, presetOptions(), choosePreset)}
      ${choice(t("create.target"), wish.target, targetOptions(), (target) => set({ target }))}
      ${choice(t("create.speed"), wish.speed,
        ["fast", "normal", "relaxed"].map((speed) => [speed, t(`speed.${speed}`)]),
        (speed) => set({ speed }), t(`create.speed.${wish.speed}`))}
      ${choice(t("create.visibility"), wish.visibility,
        ["public", "private"].map((v) => [v, t(`visibility.${v}`)]),
        (visibility) => set({ visibility }), t(`create.visibility.${wish.visibility}`))}
      ${choice(t("create.bots"), wish.bots, [[true, t("settings.on")], [false, t("settings.off")]],
        (bots) => set({ bots }), t("create.bots.help"))}
      <div class="dialog__foot"><button class="btn btn--brass btn--big" type="button"
        data-testid="create-go" ?disabled=${busy} @click=${create}>${t("create.go")}</button></div>
    </div>`;
}

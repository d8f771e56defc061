/** Creating a table: game, target, speed, who may come, bots, and house rules. */
import { attempt, ensurePlayer, link, tellRefusal, toast, update } from "../app.js";
import { withPreset } from "../core/seek.js";
import { num, t } from "../i18n.js";
import { api, ApiError } from "../net/api.js";
import { prefs, savePrefs } from "../prefs.js";
import { go } from "../router.js";
import { bookIsOpen, checkRules, knownPresets, loadBook, presetRules } from "../rules/book.js";
import { changedChips, houseEditor, problemCount } from "../rules/editor.js";
import { icon, presetName } from "../ui/bits.js";
import { choice } from "../ui/choice.js";
import { html, nothing } from "../ui/html.js";

let open = false;
let busy = false;
let picking = false;
/** @type {import("../rules/book.js").Checked | null} what the server says of the wish as it is */
let checked = null;
let asked = 0;

const wish = {
  preset: "classic",
  target: 501,
  speed: /** @type {string} */ (prefs.speed),
  visibility: "public",
  bots: true,
  rated: false,
  spectators: true,
  /** @type {Record<string, any>} house rules, kept when the game changes */
  rules: {},
};

/** The thirteen games by family, in the order in which they are offered. */
const FAMILIES = /** @type {[string, (rules: any) => boolean][]} */ ([
  ["turn_up", (rules) => rules.auction === "turn_up"], ["levels", (rules) => rules.auction === "levels"],
  ["contracts", (rules) => rules.auction === "contracts"], ["call", (rules) => rules.auction === "call"],
]);

/** The dialog opens, for a certain game or the one chosen last. @param {string} [preset] */
export function openCreate(preset) {
  open = true;
  picking = false;
  update();
  void attempt(async () => {
    await loadBook();
    choosePreset(preset ?? (presetRules(wish.preset) ? wish.preset : "classic"));
  });
}

function close() {
  open = false;
  update();
}

/** @param {Partial<typeof wish>} change */
function set(change) {
  Object.assign(wish, change);
  update();
}

/** Rules are never dropped here: what no longer fits, the server names and the editor explains. */
async function recheck() {
  asked += 1;
  const mine = asked;
  const answer = await attempt(() => checkRules(wish.preset, { ...wish.rules, target: wish.target }));
  if (answer === undefined || mine !== asked) return;
  checked = answer;
  update();
}

/** @param {string} preset */
function choosePreset(preset) {
  const target = preset === wish.preset && checked !== null ? wish.target : (presetRules(preset)?.target ?? wish.target);
  picking = false;
  set({ preset, target });
  void recheck();
}

/** @param {string} field @param {any} value null: as in the preset again */
function setRule(field, value) {
  const rules = { ...wish.rules };
  if (value === null) delete rules[field];
  else rules[field] = value;
  set({ rules });
  void recheck();
}

async function create() {
  busy = true;
  update();
  try {
    await ensurePlayer();
    link.start();
    savePrefs({ speed: wish.speed, seek: withPreset(prefs.seek, wish.preset) });
    const { preset, target, speed, visibility, rated, spectators, rules } = wish;
    const body = {
      preset, target, speed, visibility, rules, bots: wish.bots && !rated ? "novice" : null,
      rated, spectators,
    };
    const seat = await api.post("/api/tables", body);
    open = false;
    await go(`/t/${seat.table}`);
  } catch (error) {
    if (error instanceof ApiError) {
      tellRefusal(error.code, error.detail?.facts);
      if (error.code === "busy_elsewhere") open = false; // the way there comes in its place
      if (error.code === "bad_options") await recheck();
    } else {
      toast(t("error.unknown", { code: "" }));
      console.error(error);
    }
  }
  busy = false;
  update();
}

/** @returns {[number, string][]} */
function targetOptions() {
  const targets = presetRules(wish.preset)?.targets ?? [501, 701, 1001];
  return targets.map((/** @type {number} */ n) => [n, num(n)]);
}

const picker = () => picking ? html`<div class="games13" role="group" aria-label=${t("create.game")}>${FAMILIES.map(([family, fits]) => {
    const games = (knownPresets() ?? []).filter((preset) => fits(preset.rules));
    return games.length === 0 ? nothing : html`<section><h3>${t(`family.${family}`)}</h3>${games.map(({ name }) => gameButton(name, () => choosePreset(name)))}</section>`;
  })}</div>` : html`<div class="choice"><p class="choice__legend">${t("create.game")}</p>
    <div class="gamepick">${gameButton(wish.preset, () => { picking = true; update(); })}
      <button class="btn" type="button" data-testid="change-game" @click=${() => { picking = true; update(); }}>${t("create.change")}</button></div></div>`;

/** @param {string} name @param {() => void} act */
const gameButton = (name, act) => html`<button type="button" class="gamecard" data-testid="preset-${name}"
  aria-pressed=${name === wish.preset} @click=${act}><b>${presetName(name)}</b><span>${t(`preset.${name}.about`)}</span></button>`;

const YES_NO = () => /** @type {[boolean, string][]} */ ([[true, t("settings.on")], [false, t("settings.off")]]);

export function createSheet() {
  if (!open) return nothing;
  const ready = bookIsOpen() && checked !== null;
  return html`<div class="scrim" @click=${close}></div>
    <div class="dialog panel dialog--create" role="dialog" aria-modal="true" aria-labelledby="cr-t" data-dialog data-testid="create"
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") close(); }}>
      <div class="dialog__top"><h2 id="cr-t">${t("landing.create")}</h2>
        <button class="iconbtn" type="button" aria-label=${t("action.close")} @click=${close}
          >${icon("x")}</button></div>
      ${ready ? form() : html`<p class="dim">${t("loading")}</p>`}
      <div class="dialog__foot create__foot">${ready ? foot() : nothing}<button class="btn btn--brass btn--big" type="button"
        data-testid="create-go" ?disabled=${busy || !ready || problemCount(checked) > 0} @click=${create}>${t("create.go")}</button></div>
    </div>`;
}

const form = () => html`${picker()}
  ${choice(t("create.target"), wish.target, targetOptions(), (target) => { set({ target }); void recheck(); })}
  ${choice(t("create.speed"), wish.speed,
    ["fast", "normal", "relaxed"].map((speed) => [speed, t(`speed.${speed}`)]),
    (speed) => set({ speed }), t(`create.speed.${wish.speed}`))}
  <div class="choices">
  ${choice(t("create.visibility"), wish.visibility,
    ["public", "private"].map((v) => [v, t(`visibility.${v}`)]),
    (visibility) => set({ visibility }), t(`create.visibility.${wish.visibility}`))}
  ${choice(t("create.spectators"), wish.spectators, YES_NO(), (spectators) => set({ spectators }), t(`create.spectators.${wish.spectators}`), "spectators")}
  ${choice(t("create.rated"), wish.rated, [[false, t("casual")], [true, t("rated")]], (rated) => set({ rated }), t(`create.rated.${wish.rated}`), "rated")}
  ${wish.rated ? nothing : choice(t("create.bots"), wish.bots, YES_NO(), (bots) => set({ bots }), t("create.bots.help"), "bots")}</div>
  ${houseEditor(/** @type {any} */ (checked), wish.rules, setRule)}`;

/** What differs from the preset, always in view. */
function foot() {
  const problems = problemCount(checked);
  return html`<div class="create__changes" aria-live="polite">${changedChips(/** @type {any} */ (checked), setRule)}
    ${problems === 0 ? nothing : html`<p class="create__problem">${icon("triangle-alert", "icon--sm")}${t("rules.problems", { n: problems })}</p>`}</div>`;
}

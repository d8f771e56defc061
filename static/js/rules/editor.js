/**
 * House rules: every rule that makes sense in the game, in groups, each with the sentence of what is
 * chosen. Which values are open and what no longer fits, the server says (`Checked`).
 */
import { has, t } from "../i18n.js";
import { icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { houseRules, presetRules, same } from "./book.js";
import { chipWords, ruleName, valueName, valueSentence } from "./words.js";

/** @typedef {import("./book.js").Checked} Checked */
/** @typedef {(field: string, value: any) => void} SetRule a value, or null: as in the preset again */

const GROUPS = ["deal", "auction", "declarations", "belote", "play", "contract", "score", "match"];

/** Which groups the reader has opened. @type {Set<string>} */
const opened = new Set();

/** Problems that keep the table from being opened. @param {Checked | null} checked */
export const problemCount = (checked) => checked?.problems.filter((one) => one.code !== "idle").length ?? 0;

/** The differences from the preset, each with a way back. @param {Checked} checked @param {SetRule} set */
export const changedChips = (checked, set) => {
  const fields = Object.keys(checked.changed);
  if (fields.length === 0) return html`<p class="dim">${t("rules.as_usual")}</p>`;
  return html`<div class="chips" data-testid="house-chips">${fields.map((field) => html`<button type="button" class="chip chip--house chip--x2"
    data-testid="house-${field}" aria-label=${t("rules.undo", { rule: ruleName(field) })} @click=${() => set(field, null)}
    >${chipWords(field, checked.changed[field])}${icon("x", "icon--sm")}</button>`)}</div>`;
};

/** @param {Checked} checked @param {Record<string, any>} wished @param {SetRule} set */
export function houseEditor(checked, wished, set) {
  return html`<section class="house"><h3>${t("rules.house")}</h3><p class="dim">${t("rules.house.help")}</p>
    ${GROUPS.map((group) => groupOf(group, checked, wished, set))}${strays(checked, wished, set)}</section>`;
}

/** Rules to show: those with a choice, those that were changed, those that need mending. @param {string} group @param {Checked} checked @param {Record<string, any>} wished */
const shownIn = (group, checked, wished) => houseRules().filter(({ field, group: own }) => own === group && field !== "target"
  && ((checked.open[field] ?? []).length > 1 || field in wished || problemOf(checked, field) !== null));

/** @param {Checked} checked @param {string} field */
const problemOf = (checked, field) => checked.problems.find((one) => one.field === field)?.code ?? null;

/** @param {string} group @param {Checked} checked @param {Record<string, any>} wished @param {SetRule} set */
function groupOf(group, checked, wished, set) {
  const rules = shownIn(group, checked, wished);
  if (rules.length === 0) return nothing;
  const changed = rules.filter(({ field }) => field in checked.changed).length;
  const wrong = rules.filter(({ field }) => ![null, "idle"].includes(problemOf(checked, field))).length;
  const toggle = (/** @type {Event} */ e) => {
    if (/** @type {HTMLDetailsElement} */ (e.target).open) opened.add(group);
    else opened.delete(group);
  };
  return html`<details class="house__group" data-testid="group-${group}" ?open=${opened.has(group) || wrong > 0} @toggle=${toggle}>
    <summary><b>${t(`rules.group.${group}`)}</b>${changed > 0 ? html`<span class="chip chip--house">${t("rules.changed_n", { n: changed })}</span>` : nothing}
      ${wrong > 0 ? html`<span class="chip chip--bad">${icon("triangle-alert", "icon--sm")}${t("rules.problems", { n: wrong })}</span>` : nothing}
      ${icon("chevron-right")}</summary>
    ${rules.map(({ field }) => ruleRow(field, checked, set))}</details>`;
}

/** @param {string} field @param {Checked} checked @param {SetRule} set */
function ruleRow(field, checked, set) {
  const value = checked.rules[field];
  const changed = field in checked.changed;
  const problem = problemOf(checked, field);
  const usual = presetRules(checked.rules.preset)?.[field] ?? null;
  const open = checked.open[field] ?? [];
  const values = value === null || open.some((one) => same(one, value)) ? open : [value, ...open];
  return html`<fieldset class="house__rule ${changed ? "is-changed" : ""} ${problem && problem !== "idle" ? "is-wrong" : ""}" data-testid="rule-${field}">
    <legend>${ruleName(field)}</legend>
    <div class="choice__row">${values.map((one) => html`<button type="button" class="chip chip--pick" data-testid="rule-${field}-${String(one).replaceAll(" ", "_")}"
      aria-pressed=${same(one, value)} @click=${() => set(field, same(one, usual) ? null : one)}>${valueName(field, one)}${same(one, usual)
        ? html`<small>${t("rules.usual")}</small>` : nothing}</button>`)}</div>
    ${value === null ? nothing : html`<p class="choice__help">${valueSentence(field, value)}</p>`}
    ${problem === null ? nothing : html`<p class="house__problem" role="alert">${icon("triangle-alert", "icon--sm")}${problemText(field, problem)}
      ${changed ? html`<button type="button" class="linkbtn" @click=${() => set(field, null)}>${t("rules.undo_short")}</button>` : nothing}</p>`}
  </fieldset>`;
}

/** Why a rule does not fit: in its own words where it has some. @param {string} field @param {string} code */
export const problemText = (field, code) => code === "conflict" && has(`rules.conflict.${field}`)
  ? t(`rules.conflict.${field}`) : t(`rules.problem.${code}`);

/** What was chosen for another game and is no rule of this one, and what is wrong with rules that no host can change. @param {Checked} checked @param {Record<string, any>} wished @param {SetRule} set */
function strays(checked, wished, set) {
  const known = new Set(houseRules().map(({ field }) => field));
  const found = checked.problems.filter(({ field }) => !known.has(field));
  return found.map(({ field, code }) => html`<p class="house__problem" role="alert">${icon("triangle-alert", "icon--sm")}
    <b>${has(`rule.${field}`) ? ruleName(field) : field}</b> ${problemText(field, code)}
    ${field in wished ? html`<button type="button" class="linkbtn" @click=${() => set(field, null)}>${t("rules.undo_short")}</button>` : nothing}</p>`);
}

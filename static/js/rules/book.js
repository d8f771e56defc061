/**
 * What the page knows of rules: the presets and, when somebody asks, the words for every rule. Both
 * come from the server once; nothing here says what fits, `check` asks.
 */
import { update } from "../app.js";
import { addCatalogue, hasCatalogue } from "../language.js";
import { api } from "../net/api.js";

/** @typedef {import("../core/types.js").Rules} Rules */
/** @typedef {{ name: string, rules: Rules }} Preset */
/** @typedef {{ field: string, group: string }} HouseRule */
/** @typedef {{ field: string, code: string }} Problem */
/** @typedef {{ rules: Rules, changed: Record<string, any>, problems: Problem[], open: Record<string, any[]> }} Checked */

/** @type {Preset[] | null} */
let presets = null;
/** @type {HouseRule[] | null} */
let fields = null;
/** @type {Promise<void> | null} */
let loading = null;
/** @type {Promise<void> | null} */
let offering = null;

export const knownPresets = () => presets;

/** Every rule that a host may change, in reading order. */
export const houseRules = () => fields ?? [];

/** @param {string} name @returns {Rules | null} */
export const presetRules = (name) => presets?.find((one) => one.name === name)?.rules ?? null;

/** The games alone: a list of tables needs no words for their rules. @returns {Promise<void>} */
export function loadPresets() {
  offering ??= api.get("/api/presets")
    .then((offered) => {
      presets = offered;
      update();
    })
    .catch((error) => {
      offering = null;
      throw error;
    });
  return offering;
}

/** Presets, fields and words, asked for once; a failure is asked again next time. @returns {Promise<void>} */
export function loadBook() {
  loading ??= Promise.all([api.get("/api/rules"), loadPresets(), addCatalogue("rules")])
    .then(([book]) => {
      fields = book.rules;
      update();
    })
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

export const bookIsOpen = () => presets !== null && fields !== null && hasCatalogue("rules");

/** Start loading without waiting; whoever needs it draws again when it is there. */
export function wantBook() {
  if (loading === null) void loadBook().catch(() => {});
}

/** Ask whether rules fit. @param {string} preset @param {Record<string, any>} rules @returns {Promise<Checked>} */
export const checkRules = (preset, rules) => api.post("/api/rules/check", { preset, rules });

/** @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** What a table's rules change of its preset, the target apart. @param {{ preset: string, rules: Rules }} options @returns {Record<string, any> | null} null: not known yet */
export function changesOf({ preset, rules }) {
  const base = presetRules(preset);
  if (base === null || fields === null) return null;
  return Object.fromEntries(fields.map(({ field }) => field)
    .filter((field) => field !== "target" && field in rules && !same(rules[field], base[field]))
    .map((field) => [field, rules[field]]));
}

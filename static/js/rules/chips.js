/** House rules as chips, wherever a table is shown: what differs from its preset. */
import { t } from "../i18n.js";
import { icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { bookIsOpen, changesOf, wantBook } from "./book.js";
import { chipWords } from "./words.js";

/** More than these are counted instead, where there is little room. */
const FEW = 2;

/** @param {Record<string, any>} changed @param {string} classes @param {boolean} all */
function chips(changed, classes, all) {
  const fields = Object.keys(changed);
  if (fields.length === 0) return nothing;
  if (!bookIsOpen()) {
    wantBook();
    return html`<span class="chip chip--house ${classes}">${icon("sliders-horizontal", "icon--sm")}${t("rules.house_n", { n: fields.length })}</span>`;
  }
  if (!all && fields.length > FEW) {
    return html`<span class="chip chip--house ${classes}" title=${fields.map((field) => chipWords(field, changed[field])).join(" · ")}
      >${icon("sliders-horizontal", "icon--sm")}${t("rules.house_n", { n: fields.length })}</span>`;
  }
  return fields.map((field) => html`<span class="chip chip--house ${classes}">${icon("sliders-horizontal", "icon--sm")}${chipWords(field, changed[field])}</span>`);
}

/** In a list that has them ready. @param {Record<string, any> | undefined} changed @param {boolean} [all] */
export const listChips = (changed, all = false) => chips(changed ?? {}, "", all);

/**
 * Of a table's own options; in a bar they open the rules.
 * @param {{ preset: string, rules: import("../core/types.js").Rules }} options @param {string} classes
 * @param {() => void} [open] @param {boolean} [all]
 */
export function houseChips(options, classes, open, all = false) {
  const changed = changesOf(options);
  if (changed === null) {
    wantBook();
    return nothing;
  }
  const shown = chips(changed, classes, all);
  return open === undefined || shown === nothing ? shown
    : html`<button type="button" class="chipbtn" aria-label=${t("rules.open")} @click=${open}>${shown}</button>`;
}

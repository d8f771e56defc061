/** A wish in a few words, wherever it is shown. */
import { num, t } from "../i18n.js";
import { presetRules } from "../rules/book.js";
import { presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";

/** @typedef {import("../core/seek.js").Wish} Wish */

/** What it plays to, where that is known yet. @param {Wish} wish */
export const targetOf = (wish) => wish.target ?? presetRules(wish.preset)?.target ?? null;

/** @param {Wish} wish */
export function wishChips(wish) {
  const target = targetOf(wish);
  return html`<span class="chip chip--brass">${presetName(wish.preset)}</span>
    ${target === null ? nothing : html`<span class="chip chip--line">${t("points", { n: target })}</span>`}
    <span class="chip chip--line">${t(`speed.${wish.speed}`)}</span>
    <span class="chip chip--line">${t(wish.rated ? "rated" : "casual")}</span>`;
}

/** In one line. @param {Wish} wish */
export function wishLine(wish) {
  const target = targetOf(wish);
  return [presetName(wish.preset), ...(target === null ? [] : [num(target)]), t(`speed.${wish.speed}`), t(wish.rated ? "rated" : "casual")].join(" · ");
}

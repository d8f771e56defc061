/**
 * A game explained from its own rules: which rules matter in it the server says (`check`), each in a
 * sentence; what differs from the preset is marked. So a house rule changes the text.
 */
import { num, rich, t } from "../i18n.js";
import { cardFace } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { houseRules } from "./book.js";
import { valueSentence } from "./words.js";

/** @typedef {import("./book.js").Checked} Checked */
/** @typedef {import("../core/types.js").Rules} Rules */

/** @param {string[]} cards @param {unknown} caption */
const row = (cards, caption) => html`<figure class="howrow"><div>${cards.map((card) => cardFace(card))}</div>
  <figcaption>${caption}</figcaption></figure>`;

const PLAIN = ["AC", "TC", "KC", "QC", "JC", "9C", "8C", "7C"];
const TRUMP = ["JH", "9H", "AH", "TH", "KH", "QH", "8H", "7H"];

/** A pack of 24 has no sevens and eights. @param {string[]} cards @param {Rules} rules */
const inPack = (cards, rules) => cards.filter((card) => rules.pack === 32 || !"78".includes(card[0]));

/** @param {Checked} checked */
export function gameText(checked) {
  const { rules } = checked;
  return html`
    ${part("aim", [t(`how.players.${rules.players}`), t(`how.scoring.${rules.scoring}`), ...sentences(checked, "match")])}
    ${part("cards", [t(`how.pack.${rules.pack}`), t("how.order")], html`
      ${row(inPack(TRUMP, rules), t("how.cards.trump"))}${row(inPack(PLAIN, rules), t("how.cards.plain"))}
      ${rules.trumps.includes("NT") ? html`<p>${t("how.no_trumps")}</p>` : nothing}
      ${rules.trumps.includes("AT") ? html`<p>${t("how.all_trumps")}</p>` : nothing}`)}
    ${part("deal", [...(rules.layout === "open" ? [t("how.open")] : []), ...sentences(checked, "deal")])}
    ${part("auction", [t(`how.auction.${rules.auction}`), ...sentences(checked, "auction")])}
    ${part("play", [t("how.follow"), ...sentences(checked, "play"), t("how.shown")], row(["9H", "JH"], t("how.play.caption")))}
    ${rules.declare === "none" ? part("declarations", sentences(checked, "declarations"))
      : part("declarations", [t("how.kinds"), t("how.strongest"), ...sentences(checked, "declarations")],
        row(["9S", "TS", "JS"], t("how.declarations.caption")))}
    ${rules.belote === "none" ? part("belote", sentences(checked, "belote"))
      : part("belote", [t(rules.auction === "call" ? "how.bela" : "how.belote"), ...sentences(checked, "belote")], row(["KH", "QH"], t("how.belote.caption")))}
    ${part("score", [...sentences(checked, "contract"), ...(rules.scoring === "match_points" ? [t("how.match_points"), t("how.match_rounding")] : []),
      ...sentences(checked, "score")])}`;
}

/** @param {string} name @param {unknown[]} texts @param {unknown} [more] */
const part = (name, texts, more = nothing) => html`<section class="howto__part"><h2>${t(`how.title.${name}`)}</h2>
  ${texts.map((text) => (typeof text === "string" ? html`<p>${text}</p>` : text))}${more}</section>`;

/** The rules of a group that matter in this game. @param {Checked} checked @param {string} group */
function sentences(checked, group) {
  return houseRules().filter((rule) => rule.group === group && rule.field in checked.open).map(({ field }) => {
    const text = valueSentence(field, checked.rules[field]);
    return field in checked.changed
      ? html`<p class="is-house"><span class="chip chip--house">${t("rules.house_one")}</span> ${text}</p>` : text;
  });
}

/** In short: game, target, how many sit. @param {Rules} rules */
export const inShort = (rules) => rich("how.short", {
  n: rules.players, target: num(rules.target), cards: rules.pack, way: t(`how.way.${rules.direction}`),
});

/** How to play the classic game, with pictures of cards. */
import { rich, t } from "../i18n.js";
import { cardFace } from "../ui/bits.js";
import { html } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";
import { playNow } from "./landing.js";

/** @param {string[]} cards @param {string} caption */
const row = (cards, caption) => html`<figure class="howrow"><div>${cards.map((card) => cardFace(card))}</div>
  <figcaption>${caption}</figcaption></figure>`;

const PLAIN = ["AC", "TC", "KC", "QC", "JC", "9C", "8C", "7C"];
const TRUMP = ["JH", "9H", "AH", "TH", "KH", "QH", "8H", "7H"];

/** @param {string} name @param {number} n paragraphs @param {unknown} [more] */
const part = (name, n, more = "") => html`<section class="howto__part"><h2>${t(`howto.${name}.title`)}</h2>
  ${Array.from({ length: n }, (_, i) => html`<p>${rich(`howto.${name}.${i + 1}`)}</p>`)}${more}</section>`;

/** @returns {import("../app.js").Screen} */
export function howto() {
  return {
    title: () => t("nav.howto"),
    body: () => "page-howto page-plain",
    render: () => html`${pageBar()}<main class="plain howto"><h1>${t("howto.title")}</h1>
      ${part("aim", 1)}
      ${part("cards", 1, html`${row(TRUMP, t("howto.cards.trump"))}${row(PLAIN, t("howto.cards.plain"))}`)}
      ${part("auction", 2)}
      ${part("play", 3, row(["9H", "JH"], t("howto.play.caption")))}
      ${part("declarations", 2, row(["9S", "TS", "JS"], t("howto.declarations.tierce")))}
      ${part("belote", 1, row(["KH", "QH"], t("howto.belote.caption")))}
      ${part("score", 3)}
      ${part("keys", 1)}
      <p><button class="btn btn--brass btn--big" type="button" @click=${playNow}>${t("landing.play")}</button></p>
    </main>${phoneTabs()}`,
  };
}

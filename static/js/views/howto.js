/** How to play: every game explained from its own rules. */
import { attempt, update } from "../app.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { checkRules, knownPresets, loadBook } from "../rules/book.js";
import { Exercise, exercisePart } from "../rules/exercise.js";
import { gameText, inShort } from "../rules/text.js";
import { presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";
import { playNow } from "./seek.js";
import { createSheet, openCreate } from "./make.js";

/** @param {string} wanted a preset's name, or "" @returns {import("../app.js").Screen} */
export function howto(wanted) {
  const game = wanted === "" ? "classic" : wanted;
  /** @type {import("../rules/book.js").Checked | null} */
  let checked = null;
  /** @type {Exercise | null} */
  let exercise = null;
  void attempt(async () => {
    await loadBook();
    const found = await attempt(() => checkRules(game, {}));
    if (found === undefined) await go("/how-to-play", { replace: true });
    else {
      checked = found;
      exercise = new Exercise(game, {});
    }
    update();
  });

  const games = () => html`<nav class="gametabs" aria-label=${t("create.game")}>${(knownPresets() ?? []).map(({ name }) => html`<a
    class="chip chip--pick" href="/how-to-play/${name}" aria-current=${name === game ? "page" : nothing}>${presetName(name)}</a>`)}</nav>`;

  const page = (/** @type {import("../rules/book.js").Checked} */ found) => html`<h2 class="howto__name">${presetName(game)}</h2>
    <p class="dim">${t(`preset.${game}.about`)}</p><p class="dim">${inShort(found.rules)}</p>
    <div class="howto__go"><button class="btn btn--brass btn--big" type="button" @click=${() => playNow(game)}>${t("landing.play")}</button>
      <button class="btn btn--big" type="button" data-testid="create-this" @click=${() => openCreate(game)}>${t("landing.create")}</button></div>
    ${gameText(found)}
    ${exercise === null ? nothing : exercisePart(exercise, found.rules)}
    <section class="howto__part"><h2>${t("how.title.keys")}</h2><p>${t("how.keys")}</p></section>`;

  return {
    title: () => t("nav.howto"),
    body: () => "page-howto page-plain",
    render: () => html`${pageBar()}<main class="plain howto"><h1>${t("howto.title")}</h1>
      ${games()}${checked === null ? html`<p class="dim">${t("loading")}</p>` : page(checked)}
    </main>${phoneTabs()}${createSheet()}`,
  };
}

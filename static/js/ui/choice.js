/** One question with a few answers, as a row of chips. */
import { html, nothing } from "./html.js";

/**
 * @template T @param {unknown} label @param {T} value @param {[T, string][]} options
 * @param {(value: T) => void} choose @param {unknown} [help] @param {string} [name] for tests
 */
export const choice = (label, value, options, choose, help = "", name = "") => html`<fieldset class="choice">
  <legend>${label}</legend><div class="choice__row">${options.map(
    ([option, text]) => html`<button type="button" class="chip chip--pick" data-testid=${name ? `${name}-${option}` : nothing}
      aria-pressed=${JSON.stringify(option) === JSON.stringify(value)} @click=${() => choose(option)}>${text}</button>`,
  )}</div>${help ? html`<p class="choice__help">${help}</p>` : nothing}</fieldset>`;

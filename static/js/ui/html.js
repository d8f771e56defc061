/** The page's template language: lit-html as published, and a directive for CSS variables. */
import { html, noChange, nothing, render, svg } from "../../vendor/lit-html/lit-html.js";
import { Directive, directive } from "../../vendor/lit-html/directive.js";
import { classMap } from "../../vendor/lit-html/directives/class-map.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";

export { classMap, html, keyed, live, nothing, render, repeat, svg };
/** @typedef {import("../../vendor/lit-html/lit-html.js").TemplateResult} Template */

/** The folder of the static files, with its hash. */
export const BASE = new URL("../../", import.meta.url).href;

class Vars extends Directive {
  /** @param {Record<string, string | number>} _values */
  render(_values) {
    return noChange;
  }

  /**
   * The CSP forbids style attributes; the style object is allowed.
   * @param {any} part @param {[Record<string, string | number>]} values @override
   */
  update(part, [values]) {
    for (const [name, value] of Object.entries(values)) {
      part.element.style.setProperty(name, String(value));
    }
    return noChange;
  }
}

/** `<li ${vars({ "--i": 3 })}>` */
export const vars = directive(Vars);

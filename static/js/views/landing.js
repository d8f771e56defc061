/** The first screen: one big button, and no wall before it. */
import { me, partyOfMine, tablesOfMine, update } from "../app.js";
import { t, currentLanguage, LANGUAGES } from "../i18n.js";
import { loadLanguage } from "../language.js";
import { cardFace, face, icon, preloadDeck } from "../ui/bits.js";
import { html, nothing, vars } from "../ui/html.js";
import { brand, settingsButton } from "../ui/topbar.js";
import { joinByCode } from "./join.js";
import { goOn } from "./elsewhere.js";
import { createSheet, openCreate } from "./make.js";
import { invite, partyBox, partySheet, watchParty } from "./party.js";
import { playNow, seeking, withPartner } from "./seek.js";
import { wishButton, wishSheet } from "./wish.js";

const TRICK = ["TS", "AS", "JS", "9S"];
const FAN = ["JH", "9H", "AH", "KH", "QH"];

/** The code box: open or not, what is written, what was wrong. */
const code = { open: false, text: "", error: "" };

/** @param {SubmitEvent} event */
async function submitCode(event) {
  event.preventDefault();
  code.error = await joinByCode(code.text);
  update();
}

const codeBox = () => html`<form class="codebox" @submit=${submitCode}>
  <label for="code">${t("landing.code")}</label>
  <input id="code" data-testid="join-code" autocomplete="off" autocapitalize="characters"
    spellcheck="false" maxlength="9" placeholder="K7Q2MD" .value=${code.text}
    aria-describedby="code-e" @input=${(/** @type {any} */ e) => { code.text = e.target.value; }}>
  <button class="btn btn--brass" type="submit" data-testid="join-go">${t("action.join")}</button>
  <p id="code-e" class="codebox__error" role="alert">${code.error}</p></form>`;

const languagePicker = () => html`<label class="langpick">${icon("languages")}
  <span class="sr">${t("settings.language")}</span>
  <select @change=${(/** @type {any} */ e) => void loadLanguage(e.target.value, true)}>
    ${LANGUAGES.map((lang) => html`<option value=${lang} ?selected=${lang === currentLanguage()}
      >${t(`language.${lang}`)}</option>`)}</select></label>`;

const GAMES = ["turn", "declare", "belote", "bots", "free"];

/** @returns {import("../app.js").Screen} */
export function landing() {
  preloadDeck();
  const unwatch = watchParty();
  return {
    title: () => t("landing.title"),
    body: () => "page-landing",
    dispose: () => { unwatch(); code.open = false; code.error = ""; },
    render: () => {
      const player = me();
      const playing = tablesOfMine().filter((table) => table.status !== "closed");
      return html`<header class="topbar">${brand()}<div class="topbar__end">
          ${languagePicker()}${settingsButton()}
          ${player === null ? nothing : html`<a class="whoami" href="/profile"
            >${face(player.avatar, "avatar--sm")}<span><b>${player.name}</b>
            <small>${t("level", { n: player.level })}</small></span></a>`}</div></header>
        <main class="hero"><div class="hero__text">
          <h1>${t("landing.headline")}</h1><p>${t("landing.text")}</p>
          <div class="hero__go">
            <div class="hero__play"><button class="btn btn--brass btn--huge" type="button" data-testid="play-now"
              ?disabled=${seeking()} @click=${() => playNow()}>${t(seeking() ? "landing.seating" : withPartner() ? "party.play" : "landing.play")}</button>
              ${wishButton()}</div>
            ${partyBox()}${goOn(playing)}
            <div class="hero__more">
              <button class="btn btn--line" type="button" data-testid="create-table"
                @click=${() => openCreate()}>${icon("plus")}${t("landing.create")}</button>
              <button class="btn btn--line" type="button" data-testid="join-by-code"
                aria-expanded=${code.open}
                @click=${() => { code.open = !code.open; update(); }}>${icon("hash")}${t("landing.join")}</button>
              ${partyOfMine() !== null ? nothing : html`<button class="btn btn--line" type="button" data-testid="invite" @click=${() => invite()}>${icon("users")}${t("party.invite")}</button>`}
              <a class="btn btn--line" href="/how-to-play">${icon("book-open")}${t("nav.howto")}</a>
            </div>
            ${code.open ? codeBox() : nothing}
          </div></div>
          <div class="hero__table" aria-hidden="true"><div class="hero__trick">${TRICK.map(
            (card, i) => cardFace(card, "abcd"[i]),
          )}</div><div class="hero__fan"><ol class="fan" ${vars({ "--n": FAN.length })}>${FAN.map(
            (card, i) => html`<li ${vars({ "--i": i })}>${cardFace(card)}</li>`,
          )}</ol></div></div></main>
        <section class="games" aria-label=${t("landing.about")}><ul>${GAMES.map(
          (name) => html`<li><b class="display">${t(`landing.${name}.title`)}</b>
            <span>${t(`landing.${name}.text`)}</span></li>`,
        )}</ul>
        <nav class="games__nav" aria-label=${t("nav.main")}><a href="/lobby">${t("nav.lobby")}</a>
          <a href="/ranking">${t("nav.ranking")}</a><a href="/history">${t("nav.history")}</a></nav>
        </section>${createSheet()}${wishSheet()}${partySheet()}`;
    },
  };
}

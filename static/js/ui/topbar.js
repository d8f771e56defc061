/** The bar at the top of every screen, the tabs at the foot of phone pages, and toasts. */
import { connection, me, toasts } from "../app.js";
import { t } from "../i18n.js";
import { brandMark, face, icon } from "./bits.js";
import { html, nothing } from "./html.js";
import { openSettings } from "./settings.js";

const PAGES = /** @type {const} */ ([
  ["/lobby", "nav.play", "play"],
  ["/history", "nav.history", "history"],
  ["/ranking", "nav.ranking", "trophy"],
  ["/how-to-play", "nav.howto", "book-open"],
]);

/** @param {string} path */
const here = (path) => (location.pathname === path ? "page" : nothing);

export const brand = () => html`<a class="brand" href="/" aria-label="Rebelote, ${t("nav.home")}"
  >${brandMark()}<span>Rebelote</span></a>`;

/** The connection, always in view, in words. */
export function connectionSign() {
  const { status } = connection();
  if (status === "offline" && me() === null) return nothing;
  return html`<span class="conn conn--${status}" role="status" data-testid="connection"
    ><span>${t(`connection.${status}`)}</span></span>`;
}

export const settingsButton = () => html`<button class="iconbtn" type="button"
  data-testid="settings" aria-label=${t("nav.settings")} @click=${openSettings}
  >${icon("settings")}</button>`;

export const pageBar = () => html`<header class="topbar">${brand()}
  <nav class="topbar__nav" aria-label=${t("nav.main")}>${PAGES.map(
    ([path, key]) => html`<a href=${path} aria-current=${here(path)}>${t(key)}</a>`,
  )}</nav>
  <div class="topbar__end">${connectionSign()}${settingsButton()}${whoAmI()}</div></header>`;

function whoAmI() {
  const player = me();
  if (player === null) return nothing;
  return html`<a class="whoami" href="/profile" data-testid="whoami">${face(player.avatar, "avatar--sm")}
    <span><b>${player.name}</b><small>${t("level", { n: player.level })}</small></span></a>`;
}

export const phoneTabs = () => html`<nav class="tabs" aria-label=${t("nav.main")}>${PAGES.map(
  ([path, key, sign]) => html`<a href=${path} aria-current=${here(path)}>${icon(sign)}${t(key)}</a>`,
)}</nav>`;

export const toastList = () => html`<div class="toasts" role="alert">${toasts.map(
  (one) => html`<p class="toast">${one.text}</p>`,
)}</div>`;

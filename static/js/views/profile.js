/** My own page: name, face, level, matches by game, the last matches. */
import { attempt, changePlayer, loadPlayer, me, toast, update } from "../app.js";
import { errorText, num, t } from "../i18n.js";
import { api, ApiError } from "../net/api.js";
import { AVATARS, bar, face, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { pageBar, phoneTabs } from "../ui/topbar.js";
import { matchList } from "./history.js";

/** @typedef {{ preset: string, matches: number, won: number, quit: number }} Figures */

/** @returns {import("../app.js").Screen} */
export function profile() {
  /** @type {import("./history.js").Match[] | null} */
  let matches = null;
  /** @type {Figures[]} */
  let figures = [];
  let loaded = false;
  /** What is being written; null: nothing yet. @type {string | null} */
  let name = null;
  let error = "";
  void attempt(async () => {
    const player = await loadPlayer();
    loaded = true;
    if (player !== null) {
      const [list, page] = await Promise.all([
        api.get("/api/matches?player=me&limit=5"), api.get(`/api/players/${player.id}`),
      ]);
      matches = list.matches;
      figures = page.presets ?? [];
    }
    update();
  });

  const change = async (/** @type {Record<string, string>} */ what) => {
    try {
      const answer = await api.patch("/api/me", what);
      changePlayer({ .../** @type {any} */ (me()), ...answer.player });
      error = "";
      toast(t("profile.saved"));
    } catch (reason) {
      error = errorText(reason instanceof ApiError ? reason.code : "unknown");
    }
    update();
  };
  const rename = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void change({ name: (name ?? me()?.name ?? "").trim() });
  };

  const card = (/** @type {import("../core/types.js").Player} */ player) => {
    const from = player.level_from ?? 0;
    const to = player.level_to ?? 1;
    const xp = player.xp ?? 0;
    const words = t("xp.progress", { n: xp - from, of: to - from });
    return html`<section class="idc"><span class="idc__face">${face(player.avatar)}</span>
      <div class="idc__t"><h1>${player.name}</h1><p>${player.guest ? t("profile.guest") : ""}</p></div>
      <div class="idc__lvl"><p><b>${t("level", { n: player.level })}</b><span class="num">${words}</span></p>
        ${bar((xp - from) / Math.max(1, to - from), words)}</div>
      <dl class="idc__n"><div><dt>${t("ranking.xp")}</dt><dd>${num(xp)}</dd></div></dl></section>`;
  };

  const editor = () => html`<section class="panel box"><h2>${t("profile.edit")}</h2>
    <form class="namebox" @submit=${rename}><label for="name">${t("profile.name")}</label>
      <input id="name" data-testid="name" maxlength="20" autocomplete="nickname" .value=${name ?? me()?.name ?? ""}
        @input=${(/** @type {any} */ e) => { name = e.target.value; }}>
      <button class="btn btn--brass" type="submit">${t("action.save")}</button>
      <p class="codebox__error" role="alert">${error}</p></form>
    <fieldset class="faces"><legend>${t("profile.face")}</legend><div>${AVATARS.map((avatar) => html`<button type="button"
      class="faces__one" aria-pressed=${me()?.avatar === avatar} aria-label=${t("profile.face.n", { name: t(`avatar.${avatar}`) })}
      @click=${() => change({ avatar })}>${face(avatar)}</button>`)}</div></fieldset></section>`;

  const record = () => figures.length === 0 ? nothing : html`<section class="block paper record"><h2>${t("profile.record")}</h2>
    <table><thead><tr><th scope="col">${t("create.game")}</th><th scope="col">${t("ranking.matches")}</th>
      <th scope="col">${t("ranking.won")}</th></tr></thead><tbody>${figures.map((one) => html`<tr>
      <th scope="row">${presetName(one.preset)}</th><td>${num(one.matches)}</td>
      <td>${num(one.won)} <small>${one.matches > 0 ? t("percent", { n: Math.round((100 * one.won) / one.matches) }) : ""}</small></td></tr>`)}</tbody></table></section>`;

  return {
    title: () => t("nav.profile"),
    body: () => "page-profile page-plain",
    render: () => {
      const player = me();
      const inner = player === null
        ? html`<div class="empty panel"><p>${loaded ? t("profile.nobody") : t("loading")}</p>
            <a class="btn btn--brass" href="/">${t("nav.home")}</a></div>`
        : html`${card(player)}${editor()}${record()}<section><h2>${t("profile.last")}</h2>
            ${matches === null ? nothing : matchList(matches, player.id)}</section>`;
      return html`${pageBar()}<main class="plain">${inner}</main>${phoneTabs()}`;
    },
  };
}

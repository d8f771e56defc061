/** Two who stay partners: how one invites the other, and how both see that they are together. */
import { attempt, ensurePlayer, link, me, partyOfMine, setParty, toast, update } from "../app.js";
import { t } from "../i18n.js";
import { api, ApiError } from "../net/api.js";
import { go } from "../router.js";
import { face, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { pageBar } from "../ui/topbar.js";
import { playNow, seeking } from "./seek.js";
import { copyLink } from "./share.js";

/** @typedef {import("../app.js").Party} Party */

/** How often one looks whether the other has come, left, or looks for a game. */
const LOOK_MS = 2_500;

let open = false;
/** @type {Set<() => boolean>} whether a screen shows the party now */
const screens = new Set();
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** While a screen shows the party it is looked at; the last screen to go ends it. @param {() => boolean} [shown] @returns {() => void} how to stop */
export function watchParty(shown = () => true) {
  screens.add(shown);
  timer ??= setInterval(() => void look(), LOOK_MS);
  return () => {
    screens.delete(shown);
    if (screens.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    open = false;
  };
}

async function look() {
  if (document.hidden || partyOfMine() === null || ![...screens].some((shown) => shown())) return;
  try {
    tell(await api.get("/api/me/party"));
  } catch (error) {
    if (error instanceof ApiError && error.code === "party_not_found") setParty(null);
  }
}

/** The new state of the party; who came or went is said. @param {Party} next */
function tell(next) {
  const before = partner();
  if (partyOfMine() === null) return; // left while the answer was on its way
  setParty(next);
  const now = partner();
  if (before === undefined && now !== undefined) {
    open = false;
    toast(t("party.came", { who: now.name }));
  }
  if (before !== undefined && now === undefined) toast(t("party.went", { who: before.name }));
}

/** Who is with me. */
export const partner = () => partyOfMine()?.members.find(({ player }) => player !== me()?.id);

/** A party of one, to which a friend may come. */
export const invite = () => attempt(async () => {
  await ensurePlayer();
  link.start();
  if (partyOfMine() === null) setParty(await api.post("/api/parties"));
  open = true;
  update();
});

const leave = () => attempt(async () => {
  open = false;
  setParty(null);
  await api.del("/api/me/party");
});

const close = () => { open = false; update(); };

/** Under *Play now*: who my partner is, or that I wait for one. */
export function partyBox() {
  const party = partyOfMine();
  if (party === null) return nothing;
  const other = partner();
  const asked = other !== undefined && other.queued && !seeking();
  return html`<section class="party ${asked ? "party--ask" : ""}" aria-label=${t("party.title")} data-testid="party">
    <span class="party__two">${face(me()?.avatar ?? null, "avatar--sm")}${other ? face(other.avatar, "avatar--sm")
      : html`<span class="avatar avatar--sm avatar--empty">${icon("user", "icon--sm")}</span>`}</span>
    <p class="party__say" role="status">${other === undefined ? t("party.waiting") : t(asked ? "party.looks" : "party.with", { who: other.name })}</p>
    ${other !== undefined ? asked ? html`<button class="btn btn--ember" type="button" data-testid="party-come" @click=${() => playNow()}>${t("party.come")}</button>` : nothing
      : html`<button class="btn" type="button" data-testid="party-show" @click=${() => invite()}>${icon("link", "icon--sm")}${t("party.show")}</button>`}
    <button class="iconbtn" type="button" data-testid="party-leave" aria-label=${t("party.leave")} title=${t("party.leave")} @click=${leave}>${icon("x")}</button></section>`;
}

/** The code, the link and its picture, until the friend is there. */
export function partySheet() {
  const party = partyOfMine();
  if (!open || party === null || partner() !== undefined) return nothing;
  const path = `/party/${party.code}`;
  return html`<div class="scrim" @click=${close}></div>
    <div class="dialog panel dialog--party" role="dialog" aria-modal="true" aria-labelledby="pa-t" data-dialog data-testid="party-dialog"
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") close(); }}>
      <div class="dialog__top"><h2 id="pa-t">${t("party.title")}</h2><button class="iconbtn" type="button" aria-label=${t("action.close")} @click=${close}>${icon("x")}</button></div>
      <p>${t("party.text")}</p>
      <p class="party__code" data-testid="party-code">${party.code}</p>
      <img class="party__qr" src="/api/parties/${party.code}/qr.svg" alt=${t("waiting.qr")} width="164" height="164">
      <p class="dim" role="status">${t("party.waiting")}</p>
      <div class="dialog__foot"><button class="btn" type="button" data-testid="party-cancel" @click=${leave}>${t("party.cancel")}</button>
        <button class="btn btn--brass" type="button" data-first data-testid="party-link" @click=${() => void copyLink(path)}>${icon("link")}${t("waiting.copy")}</button></div></div>`;
}

/** Become the partner. @param {string} code */
const join = (code) => attempt(async () => {
  setParty(await api.post(`/api/parties/${encodeURIComponent(code)}/members`));
  await go("/");
});

/** The screen behind the link. @param {string} code @returns {import("../app.js").Screen} */
export function partyScreen(code) {
  /** @type {Party | null} */
  let party = null;
  void attempt(async () => {
    await ensurePlayer();
    link.start();
    party = await api.get(`/api/parties/${encodeURIComponent(code)}`);
    update();
    return true;
  }).then((known) => known || go("/", { replace: true }));

  const invitation = (/** @type {Party} */ found) => {
    const mine = found.members.some(({ player }) => player === me()?.id);
    const who = found.members.find(({ player }) => player !== me()?.id);
    const full = !mine && found.members.length >= 2;
    return html`${who ? face(who.avatar) : nothing}<h1>${mine ? t("party.own") : full ? t("error.party_full") : t("party.invites", { who: who?.name ?? "" })}</h1>
      ${mine || full ? html`<a class="btn btn--brass btn--big" href="/">${t("nav.home")}</a>`
        : html`<p class="dim">${t("party.invites.text")}</p><div class="invited__go"><button class="btn btn--brass btn--big" type="button" data-testid="party-join" @click=${() => join(code)}>${t("party.join")}</button>
          <a class="btn btn--big" href="/" data-testid="party-decline">${t("party.decline")}</a></div>`}`;
  };
  return {
    title: () => t("party.title"),
    body: () => "page-invited",
    render: () => html`${pageBar()}<main class="invited">${party === null ? html`<p class="dim">${t("loading")}</p>` : invitation(party)}</main>`,
  };
}

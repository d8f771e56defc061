/** Play now: look for people who want the same, until there is a seat. */
import { attempt, beside, connection, ensurePlayer, link, me, partyOfMine, store, tellRefusal, toast, update } from "../app.js";
import { leftSeconds, startCountdown } from "../core/clock.js";
import { queueFrame, WAITS, wishOf, withPreset } from "../core/seek.js";
import { num, t } from "../i18n.js";
import { prefs, savePrefs } from "../prefs.js";
import { go } from "../router.js";
import { face, icon } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { loadPresets, presetRules } from "../rules/book.js";
import { wishChips } from "./wish_words.js";

/** How long bots stay away for those who ask for it meanwhile. */
const PATIENT_MS = 60_000;
const TICK_MS = 250;
const SEATS = 4;

/** @typedef {import("../core/seek.js").Wish} Wish */
/**
 * @typedef {object} Search
 * @property {Wish} wish
 * @property {boolean} party together with my partner
 * @property {number} since when it began, on the page's own clock
 * @property {number} people
 * @property {boolean} told whether the server has answered
 * @property {import("../core/clock.js").Countdown | null} clock null: the partner does not look yet
 */

/** @type {Search | null} */
let search = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticker;

export const seeking = () => search !== null;
export const withPartner = () => partyOfMine()?.members.length === 2;

/** A seat in seconds: a guest, a search, and bots where nobody comes. @param {string} [preset] */
export async function playNow(preset = prefs.seek.preset) {
  if (search !== null) return;
  const wish = withPreset(prefs.seek, preset);
  savePrefs({ seek: wish });
  search = { wish, party: withPartner(), since: performance.now(), people: 1, told: false, clock: null };
  ticker = setInterval(update, TICK_MS);
  update();
  const player = await attempt(ensurePlayer);
  if (player === undefined || !(await fitsPartners())) {
    over();
    return;
  }
  link.start();
  ask(); // where the socket is not there yet, its welcome asks
}

/** Partners sit opposite each other: that needs a table of four. */
async function fitsPartners() {
  if (!search?.party) return true;
  const { preset } = search.wish;
  if (await attempt(async () => { await loadPresets(); return true; }) === undefined) return false;
  if ((presetRules(preset)?.players ?? SEATS) === SEATS) return true;
  toast(t("party.four"));
  return false;
}

/** A ticket lives as long as its socket: each new one asks again. */
function ask() {
  if (search === null || me() === null || connection().status !== "online") return;
  link.send(queueFrame(search.wish, search.party));
}

function over() {
  search = null;
  clearInterval(ticker);
  update();
}

function cancel() {
  link.send({ t: "queue", on: false });
  over();
}

/** @param {boolean} patient */
function wait(patient) {
  if (search === null) return;
  search.wish = { ...search.wish, waitMs: patient ? PATIENT_MS : null };
  ask();
  update();
}

/** Where fewer than four came, a rated search opens a casual table: say so when it is seen. @param {string} code */
function tellIfCasual(code) {
  const stop = store.listen(({ table }) => {
    if (table.code !== code) return;
    stop();
    if (!table.view.options.rated) toast(t("seek.casual_after_all"));
  });
}

/** @param {Record<string, any>} frame */
function onQueued(frame) {
  if (search === null) return;
  const { preset, target, speed, rated, people } = frame;
  // Who asked first has chosen for both partners: what is shown is what is looked for.
  search = {
    ...search, people, told: true, clock: startCountdown(frame.left_ms, performance.now()),
    wish: { ...search.wish, ...wishOf({ preset, target, speed, rated }), waitMs: search.wish.waitMs },
  };
  update();
}

beside.add((frame) => {
  switch (frame.t) {
    case "welcome":
      ask();
      break;
    case "queued":
      onQueued(frame);
      break;
    case "matched":
      if (search?.wish.rated) tellIfCasual(frame.table);
      over();
      void go(`/t/${frame.table}`);
      break;
    case "cancelled":
      // "left" answers the search that was given up: another one may have begun since.
      if (search === null || frame.code === "left") break;
      over();
      tellRefusal(frame.code, frame.facts);
      break;
    default:
  }
});

/** "1:05". @param {number} since */
function waited(since) {
  const s = Math.floor((performance.now() - since) / 1000);
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

/** What the time that is left means. @param {Search} sought */
function outlook({ wish, party, told, clock }) {
  const seconds = leftSeconds(clock, performance.now());
  if (party && told && seconds === null) return t("party.partner_looks_not");
  if (seconds === null) return "";
  const time = t("time.seconds", { n: num(seconds) });
  return t(wish.rated ? "seek.casual_in" : "seek.bots_in", { time });
}

/** Me, my partner opposite, and as many others as look for the same. @param {Search} sought @param {number} seats */
function faces({ people, party }, seats) {
  const mine = me()?.id;
  const partner = party ? partyOfMine()?.members.find((one) => one.player !== mine) : undefined;
  return Array.from({ length: seats }, (_, i) => {
    if (i === 0) return html`<li class="is-here">${face(me()?.avatar ?? null)}</li>`;
    const here = i < people;
    if (i === 1 && partner) return html`<li class=${here ? "is-here" : "is-asked"}>${face(partner.avatar)}</li>`;
    return html`<li class=${here ? "is-here" : ""}><span class="avatar">${icon("user", "icon--lg")}</span></li>`;
  });
}

/** What is shown meanwhile, over whatever screen. */
export function seekSheet() {
  if (search === null) return nothing;
  const { wish, people, since } = search;
  const seats = presetRules(wish.preset)?.players ?? SEATS;
  const patient = wish.waitMs !== null;
  return html`<div class="scrim"></div>
    <div class="dialog panel dialog--seek" role="dialog" aria-modal="true" aria-labelledby="sk-t" data-dialog data-testid="seek"
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") cancel(); }}>
      <h2 id="sk-t">${t("seek.title")}</h2>
      <p class="chips">${wishChips(wish)}</p>
      <ul class="seek" aria-label=${t("seek.people", { n: people })}>${faces(search, seats)}</ul>
      <p role="status">${t("seek.people", { n: people })}</p>
      <p class="seek__time" aria-hidden="true"><span class="num" data-testid="seek-waited">${waited(since)}</span><span class="num">${outlook(search)}</span></p>
      <div class="dialog__foot">${WAITS.includes(wish.waitMs) && wish.waitMs !== null && wish.waitMs !== PATIENT_MS ? nothing
        : html`<button class="chip chip--pick" type="button" aria-pressed=${patient} data-testid="seek-patient"
          @click=${() => wait(!patient)}>${t("seek.patient")}</button>`}
        <button class="btn" type="button" data-first data-testid="seek-cancel" @click=${cancel}>${t("seek.cancel")}</button></div></div>`;
}

/** Play now: look for people who want the same, until there is a seat. */
import { attempt, beside, connection, ensurePlayer, link, me, toast, update } from "../app.js";
import { leftSeconds, startCountdown } from "../core/clock.js";
import { errorText, num, t } from "../i18n.js";
import { prefs } from "../prefs.js";
import { go } from "../router.js";
import { face, icon, presetName } from "../ui/bits.js";
import { html, nothing } from "../ui/html.js";
import { presetRules } from "../rules/book.js";

/** How long bots stay away for those who ask for it. */
const PATIENT_MS = 60_000;
const TICK_MS = 250;

/** @typedef {{ preset: string, waitMs: number | null, people: number, clock: import("../core/clock.js").Countdown | null }} Search */

/** @type {Search | null} */
let search = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticker;

export const seeking = () => search !== null;

/** A seat in seconds: a guest, a search, and bots where nobody comes. @param {string} [preset] */
export async function playNow(preset = prefs.preset) {
  if (search !== null) return;
  search = { preset, waitMs: null, people: 1, clock: null };
  ticker = setInterval(update, TICK_MS);
  update();
  const player = await attempt(ensurePlayer);
  if (player === undefined) {
    over();
    return;
  }
  link.start();
  ask(); // where the socket is not there yet, its welcome asks
}

/** A ticket lives as long as its socket: each new one asks again. */
function ask() {
  if (search === null || connection().status !== "online") return;
  const { preset, waitMs } = search;
  link.send({ t: "queue", on: true, preset, ...(waitMs === null ? {} : { wait_ms: waitMs }) });
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
  search.waitMs = patient ? PATIENT_MS : null;
  ask();
  update();
}

beside.add((frame) => {
  switch (frame.t) {
    case "welcome":
      ask();
      break;
    case "queued":
      if (search === null) break;
      search = { ...search, people: frame.people, clock: startCountdown(frame.left_ms, performance.now()) };
      update();
      break;
    case "matched":
      over();
      void go(`/t/${frame.table}`);
      break;
    case "cancelled":
      if (search === null) break;
      over();
      if (frame.code !== "left") toast(errorText(frame.code, frame.facts));
      break;
    default:
  }
});

/** What is shown meanwhile, over whatever screen. */
export function seekSheet() {
  if (search === null) return nothing;
  const { preset, people, clock, waitMs } = search;
  const seats = presetRules(preset)?.players ?? 4;
  const seconds = leftSeconds(clock, performance.now());
  const patient = waitMs !== null;
  return html`<div class="scrim"></div>
    <div class="dialog panel dialog--seek" role="dialog" aria-modal="true" aria-labelledby="sk-t" data-dialog data-testid="seek"
      @keydown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") cancel(); }}>
      <h2 id="sk-t">${t("seek.title")}</h2>
      <p class="chips"><span class="chip chip--brass">${presetName(preset)}</span></p>
      <ul class="seek" aria-label=${t("seek.people", { n: people })}>${Array.from({ length: seats }, (_, i) => html`<li class=${i < people ? "is-here" : ""}
        >${i === 0 ? face(me()?.avatar ?? null) : html`<span class="avatar">${icon("user", "icon--lg")}</span>`}</li>`)}</ul>
      <p role="status">${t("seek.people", { n: people })} <span class="num" aria-hidden="true">${seconds === null ? "" : t("seek.bots_in", { time: t("time.seconds", { n: num(seconds) }) })}</span></p>
      <div class="dialog__foot"><button class="chip chip--pick" type="button" aria-pressed=${patient} data-testid="seek-patient"
          @click=${() => wait(!patient)}>${t("seek.patient")}</button>
        <button class="btn" type="button" data-first data-testid="seek-cancel" @click=${cancel}>${t("seek.cancel")}</button></div></div>`;
}

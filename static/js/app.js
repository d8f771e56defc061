/** What every screen shares: the player, the socket, the router, and when to draw again. */
import { Store } from "./core/store.js";
import { browserLink } from "./net/socket.js";
import { api, ApiError } from "./net/api.js";
import { currentLanguage, errorText, t } from "./i18n.js";

/** @typedef {import("./core/types.js").Player} Player */
/**
 * @typedef {object} Screen
 * @property {() => string} title
 * @property {() => string} body classes of the body element
 * @property {() => unknown} render
 * @property {() => void} [dispose]
 * @property {(event: KeyboardEvent) => void} [onKey]
 */
/** @typedef {{ code: string, status: string, preset: string, seat: number, your_turn?: boolean }} MyTable */
/** @typedef {{ player: string, name: string, avatar: string, queued: boolean }} Member */
/** @typedef {{ code: string, members: Member[] }} Party two who stay partners, or one who waits for the other */

/** @type {Player | null} */
let player = null;
/** @type {MyTable[]} */
let myTables = [];
/** @type {Party | null} */
let myParty = null;
/** @type {() => void} */
let draw = () => {};
let scheduled = false;

export const store = new Store();
/** Who hears what is about no table: the lobby's list, a search, and each welcome. @type {Set<(frame: import("./core/store.js").Frame) => void>} */
export const beside = new Set();
/** Tables that this player may not follow, and why. @type {Map<string, string>} */
export const shut = new Map();
/** @type {import("./core/reconnect.js").Status} */
let status = "offline";
/** @type {string | null} why the socket stopped for good */
let stopped = null;

/** Who had a seat a moment ago was sent away from it. @param {string} table @param {string} code */
const whyShut = (table, code) =>
  shut.get(table) ?? (code === "forbidden" && (store.get(table)?.view.you.seat ?? null) !== null ? "sent_away" : code);

export const link = browserLink(store, {
  onStatus(next, code) {
    status = next;
    if (next === "stopped") void onStopped(code);
    update();
  },
  onWelcome(frame) {
    stopped = null;
    setPlayer({ ...player, ...frame.player });
  },
  onBeside(frame) {
    for (const hear of [...beside]) hear(frame);
  },
  onError(code, table) {
    // "unavailable" comes again by itself with the next ping.
    if (table !== undefined && code !== "unavailable") shut.set(table, whyShut(table, code));
    else toast(errorText(code));
    update();
  },
});

/** @param {number | null} code */
async function onStopped(code) {
  if (code === 4426) reloadOnce();
  else if (code === 4401) {
    // The session ended elsewhere: be somebody again, then go on.
    player = null;
    await ensurePlayer().then(() => link.start()).catch(() => { stopped = "unauthorized"; });
  } else stopped = code === 4403 ? "forbidden" : "unknown";
  update();
}

/** A page older than its server is loaded again, but never in a circle. */
function reloadOnce() {
  const KEY = "rebelote.reloaded";
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < 60_000) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return; // without a memory a circle could not be seen: the reader reloads
  }
  location.reload();
}

export const connection = () => ({ status, stopped });
export const me = () => player;
export const tablesOfMine = () => myTables;
export const partyOfMine = () => myParty;

/** @param {Party | null} next */
export function setParty(next) {
  myParty = next;
  update();
}

/** @param {Player} next */
export function setPlayer(next) {
  player = next;
  update();
}

/** How often I have changed something of myself here: an older answer does not change it back. */
let changes = 0;

/** @param {Player} next */
export function changePlayer(next) {
  changes += 1;
  setPlayer(next);
}

/** Who am I, and where do I sit? Null for a newcomer: nobody is made before a first wish. */
export async function loadPlayer() {
  const before = changes;
  try {
    const answer = await api.get("/api/session");
    myTables = answer.tables ?? [];
    myParty = answer.party ?? null;
    if (answer.player !== null && before === changes) setPlayer(answer.player);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return player;
}

/** The player, made as a guest if there is none yet. @returns {Promise<Player>} */
export async function ensurePlayer() {
  if (player !== null || (await loadPlayer()) !== null) return /** @type {Player} */ (player);
  const answer = await api.post("/api/guests", { locale: currentLanguage() });
  setPlayer(answer.player);
  return answer.player;
}

/** @param {() => void} how */
export function onDraw(how) {
  draw = how;
}

/** Draw again, once for any number of changes. */
export function update() {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    draw();
  });
}

/* Toasts: one line at the foot, for what went wrong or was done. */
/** @type {{ id: number, text: string }[]} */
export let toasts = [];
let toastCount = 0;

/** @param {string} text */
export function toast(text) {
  toastCount += 1;
  const id = toastCount;
  toasts = [...toasts.filter((old) => old.text !== text), { id, text }].slice(-3);
  setTimeout(() => {
    toasts = toasts.filter((one) => one.id !== id);
    update();
  }, 4_000);
  update();
}

/* Who plays elsewhere is shown the way there. */
let elsewhere = false;
export const isElsewhere = () => elsewhere;

/** @param {boolean} shown */
function setElsewhere(shown) {
  elsewhere = shown;
  update();
}
export const closeElsewhere = () => setElsewhere(false);

/** Say why something was refused. @param {string} code @param {Record<string, any>} [facts] */
export function tellRefusal(code, facts) {
  if (code === "busy_elsewhere") void loadPlayer().then(() => setElsewhere(true));
  else toast(errorText(code, facts));
}

/** Do something that may be refused; the reader hears why. @param {() => Promise<any>} what @returns {Promise<any>} */
export async function attempt(what) {
  try {
    return await what();
  } catch (error) {
    if (error instanceof ApiError) tellRefusal(error.code, error.detail?.facts);
    else toast(t("error.unknown", { code: "" }));
    if (!(error instanceof ApiError)) console.error(error);
    return undefined;
  }
}

/* The live region: what happens, in words, for those who do not see it. */
/** @type {string[]} */
let spoken = [];
let speaking = false;

/** @param {string} text */
export function say(text) {
  spoken.push(text);
  if (speaking) return;
  speaking = true;
  setTimeout(() => {
    speaking = false;
    const region = document.getElementById("live");
    if (region) region.textContent = spoken.join(". ");
    spoken = [];
  }, 120);
}

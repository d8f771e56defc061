/** What somebody looks for with *Play now*, as it is remembered and as it is asked. Pure. */

/**
 * @typedef {object} Wish
 * @property {string} preset
 * @property {number | null} target null: the game's own
 * @property {string} speed
 * @property {boolean} rated
 * @property {number | null} waitMs how long to wait for people before bots come; null: as usual
 */

/** @type {Wish} */
export const PLAIN = { preset: "classic", target: null, speed: "normal", rated: false, waitMs: null };

export const SPEEDS = ["fast", "normal", "relaxed"];
/** Five seconds, or longer where the player chose so (docs/protocol.md, *Play now*). @type {(number | null)[]} */
export const WAITS = [null, 20_000, 60_000, 120_000];
/** What the usual wait is called; the server has the last word. */
export const USUAL_S = 5;

/** Read what was remembered, which may be of an older page or nobody's at all. @param {any} raw @returns {Wish} */
export function wishOf(raw) {
  const { preset, target, speed, rated, waitMs } = raw ?? {};
  return {
    preset: typeof preset === "string" && /^[a-z-]{1,40}$/.test(preset) ? preset : PLAIN.preset,
    target: Number.isInteger(target) && target >= 1 && target <= 10_000 ? target : null,
    speed: SPEEDS.includes(speed) ? speed : PLAIN.speed,
    rated: rated === true,
    waitMs: WAITS.includes(waitMs) ? waitMs : null,
  };
}

/** Another game has targets of its own. @param {Wish} wish @param {string} preset @returns {Wish} */
export const withPreset = (wish, preset) => (preset === wish.preset ? wish : { ...wish, preset, target: null });

/** The frame that asks. @param {Wish} wish @param {boolean} party */
export function queueFrame({ preset, target, speed, rated, waitMs }, party) {
  return {
    t: "queue", on: true, preset, speed, rated, party,
    ...(target === null ? {} : { target }), ...(waitMs === null ? {} : { wait_ms: waitMs }),
  };
}

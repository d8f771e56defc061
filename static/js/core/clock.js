/**
 * Time left at a turn. The server sends milliseconds, never a moment: two machines' clocks differ.
 * `now` is always a monotonic reading in milliseconds, passed in.
 */

/** @typedef {{ endsAt: number, totalMs: number }} Countdown */

/**
 * @param {number | null | undefined} leftMs from the server @param {number} now
 * @param {number} [totalMs] length of the whole turn, for the ring @returns {Countdown | null}
 */
export function startCountdown(leftMs, now, totalMs) {
  if (leftMs === null || leftMs === undefined) return null;
  return { endsAt: now + leftMs, totalMs: Math.max(totalMs ?? leftMs, leftMs, 1) };
}

/** Milliseconds left, never below 0. @param {Countdown | null} c @param {number} now */
export function leftMs(c, now) {
  return c === null ? null : Math.max(0, c.endsAt - now);
}

/** Whole seconds to show: 0.2 s left still reads 1. @param {Countdown | null} c @param {number} now */
export function leftSeconds(c, now) {
  const left = leftMs(c, now);
  return left === null ? null : Math.ceil(left / 1000);
}

/**
 * The part of the ring that is left, 0 to 100, in steps of a quarter of a second so that the ring
 * moves evenly. @param {Countdown | null} c @param {number} now
 */
export function ringPercent(c, now) {
  const left = leftMs(c, now);
  if (c === null || left === null) return 100;
  return Math.round((Math.ceil(left / 250) * 250 * 1000) / c.totalMs) / 10;
}

/**
 * The lobby's list, fed by frames (docs/protocol.md): rows keep their place, whatever happens to
 * them, until the reader looks elsewhere. Pure.
 */

/** @typedef {{ kind: string, player: string | null, name: string | null, avatar: string | null, level: number | null }} RowSeat */
/**
 * @typedef {{ code: string, status: string, preset: string, target: number, speed: string,
 *   rated: boolean, spectators: boolean, latecomers: boolean, opened_at: string, open: number,
 *   house?: Record<string, any>, seats: RowSeat[], host: string | null, gone?: boolean }} Row
 */
/** @typedef {{ preset: string | null, rated: boolean | null, speed: string | null, seats: number, running: boolean }} Filter */

/** @type {Filter} */
export const EVERYTHING = { preset: null, rated: null, speed: null, seats: 0, running: true };

/** More greyed rows than this are taken away even under the pointer. */
const GONE_MOST = 40;

/** What a filter asks for, without what is asked for anyway. @param {Filter} filter @returns {Record<string, any>} */
export const wanted = (filter) =>
  Object.fromEntries(Object.entries(filter).filter(([name, value]) => value !== (name === "seats" ? 0 : name === "running" ? false : null)));

/**
 * The rows after a list came: new ones at the foot, changed ones where they were, those that are not
 * in it greyed at their place.
 * @param {readonly Row[]} old @param {readonly Row[]} fresh @returns {Row[]}
 */
export function withList(old, fresh) {
  const byCode = new Map(fresh.map((row) => [row.code, row]));
  const kept = old.map((row) => byCode.get(row.code) ?? { ...row, gone: true });
  const known = new Set(old.map((row) => row.code));
  return bounded([...kept, ...fresh.filter((row) => !known.has(row.code))]);
}

/** The rows after a change. @param {readonly Row[]} old @param {readonly Row[]} changed @param {readonly string[]} gone @returns {Row[]} */
export function withChange(old, changed, gone) {
  const left = new Set(gone);
  const byCode = new Map(changed.map((row) => [row.code, row]));
  const kept = old.map((row) => byCode.get(row.code) ?? (left.has(row.code) ? { ...row, gone: true } : row));
  const known = new Set(old.map((row) => row.code));
  return bounded([...kept, ...changed.filter((row) => !known.has(row.code))]);
}

/** @param {Row[]} rows */
const bounded = (rows) => (rows.filter((row) => row.gone).length > GONE_MOST ? swept(rows) : rows);

/** Without the greyed ones: nobody points at the list now. @param {readonly Row[]} rows @returns {Row[]} */
export const swept = (rows) => rows.filter((row) => !row.gone);

/** Whether a seat of a row may be taken by me. @param {Row} row @param {RowSeat} seat */
export function isOpen(row, seat) {
  if (row.gone) return false;
  if (row.status === "waiting") return seat.kind === "free";
  return row.status === "playing" && seat.kind === "bot" && row.latecomers && !row.rated;
}

/** Whole minutes since a table was opened. @param {Row} row @param {number} now ms since 1970 */
export const ageMinutes = (row, now) => Math.max(0, Math.floor((now - Date.parse(row.opened_at)) / 60_000));

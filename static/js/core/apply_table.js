/**
 * `apply` for a whole table: seats, host, pauses, and the game inside (D6 at the table's level).
 * A mirror of `app/tables/table.py`; see `apply.js` for the game.
 */
import { applyGame, CannotApply, isGameEvent, newGame } from "./apply.js";

/** @typedef {import("./types.js").TableView} TableView */
/** @typedef {import("./types.js").SeatView} SeatView */
/** @typedef {import("./types.js").WireEvent} WireEvent */

/** @type {SeatView} */
const FREE = {
  kind: "free", player: null, name: null, avatar: null, level: null, bot: null,
  sitting_in: false, strikes: 0,
};

/** @param {any} occupant @returns {SeatView} */
const seated = (occupant) => ({ ...FREE, ...occupant });

/** @param {TableView} view @param {number} seat @param {Partial<SeatView>} change */
const withSeat = (view, seat, change) => ({
  ...view,
  seats: view.seats.map((s, i) => (i === seat ? { ...s, ...change } : s)),
});

/** @type {Record<string, (view: TableView, d: any) => TableView>} */
const HANDLERS = {
  opened: (view, d) => ({ ...view, code: d.code, status: "waiting", host: d.host, options: d.options }),
  seat_taken: (view, d) => ({
    ...withSeat(view, d.seat, seated(d.occupant)),
    you:
      d.occupant.player !== null && d.occupant.player === view.you.player
        ? { ...view.you, seat: d.seat }
        : view.you,
  }),
  seat_left: (view, d) => ({
    ...withSeat(view, d.seat, FREE),
    you: view.you.seat === d.seat ? { ...view.you, seat: null } : view.you,
  }),
  host_changed: (view, d) => ({ ...view, host: d.host }),
  options_set: (view, d) => ({ ...view, options: d.options }),
  match_started: (view, d) => ({
    ...view,
    status: "playing", host: d.host, options: d.options, seats: d.seats.map(seated),
    match: { id: d.match, number: d.number }, paused: false,
    game: newGame(d.rules, view.you.seat, d.dealer, d.commit),
  }),
  seat_to_bot: (view, d) =>
    withSeat(view, d.seat, d.reason === "left"
      ? { kind: "bot", player: null, level: null, bot: d.bot, sitting_in: false, strikes: 0 }
      : { sitting_in: true, bot: d.bot, strikes: 0 }),
  seat_reclaimed: (view, d) => withSeat(view, d.seat, { sitting_in: false, bot: null, strikes: 0 }),
  paused: (view) => ({ ...view, paused: true }),
  resumed: (view) => ({ ...view, paused: false }),
  abandoned: (view) => ({ ...view, paused: false }),
  closed: (view) => ({ ...view, status: "closed", paused: false }),
};

const TURNS = new Set(["passed", "bid_made", "card_played"]);

/**
 * Strikes count the turns in a row that a seat let run out; a bot's say nothing about its person.
 * @param {TableView} view @param {WireEvent} event @returns {TableView}
 */
function withStrikes(view, event) {
  if (!TURNS.has(event.type) || event.how === "bot") return view;
  const strikes = event.how === "timeout" ? view.seats[event.d.seat].strikes + 1 : 0;
  return withSeat(view, event.d.seat, { strikes });
}

/** @param {TableView} view @param {WireEvent} event @returns {TableView} */
export function applyTable(view, event) {
  const handler = HANDLERS[event.type];
  if (handler !== undefined) return handler(view, event.d);
  if (!isGameEvent(event.type)) throw new CannotApply(`unknown event ${event.type}`);
  if (view.game === null) throw new CannotApply(`${event.type} without a game`);
  const next = withStrikes({ ...view, game: applyGame(view.game, event) }, event);
  return event.type === "match_ended" ? { ...next, status: "finished" } : next;
}

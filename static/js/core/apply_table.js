/**
 * `apply` for a whole table: seats, host, pauses, and the game inside (D6 at the table's level).
 * A mirror of `app/tables/table.py`; see `apply.js` for the game.
 */
import { applyGame, CannotApply, isGameEvent, newGame, sideOf, sidesOf } from "./apply.js";

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

/** The offers to resign, one entry a side, with one of them changed.
 * @param {TableView} view @param {number} seat @param {{ seat: number, refused: boolean } | null} offer */
const withOffer = (view, seat, offer) => view.resign.map((each, side) =>
  (side === sideOf(seat, view.seats.length) ? offer : each));

/** @param {TableView} view */
const noOffers = (view) => Array.from({ length: sidesOf(view.seats.length) }, () => null);

/** @type {Record<string, (view: TableView, d: any) => TableView>} */
const HANDLERS = {
  opened: (view, d) => ({ ...view, code: d.code, status: "waiting", host: d.host, options: d.options }),
  seat_taken: (view, d) => ({
    ...withSeat(view, d.seat, seated(d.occupant)),
    you:
      d.occupant.player !== null && d.occupant.player === view.you.player
        ? { ...view.you, seat: d.seat }
        : view.you,
    rematch: null, resign: withOffer(view, d.seat, null),
  }),
  seat_left: (view, d) => ({
    ...withSeat(view, d.seat, FREE),
    you: view.you.seat === d.seat ? { ...view.you, seat: null } : view.you,
    ready: null, rematch: null,
  }),
  host_changed: (view, d) => ({ ...view, host: d.host }),
  options_set: (view, d) => ({ ...view, options: d.options, ready: null }),
  match_started: (view, d) => ({
    ...view,
    status: "playing", host: d.host, options: d.options, seats: d.seats.map(seated),
    match: { id: d.match, number: d.number }, paused: false,
    ready: null, rematch: null, resign: noOffers(view),
    game: newGame(d.rules, view.you.seat, d.dealer, d.commit),
  }),
  seat_to_bot: (view, d) => d.reason === "left"
    ? {
      ...withSeat(view, d.seat, {
        kind: "bot", player: null, level: null, bot: d.bot, sitting_in: false, strikes: 0,
      }),
      resign: withOffer(view, d.seat, null),
    }
    : withSeat(view, d.seat, { sitting_in: true, bot: d.bot, strikes: 0 }),
  seat_reclaimed: (view, d) => withSeat(view, d.seat, { sitting_in: false, bot: null, strikes: 0 }),
  paused: (view) => ({ ...view, paused: true }),
  resumed: (view) => ({ ...view, paused: false }),
  abandoned: (view) => ({ ...view, paused: false }),
  closed: (view) => ({ ...view, status: "closed", paused: false, ready: null, rematch: null }),
  ready_asked: (view, d) => ({ ...view, ready: { yes: [d.seat], bots: d.bots }, rematch: null }),
  ready_answered: (view, d) => ({
    ...view,
    ready: d.yes && view.ready ? { ...view.ready, yes: [...view.ready.yes, d.seat] } : null,
  }),
  rematch_offered: (view, d) => ({ ...view, rematch: { yes: [d.seat] } }),
  rematch_answered: (view, d) => ({
    ...view, rematch: d.yes && view.rematch ? { yes: [...view.rematch.yes, d.seat] } : null,
  }),
  resign_offered: (view, d) => ({
    ...view, resign: withOffer(view, d.seat, { seat: d.seat, refused: false }),
  }),
  resign_answered: (view, d) => {
    const offer = view.resign[sideOf(d.seat, view.seats.length)] ?? null;
    if (d.yes || offer === null) return view;
    return { ...view, resign: withOffer(view, d.seat, { ...offer, refused: true }) };
  },
  claimed: (view) => view,
};

const TURNS = new Set(["passed", "bid_made", "doubled", "redoubled", "third_doubled", "deal_annulled",
  "card_played"]);

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
  if (event.type === "hand_dealt") return { ...next, resign: noOffers(view) };
  if (event.type !== "match_ended") return next;
  return { ...next, status: "finished", ready: null, rematch: null, resign: noOffers(view) };
}

/** Who has played a match that is over: by now other people may sit at its table. */
import { attempt, me, update } from "../app.js";
import { api } from "../net/api.js";

/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").SeatView} SeatView */

/** By match: the seats as they were; asked once each. @type {Map<string, SeatView[]>} */
const seats = new Map();

/** @param {string} match @param {SeatView[]} now */
async function ask(match, now) {
  const answer = await attempt(() => api.get(`/api/matches/${match}`));
  if (answer === undefined) return;
  const then = [...now];
  // Of those who followed each other on a seat the last one ended the match there.
  for (const { seat, id, name, avatar, bot } of answer.players) {
    const same = now[seat].player === id && now[seat].name === name;
    then[seat] = same ? now[seat] : {
      kind: id === null ? "bot" : "person", player: id, name, avatar, level: null, bot, sitting_in: false, strikes: 0,
    };
  }
  seats.set(match, then);
  update();
}

/** The table as its last match left it, for its result. @param {TableView} view @returns {TableView} */
export function asPlayed(view) {
  const match = view.match?.id;
  if (match === undefined) return view;
  if (!seats.has(match)) {
    seats.set(match, view.seats);
    void ask(match, view.seats);
  }
  const then = seats.get(match) ?? view.seats;
  const seat = then.findIndex(({ player }) => player !== null && player === me()?.id);
  return { ...view, seats: then, you: { ...view.you, seat: seat < 0 ? null : seat } };
}

/**
 * `apply(view, event) -> view` for one game: the viewer's own `evolve` (D6), a mirror of
 * `app/belote/view.py`. Events carry outcomes (D1): nothing here decides who wins or what scores.
 *
 * A view is never changed in place. An event that cannot be applied throws `CannotApply`; the
 * store then asks for a snapshot.
 */

/** @typedef {import("./types.js").GameView} GameView */
/** @typedef {import("./types.js").WireEvent} WireEvent */
/** @typedef {import("./types.js").Card} Card */

/** The event does not fit the view: the store asks for a snapshot. */
export class CannotApply extends Error {}

const CARD_ORDER = "SHDC";
const RANK_ORDER = "789TJQKA";

/** @param {Card} card */
const cardNumber = (card) => CARD_ORDER.indexOf(card[1]) * 8 + RANK_ORDER.indexOf(card[0]);

/** @param {readonly Card[]} cards @returns {Card[]} */
const byNumber = (cards) => [...cards].sort((a, b) => cardNumber(a) - cardNumber(b));

/** @param {number} players */
export const sidesOf = (players) => (players === 4 ? 2 : players);

/** @param {number} seat @param {number} players */
export const sideOf = (seat, players) => (players === 4 ? seat % 2 : seat);

/** @param {number} n */
const zeros = (n) => Array.from({ length: n }, () => 0);

/** Nothing lies before any seat. @param {number} n @returns {any[][]} */
const nothing = (n) => Array.from({ length: n }, () => []);

/**
 * The view of a match before its first deal.
 * @param {import("./types.js").Rules} rules @param {number | null} viewer
 * @param {number} dealer @param {string} commit of the first deal @returns {GameView}
 */
export function newGame(rules, viewer, dealer, commit) {
  const sides = sidesOf(rules.players);
  return {
    rules, viewer, phase: "dealing", deal: 0, dealer, commit: null, next_commit: commit,
    turn: null, round: 0, turned: null, auction: [], standing: null, doubler: null, contract: null,
    hand: viewer === null ? null : [], counts: zeros(rules.players), up: nothing(rules.players),
    down: nothing(rules.players), trick: null, last_trick: null, played: [], tricks: zeros(sides), declarations: [], own_declarations: [], belote: [],
    totals: zeros(sides), hanging: 0, continued: [], deals: [], result: null,
  };
}

/** @param {GameView} view @param {number} seat */
const after = (view, seat) => (seat + 1) % view.rules.players;

/** The own part of a private list. @param {GameView} view @param {Card[] | undefined} cards */
const ownHand = (view, cards) => (view.viewer === null ? null : byNumber(cards ?? []));

/** @type {Record<string, (view: GameView, d: any, p: any) => GameView>} */
const HANDLERS = {
  hand_dealt: (view, d, p) => ({
    ...view,
    phase: "auction", deal: d.deal, dealer: d.dealer, commit: d.commit,
    next_commit: d.next_commit, turn: after(view, d.dealer), round: 1, turned: d.turned,
    auction: [], standing: null, doubler: null, contract: null, hand: ownHand(view, p.cards),
    counts: d.counts, up: d.up?.length > 0 ? d.up : nothing(view.rules.players),
    down: d.down?.length > 0 ? d.down.map((/** @type {number} */ n) => Array(n).fill(1))
      : nothing(view.rules.players),
    trick: null, last_trick: null, played: [], tricks: zeros(view.tricks.length), declarations: [], own_declarations: [],
    belote: [], continued: [],
  }),

  passed: (view, d, p) => {
    const seen = view.rules.auction === "call" ? looked(view, [d.seat], p.cards) : view;
    const again = d.seat === view.dealer && view.round === 1 && view.rules.auction === "turn_up";
    return {
      ...called(seen, d.seat, "pass", view.standing, view.doubler),
      round: again ? 2 : view.round,
    };
  },

  bid_made: (view, d, p) => {
    const seen = view.rules.auction === "call" ? looked(view, seats(view), p.cards) : view;
    const standing = { taker: d.seat, trump: d.trump, value: d.value, factor: 1 };
    const call = { seat: d.seat, call: d.call, trump: d.trump, value: d.value };
    const next = called(seen, d.seat, call, standing, null);
    return d.call === "bid" ? next : { ...next, turn: null };
  },

  doubled: (view, d) => called(view, d.seat, "double", times(view.standing, d.factor), d.seat),

  redoubled: (view, d) =>
    called(view, d.seat, "redouble", times(view.standing, d.factor), view.doubler),

  third_doubled: (view, d) =>
    called(view, d.seat, "third", times(view.standing, "match"), view.doubler),

  passed_out: (view) => ({ ...cleared(view), phase: "passed_out" }),

  deal_annulled: (view, d) => ({
    ...cleared(view),
    phase: "passed_out", auction: [...view.auction, bare(d.seat, "annul")],
  }),

  rest_dealt: (view, d, p) => ({
    ...view,
    contract: d.contract, hand: ownHand(view, p.cards), counts: d.counts,
    trick: { leader: d.leader, cards: [], winner: null },
    ...(view.rules.declare_at === "before_lead" && view.rules.declare !== "none"
      ? { phase: "declaring", turn: after(view, view.dealer) }
      : { phase: "play", turn: d.leader }),
  }),

  declared: (view, d, p) => ({
    ...view,
    declarations: [
      ...view.declarations,
      ...d.kinds.map((/** @type {string} */ kind) => ({
        seat: d.seat, kind, cards: null, points: null, outcome: null,
      })),
    ],
    own_declarations: d.seat === view.viewer
      ? [...view.own_declarations, ...(p.declarations ?? [])] : view.own_declarations,
    ...afterDeclaring(view, d.seat),
  }),

  card_played: (view, d) => {
    if (view.trick === null) throw new CannotApply("card_played without a trick");
    const cards = [...view.trick.cards, d.card];
    const place = view.up[d.seat].indexOf(d.card);
    const own = d.seat === view.viewer && view.hand !== null;
    return {
      ...view,
      trick: { ...view.trick, cards },
      played: [...view.played, d.card],
      counts: view.counts.map((n, seat) => (seat === d.seat && place < 0 ? n - 1 : n)),
      up: place < 0 ? view.up : placed(view.up, d.seat, place, null),
      hand: own ? (view.hand ?? []).filter((card) => card !== d.card) : view.hand,
      belote: said(view.belote, d),
      turn: cards.length === view.rules.players ? null : after(view, d.seat),
    };
  },

  trick_taken: (view, d) => {
    if (view.trick === null) throw new CannotApply("trick_taken without a trick");
    const side = sideOf(d.winner, view.rules.players);
    const lying = view.up.some((places) => places.some((card) => card !== null))
      || view.down.some((places) => places.some((n) => n > 0));
    const last = !lying && view.counts.every((n) => n === 0);
    return {
      ...view,
      last_trick: { ...view.trick, winner: d.winner },
      tricks: view.tricks.map((n, i) => (i === side ? n + 1 : n)),
      trick: last ? null : { leader: d.winner, cards: [], winner: null },
      turn: last ? null : d.winner,
    };
  },

  card_turned_up: (view, d) => ({
    ...view,
    up: placed(view.up, d.seat, d.place, d.card), down: placed(view.down, d.seat, d.place, 0),
  }),

  declarations_settled: (view, d) => ({ ...view, declarations: d.declarations }),

  deal_scored: (view, d) => ({
    ...cleared(view),
    phase: "scored", declarations: d.declarations, belote: d.belote, totals: d.score.totals,
    hanging: d.score.hung, deals: [...view.deals, d], continued: [],
  }),

  continued: (view, d) => ({ ...view, continued: [...view.continued, d.seat] }),

  match_ended: (view, d) => ({
    ...view,
    phase: "ended", turn: null,
    result: { winner: d.winner, reason: d.reason, totals: d.totals },
  }),
};

/** @param {GameView} view */
const seats = (view) => view.counts.map((_, seat) => seat);

/** A call without a trump or a value. @param {number} seat @param {string} call */
const bare = (seat, call) => ({ seat, call, trump: null, value: null });

/**
 * A bid with its double. @param {GameView["standing"]} bid @param {number | "match"} factor
 */
const times = (bid, factor) => (bid === null ? null : { ...bid, factor });

/**
 * What lies before the seats, with one place changed.
 * @template T @param {T[][]} places @param {number} seat @param {number} place @param {T} item
 */
const placed = (places, seat, place, item) =>
  places.map((own, s) => (s === seat ? own.map((had, i) => (i === place ? item : had)) : own));

/**
 * The auction after a call; who calls next. At levels the bidding side alone answers a double.
 * @param {GameView} view @param {number} seat @param {import("./types.js").Call | string} call
 * @param {GameView["standing"]} standing @param {number | null} doubler @returns {GameView}
 */
function called(view, seat, call, standing, doubler) {
  const { players, auction } = view.rules;
  let turn = after(view, seat);
  if (auction === "levels" && doubler !== null && standing !== null) {
    while (sideOf(turn, players) !== sideOf(standing.taker, players)) turn = after(view, turn);
  }
  const made = typeof call === "string" ? bare(seat, call) : call;
  return { ...view, auction: [...view.auction, made], standing, doubler, turn };
}

/**
 * Seats pick up the cards that lay face down for the auction's sake (bela).
 * @param {GameView} view @param {number[]} who @param {Card[] | undefined} own @returns {GameView}
 */
const looked = (view, who, own) => ({
  ...view,
  counts: view.counts.map((n, s) => (who.includes(s) ? n + view.down[s].length : n)),
  down: view.down.map((places, s) => (who.includes(s) ? [] : places)),
  hand: view.hand === null ? null : byNumber([...view.hand, ...(own ?? [])]),
});

/**
 * Before the lead all are asked; after the dealer the leader leads.
 * @param {GameView} view @param {number} seat @returns {Partial<GameView>}
 */
function afterDeclaring(view, seat) {
  if (view.phase !== "declaring") return {};
  if (seat !== view.dealer) return { turn: after(view, seat) };
  return { phase: "play", turn: view.trick === null ? null : view.trick.leader };
}

/** Nothing is held any more, nobody is to play. @param {GameView} view @returns {GameView} */
const cleared = (view) => ({
  ...view,
  turn: null, trick: null, hand: view.hand === null ? null : [], counts: zeros(view.counts.length),
  up: nothing(view.counts.length), down: nothing(view.counts.length),
});

/**
 * Belote and rebelote said with a card.
 * @param {import("./types.js").BeloteSaid[]} before
 * @param {{ seat: number, card: Card, belote: string | null }} d
 */
function said(before, d) {
  const suit = /** @type {import("./types.js").Suit} */ (d.card[1]);
  if (d.belote === "belote") return [...before, { seat: d.seat, suit, said: 1 }];
  if (d.belote !== "rebelote") return before;
  return before.map((b) => (b.seat === d.seat && b.suit === suit ? { ...b, said: 2 } : b));
}

/** @param {string} type */
export const isGameEvent = (type) => type in HANDLERS;

/** @param {GameView} view @param {WireEvent} event @returns {GameView} */
export function applyGame(view, event) {
  const handler = HANDLERS[event.type];
  if (handler === undefined) throw new CannotApply(`unknown event ${event.type}`);
  return handler(view, event.d, event.p ?? {});
}

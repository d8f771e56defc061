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

/**
 * The view of a match before its first deal.
 * @param {import("./types.js").Rules} rules @param {number | null} viewer
 * @param {number} dealer @param {string} commit of the first deal @returns {GameView}
 */
export function newGame(rules, viewer, dealer, commit) {
  const sides = sidesOf(rules.players);
  return {
    rules, viewer, phase: "dealing", deal: 0, dealer, commit: null, next_commit: commit,
    turn: null, round: 0, turned: null, auction: [], contract: null,
    hand: viewer === null ? null : [], counts: zeros(rules.players), trick: null,
    last_trick: null, played: [], tricks: zeros(sides), declarations: [], own_declarations: [], belote: [],
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
    auction: [], contract: null, hand: ownHand(view, p.cards), counts: d.counts, trick: null,
    last_trick: null, played: [], tricks: zeros(view.tricks.length), declarations: [], own_declarations: [],
    belote: [], continued: [],
  }),

  passed: (view, d) => ({
    ...view,
    auction: [...view.auction, { seat: d.seat, call: "pass", trump: null, value: null }],
    turn: after(view, d.seat),
    round: d.seat === view.dealer && view.round === 1 ? 2 : view.round,
  }),

  bid_made: (view, d) => ({
    ...view,
    auction: [...view.auction, { seat: d.seat, call: d.call, trump: d.trump, value: d.value }],
    turn: null,
  }),

  passed_out: (view) => ({
    ...view,
    phase: "passed_out", turn: null, hand: view.hand === null ? null : [],
    counts: zeros(view.counts.length),
  }),

  rest_dealt: (view, d, p) => ({
    ...view,
    phase: "play", contract: d.contract, hand: ownHand(view, p.cards), counts: d.counts,
    turn: d.leader, trick: { leader: d.leader, cards: [], winner: null },
  }),

  declared: (view, d, p) => ({
    ...view,
    declarations: [
      ...view.declarations,
      ...d.kinds.map((/** @type {string} */ kind) => ({
        seat: d.seat, kind, cards: null, points: null, outcome: null,
      })),
    ],
    own_declarations: d.seat === view.viewer ? (p.declarations ?? []) : view.own_declarations,
  }),

  card_played: (view, d) => {
    if (view.trick === null) throw new CannotApply("card_played without a trick");
    const cards = [...view.trick.cards, d.card];
    const own = d.seat === view.viewer && view.hand !== null;
    return {
      ...view,
      trick: { ...view.trick, cards },
      played: [...view.played, d.card],
      counts: view.counts.map((n, seat) => (seat === d.seat ? n - 1 : n)),
      hand: own ? (view.hand ?? []).filter((card) => card !== d.card) : view.hand,
      belote: said(view.belote, d),
      turn: cards.length === view.rules.players ? null : after(view, d.seat),
    };
  },

  trick_taken: (view, d) => {
    if (view.trick === null) throw new CannotApply("trick_taken without a trick");
    const side = sideOf(d.winner, view.rules.players);
    const last = view.counts.every((n) => n === 0);
    return {
      ...view,
      last_trick: { ...view.trick, winner: d.winner },
      tricks: view.tricks.map((n, i) => (i === side ? n + 1 : n)),
      trick: last ? null : { leader: d.winner, cards: [], winner: null },
      turn: last ? null : d.winner,
    };
  },

  declarations_settled: (view, d) => ({ ...view, declarations: d.declarations }),

  deal_scored: (view, d) => ({
    ...view,
    phase: "scored", declarations: d.declarations, belote: d.belote, totals: d.score.totals,
    hanging: d.score.hung, deals: [...view.deals, d], turn: null, trick: null,
    hand: view.hand === null ? null : [], continued: [],
  }),

  continued: (view, d) => ({ ...view, continued: [...view.continued, d.seat] }),

  match_ended: (view, d) => ({
    ...view,
    phase: "ended", turn: null,
    result: { winner: d.winner, reason: d.reason, totals: d.totals },
  }),
};

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

/** What happens at a table, in words: the log, what seats say, and the live region. */
import { bestSoFar } from "../core/cards.js";
import { num, rich, t } from "../i18n.js";
import { cardName, cardSign, seatName, suitSign, trumpName } from "../ui/bits.js";
import { html } from "../ui/html.js";
import { usThem } from "./places.js";

/** @typedef {import("../core/store.js").Step} Step */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").Suit} Suit */
/** `text` is a function, so that a change of language changes the log. */
/** @typedef {{ icon: string, text: () => unknown, number?: string }} Line */
/** @typedef {{ kind: "pass" | "bid" | "call" | "cards", text: () => unknown, cards?: string[] }} Bubble */

/** @param {TableView} view @param {number} seat */
export const nameAt = (view, seat) => seatName(view.seats[seat]);

/** @param {TableView} view @param {number} seat */
const bold = (view, seat) => html`<b>${nameAt(view, seat)}</b>`;

/** @param {import("../core/types.js").Trump} trump */
const sign = (trump) =>
  trump.length === 1 ? suitSign(/** @type {Suit} */ (trump)) : trumpName(trump);

/** @param {string} icon @param {string} key @param {() => Record<string, unknown>} params @param {string} [number] @returns {Line} */
const line = (icon, key, params, number) => ({ icon, text: () => rich(key, params()), number });

/** @param {import("../core/types.js").DealScored} deal @param {TableView} view @returns {Line} */
function dealLine(deal, view) {
  const { score, contract } = deal;
  const [us, them] = usThem(score.awarded, view.you.seat);
  return line("scroll-text", `log.deal.${score.outcome}`, () => ({
    deal: html`<b>${t("deal.n", { n: deal.deal })}</b>`, suit: sign(contract.trump),
    taker: nameAt(view, contract.taker),
  }), `${num(us)}–${num(them)}`);
}

/** @type {Record<string, (step: Step) => Line[]>} */
const TELL = {
  match_started: () => [line("play", "log.match_started", () => ({}))],
  hand_dealt: ({ event: { d }, after }) => [
    d.turned === null
      ? line("shuffle", "log.dealt", () => ({ who: bold(after, d.dealer), deal: num(d.deal) }))
      : line("shuffle", "log.turned", () => ({
          who: bold(after, d.dealer), deal: num(d.deal), card: cardSign(d.turned),
        })),
  ],
  passed: ({ event: { d }, after }) => [line("hand", "log.passed", () => ({ who: bold(after, d.seat) }))],
  bid_made: ({ event: { d }, after }) => [
    line("sword", `log.bid.${d.call}`, () => ({ who: bold(after, d.seat), suit: sign(d.trump) })),
  ],
  passed_out: () => [line("rotate-ccw", "log.passed_out", () => ({}))],
  declared: ({ event: { d }, after }) => d.kinds.map((/** @type {string} */ kind) =>
    line("megaphone", "log.declared", () => ({
      who: bold(after, d.seat), what: t(`declaration.${kind}`),
    }))),
  card_played: ({ event: { d }, after }) => d.belote === null || d.belote === undefined ? [] : [
    line("megaphone", `log.${d.belote}`, () => ({ who: bold(after, d.seat), card: cardSign(d.card) }),
      d.belote === "belote" ? "+20" : undefined),
  ],
  trick_taken: ({ event: { d }, after }) => {
    const trick = after.game?.last_trick;
    if (!trick) return [];
    const card = trick.cards[(d.winner - trick.leader + 4) % 4];
    return [line("layers", "log.trick", () => ({
      who: bold(after, d.winner), n: d.trick, card: cardSign(card),
    }), num(d.points))];
  },
  declarations_settled: ({ event: { d }, after }) =>
    d.declarations.map((/** @type {import("../core/types.js").SeenDeclaration} */ one) =>
      line("eye", `log.settled.${one.outcome ?? "void"}`, () => ({
        who: bold(after, one.seat), what: t(`declaration.${one.kind}`),
      }), one.points !== null ? `+${one.points}` : undefined)),
  deal_scored: ({ event: { d }, after }) => [dealLine(d, after)],
  match_ended: ({ event: { d } }) => [
    line("trophy", `log.match_ended.${d.reason}`, () => ({ totals: d.totals.map(num).join("–") })),
  ],
  seat_to_bot: ({ event: { d }, before }) => [
    line("bot", `log.to_bot.${d.reason}`, () => ({ who: bold(before, d.seat) })),
  ],
  seat_reclaimed: ({ event: { d }, after }) => [
    line("user-check", "log.reclaimed", () => ({ who: bold(after, d.seat) })),
  ],
  seat_taken: ({ event: { d }, after }) => [
    line("user-check", "log.seat_taken", () => ({ who: bold(after, d.seat) })),
  ],
  seat_left: ({ event: { d }, before }) => [
    line("log-out", "log.seat_left", () => ({ who: bold(before, d.seat) })),
  ],
  paused: () => [line("timer", "log.paused", () => ({}))],
  resumed: () => [line("play", "log.resumed", () => ({}))],
  abandoned: () => [line("flag", "log.abandoned", () => ({}))],
};

/** @param {Step} step @returns {Line[]} */
export const tellStep = (step) => TELL[step.event.type]?.(step) ?? [];

/** The log of somebody who has just come: what the view still tells. @param {TableView} view @returns {Line[]} */
export function linesOfView(view) {
  const game = view.game;
  if (game === null) return [];
  const lines = game.deals.map((deal) => dealLine(deal, view));
  if (game.phase !== "auction" && game.phase !== "play") return lines;
  const { dealer, turned, deal } = game;
  if (turned !== null) {
    lines.push(line("shuffle", "log.turned", () => ({
      who: bold(view, dealer), deal: num(deal), card: cardSign(turned),
    })));
  }
  for (const call of game.auction) {
    lines.push(call.trump === null
      ? line("hand", "log.passed", () => ({ who: bold(view, call.seat) }))
      : line("sword", `log.bid.${call.call}`, () => ({
          who: bold(view, call.seat), suit: sign(/** @type {any} */ (call.trump)),
        })));
  }
  return lines;
}

/** What is heard at a seat. @param {Step} step @returns {[number, Bubble][]} */
export function bubbleOf({ event }) {
  const { d } = event;
  switch (event.type) {
    case "passed":
      return [[d.seat, { kind: "pass", text: () => t("call.pass") }]];
    case "bid_made":
      return [[d.seat, { kind: "bid", text: () => rich(`call.${d.call}`, { suit: sign(d.trump) }) }]];
    case "declared":
      return [[d.seat, {
        kind: "call",
        text: () => d.kinds.map((/** @type {string} */ kind) => t(`declaration.${kind}`)).join(", "),
      }]];
    case "card_played":
      return d.belote ? [[d.seat, { kind: "call", text: () => t(`call.${d.belote}`) }]] : [];
    case "declarations_settled":
      return shownCards(d.declarations);
    default:
      return [];
  }
}

/** The declarations that count are shown at their seats. @param {import("../core/types.js").SeenDeclaration[]} all @returns {[number, Bubble][]} */
function shownCards(all) {
  /** @type {Map<number, string[]>} */
  const bySeat = new Map();
  for (const one of all) {
    if (one.cards !== null) bySeat.set(one.seat, [...(bySeat.get(one.seat) ?? []), ...one.cards]);
  }
  return [...bySeat].map(([seat, cards]) => [seat, { kind: "cards", text: () => "", cards }]);
}

/** @param {TableView} view @param {number} side */
const sideName = (view, side) =>
  t(side === (view.you.seat ?? 0) % 2 ? "side.us" : "side.them");

export const narrate = {
  /** @param {import("../core/types.js").Refusal} why */
  reason: (why) => t(`why.${why.code}`, {
    suit: why.suit === null ? "" : t(`suit.${why.suit}`),
    card: why.beat === null ? "" : cardName(why.beat),
  }),

  /** @param {TableView} view @param {import("../core/types.js").Turn} turn */
  myTurn: (view, turn) => turn.kind === "call"
    ? t("say.your_call", { card: view.game?.turned ? cardName(view.game.turned) : "" })
    : t("say.your_turn", { n: turn.legal?.cards.length ?? 0 }),

  /** @param {TableView} view whether my side won */
  won: (view) => view.game?.result?.winner === (view.you.seat ?? 0) % 2,

  /** A step in words, or "" if it goes without saying. @param {Step} step */
  step: ({ event, after }) => {
    const { d } = event;
    const who = "seat" in d && after.seats[d.seat] ? nameAt(after, d.seat) : "";
    switch (event.type) {
      case "hand_dealt":
        return d.turned === null ? "" : t("say.dealt", { card: cardName(d.turned), n: d.deal });
      case "passed":
        return t("say.passed", { who });
      case "bid_made":
        return t(`say.bid.${d.call}`, { who, suit: trumpName(d.trump) });
      case "declared":
        return t("say.declared", {
          who, what: d.kinds.map((/** @type {string} */ k) => t(`declaration.${k}`)).join(", "),
        });
      case "card_played":
        return cardWords(after, d, who);
      case "trick_taken":
        return t("say.trick", { who: nameAt(after, d.winner), points: d.points });
      case "deal_scored": {
        const [us, them] = usThem(d.score.awarded, after.you.seat);
        return t("say.scored", { us, them });
      }
      case "match_ended":
        return d.winner === null ? t("end.abandoned") : t("say.won", { side: sideName(after, d.winner) });
      default:
        return "";
    }
  },
};

/** "East plays the ten of hearts; North is winning". @param {TableView} view @param {any} d @param {string} who */
function cardWords(view, d, who) {
  const game = view.game;
  const said = d.belote ? `${t(`call.${d.belote}`)} ` : "";
  if (!game?.trick || game.trick.cards.length === 0) return said + t("say.card", { who, card: cardName(d.card) });
  const best = bestSoFar(game.trick.cards, game.contract?.trump ?? null);
  const winner = nameAt(view, (game.trick.leader + best) % game.rules.players);
  return said + t("say.card_winning", { who, card: cardName(d.card), winner });
}

/** What happens at a table, in words: the log, and what seats say. For the live region: narrate.js. */
import { sideOf } from "../core/places.js";
import { num, rich, t } from "../i18n.js";
import { cardSign, seatName, suitSign, trumpName } from "../ui/bits.js";
import { html } from "../ui/html.js";
import { factorWord, trumpWords, valueWords } from "./sheet_words.js";

/** @typedef {import("../core/store.js").Step} Step */
/** @typedef {import("../core/types.js").TableView} TableView */
/** @typedef {import("../core/types.js").GameView} GameView */
/** @typedef {import("../core/types.js").Rules} Rules */
/** @typedef {import("../core/types.js").Call} Call */
/** @typedef {import("../core/types.js").SeenDeclaration} SeenDeclaration */
/** `text` is a function, so that a change of language changes the log. */
/** @typedef {{ icon: string, text: () => unknown, number?: string }} Line */
/** @typedef {{ kind: "pass" | "bid" | "double" | "call" | "cards", text: () => unknown, cards?: string[] }} Bubble */

/** @param {TableView} view @param {number} seat */
export const nameAt = (view, seat) => seatName(view.seats[seat]);

/** @param {TableView} view @returns {Rules} */
export const rulesOf = (view) => view.game?.rules ?? view.options.rules;

/** For what tells sides apart: rules, viewer, names. @param {TableView} view @returns {import("./sheet_words.js").Of} */
export const ofView = (view) => ({
  rules: rulesOf(view), viewer: view.you.seat, name: (seat) => nameAt(view, seat),
});

/** @param {TableView} view @param {number} seat */
const bold = (view, seat) => html`<b>${nameAt(view, seat)}</b>`;

/** A trump's sign, or its words where it is no suit. @param {string} trump */
export const trumpSign = (trump) => trump.length === 1
  ? suitSign(/** @type {any} */ (trump)) : trumpName(/** @type {any} */ (trump));

/** "100 ♥", "capot ♥", "♥". @param {{ trump: string | null, value: number | "capot" | null }} bid */
export const bidSign = ({ trump, value }) => html`<span class="nb">${valueWords(value)}${value === null ? "" : " "}${trump === null ? "" : trumpSign(trump)}</span>`;

/** The same in plain words. @param {{ trump: string | null, value: number | "capot" | null }} bid */
export const bidWords = ({ trump, value }) => trump === null ? ""
  : value === null ? trumpWords(trump) : t("bid.in", { value: value === "capot" ? t("bid.capot.word") : valueWords(value), trump: trumpWords(trump) });

/** Which word of doubling a call is. @param {string} call @returns {2 | 4 | "match" | null} */
export const factorOf = (call) => /** @type {Record<string, any>} */ ({ double: 2, redouble: 4, third: "match" })[call] ?? null;

/** Who said the double that stands, or the redouble, or the third. @param {GameView} game */
export const doubledBy = (game) => game.auction.findLast((call) => factorOf(call.call) !== null)?.seat ?? null;

/** A call as its seat says it. @param {Rules} rules @param {Call} call */
export function callSaid(rules, call) {
  const factor = factorOf(call.call);
  if (factor !== null) return factorWord(rules, factor);
  if (call.call === "bid") return bidSign(call);
  if (call.call === "pass" || call.call === "annul") return t(`call.${call.call}`);
  return rich(`call.${call.call}`, { suit: call.trump === null ? "" : trumpSign(call.trump) });
}

/** @param {string} icon @param {string} key @param {() => Record<string, unknown>} params @param {string} [number] @returns {Line} */
const line = (icon, key, params, number) => ({ icon, text: () => rich(key, params()), number });

/** @param {TableView} view @param {Call} call @returns {Line} */
function callLine(view, call) {
  const who = () => bold(view, call.seat);
  const factor = factorOf(call.call);
  if (call.call === "pass") return line("hand", "log.passed", () => ({ who: who() }));
  if (call.call === "annul") return line("rotate-ccw", "log.annulled", () => ({ who: who() }));
  if (factor !== null) {
    return line("zap", "log.doubled", () => ({ who: who(), what: factorWord(rulesOf(view), factor) }));
  }
  return line("sword", `log.bid.${call.call}`, () => ({ who: who(), suit: bidSign(call) }));
}

/** Written by the sides, the viewer's own first. @param {number[]} awarded @param {TableView} view */
export const written = (awarded, view) => {
  const { rules, viewer } = ofView(view);
  const own = sideOf(viewer ?? 0, rules.players);
  return awarded.map((_, i) => num(awarded[(own + i) % awarded.length])).join("–");
};

/** @param {import("../core/types.js").DealScored} deal @param {TableView} view @returns {Line} */
function dealLine(deal, view) {
  const { score, contract } = deal;
  return line("scroll-text", `log.deal.${score.outcome}`, () => ({
    deal: html`<b>${t("deal.n", { n: deal.deal })}</b>`, suit: bidSign(contract),
    taker: nameAt(view, contract.taker),
  }), written(score.awarded, view));
}

/** @param {any} d @param {TableView} view @returns {Line} */
const dealtLine = (d, view) => d.turned === null
  ? line("shuffle", "log.dealt", () => ({ who: bold(view, d.dealer), deal: num(d.deal) }))
  : line("shuffle", "log.turned", () => ({ who: bold(view, d.dealer), deal: num(d.deal), card: cardSign(d.turned) }));

/** The call that an event of the auction is. @param {import("../core/types.js").WireEvent} event @returns {Call | null} */
export function callOf({ type, d }) {
  const call = /** @type {Record<string, string>} */ ({
    passed: "pass", bid_made: d.call, doubled: "double", redoubled: "redouble",
    third_doubled: "third", deal_annulled: "annul",
  })[type];
  return call === undefined ? null : { seat: d.seat, call, trump: d.trump ?? null, value: d.value ?? null };
}

/** @param {Step} step @returns {Line[]} */
const called = ({ event, after }) => [callLine(after, /** @type {Call} */ (callOf(event)))];

/** @type {Record<string, (step: Step) => Line[]>} */
const TELL = {
  match_started: () => [line("play", "log.match_started", () => ({}))],
  hand_dealt: ({ event: { d }, after }) => [dealtLine(d, after)],
  passed: called, bid_made: called, doubled: called, redoubled: called, third_doubled: called,
  deal_annulled: called,
  passed_out: () => [line("rotate-ccw", "log.passed_out", () => ({}))],
  declared: ({ event: { d }, after }) => d.kinds.length === 0
    ? [line("megaphone", "log.declared_none", () => ({ who: bold(after, d.seat) }))]
    : d.kinds.map((/** @type {string} */ kind) => line("megaphone", "log.declared", () => ({
        who: bold(after, d.seat), what: t(`declaration.${kind}`),
      }))),
  card_played: ({ event: { d }, after }) => d.belote === null || d.belote === undefined ? [] : [
    line("megaphone", `log.${d.belote}`, () => ({
      who: bold(after, d.seat), card: cardSign(d.card), what: beloteWord(rulesOf(after), d.belote),
    }), d.belote === "belote" ? "+20" : undefined),
  ],
  trick_taken: ({ event: { d }, after }) => {
    const trick = after.game?.last_trick;
    if (!trick) return [];
    const players = trick.cards.length;
    const card = trick.cards[(d.winner - trick.leader + players) % players];
    return [line("layers", "log.trick", () => ({
      who: bold(after, d.winner), n: d.trick, card: cardSign(card),
    }), num(d.points))];
  },
  card_turned_up: ({ event: { d }, after }) => [
    line("eye", "log.turned_up", () => ({ who: bold(after, d.seat), card: cardSign(d.card) })),
  ],
  declarations_settled: ({ event: { d }, after }) =>
    d.declarations.map((/** @type {SeenDeclaration} */ one) =>
      line("eye", `log.settled.${one.outcome ?? "void"}`, () => ({
        who: bold(after, one.seat), what: t(`declaration.${one.kind}`),
      }), one.points !== null && one.outcome === "scored" ? `+${one.points}` : undefined)),
  deal_scored: ({ event: { d }, after }) => [dealLine(d, after)],
  match_ended: ({ event: { d }, after }) => [
    line("trophy", `log.match_ended.${d.reason}`, () => ({ totals: written(d.totals, after) })),
  ],
  seat_to_bot: ({ event: { d }, before }) => [
    line("bot", `log.to_bot.${d.reason}`, () => ({ who: bold(before, d.seat) })),
  ],
  seat_reclaimed: ({ event: { d }, after }) => [line("user-check", "log.reclaimed", () => ({ who: bold(after, d.seat) }))],
  seat_taken: ({ event: { d }, after }) => [line("user-check", "log.seat_taken", () => ({ who: bold(after, d.seat) }))],
  seat_left: ({ event: { d }, before }) => [line("log-out", "log.seat_left", () => ({ who: bold(before, d.seat) }))],
  paused: () => [line("timer", "log.paused", () => ({}))],
  resumed: () => [line("play", "log.resumed", () => ({}))],
  abandoned: () => [line("flag", "log.abandoned", () => ({}))],
};

/** @param {Step} step @returns {Line[]} */
export const tellStep = (step) => TELL[step.event.type]?.(step) ?? [];

/** Belote, or bela where the game calls it so. @param {Rules} rules @param {string} said */
export const beloteWord = (rules, said) => t(`${rules.auction === "call" ? "call.bela" : "call.belote"}.${said}`);

/** The log of somebody who has just come: what the view still tells. @param {TableView} view @returns {Line[]} */
export function linesOfView(view) {
  const game = view.game;
  if (game === null) return [];
  const lines = game.deals.map((deal) => dealLine(deal, view));
  if (!["auction", "declaring", "play"].includes(game.phase)) return lines;
  lines.push(dealtLine(game, view));
  return [...lines, ...game.auction.map((call) => callLine(view, call))];
}

/** What is heard at a seat. @param {Step} step @returns {[number, Bubble][]} */
export function bubbleOf({ event, after }) {
  const { d } = event;
  const call = callOf(event);
  if (call !== null) {
    const kind = call.call === "pass" ? "pass" : factorOf(call.call) === null ? "bid" : "double";
    return [[d.seat, { kind, text: () => callSaid(rulesOf(after), call) }]];
  }
  switch (event.type) {
    case "declared":
      return [[d.seat, d.kinds.length === 0 ? { kind: "pass", text: () => t("call.nothing") } : {
        kind: "call",
        text: () => d.kinds.map((/** @type {string} */ kind) => t(`declaration.${kind}`)).join(", "),
      }]];
    case "card_played":
      return d.belote ? [[d.seat, { kind: "call", text: () => beloteWord(rulesOf(after), d.belote) }]] : [];
    case "declarations_settled":
      return shownCards(d.declarations);
    default:
      return [];
  }
}

/** What stands at the seats of an auction for somebody who has just come. @param {TableView} view @returns {[number, Bubble][]} */
export function bubblesOfView(view) {
  const game = view.game;
  if (game?.phase !== "auction") return [];
  return game.auction.map((call) => [call.seat, {
    kind: call.call === "pass" ? "pass" : factorOf(call.call) === null ? "bid" : "double",
    text: () => callSaid(game.rules, call),
  }]);
}

/** The declarations that count are shown at their seats. @param {SeenDeclaration[]} all @returns {[number, Bubble][]} */
function shownCards(all) {
  /** @type {Map<number, string[]>} */
  const bySeat = new Map();
  for (const one of all) {
    if (one.cards !== null) bySeat.set(one.seat, [...(bySeat.get(one.seat) ?? []), ...one.cards]);
  }
  return [...bySeat].map(([seat, cards]) => [seat, { kind: "cards", text: () => "", cards }]);
}

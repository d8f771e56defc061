/** What happens at a table, for the live region: one sentence a step, plain words alone. */
import { bestSoFar } from "../core/cards.js";
import { inOrder, sideOf } from "../core/places.js";
import { t } from "../i18n.js";
import { cardName } from "../ui/bits.js";
import { factorWord, sideTitle, titles, trumpWords } from "./sheet_words.js";
import { beloteWord, bidWords, callOf, factorOf, nameAt, ofView, rulesOf } from "./story.js";

/** @typedef {import("../core/store.js").Step} Step */
/** @typedef {import("../core/types.js").TableView} TableView */

export const narrate = {
  /** @param {import("../core/types.js").Refusal} why */
  reason: (why) => t(`why.${why.code}`, {
    suit: why.suit === null ? "" : t(`suit.${why.suit}`),
    card: why.beat === null ? "" : cardName(why.beat),
  }),

  /** @param {TableView} view @param {import("../core/types.js").Turn} turn */
  myTurn(view, turn) {
    if (turn.kind === "declare") return t("say.your_declare");
    if (turn.kind !== "call") return t("say.your_turn", { n: turn.legal?.cards.length ?? 0 });
    const standing = view.game?.standing ?? null;
    if (standing !== null) {
      return t("say.your_call.standing", { who: nameAt(view, standing.taker), bid: bidWords(standing) });
    }
    return view.game?.turned ? t("say.your_call", { card: cardName(view.game.turned) }) : t("say.your_call.first");
  },

  /** @param {TableView} view whether my side won */
  won: (view) => view.game?.result?.winner === sideOf(view.you.seat ?? 0, rulesOf(view).players),

  /** A step in words, or "" if it goes without saying. @param {Step} step */
  step({ event, after }) {
    const { d } = event;
    const who = "seat" in d && after.seats[d.seat] ? nameAt(after, d.seat) : "";
    const call = callOf(event);
    if (call !== null) return callWords(after, call, who);
    switch (event.type) {
      case "hand_dealt":
        return d.turned === null ? t("say.hand", { n: d.deal }) : t("say.dealt", { card: cardName(d.turned), n: d.deal });
      case "declared":
        return d.kinds.length === 0 ? t("say.declared_none", { who }) : t("say.declared", {
          who, what: d.kinds.map((/** @type {string} */ k) => t(`declaration.${k}`)).join(", "),
        });
      case "declarations_settled":
        return d.declarations.map((/** @type {any} */ one) => t(`log.settled.${one.outcome ?? "void"}`, {
          who: nameAt(after, one.seat), what: t(`declaration.${one.kind}`),
        })).join(". ");
      case "card_played":
        return cardWords(after, d, who);
      case "card_turned_up":
        return t("say.turned_up", { who, card: cardName(d.card) });
      case "trick_taken":
        return t("say.trick", { who: nameAt(after, d.winner), points: d.points });
      case "deal_scored":
        return scoredWords(after, d.score.awarded);
      case "match_ended":
        return d.winner === null ? t("end.abandoned") : t("say.won", { side: sideTitle(ofView(after), d.winner) });
      default:
        return "";
    }
  },
};

/** @param {TableView} view @param {import("../core/types.js").Call} call @param {string} who */
function callWords(view, call, who) {
  if (call.call === "pass") return t("say.passed", { who });
  if (call.call === "annul") return t("say.annulled", { who });
  const factor = factorOf(call.call);
  if (factor !== null) return t("say.doubled", { who, what: factorWord(rulesOf(view), factor) });
  if (call.call === "bid") return t("say.bid.bid", { who, suit: bidWords(call) });
  return t(`say.bid.${call.call}`, { who, suit: trumpWords(call.trump ?? "") });
}

/** @param {TableView} view @param {number[]} awarded */
function scoredWords(view, awarded) {
  const of = ofView(view);
  const written = inOrder(awarded, of.rules.players, of.viewer);
  return t("say.scored", {
    sides: titles(of).map((who, i) => t("sheet.head.side", { who, n: written[i] })).join(", "),
  });
}

/** "East plays the ten of hearts; North is winning". @param {TableView} view @param {any} d @param {string} who */
function cardWords(view, d, who) {
  const game = view.game;
  const said = d.belote ? `${beloteWord(rulesOf(view), d.belote)} ` : "";
  if (!game?.trick || game.trick.cards.length === 0) return said + t("say.card", { who, card: cardName(d.card) });
  const best = bestSoFar(game.trick.cards, game.contract?.trump ?? null);
  const winner = nameAt(view, (game.trick.leader + best) % game.rules.players);
  return said + t("say.card_winning", { who, card: cardName(d.card), winner });
}

/** A finished match again: all hands face up, by card, by trick, by deal. */
import { attempt, me, update } from "../app.js";
import { sortHand } from "../core/cards.js";
import { inOrder, placeOf } from "../core/places.js";
import { framesOf, trickStep } from "../core/replay.js";
import { num, rich, t } from "../i18n.js";
import { api } from "../net/api.js";
import { scoreSheet } from "../table/sheet.js";
import { factorWord, titles } from "../table/sheet_words.js";
import { bidWords, callSaid, factorOf } from "../table/story.js";
import { cardImage, cardName, face, icon, presetName, suitSign, trumpName, trumpTile } from "../ui/bits.js";
import { houseChips } from "../rules/chips.js";
import { totalsGraph } from "../ui/graph.js";
import { html, nothing, vars } from "../ui/html.js";
import { pageBar } from "../ui/topbar.js";

/** @typedef {import("../core/replay.js").Frame} Frame */
/** @typedef {import("../core/replay.js").DealRecord} DealRecord */

/** @param {string} id @returns {import("../app.js").Screen} */
export function replay(id) {
  /** @type {any} */
  let match = null;
  /** @type {DealRecord[]} */
  let records = [];
  /** @type {Frame[]} */
  let frames = [];
  let deal = 0;
  let at = 0;
  let failed = false;
  /** @type {number | null} */
  let sheet = null;

  const viewer = () => match?.players.find((/** @type {any} */ p) => p.id !== null && p.id === me()?.id)?.seat ?? null;
  const name = (/** @type {number} */ seat) =>
    match.players.find((/** @type {any} */ p) => p.seat === seat)?.name ?? "";

  void attempt(async () => {
    const path = `/api/matches/${encodeURIComponent(id)}`;
    const [page, lines] = await Promise.all([api.get(path), api.get(`${path}/records`)]);
    records = String(lines).trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
    match = page;
    openDeal(0);
    return true;
  }).then((ok) => {
    failed = ok !== true;
    update();
  });

  const openDeal = (/** @type {number} */ n, fromEnd = false) => {
    if (n < 0 || n >= records.length) return;
    deal = n;
    frames = framesOf(records[n]);
    at = fromEnd ? frames.length - 1 : 0;
    update();
  };
  const move = (/** @type {1 | -1} */ way) => {
    const next = at + way;
    if (next < 0) openDeal(deal - 1, true);
    else if (next >= frames.length) openDeal(deal + 1);
    else at = next;
    update();
  };
  const trick = (/** @type {1 | -1} */ way) => {
    const next = trickStep(frames, at, way);
    if (next === at) openDeal(deal + way, way < 0);
    else at = next;
    update();
  };

  /** @type {Record<string, () => void>} */
  const KEYS = {
    ArrowRight: () => move(1), ArrowLeft: () => move(-1), ArrowDown: () => trick(1), ArrowUp: () => trick(-1),
    PageDown: () => openDeal(deal + 1), PageUp: () => openDeal(deal - 1), Home: () => openDeal(0),
    End: () => openDeal(records.length - 1, true), Escape: () => { sheet = null; update(); },
  };

  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ act) =>
    html`<button class="iconbtn iconbtn--plate" type="button" aria-label=${t(label)} title=${t(label)}
      data-testid=${label.replaceAll(".", "-")} @click=${act}>${icon(sign)}</button>`;

  const controls = () => html`<div class="rctl">
    ${button("chevrons-left", "replay.deal_back", () => openDeal(deal - 1))}
    ${button("arrow-left", "replay.trick_back", () => trick(-1))}
    ${button("chevron-left", "replay.card_back", () => move(-1))}
    <label class="rctl__bar"><span class="sr">${t("replay.position")}</span><input type="range" min="0"
      max=${frames.length - 1} .value=${String(at)} @input=${(/** @type {any} */ e) => { at = Number(e.target.value); update(); }}></label>
    ${button("chevron-right", "replay.card_next", () => move(1))}
    ${button("arrow-right", "replay.trick_next", () => trick(1))}
    ${button("chevrons-right", "replay.deal_next", () => openDeal(deal + 1))}</div>`;

  const players = () => match.rules.players;
  const sides = () => titles({ rules: match.rules, viewer: viewer(), name });
  const result = () => inOrder(/** @type {number[]} */ (match.totals ?? []), players(), viewer())
    .map((n, i) => t("sheet.head.side", { who: sides()[i], n: n ?? 0 })).join(", ");

  const scored = () => match.deals.find((/** @type {any} */ one) => one.deal === records[deal]?.deal);

  const aside = () => html`<aside class="rside">
    <h1>${presetName(match.preset)}</h1>
    <p class="chips">${houseChips({ preset: match.preset, rules: match.rules }, "", undefined, true)}</p>
    <p class="dim">${result()}</p>
    ${match.totals ? totalsGraph({ deals: match.deals, target: match.target, players: players(), viewer: viewer(), titles: sides(), end: match.totals }) : nothing}
    <ol class="rdeals" aria-label=${t("sheet.deals")}>${records.map((record, i) => html`<li><button type="button"
      class="chip chip--pick" aria-pressed=${i === deal} aria-label=${t("deal.n", { n: record.deal })} @click=${() => openDeal(i)}>${record.deal}
      ${dealSign(record.contract?.trump ?? null)}</button></li>`)}</ol>
    ${scored() ? html`<button class="btn" type="button" data-testid="replay-sheet"
      @click=${() => { sheet = records[deal].deal; update(); }}>${icon("scroll-text")}${t("table.score_sheet")}</button>` : nothing}
    <div class="rexport"><h2>${t("replay.export")}</h2>
      <a class="btn btn--line" download="match-${id}.txt" href="/api/matches/${id}/text" data-testid="export-text">${icon("download")}${t("replay.text")}</a>
      <a class="btn btn--line" download="match-${id}.ndjson" href="/api/matches/${id}/records" data-testid="export-json">${icon("download")}${t("replay.json")}</a></div>
    <p class="dim">${t("replay.keys")}</p></aside>`;

  const sheetView = () => sheet === null ? nothing : scoreSheet({
    deals: match.deals, rules: match.rules, viewer: viewer(), name, deal: sheet, over: true,
    choose: (n) => { sheet = n; update(); }, close: () => { sheet = null; update(); },
    foot: html`<button class="btn btn--ink" type="button" data-first @click=${() => { sheet = null; update(); }}>${t("action.close")}</button>`,
  });

  return {
    title: () => t("replay.title"),
    body: () => "page-replay",
    onKey: (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = KEYS[event.key];
      if (act === undefined || match === null || (sheet !== null && event.key !== "Escape")) return;
      event.preventDefault();
      act();
    },
    render: () => match === null || frames.length === 0
      ? html`${pageBar()}<main class="plain"><p class="dim">${t(failed ? "replay.none" : "loading")}</p></main>`
      : html`${pageBar()}<main class="replay"><section class="rtable" data-testid="replay">
          ${board(records[deal], frames[at], viewer(), name, match)}${controls()}</section>${aside()}</main>${sheetView()}`,
  };
}

/** @param {DealRecord} record @param {Frame} frame @param {number | null} viewer @param {(seat: number) => string} name @param {any} match */
function board(record, frame, viewer, name, match) {
  const trump = frame.contract?.trump ?? null;
  const { rules } = match;
  return html`<div class="rfelt rfelt--n${rules.players} rfelt--${rules.layout}">
    <p class="rcap" aria-live="polite">${caption(record, frame, name)}</p>
    ${frame.hands.map((cards, seat) => {
      const place = placeOf(seat, viewer, rules);
      const player = match.players.find((/** @type {any} */ p) => p.seat === seat);
      return html`<div class="rhand rhand--${place} ${frame.seat === seat ? "is-acting" : ""}">
        <span class="rhand__who">${face(player?.avatar ?? null, "avatar--xs")}<b>${name(seat)}</b>
          ${seat === record.dealer ? html`<span class="dealer">${t("seat.dealer.letter")}</span>` : nothing}
          ${saidBy(rules, frame, seat)}</span>
        <div class="rhand__cards">${openPiles(frame, seat)}
        <ol class="rcards" ${vars({ "--n": Math.max(1, cards.length) })}>${sortHand(cards, trump).map((card) => html`<li class="card"
          >${cardImage(card, cardName(card))}</li>`)}</ol></div></div>`;
    })}
    <div class="rmid">${middle(frame, viewer, rules)}</div></div>`;
}

/** @param {string | null} trump null: passed out */
const dealSign = (trump) => trump === null ? nothing
  : trump.length === 1 ? suitSign(/** @type {any} */ (trump)) : html`<span class="nt">${t(`trump.short.${trump}`)}</span>`;

/** What a seat said last, as long as the auction goes on. @param {any} rules @param {Frame} frame @param {number} seat */
function saidBy(rules, frame, seat) {
  const call = frame.calls.findLast((one) => one.seat === seat);
  if (call === undefined || frame.kind !== "call") return nothing;
  const full = { trump: null, value: null, ...call };
  return html`<i class="rsaid ${factorOf(call.call) === null ? "" : "rsaid--double"}">${callSaid(rules, full)}</i>`;
}

/** Open belot: what lies before the seat; in a replay the cards below are seen too. @param {Frame} frame @param {number} seat */
function openPiles(frame, seat) {
  if (frame.up[seat].length === 0) return nothing;
  return html`<ol class="rpiles">${frame.up[seat].map((card, i) => {
    const under = frame.down[seat][i];
    return html`<li class="rpile">${under === null || under === undefined ? nothing
      : html`<span class="card rpile__under">${cardImage(under, t("replay.under", { card: cardName(under) }))}</span>`}
      ${card === null ? nothing : html`<span class="card rpile__up">${cardImage(card, cardName(card))}</span>`}</li>`;
  })}</ol>`;
}

/** @param {Frame} frame @param {number | null} viewer @param {any} rules */
function middle(frame, viewer, rules) {
  if (frame.trick === null) {
    return frame.turned === null ? nothing : html`<span class="card">${cardImage(frame.turned, cardName(frame.turned))}</span>`;
  }
  const { leader, cards, winner } = frame.trick;
  return html`<div class="trick">${cards.map((card, i) => {
    const seat = (leader + i) % rules.players;
    return html`<span class="card card--${placeOf(seat, viewer, rules)} ${seat === winner ? "is-winning" : ""}"
      >${cardImage(card, cardName(card))}</span>`;
  })}</div>`;
}

/** @param {DealRecord} record @param {Frame} frame @param {(seat: number) => string} name */
function caption(record, frame, name) {
  const deal = t("deal.n", { n: record.deal });
  const contract = frame.contract === null ? nothing : html` ${trumpTile(frame.contract.trump, "tile--sm")}
    ${frame.contract.value === null || frame.contract.value === undefined ? nothing : html`<b>${bidWords({ value: frame.contract.value, trump: frame.contract.trump })}</b>`}
    ${t("table.taken_by", { who: name(frame.contract.taker) })}${frame.contract.factor === 1 ? nothing
      : html` · <b class="rdouble">${factorWord(record.rules, frame.contract.factor)}</b>`} · `;
  const of = record.tricks?.length ?? 0;
  /** @type {Record<string, () => unknown>} */
  const words = {
    dealt: () => t("replay.dealt"),
    call: () => callWords(record, frame.calls.at(-1), name),
    card: () => t("replay.trick", { n: frame.number, of }),
    trick: () => rich("replay.taken", { n: frame.number, who: name(frame.seat ?? 0) }),
    end: () => t(record.contract ? "replay.end" : record.auction?.at(-1)?.call === "annul" ? "replay.annulled" : "log.passed_out"),
  };
  return html`<b>${deal}</b> · ${contract}${words[frame.kind]()}`;
}

/** @param {DealRecord} record @param {import("../core/replay.js").Call | undefined} call @param {(seat: number) => string} name */
function callWords(record, call, name) {
  if (call === undefined) return "";
  const who = name(call.seat);
  const factor = factorOf(call.call);
  if (call.call === "pass") return t("say.passed", { who });
  if (call.call === "annul") return t("say.annulled", { who });
  if (factor !== null) return t("say.doubled", { who, what: factorWord(record.rules, factor) });
  if (call.call === "bid") return t("say.bid.bid", { who, suit: bidWords({ value: call.value ?? null, trump: call.trump ?? null }) });
  return t(`say.bid.${call.call}`, { who, suit: trumpName(call.trump ?? record.contract?.trump ?? "S") });
}

/**
 * The wire's shapes as JSDoc types (docs/protocol.md); no code.
 *
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./cards.js").Suit} Suit
 * @typedef {import("./cards.js").Trump} Trump
 *
 * @typedef {{ taker: number, trump: Trump, value: number | "capot" | null,
 *   factor: number | "match" }} Contract
 * @typedef {{ seat: number, call: string, trump: Trump | null,
 *   value: number | "capot" | null }} Call
 * @typedef {{ leader: number, cards: Card[], winner: number | null }} Trick
 * @typedef {{ seat: number, kind: string, cards: Card[] | null, points: number | null,
 *   outcome: string | null }} SeenDeclaration
 * @typedef {{ seat: number, kind: string, cards: Card[], points: number }} Declaration
 * @typedef {{ seat: number, suit: Suit, said: number }} BeloteSaid
 * @typedef {{ cards: number[], last_ten: number | null, tricks: number[], declarations: number[],
 *   belote: number[], outcome: "made" | "failed" | "litige" | "match", capot: number | null,
 *   rounded: number[] | null, awarded: number[], carried_in: number, hung: number,
 *   totals: number[] }} Score
 * @typedef {{ deal: number, dealer: number, contract: Contract, declarations: SeenDeclaration[],
 *   belote: BeloteSaid[], score: Score, next_dealer: number, secret: string | null }} DealScored
 * @typedef {{ winner: number | null, reason: string, totals: number[] }} Result
 *
 * @typedef {"dealing" | "auction" | "declaring" | "play" | "scored" | "passed_out" | "ended"} Phase
 * @typedef {Record<string, any> & { players: number, target: number, preset: string,
 *   auction: string, layout: string, scoring: string }} Rules
 * @typedef {{ rules: Rules, viewer: number | null, phase: Phase, deal: number, dealer: number,
 *   commit: string | null, next_commit: string, turn: number | null, round: number,
 *   turned: Card | null, auction: Call[], standing: Contract | null, doubler: number | null,
 *   contract: Contract | null, hand: Card[] | null, counts: number[], up: (Card | null)[][],
 *   down: number[][], trick: Trick | null, last_trick: Trick | null, played: Card[], tricks: number[],
 *   declarations: SeenDeclaration[], own_declarations: Declaration[], belote: BeloteSaid[],
 *   totals: number[], hanging: number, continued: number[], deals: DealScored[],
 *   result: Result | null }} GameView
 *
 * @typedef {{ kind: "person" | "bot" | "free", player: string | null, name: string | null,
 *   avatar: string | null, level: number | null, bot: string | null, sitting_in: boolean,
 *   strikes: number }} SeatView
 * @typedef {{ preset: string, rules: Rules, speed: "fast" | "normal" | "relaxed",
 *   visibility: "public" | "private", rated: boolean, bots: string | null,
 *   fill: boolean, spectators: boolean, latecomers: boolean }} Options
 * @typedef {{ code: string, status: "waiting" | "playing" | "finished" | "closed",
 *   host: string | null, options: Options, seats: SeatView[],
 *   you: { player: string | null, seat: number | null }, paused: boolean,
 *   match: { id: string, number: number } | null, game: GameView | null,
 *   presence: (boolean | null)[], watching?: number,
 *   ready: { yes: number[], bots: boolean } | null, rematch: { yes: number[] } | null,
 *   resign: ({ seat: number, refused: boolean } | null)[] }} TableView
 *
 * `how` is there only when it was not a person: "timeout" or "bot".
 * @typedef {{ seq: number, type: string, v: number, d: any, p?: any, how?: string }} WireEvent
 * @typedef {{ code: string, suit: Suit | null, beat: Card | null }} Refusal
 * @typedef {{ calls: string[], trumps: Trump[], values: (number | "capot")[], cards: Card[],
 *   why: Record<Card, Refusal>, declarations?: Declaration[], belote?: Card[] }} Legal
 * `also` are other decisions that are open to this viewer: a double out of turn.
 * @typedef {{ decision: number, seat: number | null,
 *   kind: "call" | "declare" | "play" | "continue" | "ready" | "rematch", left_ms: number | null, whole_ms?: number, legal?: Legal,
 *   also?: { kind: string, decision: number }[] }} Turn
 *
 * @typedef {{ id: string, name: string, avatar: string, level: number, xp?: number,
 *   level_from?: number, level_to?: number, guest?: boolean }} Player
 */

export {};

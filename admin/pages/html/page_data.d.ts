// What Python writes for the scripts of the pages, one place for each type. Only the type checker
// reads this file. tests/javascript holds what is really written against it.

// -- a game, its steps and the tables that they make (admin/refereeing/view/frames.py, replay_page.py) --------
/** A cell, row by row: 0 (1A) to 107 (12I). */
export type Cell = number;
/** A hotel's place in the rulebook. */
export type Hotel = number;
/** A seat's place in sign-up order, from 0. */
export type Seat = number;

/** `Game` as `game_fields` of replay_page.py writes it. */
export interface Game {
  rulebook: string;
  title: string;
  date: string;
  /** Absent on a person's page, since a player is not sent it. */
  seed?: string;
  hotels: HotelFields[];
  /** Tiles from which on a hotel is safe. */
  safe: number;
  /** How many places are paid a bonus. */
  bonuses: number;
  /** Whether the stock market takes part. */
  market: boolean;
  /** Whether certificates can be traded. */
  trades: boolean;
  final: number;
  certificates: number;
  /** The kinds of steps that lay a tile on the board. */
  laying: Step["kind"][];
  /** `number` is the place in turn order, from 0. */
  seats: { name: string; strategy: string; number: number }[];
  hands: "open" | "hidden";
  hidden: Asset[];
  /** The person's own seat, on a person's page. */
  me?: Seat;
}

export interface HotelFields {
  name: string;
  letter: string;
  fill: string;
  ink: string;
  /** By size; larger hotels have the last price. */
  prices: number[];
}

/** What a rulebook can hide of a player from the others, beside its hand. */
export type Asset = "cash" | "shares" | "bonus" | "worth";

/** What is known of a player at the table. */
export interface Holdings {
  out?: boolean;
  cash?: number;
  /** Certificates by hotel. */
  shares?: number[];
  hand?: Cell[];
  /** The score if the game ended now. */
  worth?: number;
  /** The bonus that each hotel would pay now. */
  bonus?: number[];
}

/** The table after a step. */
export interface Table {
  /** By cell: a hotel, or LOOSE, ASIDE, FREE. */
  board: number[];
  players: Holdings[];
  /** Certificates left, by hotel. */
  bank: number[];
  /** Tiles left. */
  bag: number;
}

interface StepFields {
  turn: number;
  text: string;
  player?: Seat;
  tile?: Cell;
  hotel?: Hotel;
  secret?: { text: string; tile?: Cell };
  /** Pairs of a cell and what it now holds. */
  board?: [Cell, number][];
  /** Who has changed, by seat. */
  players?: Record<string, Holdings>;
  bank?: number[];
  bag?: number;
}

interface DealStep extends StepFields { kind: "deal"; player: Seat; starts?: Record<string, Cell> }
interface TurnStep extends StepFields { kind: "turn"; player: Seat }
interface AcquiredStep extends StepFields { kind: "acquired"; hotel: Hotel; survivor: Hotel; hotels: Hotel[] }
/** The market draws, or places what it drew, for which there is no hotel. */
interface MarketStep extends StepFields { kind: "market"; count?: number }
/** Why the game ended is not known on a person's page. */
interface EndedStep extends StepFields { kind: "ended"; ending?: string; regular?: boolean }
interface RankedStep extends StepFields {
  kind: "ranked";
  player: Seat;
  rank: number;
  score: number;
  finished: boolean;
}
interface ResultStep extends StepFields { kind: "result"; winners: Seat[] }
interface OtherStep extends StepFields {
  kind:
    | "start" | "position" | "placed" | "grown" | "founded" | "merged" | "nothing" | "share" | "bonus" | "returned"
    | "sold" | "traded" | "bought" | "declared" | "drew" | "aside" | "ejected" | "undone"
    | "acquiring" | "settled" | "note"; // these three on a person's page only
}
/** What happened, and what it changed. */
export type Step =
  | DealStep | TurnStep | AcquiredStep | MarketStep | EndedStep | RankedStep | ResultStep | OtherStep;

/** What programs have printed, as turns and texts; `cut` is whether the beginning is left out. */
export interface Printed { cut: boolean; turns: [turn: number, text: string][] }

/** The data of a viewer's page. */
export interface GamePage {
  match: Game;
  steps: Step[];
  notice: string;
  /** The address of the stream of steps; empty if there is none. */
  events: string;
  /** The policy of the page when it is saved, if it is live. */
  policy?: string;
  /** The step at which it opens. */
  open?: number;
  printed?: Record<string, Printed>;
  /** `null` while it is made: then it comes, again and again, from the stream at `analysing`. */
  analysis?: Analysis | null;
  analysing?: string;
  /** The command that plays the game on from a turn, without the turn. */
  retry?: string;
  /** On a person's page: the port of the lobby; 0 if there is none. */
  lobby?: number;
  /** On a person's page where a turn of an earlier game is played again: which one, who plays the others, and how it first ended. */
  retried?: { turn: number; game: number; by: string; first: string } | null;
  /** On a live page: how long the game has stood still, in seconds, and the clocks of the seats. */
  waited?: number;
  clocks?: (string | null)[];
}

/** A message of a live game's stream (admin/pages/web/live_game.py). */
export interface GameUpdate {
  /** In the message with which all begins, perhaps again. */
  match?: { names: string[]; rulebook: object };
  steps?: Step[];
  over?: true;
  sealed?: true;
  /** Why the game has no end. */
  cut?: string;
}

// -- the analysis of a game (admin/studying/analysis/analysis_report.py) ---------------------------------------
/** A mean and the bounds of its 95 % interval, if there were enough games for one. */
export interface Estimate { mean: number; low: number | null; high: number | null }

export interface DecisionOption { text: string; tile?: Cell }
interface OptionValue { lead: number; win: number }

/** How much more the first option is worth than the one played, and what the first one does. */
export interface Cost { lead: Estimate; win: Estimate; games: number; better: OptionValue; played: OptionValue; reason: string }

type What = "placement" | "survivor" | "keep" | "disposal" | "order" | "end" | "replace";

interface DecisionFields {
  turn: number;
  step: number;
  player: Seat;
  what: What;
  /** The place of what was chosen among the options. */
  recorded: number;
  left_out: number;
  /** The most promising first. */
  options: DecisionOption[];
}
export type CostlyDecision = DecisionFields & { costly: true; cost: Cost };
export type Decision = CostlyDecision | (DecisionFields & { costly: false; cost?: Cost });

export interface TurningPoint {
  turn: number;
  step: number;
  player: Seat;
  text: string;
  before: number[];
  after: number[];
  /** What was decided, what that does, and how much chance it moved. */
  decision?: { step: number; player: Seat; what: What; text: string; reason: string; change: number };
}

export interface Analysis {
  games: number;
  seed: string;
  played_on_by: string[];
  limits: { lead: number; win: number; confidence: number };
  names: string[];
  analysed: { decisions: number; of: number };
  decisions: Decision[];
  /** By player, places among the decisions. */
  most_costly: number[][];
  chances: { turn: number; step: number; win: Estimate[] }[];
  chance_games: number;
  turning_points: TurningPoint[];
  /** By player, what decided the match: the decisive turn, its own choices, luck. */
  decided: { player: Seat; turn: number; sentences: string[] }[];
}

// -- a person's page (admin/pages/seat/choices.py, person.py, adviser.py, seat_site.py) --------------------
/** What can be bought after a placement. */
export interface Purchase {
  cash: number;
  limit: number;
  /** Whether an order can have several hotels. */
  mixed: boolean;
  /** Why the end can be declared; `null` if it cannot. */
  end: string | null;
  ending: string;
  hotels: PurchaseRow[];
  hint: string;
  /** Whose hands may end the game soon; empty if nobody's. */
  stuck: string;
  /** Why the game ends after this turn; empty if it goes on. */
  last: string;
}
export interface PurchaseRow {
  hotel: Hotel;
  /** Its tiles, and the price of a certificate, after the placement. */
  size: number;
  price: number;
  left: number;
  /** What it would mean to buy 0, 1, .. of it. */
  effects: string[];
}

/** A legal placement of a tile, and the board after it. */
export interface PlacementOption {
  hotel: Hotel | null;
  equals: Hotel[];
  note?: string;
  purchase?: Purchase;
  board: [Cell, number][];
}

export interface LegalTile { cell: Cell; kind: "singleton" | "founding" | "growing" | "merging"; does: string; hint: string; options: PlacementOption[]; why?: undefined }
export interface BarredTile { cell: Cell; why: string; never: boolean; hint: string; options?: undefined; does?: undefined; kind?: undefined }

export interface TurnQuestion { id: number; kind: "turn"; tiles: (LegalTile | BarredTile)[]; hint: string; stuck: string; last: string; purchase?: Purchase }
export interface OrderQuestion { id: number; kind: "order"; purchase: Purchase }
export interface MergerQuestion { id: number; kind: "merger"; tile: Cell; options: PlacementOption[] }
export interface KeepQuestion {
  id: number;
  kind: "keep";
  hotels: { hotel: Hotel; count: number; price: number; hint: string }[];
}
export interface DisposeQuestion {
  id: number;
  kind: "dispose";
  hotel: Hotel;
  survivor: Hotel;
  price: number;
  count: number;
  /** Certificates of the survivor that the bank has. */
  left: number;
  /** What it would mean to trade for 0, 1, .. of them. */
  effects: string[];
  hint: string;
}
export interface ReplaceQuestion { id: number; kind: "replace"; hint: string }
export type Question =
  | TurnQuestion | OrderQuestion | MergerQuestion | KeepQuestion | DisposeQuestion | ReplaceQuestion;

/** A message of the stream of a person's page. */
export interface SeatUpdate { from: number; frames: Step[]; question: Question | null; over: Over | null; time: SeatTime }
/**
 * The seconds left, if there is a clock; why a built-in player made the last move, and which; how many times in a row
 * the time was out; how many of the answers in this game were the built-in player's.
 */
export interface SeatTime {
  left: number | null; absent: "" | "late" | "away"; by: string; missed: number; stoodIn: number; answered: number;
}
/** How the game ended for the person, the command that shows it again, and whether there can be another. */
export interface Over { text: string; replay?: boolean; again?: boolean; game?: number; levels?: ("easier" | "harder")[] }

/** What a built-in player would answer. */
export interface Advice {
  id: number;
  reason: string;
  draft: {
    cell?: Cell;
    hotel?: Hotel | null;
    equals?: Hotel[] | null;
    order?: Hotel[];
    end?: boolean;
    keep?: boolean[];
    sell?: number;
    trade?: number;
    replace?: boolean;
  };
}

// -- the lobby (admin/pages/web/lobby.py, live_game.py) -----------------------------------
export interface LobbyGame {
  id: string;
  title: string;
  players: string[];
  /** By player, the place in turn order. */
  numbers: number[];
  state: "live" | "finished" | "abandoned";
  turn: number;
  letters: string;
  /** A digit for each cell. */
  board: string;
  last: Cell | null;
  worths: (number | "out" | null)[];
  ending: string;
  results: [rank: number, name: string, score: number, finished: boolean][];
}

export interface LobbyFields {
  title: string;
  closed: boolean;
  report: string;
  waiting: string[];
  seats: number;
  join: number;
  played: number;
  total: number;
  /** Finished games that are shown no more. */
  older: number;
  standings: { columns: string[]; rows: (string | number)[][] };
}

/** All of it as of update `number`. */
/** The new fields of a game; of a board perhaps pairs of a cell and its digit. */
export type GameChange = { id: string; board?: string | number[] } & Partial<Omit<LobbyGame, "id" | "board">>;
export interface LobbyUpdate extends Partial<LobbyFields> { whole?: true; dropped?: string[]; matches?: GameChange[] }

// -- the report of a tournament (admin/tournament/reporting/result_pages.py) --------------------------
/** Players and verdicts are places in lists; who did not finish has a turn, or `null`, and why. */
export type SeatResult = [player: number, verdict: number, rank: number, money: number, turn?: number | null, detail?: string];
export type GameRow = [
  game: string, ending: string, turns: number, outOfStep: number | null, seats: SeatResult[], alarms: number,
];
export type ReportPage = {
  players: string[];
  verdicts: string[];
  pages: string[];
  games: GameRow[];
  duplicate: boolean;
} & ({ logs: string; replays: string } | { logs: null; replays: null });

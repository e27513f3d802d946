// What the page's routes answer with, and the part of uPlot that the page uses.
// Only the type checker reads this file: `make check`.

/** A chart: `as_json` in bot/page/figures.py. */
export interface Lines {
  kind: "lines";
  title: string;
  subtitle: string;
  axis: string;
  baseline: number | null;
  decimals: number;
  signed: boolean;
  unit: string;
  /** The lowest value is at the top. */
  down: boolean;
  curves: Curve[];
}

export interface Curve {
  name: string;
  colour: string;
  dash: number[];
  x: number[];
  y: number[];
  /** The curve of the reading member. */
  asker: boolean;
}

/** How a figure is written. */
export type NumberFormat = Pick<Lines, "decimals" | "signed" | "unit">;

/** The number of a day's last game among the games of the lines, and the day. */
export type DayEnd = [number: number, day: string];

export interface Figures {
  parts: (Lines | { kind: "text" | "menu" | "grid" | "table" })[];
  days: DayEnd[];
}

/** A game: `game` in bot/page/replay.py. Tiles are 0-135, seats from 0. */
export interface Game {
  when: string;
  players: string[];
  rounds: Round[];
  moments: Moment[];
  scenes: Record<string, Place>;
  /** At each deal and at the end, by seat and place; null where they are unknown. */
  chances: PlaceChance[][][] | null;
  /** The discards of each round, and what the top table would discard; null with four seats. */
  choices: Choice[][] | null;
  colours: string[];
  /** The faces of the tiles as SVG symbols. */
  tiles: string;
}

/** A round's number, and the number of its events played by then. */
export type Place = [round: number, at: number];
export type Moment = [text: string, round: number, at: number];
export type PlaceChance = [chance: number, text: string];

/** A discard that a player is about to make after `at` events. */
export interface Choice {
  at: number;
  seat: number;
  tile: number;
  /** The share of the top table by kind, 0 where it is left out. */
  shares: Record<number, number>;
  /** The top table hardly makes this discard. */
  unusual: boolean;
}

export interface Round {
  name: string;
  dealer: number;
  sticks: number;
  start: number[];
  hands: number[][];
  indicator: number;
  events: GameEvent[];
  ends: string;
  yaku: string[];
  wins: [seat: number, tile: number, hand: number[]][];
  ura: number[];
  after: number[];
  live: number[] | null;
  moments: string[];
}

export type DrawEvent = ["d", seat: number, tile: number];
export type DiscardEvent = ["x", seat: number, tile: number, drawn: boolean];
export type CallEvent = [
  "c",
  seat: number,
  type: CallType,
  tiles: number[],
  fromHand: number[],
  called: number | null,
  giver: number | null,
];
export type RiichiEvent = ["r", seat: number, step: 1 | 2];
export type NewDoraEvent = ["n", tile: number];
export type SeatEvent = DrawEvent | DiscardEvent | CallEvent | RiichiEvent;
export type GameEvent = SeatEvent | NewDoraEvent;
export type CallType = "chi" | "pon" | "kakan" | "open kan" | "closed kan" | "kita";

interface Plot {
  over: HTMLElement;
  ctx: CanvasRenderingContext2D;
  bbox: { left: number; top: number; width: number; height: number };
  height: number;
  cursor: { idx: number | null };
  select: { left: number; width: number };
  posToVal(position: number, scale: string): number;
  valToPos(value: number, scale: string, canvasPixels?: boolean): number;
  setSeries(number: number, options: { show: boolean }): void;
  setScale(scale: string, limits: { min: number; max: number }): void;
  setSelect(
    box: { left: number; width: number; top: number; height: number },
    fire?: boolean,
  ): void;
  setSize(size: { width: number; height: number }): void;
}

declare global {
  /** https://github.com/leeoniya/uPlot, loaded by a script of its own. */
  const uPlot: new (options: object, data: (number | undefined)[][], target: HTMLElement) => Plot;
}

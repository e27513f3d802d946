// The table of a replay: the middle with indicators and wall, and a panel for each seat.
/** @import { Choice, Game, GameEvent, Round } from "../page.d.ts" */
/** @import { RiverTile, RoundState } from "./round_state.js" */
import { element } from "./dom.js";
import { back, face, tileRow } from "./tiles.js";
import { tileWithShare } from "./top_table.js";

/**
 * What is on the table at one moment.
 * @typedef {object} TableView
 * @property {Round} round
 * @property {RoundState} state
 * @property {boolean} isOver after the round's last event: results and winners' hands are shown
 * @property {GameEvent | undefined} lastEvent
 * @property {number} openSeat the only seat with an open hand, or ALL_SEATS
 * @property {Choice | undefined} choice the discard to be made, where the top table's is shown
 */

export const ALL_SEATS = -1;
const WINDS = "東南西北";
/** Tiles of the live wall, by players. @type {Record<number, number>} */
const LIVE_WALL = { 3: 55, 4: 70 };

/**
 * @param {Game} game
 * @param {TableView} view
 * @returns {HTMLElement[]} what the table consists of
 */
export function tableParts(game, view) {
  const wall = wallLeft(view);
  const panels = game.players.map((_, seat) => seatPanel(game, view, seat));
  const parts = [middle(game, view, wall), ...panels];
  if (wall && view.openSeat === ALL_SEATS) {
    parts.push(element("div", "next", element("span", "", "これからの山"), tileRow(wall)));
  }
  return parts;
}

/**
 * @param {TableView} view
 * @returns {number[] | null} the tiles that are not drawn yet; null where the wall is unknown
 */
function wallLeft({ round, state }) {
  if (!round.live) return null;
  return round.live.slice(state.drawn, round.live.length - state.replaced);
}

/**
 * @param {Game} game
 * @param {TableView} view
 * @param {number[] | null} wall
 */
function middle(game, { round, state, isOver }, wall) {
  const drawn = state.drawn + state.replaced;
  const count = wall ? wall.length : LIVE_WALL[game.players.length] - drawn;
  const box = element("div", "middle", note("ドラ表示"), tileRow(state.indicators));
  if (isOver && round.ura.length) box.append(note("裏"), tileRow(round.ura));
  box.append(note(`残り${count}枚`), note(state.sticks ? `供託${state.sticks}` : ""));
  return box;
}

/** @param {string} text */
function note(text) {
  return element("span", "", text);
}

/**
 * @param {Game} game
 * @param {TableView} view
 * @param {number} seat
 */
function seatPanel(game, view, seat) {
  const { lastEvent, isOver, state } = view;
  const acts = lastEvent && lastEvent[0] !== "n" && lastEvent[1] === seat && !isOver;
  const river = element("div", "tiles river", ...state.rivers[seat].map(riverFace));
  const parts = [seatHead(game, view, seat), handRow(view, seat), river];
  return element("section", acts ? "seat acts" : "seat", ...parts);
}

/**
 * The wind, the name and the score; what the round brought, once it is over.
 * @param {Game} game
 * @param {TableView} view
 * @param {number} seat
 */
function seatHead(game, { round, state, isOver }, seat) {
  const seats = game.players.length;
  const wind = WINDS[(seat - round.dealer + seats) % seats];
  const score = state.scores[seat].toLocaleString("ja");
  const head = element("h2", "", `${wind} ${game.players[seat]}　${score}`);
  const change = isOver ? round.after[seat] - round.start[seat] : 0;
  if (change > 0) head.append(element("span", "better", ` ▲${change.toLocaleString("ja")}`));
  if (change < 0) head.append(element("span", "worse", ` ▼${(-change).toLocaleString("ja")}`));
  if (state.riichi[seat] !== null) head.append(element("span", "stick", "リーチ"));
  return head;
}

/**
 * The hand, the tile just drawn or won by next to it, and the melds.
 * @param {TableView} view
 * @param {number} seat
 */
function handRow({ round, state, isOver, openSeat, choice }, seat) {
  const win = isOver ? round.wins.find(([winner]) => winner === seat) : undefined;
  const isOpen = openSeat === ALL_SEATS || openSeat === seat || win !== undefined;
  const hand = state.hands[seat];
  const ownChoice = isOpen && choice?.seat === seat ? choice : undefined;
  const row = element("div", "tiles hand");
  for (const tile of hand) {
    if (tile !== state.fresh) row.append(handFace(tile, isOpen, ownChoice));
  }
  if (state.fresh !== null && hand.includes(state.fresh)) {
    row.append(handFace(state.fresh, isOpen, ownChoice, "drawn"));
  } else if (win) {
    row.append(face(win[1], "drawn"));
  }
  for (const { tiles, called, giver } of state.melds[seat]) {
    const faces = tiles.map((
      tile,
    ) => (tile === called && giver ? face(tile, "called") : face(tile)));
    row.append(element("span", "meld", ...faces));
  }
  return row;
}

/**
 * @param {number} tile
 * @param {boolean} isOpen
 * @param {Choice | undefined} choice the discard to be made from this hand
 * @param {string[]} classes
 */
function handFace(tile, isOpen, choice, ...classes) {
  if (choice) return tileWithShare(tile, choice, ...classes);
  if (isOpen) return face(tile, ...classes);
  return back(...classes);
}

/** @param {RiverTile} discard */
function riverFace({ tile, riichi, called, drawn }) {
  const classes = [];
  if (riichi) classes.push("turned");
  if (called) classes.push("gone");
  if (drawn) classes.push("passed");
  return face(tile, ...classes);
}

// The state of a round after any of its events: played again from the deal, so that going back is
// the same as going forward.
/** @import { CallEvent, CallType, DiscardEvent, DrawEvent, GameEvent, RiichiEvent, Round } from "../page.d.ts" */

/**
 * @typedef {object} RiverTile
 * @property {number} tile
 * @property {boolean} drawn discarded just as it was drawn
 * @property {boolean} riichi declared riichi
 * @property {boolean} called taken by another player
 *
 * @typedef {object} Meld
 * @property {CallType} type
 * @property {number[]} tiles
 * @property {number | null} called
 * @property {number | null} giver
 *
 * @typedef {object} RoundState
 * @property {number[][]} hands
 * @property {RiverTile[][]} rivers
 * @property {Meld[][]} melds
 * @property {(number | null)[]} riichi the place in the river of each seat's declaring tile
 * @property {number[]} scores
 * @property {number} sticks
 * @property {number[]} indicators
 * @property {number} drawn tiles from the live wall
 * @property {number} replaced tiles drawn after a kan or kita
 * @property {boolean} replacing the next draw is such a tile
 * @property {number} lastSeat
 * @property {number | null} fresh the tile drawn by the last event
 */

const STICK = 1000;
/** @type {CallType[]} */
const CALLS_OF_DISCARDS = ["chi", "pon", "open kan"];
/** @type {CallType[]} */
const CALLS_WITHOUT_DRAW = ["chi", "pon"];

/**
 * @param {Round} round
 * @param {number} count of events
 * @returns {RoundState}
 */
export function stateAfter(round, count) {
  const state = dealtState(round);
  for (const event of round.events.slice(0, count)) play(state, event);
  return state;
}

/**
 * @param {Round} round
 * @returns {RoundState}
 */
export function dealtState(round) {
  return {
    hands: round.hands.map(sorted),
    rivers: round.hands.map(() => []),
    melds: round.hands.map(() => []),
    riichi: round.hands.map(() => null),
    scores: [...round.start],
    sticks: round.sticks,
    indicators: [round.indicator],
    drawn: 0,
    replaced: 0,
    replacing: false,
    lastSeat: round.dealer,
    fresh: null,
  };
}

/**
 * Change the state by an event.
 * @param {RoundState} state
 * @param {GameEvent} event
 */
export function play(state, event) {
  if (event[0] === "n") {
    state.indicators.push(event[1]);
    return;
  }
  state.fresh = null;
  if (event[0] === "r") {
    playRiichi(state, event);
    return;
  }
  if (event[0] === "d") playDraw(state, event);
  else if (event[0] === "x") playDiscard(state, event);
  else playCall(state, event);
  state.lastSeat = event[1];
}

/**
 * @param {RoundState} state
 * @param {DrawEvent} event
 */
function playDraw(state, [_, seat, tile]) {
  state.hands[seat].push(tile);
  state.fresh = tile;
  if (state.replacing) state.replaced += 1;
  else state.drawn += 1;
  state.replacing = false;
}

/**
 * @param {RoundState} state
 * @param {DiscardEvent} event
 */
function playDiscard(state, [_, seat, tile, drawn]) {
  state.hands[seat] = without(state.hands[seat], [tile]);
  const river = state.rivers[seat];
  river.push({ tile, drawn, riichi: state.riichi[seat] === river.length, called: false });
}

/**
 * A riichi has two steps: the declaration, and the stick once the discard has passed.
 * @param {RoundState} state
 * @param {RiichiEvent} event
 */
function playRiichi(state, [_, seat, step]) {
  if (step === 1) {
    state.riichi[seat] = state.rivers[seat].length;
    return;
  }
  state.scores[seat] -= STICK;
  state.sticks += 1;
}

/**
 * @param {RoundState} state
 * @param {CallEvent} event
 */
function playCall(state, [_, seat, type, tiles, fromHand, called, giver]) {
  state.hands[seat] = without(state.hands[seat], fromHand);
  if (type === "kakan") removePon(state.melds[seat], called);
  if (CALLS_OF_DISCARDS.includes(type)) {
    const river = state.rivers[state.lastSeat];
    river[river.length - 1].called = true;
  }
  state.melds[seat].push({ type, tiles, called, giver });
  state.replacing = !CALLS_WITHOUT_DRAW.includes(type);
}

/**
 * Remove the pon of the called tile's kind, which became a kan.
 * @param {Meld[]} melds
 * @param {number | null} called
 */
function removePon(melds, called) {
  const kind = kindOf(called);
  const place = melds.findIndex((meld) => meld.type === "pon" && kindOf(meld.called) === kind);
  melds.splice(place, 1);
}

/** @param {number | null} tile */
function kindOf(tile) {
  return tile === null ? null : tile >> 2;
}

/**
 * @param {number[]} hand
 * @param {number[]} tiles
 */
function without(hand, tiles) {
  return sorted(hand.filter((tile) => !tiles.includes(tile)));
}

/** @param {number[]} tiles */
function sorted(tiles) {
  return [...tiles].sort((a, b) => a - b);
}

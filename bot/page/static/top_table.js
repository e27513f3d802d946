// What Tenhou's top table would discard: bars under the tiles of the hand that is on turn.
/** @import { Choice, GameEvent, Place } from "../page.d.ts" */
import { element, svgElement } from "./dom.js";
import { face } from "./tiles.js";

const LONGEST = 40; // of a bar, in the units of a tile 40 wide
const LEAST_SHOWN = 0.01;
/** Events between a draw and its discard. @type {GameEvent[0][]} */
const BEFORE_DISCARD = ["r", "n"];

/** The choices of a game by round, each in order. */
export class TopTable {
  /** @param {Choice[][]} rounds */
  constructor(rounds) {
    this.rounds = rounds;
  }

  /**
   * @param {number} round
   * @param {GameEvent[]} events of the round
   * @param {number} at events played
   * @returns {Choice | undefined} the choice that a player is about to make
   */
  choiceAt(round, events, at) {
    const choice = this.rounds[round].find((other) => other.at >= at);
    if (!choice) return undefined;
    const between = events.slice(at, choice.at);
    return between.every(([type]) => BEFORE_DISCARD.includes(type)) ? choice : undefined;
  }

  /**
   * @param {number} round
   * @param {number} at
   * @param {1 | -1} direction
   * @returns {Place | undefined} the next or the previous unusual discard
   */
  unusualFrom(round, at, direction) {
    const places = this.unusualPlaces();
    if (direction > 0) return places.find((place) => isBefore([round, at], place));
    return places.reverse().find((place) => isBefore(place, [round, at]));
  }

  /** @returns {Place[]} */
  unusualPlaces() {
    /** @type {Place[]} */
    const places = [];
    this.rounds.forEach((choices, round) => {
      for (const choice of choices) if (choice.unusual) places.push([round, choice.at]);
    });
    return places;
  }
}

/**
 * @param {Place} place
 * @param {Place} other
 */
function isBefore([round, at], [otherRound, otherAt]) {
  return round < otherRound || (round === otherRound && at < otherAt);
}

/**
 * A tile of a hand with the share of the top table that would discard it.
 * @param {number} tile
 * @param {Choice} choice
 * @param {string[]} classes
 */
export function tileWithShare(tile, choice, ...classes) {
  const share = choice.shares[tile >> 2] ?? 0;
  const isTaken = tile === choice.tile;
  const text = shareText(share, isTaken);
  const length = share * LONGEST;
  const bar = svgElement(
    "svg",
    { viewBox: "0 0 40 64", class: "share", role: "img", "aria-label": `上位卓 ${text || "0"}%` },
    svgElement("rect", { x: 3, y: 2, width: 34, height: 2 + length }),
    svgText(20, 20 + length, text),
  );
  const column = element("span", ["choice", ...classes].join(" "), face(tile), bar);
  if (isTaken) column.classList.add("taken");
  return column;
}

/**
 * @param {number} share
 * @param {boolean} isTaken
 * @returns {string} whole per cents; "" for none
 */
function shareText(share, isTaken) {
  if (share >= LEAST_SHOWN) return String(Math.round(100 * share));
  return isTaken ? "<1" : "";
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
function svgText(x, y, text) {
  const made = svgElement("text", { x, y, "text-anchor": "middle" });
  made.textContent = text;
  return made;
}

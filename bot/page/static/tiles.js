// Tiles 0-135 as pictures of the game's sprite, with their names.
import { element, svgElement } from "./dom.js";

const RED_FIVES = new Set([16, 52, 88]);
const SUITED_KINDS = 27;
const NUMBERS = "一二三四五六七八九";
const SUITS = "萬筒索";
const HONOURS = "東南西北白發中";

/**
 * @param {number} tile
 * @returns {string}
 */
export function tileName(tile) {
  const kind = tile >> 2;
  if (kind >= SUITED_KINDS) return HONOURS[kind - SUITED_KINDS];
  const name = NUMBERS[kind % 9] + SUITS[Math.floor(kind / 9)];
  return RED_FIVES.has(tile) ? `赤${name}` : name;
}

/**
 * @param {number} tile
 * @param {string[]} classes
 */
export function face(tile, ...classes) {
  const symbol = `${RED_FIVES.has(tile) ? "r" : "t"}${tile >> 2}`;
  return picture(symbol, tileName(tile), classes);
}

/**
 * The back of a tile.
 * @param {string[]} classes
 */
export function back(...classes) {
  return picture("back", "伏せ牌", classes);
}

/** @param {number[]} tiles */
export function tileRow(tiles) {
  return element("span", "tiles", ...tiles.map((tile) => face(tile)));
}

/**
 * Put the symbols of all faces into the document, once.
 * @param {string} symbols SVG of the service, in bot/page/replay.py
 */
export function loadFaces(symbols) {
  const sprite = svgElement("svg", { class: "sprite", "aria-hidden": "true" });
  sprite.innerHTML = symbols;
  document.body.prepend(sprite);
}

/**
 * @param {string} symbol its id in the sprite
 * @param {string} label
 * @param {string[]} classes
 */
function picture(symbol, label, classes) {
  return svgElement(
    "svg",
    {
      viewBox: "0 0 40 54.4",
      class: ["tile", ...classes].join(" "),
      role: "img",
      "aria-label": label,
    },
    svgElement("use", { href: `#${symbol}` }),
  );
}

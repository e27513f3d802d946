// Members' colours: the same in every chart of the page, with a contrast of 3 to their background.
import { svgElement } from "./dom.js";

/** @typedef {[red: number, green: number, blue: number]} Rgb */

const MINIMUM_CONTRAST = 3;
const FIRST_SHARE = 0.42;
const SHARE_STEP = 0.02;
/** The dark card: --card in page.css. @type {Rgb} */
const DARK_CARD = [0x1a, 0x21, 0x1d];
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

/**
 * A colour made for white paper: lighter where the page is dark.
 * @param {string} colour such as #1a2b3c
 * @returns {string}
 */
export function shade(colour) {
  if (!darkScheme.matches) return colour;
  const rgb = parsed(colour);
  let share = FIRST_SHARE;
  while (contrast(lighter(rgb, share), DARK_CARD) < MINIMUM_CONTRAST) share += SHARE_STEP;
  return `rgb(${lighter(rgb, share).join(",")})`;
}

/**
 * A small bar of a member's colour.
 * @param {string} colour
 */
export function swatch(colour) {
  const bar = svgElement("rect", { width: 4, height: 16, rx: 2, fill: shade(colour) });
  return svgElement("svg", { viewBox: "0 0 4 16", class: "swatch", "aria-hidden": "true" }, bar);
}

/**
 * @param {string} colour
 * @returns {Rgb}
 */
function parsed(colour) {
  const part = (/** @type {number} */ at) => parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/**
 * @param {Rgb} rgb
 * @param {number} share of white, from 0 to 1
 * @returns {Rgb}
 */
function lighter([red, green, blue], share) {
  const mixed = (/** @type {number} */ part) => Math.round(part + (255 - part) * share);
  return [mixed(red), mixed(green), mixed(blue)];
}

/**
 * The contrast ratio of WCAG 2.1.
 * @param {Rgb} first
 * @param {Rgb} second
 */
function contrast(first, second) {
  const lights = [luminance(first), luminance(second)];
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}

/** @param {Rgb} rgb */
function luminance([red, green, blue]) {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** @param {number} part of a colour, from 0 to 255 */
function linear(part) {
  const share = part / 255;
  if (share <= 0.04045) return share / 12.92;
  return ((share + 0.055) / 1.055) ** 2.4;
}

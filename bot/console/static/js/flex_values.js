// LINE's keywords for sizes, as CSS lengths.

/** On a phone 390 points wide. @type {Record<string, number>} */
export const BUBBLE_WIDTHS = {
  nano: 120,
  micro: 160,
  deca: 220,
  hecto: 241,
  kilo: 260,
  mega: 300,
  giga: 345,
};
/** @typedef {Record<string, number>} Keywords */
/** @type {Keywords} */
const SPACES = { none: 0, xs: 2, sm: 4, md: 8, lg: 12, xl: 16, xxl: 20 };
/** @type {Keywords} */
const BORDERS = { none: 0, light: 0.5, normal: 1, medium: 2, "semi-bold": 3, bold: 4 };
/** @type {Keywords} */
const LETTERS = {
  xxs: 11,
  xs: 13,
  sm: 14,
  md: 16,
  lg: 19,
  xl: 22,
  xxl: 29,
  "3xl": 35,
  "4xl": 48,
  "5xl": 74,
};
/** @type {Keywords} */
const PICTURES = {
  xxs: 40,
  xs: 60,
  sm: 80,
  md: 100,
  lg: 120,
  xl: 140,
  xxl: 160,
  "3xl": 180,
  "4xl": 200,
  "5xl": 220,
};

/** @param {string | undefined} value */
export function space(value) {
  return value === undefined ? undefined : length(SPACES, value);
}

/** @param {string} value */
export function letterSize(value) {
  return length(LETTERS, value);
}

/** @param {string} value */
export function borderWidth(value) {
  return length(BORDERS, value);
}

/** @param {string} value */
export function pictureWidth(value) {
  if (value === "full") return "100%";
  return length(PICTURES, value);
}

/** @param {string} value such as 20:13 */
export function ratio(value) {
  return value.replace(":", " / ");
}

/**
 * @param {Keywords} keywords
 * @param {string} value a keyword, or a length of CSS
 */
function length(keywords, value) {
  return value in keywords ? `${keywords[value]}px` : value;
}

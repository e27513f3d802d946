// LINE's keywords for sizes, as CSS lengths.
const SPACES = { none: 0, xs: 2, sm: 4, md: 8, lg: 12, xl: 16, xxl: 20 };
const LETTERS = { xxs: 11, xs: 13, sm: 14, md: 16, lg: 19, xl: 22, xxl: 29, "3xl": 35, "4xl": 48, "5xl": 74 };
const PICTURES = { xxs: 40, xs: 60, sm: 80, md: 100, lg: 120, xl: 140, xxl: 160, "3xl": 180, "4xl": 200, "5xl": 220 };
const BORDERS = { none: 0, light: 0.5, normal: 1, medium: 2, "semi-bold": 3, bold: 4 };

const length = (table) => (value) => {
  if (value === undefined || value === null) return undefined;
  return value in table ? `${table[value]}px` : value;
};

export const space = length(SPACES);
export const letter = length(LETTERS);
export const border = length(BORDERS);
export const picture = (value = "md") => (value === "full" ? "100%" : length(PICTURES)(value));
export const ratio = (value = "1:1") => value.replace(":", " / ");

// On a phone 390 points wide.
export const BUBBLE_WIDTHS = {
  nano: 120, micro: 160, deca: 220, hecto: 241, kilo: 260, mega: 300, giga: 345,
};

// Members' colours: the same in every chart of the page. Lines have a contrast of 3 with what is behind them.
const dark = matchMedia("(prefers-color-scheme: dark)");
const LEAST = 3, CARD = [0x1a, 0x21, 0x1d]; // the dark card: --card in page.css

// A colour made for white paper, lighter on black.
export function shade(colour) {
  if (!dark.matches) return colour;
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const lighter = (share) => parts.map((part) => Math.round(part + (255 - part) * share));
  let share = 0.42;
  while (contrast(lighter(share), CARD) < LEAST) share += 0.02;
  return `rgb(${lighter(share).join(",")})`;
}

// The contrast ratio of WCAG 2.1 of two colours.
function contrast(one, other) {
  const [least, most] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (most + 0.05) / (least + 0.05);
}

function luminance(parts) {
  const [red, green, blue] = parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function swatch(colour) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const bar = svg.appendChild(document.createElementNS(svg.namespaceURI, "rect"));
  for (const [key, value] of [["viewBox", "0 0 4 16"], ["class", "swatch"], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  for (const [key, value] of [["width", 4], ["height", 16], ["rx", 2], ["fill", colour]]) bar.setAttribute(key, value);
  return svg;
}

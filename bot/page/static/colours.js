// Members' colours: the same in every chart of the page.
const dark = matchMedia("(prefers-color-scheme: dark)");

// A colour made for white paper, lighter on black.
export function shade(colour) {
  if (!dark.matches) return colour;
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.map((part) => Math.round(part + (255 - part) * 0.42)).join(",")})`;
}

export function swatch(colour) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const bar = svg.appendChild(document.createElementNS(svg.namespaceURI, "rect"));
  for (const [key, value] of [["viewBox", "0 0 4 16"], ["class", "swatch"], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  for (const [key, value] of [["width", 4], ["height", 16], ["rx", 2], ["fill", colour]]) bar.setAttribute(key, value);
  return svg;
}

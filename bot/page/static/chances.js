// Everybody's chance of the first place over the rounds as lines, and all chances of one of them.
/** @import { Game, PlaceChance } from "../page.d.ts" */
import { shade, swatch } from "./colours.js";
import { element, svgElement } from "./dom.js";

/** The chart of a game whose chances are known, with a table of the shown round's. */
export class ChancesChart {
  /**
   * @param {Game} game
   * @param {PlaceChance[][][]} chances at each deal and at the end, by seat and place
   * @param {(round: number) => void} goToRound
   */
  constructor(game, chances, goToRound) {
    this.game = game;
    this.chances = chances;
    this.end = chances.length - 1;
    this.cursor = line("", "currentColor", "cursor");
    this.body = element("tbody");
    this.corner = heading("", "col");
    const places = game.players.map((_, place) => heading(`${place + 1}位`, "col"));
    const head = element("thead", "", element("tr", "", this.corner, ...places));
    const table = element("table", "", head, this.body);
    this.box = element("section", "chances", element("h2", "", "着順の確率"));
    this.box.append(this.drawLines(goToRound), table);
  }

  /** @param {(round: number) => void} goToRound */
  drawLines(goToRound) {
    const attributes = { preserveAspectRatio: "none", "aria-hidden": "true" };
    const svg = svgElement("svg", { viewBox: `0 0 ${this.end} 100`, ...attributes });
    svg.append(line(`0,50 ${this.end},50`, "currentColor", "half"), this.cursor);
    this.game.colours.forEach((colour, seat) => {
      const points = this.chances.map((seats, n) => `${n},${100 - 100 * seats[seat][0][0]}`);
      svg.append(line(points.join(" "), shade(colour), "line"));
    });
    svg.addEventListener("click", (tap) => {
      const { left, width } = svg.getBoundingClientRect();
      const nearest = Math.round(this.end * (tap.clientX - left) / width);
      goToRound(Math.min(this.end - 1, nearest));
    });
    return svg;
  }

  /**
   * Show the chances at a round's deal, or those at the end after the last round.
   * @param {number} number
   */
  show(number) {
    this.cursor.setAttribute("points", `${number},0 ${number},100`);
    const round = this.game.rounds[number];
    this.corner.textContent = round ? `${round.name}のはじめ` : "終局";
    this.body.replaceChildren(...this.chances[number].map((places, seat) => {
      const name = heading(this.game.players[seat], "row");
      name.prepend(swatch(this.game.colours[seat]));
      return element("tr", "", name, ...places.map(([_, text]) => element("td", "", text)));
    }));
  }
}

/**
 * @param {string} points
 * @param {string} stroke
 * @param {string} className
 */
function line(points, stroke, className) {
  return svgElement("polyline", { points, stroke, class: className });
}

/**
 * @param {string} text
 * @param {"row" | "col"} scope
 */
function heading(text, scope) {
  const cell = element("th", "", text);
  cell.scope = scope;
  return cell;
}

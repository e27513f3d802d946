// Adds to a view of the page what HTML can't do: charts of lines, and tables sorted by a tap.
/** @import { Figures } from "../page.d.ts" */
import { Chart } from "./charts.js";
import { makeSortable } from "./sorting.js";

/** @param {HTMLElement[]} sections a place for each of the view's charts */
async function drawCharts(sections) {
  const response = await fetch(`${location.pathname}/figures${location.search}`);
  if (!response.ok) return;
  /** @type {Figures} */
  const { parts, days } = await response.json();
  const charts = parts.filter((part) => part.kind === "lines");
  charts.forEach((lines, n) => {
    new Chart(sections[n], lines, days);
  });
}

/**
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function allOf(selector) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))];
}

const sections = allOf("main[data-figures] section.chart");
if (sections.length) await drawCharts(sections);
for (const table of allOf("table.grid")) {
  makeSortable(/** @type {HTMLTableElement} */ (table));
}

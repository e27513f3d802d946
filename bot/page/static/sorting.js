// The table of all figures: a tap on a figure's name sorts each group of members by it.
import { button, child } from "./dom.js";

const NAME_COLUMNS = 1; // before the figures

/**
 * High values first, with the next tap low ones. Members without the figure stay last.
 * @param {HTMLTableElement} table
 */
export function makeSortable(table) {
  const heads = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("th[data-key]"));
  heads.forEach((head, n) => {
    const column = n + NAME_COLUMNS;
    if (head.hasAttribute("aria-sort")) markSorted(table, head, column);
    head.replaceChildren(button(head.textContent, () => {
      const isDescending = head.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      for (const body of table.tBodies) sortRows(body, column, isDescending);
      markSorted(table, head, column);
    }));
  });
}

/**
 * @param {HTMLTableSectionElement} body
 * @param {number} column
 * @param {boolean} isDescending
 */
function sortRows(body, column, isDescending) {
  const rank = (/** @type {HTMLTableRowElement} */ row) => {
    const value = row.cells[column].dataset.value;
    if (value === undefined) return -Infinity;
    return isDescending ? Number(value) : -Number(value);
  };
  const members = [...body.rows].filter((row) => row.cells.length > 1);
  members.sort((first, second) => rank(second) - rank(first));
  body.append(...members);
}

/**
 * Mark the column by which the rows are sorted, and have it on the screen next to the names.
 * @param {HTMLTableElement} table
 * @param {HTMLElement} head
 * @param {number} column
 */
function markSorted(table, head, column) {
  for (const cell of table.querySelectorAll("td.sorted")) cell.classList.remove("sorted");
  for (const body of table.tBodies) {
    for (const row of body.rows) row.cells[column]?.classList.add("sorted");
  }
  const frame = table.closest(".wide");
  if (!frame) return;
  const nameWidth = child(table, "tbody th[scope=row]").offsetWidth;
  const leftmost = head.offsetLeft - nameWidth;
  const rightmost = head.offsetLeft + head.offsetWidth - frame.clientWidth;
  if (frame.scrollLeft > leftmost) frame.scrollLeft = leftmost;
  else if (frame.scrollLeft < rightmost) frame.scrollLeft = rightmost;
}

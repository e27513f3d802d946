// Days on a chart's axis, and the page's address with a period of days.
/** @import { DayEnd } from "../page.d.ts" */

const DAYS_BEFORE_1970 = 719163; // of a day counted from 0001-01-01 as 1
const MILLISECONDS_A_DAY = 864e5;
const LONG_AXIS = 400; // days: a longer axis has months and years
const OTHER_PERIODS = ["season", "page", "span", "from", "to"];

/**
 * @param {number} x a day on the axis
 * @returns {string} such as 2026-11-23
 */
function isoDay(x) {
  const date = new Date((Math.floor(x) - DAYS_BEFORE_1970) * MILLISECONDS_A_DAY);
  return date.toISOString().slice(0, 10);
}

/**
 * @param {number} x a day on the axis
 * @param {number} length days of the axis
 * @returns {string} month and day; on a long axis year and month
 */
export function dayLabel(x, length) {
  const [year, month, day] = isoDay(x).split("-").map(Number);
  if (length > LONG_AXIS) return `${year}/${month}`;
  return `${month}/${day}`;
}

/**
 * The first and the last day of the games between two places on the axis.
 * @param {number} from
 * @param {number} to
 * @param {boolean} byDate
 * @param {DayEnd[]} days
 * @returns {[first: string, last: string] | null} null where games have no dates
 */
export function daysBetween(from, to, byDate, days) {
  if (!days.length) return null;
  if (byDate) return [isoDay(from), isoDay(to)];
  let lastBefore = 0;
  const inside = [];
  for (const [last, day] of days) {
    if (last > from && lastBefore < to) inside.push(day);
    lastBefore = last;
  }
  if (!inside.length) return null;
  return [inside[0], inside[inside.length - 1]];
}

/**
 * Open the page with these days' games: tables and headings follow the address.
 * @param {string} first
 * @param {string} last
 */
export function openPeriod(first, last) {
  const query = queryWithoutPeriod();
  query.set("from", first);
  query.set("to", last);
  location.search = query.toString();
}

/** Open the page with the games of all days. */
export function openAllDays() {
  location.search = queryWithoutPeriod().toString();
}

export function hasPeriod() {
  return new URLSearchParams(location.search).has("from");
}

/**
 * @param {boolean} byDate whether the chart's axis is by date now
 * @returns {string} the address of the same page with the other axis
 */
export function otherAxisUrl(byDate) {
  const query = new URLSearchParams(location.search);
  if (byDate) query.delete("axis");
  else query.set("axis", "date");
  return `?${query}`;
}

function queryWithoutPeriod() {
  const query = new URLSearchParams(location.search);
  for (const name of OTHER_PERIODS) query.delete(name);
  return query;
}

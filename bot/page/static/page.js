// Adds to the page what a picture can't do: lines on and off, a period by dragging, the value under the
// finger, and tables sorted by a tap. Everything else stands in the HTML.
import { shade, swatch } from "./colours.js";

const main = document.querySelector("main[data-figures]");
const DAYS_BEFORE_1970 = 719163; // of a day counted from 0001-01-01 as 1

const charts = [...main.querySelectorAll("section.chart")];
if (charts.length) {
  const answer = await fetch(location.pathname + "/figures" + location.search);
  if (answer.ok) {
    const { parts, days } = await answer.json();
    parts.filter((part) => part.kind === "lines").forEach((lines, n) => draw(charts[n], lines, days));
  }
}
document.querySelectorAll("table.grid").forEach(sortable);

function words(value, { decimals, signed, unit }) {
  const text = Math.abs(value).toLocaleString("ja", {
    minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: signed,
  });
  if (!/[1-9]/.test(text)) return (signed ? "±" : "") + text + unit;
  return (value < 0 ? "−" : signed ? "+" : "") + text + unit;
}

const isoDay = (x) => new Date((Math.floor(x) - DAYS_BEFORE_1970) * 864e5).toISOString().slice(0, 10);

// The series on one axis: each name's value at every point of any of them, null before its first.
function aligned(curves) {
  const xs = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const place = new Map(xs.map((x, n) => [x, n]));
  return [xs, ...curves.map(({ x, y }) => {
    const values = Array(xs.length).fill(undefined);
    x.forEach((at, n) => { values[place.get(at)] = y[n]; });
    return values;
  })];
}

// A period of these days in the address: the page's tables and headings follow it. None without dates.
function showPeriod(first, last) {
  const query = new URLSearchParams(location.search);
  ["season", "page", "span", "from", "to"].forEach((key) => query.delete(key));
  if (first) query.set("from", first);
  if (last) query.set("to", last);
  location.search = query;
}

// The first and the last day of the games from one place on the axis to another; none where games have no dates.
function daysBetween(from, to, byDate, days) {
  if (!days.length) return null;
  if (byDate) return [isoDay(from), isoDay(to)];
  const chosen = days.filter(([last], n) => last > from && (n ? days[n - 1][0] : 0) < to);
  return chosen.length ? [chosen[0][1], chosen.at(-1)[1]] : null;
}

function draw(section, lines, days) {
  const box = section.querySelector(".plot");
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", lines.title);
  const byDate = lines.axis === "date";
  const [xs, ...values] = aligned(lines.curves);
  const data = [xs, ...values];
  const style = getComputedStyle(document.body);
  const soft = style.getPropertyValue("--soft"), line = style.getPropertyValue("--line");
  const names = document.createElement("div");
  names.className = "names";
  const outputs = lines.curves.map((curve, n) => name(names, curve, lines, (on) => plot.setSeries(n + 1, { show: on })));
  const axis = {
    stroke: soft, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "12px system-ui",
  };
  const plot = new uPlot({
    width: box.clientWidth, height: Math.min(420, Math.max(260, box.clientWidth * 0.8)),
    scales: { x: { time: false }, y: { dir: lines.down ? -1 : 1 } },
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    axes: [
      { ...axis, size: 28, values: (_, splits) => splits.map((x) => (byDate ? shortDay(x, xs) : Math.round(x) === x ? x : "")) },
      { ...axis, size: 52, values: (_, splits) => splits.map((y) => words(y, { ...lines, decimals: Number.isInteger(y) ? 0 : 1 })) },
    ],
    series: [{}, ...lines.curves.map((curve) => ({
      stroke: shade(curve.colour), width: curve.asker ? 4 : 2, spanGaps: true, points: { show: false },
      dash: curve.dash.map((part) => part * 4),
    }))],
    hooks: {
      setCursor: [(u) => tell(u.cursor.idx)],
      setSelect: [(u) => { if (u.select.width > 8) chosen(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")); }],
      drawClear: [(u) => baseline(u, lines.baseline, soft)],
    },
  }, data, box);
  const [note, picking, whole] = tools(lines, byDate, () => plot.setScale("x", { min: xs[0], max: xs.at(-1) }));
  section.append(names, note);
  section.plot = plot;
  touched(plot.over, () => picking.getAttribute("aria-pressed") === "true");
  new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: plot.height })).observe(box);

  function tell(idx) {
    lines.curves.forEach((curve, n) => {
      let at = curve.x.length - 1;
      while (idx != null && at > 0 && curve.x[at] > xs[idx]) at -= 1;
      const known = idx == null || curve.x[at] <= xs[idx];
      outputs[n].textContent = known ? words(curve.y[at], lines) : "";
    });
  }

  function chosen(from, to) {
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    picking.setAttribute("aria-pressed", "false");
    const period = daysBetween(from, to, byDate, days);
    if (period) return showPeriod(...period);
    whole.hidden = false;
    plot.setScale("x", { min: Math.floor(from), max: Math.ceil(to) });
  }
  tell(null);
}

function shortDay(x, xs) {
  const [year, month, day] = isoDay(x).split("-").map(Number);
  return xs.at(-1) - xs[0] > 400 ? `${year}/${month}` : `${month}/${day}`;
}

function baseline(plot, value, colour) {
  if (value == null) return;
  const y = plot.valToPos(value, "y", true);
  if (y < plot.bbox.top || y > plot.bbox.top + plot.bbox.height) return;
  plot.ctx.save();
  plot.ctx.strokeStyle = colour;
  plot.ctx.lineWidth = devicePixelRatio;
  plot.ctx.beginPath();
  plot.ctx.moveTo(plot.bbox.left, y);
  plot.ctx.lineTo(plot.bbox.left + plot.bbox.width, y);
  plot.ctx.stroke();
  plot.ctx.restore();
}

// A button that switches a line, with its value under the finger.
function name(names, curve, lines, show) {
  const line = button("", () => {
    const on = line.getAttribute("aria-pressed") !== "true";
    line.setAttribute("aria-pressed", on);
    show(on);
  });
  line.setAttribute("aria-pressed", "true");
  if (curve.asker) line.className = "mine";
  const value = document.createElement("output");
  value.setAttribute("aria-live", "off");
  line.append(swatch(shade(curve.colour)), curve.name, value);
  names.append(line);
  return value;
}

// A finger shows the values below it, and while `picking()` it chooses a period, as a mouse does that is held.
function touched(over, picking) {
  const hand = (type, { clientX, clientY }, target = over) => {
    const event = new MouseEvent(type, { clientX, clientY, bubbles: true });
    Object.defineProperty(event, "movementX", { value: 1 }); // uPlot passes over a move of nothing
    target.dispatchEvent(event);
  };
  over.addEventListener("touchstart", ({ touches: [finger] }) => {
    hand("mouseenter", finger);
    hand(picking() ? "mousedown" : "mousemove", finger);
  }, { passive: true });
  over.addEventListener("touchmove", ({ touches: [finger] }) => hand("mousemove", finger), { passive: true });
  over.addEventListener("contextmenu", (press) => press.preventDefault());
  over.addEventListener("touchend", ({ changedTouches: [finger] }) => hand("mouseup", finger, document));
}

function button(words, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: words });
  made.onclick = () => act(made);
  return made;
}

// By game or by date; a period with the finger; all games again.
function tools(lines, byDate, all) {
  const box = document.createElement("p");
  box.className = "note tools";
  const query = new URLSearchParams(location.search);
  if (byDate) query.delete("axis");
  else query.set("axis", "date");
  const link = document.createElement("a");
  link.href = `?${query}`;
  link.textContent = byDate ? "対局順で見る" : "日付で見る";
  const picking = button("なぞって期間を選ぶ", () => picking.setAttribute("aria-pressed", picking.getAttribute("aria-pressed") !== "true"));
  picking.setAttribute("aria-pressed", "false");
  const dated = query.has("from");
  const whole = button("全体に戻す", () => {
    if (dated) return showPeriod();
    whole.hidden = true;
    all();
  });
  whole.hidden = !dated;
  box.append(picking, whole, ...(lines.unit ? [] : [link]));
  return [box, picking, whole];
}

// Mark the column by which the rows are sorted, and have it on the screen, beside the names that stay.
function markSorted(table, head, n) {
  table.querySelectorAll("td.sorted").forEach((cell) => cell.classList.remove("sorted"));
  for (const row of table.tBodies) for (const { cells } of row.rows) cells[n + 1]?.classList.add("sorted");
  const frame = table.closest(".wide");
  const names = table.querySelector("tbody th[scope=row]").offsetWidth;
  const left = head.offsetLeft - names, right = head.offsetLeft + head.offsetWidth - frame.clientWidth;
  if (frame.scrollLeft > left) frame.scrollLeft = left;
  else if (frame.scrollLeft < right) frame.scrollLeft = right;
}

// A tap on a figure's name sorts each group by it: high first, then low first. Rows without it stay last.
function sortable(table) {
  table.querySelectorAll("th[data-key]").forEach((head, n) => {
    if (head.hasAttribute("aria-sort")) markSorted(table, head, n);
    head.replaceChildren(button(head.textContent, () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => {
        const text = row.cells[n + 1].dataset.value;
        return text === undefined ? -Infinity : (down ? 1 : -1) * Number(text);
      };
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => row.cells.length > 1);
        rows.sort((one, other) => value(other) - value(one)).forEach((row) => body.append(row));
      }
      markSorted(table, head, n);
    }));
  });
}

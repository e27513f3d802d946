// A chart of lines by uPlot: lines on and off, the value under the finger, a period by dragging.
/** @import { Curve, DayEnd, Lines, NumberFormat, Plot } from "../page.d.ts" */
import { shade, swatch } from "./colours.js";
import { button, child, element, isPressed, setPressed } from "./dom.js";
import {
  dayLabel,
  daysBetween,
  hasPeriod,
  openAllDays,
  openPeriod,
  otherAxisUrl,
} from "./periods.js";
import { passTouchesAsMouse } from "./touch.js";

const SHORTEST_DRAG = 8; // pixels
const DASH_SCALE = 4;
const NO_SELECTION = { left: 0, width: 0, top: 0, height: 0 };

/** A chart in its section of the page. */
export class Chart {
  /**
   * @param {HTMLElement} section
   * @param {Lines} lines
   * @param {DayEnd[]} days none where the question has no period
   */
  constructor(section, lines, days) {
    this.lines = lines;
    this.days = days;
    this.byDate = lines.axis === "date";
    this.box = child(section, ".plot");
    this.box.setAttribute("role", "img");
    this.box.setAttribute("aria-label", lines.title);
    this.xs = axisPlaces(lines.curves);
    this.values = lines.curves.map(() => element("output"));
    this.plot = this.drawPlot();
    Object.assign(section, { plot: this.plot }); // for tests, and for the browser's own console
    this.tools = new ChartTools(lines.unit === "", this.byDate, () => this.showWholeAxis());
    section.append(this.drawNames(), this.tools.box);
    passTouchesAsMouse(this.plot.over, () => isPressed(this.tools.picking));
    new ResizeObserver(() => this.fitWidth()).observe(this.box);
    this.showValues(null);
  }

  drawPlot() {
    const { lines, box } = this;
    const style = getComputedStyle(document.body);
    const soft = style.getPropertyValue("--soft");
    const axis = {
      stroke: soft,
      grid: { stroke: style.getPropertyValue("--line"), width: 1 },
      ticks: { show: false },
      font: "12px system-ui",
    };
    const options = {
      width: box.clientWidth,
      height: Math.min(420, Math.max(260, box.clientWidth * 0.8)),
      scales: { x: { time: false }, y: { dir: lines.down ? -1 : 1 } },
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
      axes: [
        { ...axis, size: 28, values: this.labelsOfX },
        { ...axis, size: 52, values: this.labelsOfY },
      ],
      series: [{}, ...lines.curves.map(seriesOf)],
      hooks: {
        setCursor: [(/** @type {Plot} */ plot) => this.showValues(plot.cursor.idx)],
        setSelect: [(/** @type {Plot} */ plot) => this.takeSelection(plot)],
        drawClear: [(/** @type {Plot} */ plot) => drawBaseline(plot, lines.baseline, soft)],
      },
    };
    const rows = lines.curves.map((curve) => valuesAt(this.xs, curve));
    return new uPlot(options, [this.xs, ...rows], box);
  }

  /**
   * uPlot's `values` of the axis below.
   * @param {Plot} _plot
   * @param {number[]} splits
   */
  labelsOfX = (_plot, splits) => {
    if (this.byDate) return splits.map((x) => dayLabel(x, this.lastX - this.xs[0]));
    return splits.map((x) => Math.round(x) === x ? x : "");
  };

  /**
   * uPlot's `values` of the axis on the left.
   * @param {Plot} _plot
   * @param {number[]} splits
   */
  labelsOfY = (_plot, splits) =>
    splits.map((y) => formatNumber(y, { ...this.lines, decimals: Number.isInteger(y) ? 0 : 1 }));

  get lastX() {
    return this.xs[this.xs.length - 1];
  }

  /** A button for each curve that switches it on and off, with its value under the finger. */
  drawNames() {
    const names = element("div", "names");
    this.lines.curves.forEach((curve, n) => {
      const value = this.values[n];
      value.setAttribute("aria-live", "off");
      const line = button("", () => {
        setPressed(line, !isPressed(line));
        this.plot.setSeries(n + 1, { show: isPressed(line) });
      });
      setPressed(line, true);
      if (curve.asker) line.className = "mine";
      line.append(swatch(curve.colour), curve.name, value);
      names.append(line);
    });
    return names;
  }

  /**
   * Show each curve's last value up to that place; without a place its last of all.
   * @param {number | null | undefined} index of a place on the axis
   */
  showValues(index) {
    const x = typeof index === "number" ? this.xs[index] : Infinity;
    this.lines.curves.forEach((curve, n) => {
      const at = curve.x.findLastIndex((place) => place <= x);
      this.values[n].textContent = at < 0 ? "" : formatNumber(curve.y[at], this.lines);
    });
  }

  /** @param {Plot} plot */
  takeSelection(plot) {
    const { left, width } = plot.select;
    if (width <= SHORTEST_DRAG) return;
    const from = plot.posToVal(left, "x");
    const to = plot.posToVal(left + width, "x");
    plot.setSelect(NO_SELECTION, false);
    this.tools.stopPicking();
    const period = daysBetween(from, to, this.byDate, this.days);
    if (period) {
      openPeriod(...period);
      return;
    }
    this.tools.offerWhole();
    plot.setScale("x", { min: Math.floor(from), max: Math.ceil(to) });
  }

  showWholeAxis() {
    this.plot.setScale("x", { min: this.xs[0], max: this.lastX });
  }

  fitWidth() {
    this.plot.setSize({ width: this.box.clientWidth, height: this.plot.height });
  }
}

/** The line below a chart: a period with the finger, all games again, by game or by date. */
class ChartTools {
  /**
   * @param {boolean} hasOtherAxis
   * @param {boolean} byDate
   * @param {() => void} showWholeAxis
   */
  constructor(hasOtherAxis, byDate, showWholeAxis) {
    this.picking = button("なぞって期間を選ぶ", () => {
      setPressed(this.picking, !isPressed(this.picking));
    });
    setPressed(this.picking, false);
    this.whole = button("全体に戻す", () => {
      if (hasPeriod()) {
        openAllDays();
        return;
      }
      this.whole.hidden = true;
      showWholeAxis();
    });
    this.whole.hidden = !hasPeriod();
    this.box = element("p", "note tools", this.picking, this.whole);
    if (hasOtherAxis) {
      const link = element("a", "", byDate ? "対局順で見る" : "日付で見る");
      link.href = otherAxisUrl(byDate);
      this.box.append(link);
    }
  }

  stopPicking() {
    setPressed(this.picking, false);
  }

  offerWhole() {
    this.whole.hidden = false;
  }
}

/**
 * @param {Curve} curve
 * @returns {object} uPlot's series
 */
function seriesOf(curve) {
  return {
    stroke: shade(curve.colour),
    width: curve.asker ? 4 : 2,
    spanGaps: true,
    points: { show: false },
    dash: curve.dash.map((part) => part * DASH_SCALE),
  };
}

/**
 * @param {Curve[]} curves
 * @returns {number[]} the places of all curves' points, each once, ascending
 */
function axisPlaces(curves) {
  return [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
}

/**
 * @param {number[]} xs
 * @param {Curve} curve
 * @returns {(number | undefined)[]} the curve's value at every place, undefined where it has none
 */
function valuesAt(xs, curve) {
  const values = new Map(curve.x.map((x, n) => [x, curve.y[n]]));
  return xs.map((x) => values.get(x));
}

/**
 * @param {number} value
 * @param {NumberFormat} format
 */
function formatNumber(value, { decimals, signed, unit }) {
  const digits = Math.abs(value).toLocaleString("ja", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: signed,
  });
  const isZero = !/[1-9]/.test(digits);
  let sign = "";
  if (isZero && signed) sign = "±";
  else if (!isZero && value < 0) sign = "−";
  else if (!isZero && signed) sign = "+";
  return sign + digits + unit;
}

/**
 * @param {Plot} plot
 * @param {number | null} value
 * @param {string} colour
 */
function drawBaseline(plot, value, colour) {
  if (value === null) return;
  const { left, top, width, height } = plot.bbox;
  const y = plot.valToPos(value, "y", true);
  if (y < top || y > top + height) return;
  plot.ctx.save();
  plot.ctx.strokeStyle = colour;
  plot.ctx.lineWidth = devicePixelRatio;
  plot.ctx.beginPath();
  plot.ctx.moveTo(left, y);
  plot.ctx.lineTo(left + width, y);
  plot.ctx.stroke();
  plot.ctx.restore();
}

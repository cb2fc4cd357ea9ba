/**
 * Charts as SVG, made by DOM calls, each with a table that says the same.
 * @module
 */

import { el, svg, table } from "./dom.js";

const HEIGHT = 180;
const LEFT = 52;
const BOTTOM = 22;
const TOP = 10;
const RIGHT = 8;
const NARROWEST = 240;
const LINES = 4;

/**
 * @typedef {{name: string, style: string, values: Array<number|null>}} Series `style` is a class of the stylesheet
 * @typedef {{title: string, kind: "bars"|"lines", labels: Array<string>, marks?: Array<string>, series: Array<Series>, format: (value: number) => string, axis?: (value: number) => string, note?: string, top?: number, whole?: boolean}} Chart `format` tells a number
 *   exactly, `axis` as short as has room beside the picture, `marks` are its times, `top` its
 *   end where it is not the highest value, `whole` says that values are counts
 */

/**
 * A figure with its legend and table; `draw` fits the picture to the width that it has now.
 * @param {Chart} chart
 * @returns {{node: HTMLElement, draw: () => void}}
 */
export function figure(chart) {
  const picture = el("div", { class: "picture" });
  const node = el(
    "figure", { class: "card chart" },
    el("figcaption", {}, el("h3", {}, chart.title), chart.note && el("p", { class: "help" }, chart.note)),
    legend(chart),
    picture,
    el("details", {}, el("summary", {}, `Show as a table: ${chart.title}`), alternative(chart)),
  );
  return { node, draw: () => picture.replaceChildren(drawn(chart, Math.max(NARROWEST, picture.clientWidth))) };
}

function legend({ series, kind }) {
  if (series.length < 2) return null;
  const swatch = (style) => svg("svg", { class: "swatch", viewBox: "0 0 20 10", "aria-hidden": "true" }, kind === "bars" ? svg("rect", { class: style, width: "20", height: "10" }) : svg("path", { class: style, d: "M0 5H20" }));
  return el("ul", { class: "legend" }, series.map((one) => el("li", {}, swatch(one.style), " ", one.name)));
}

function alternative({ title, labels, series, format }) {
  return table({
    caption: title,
    hidden: true,
    columns: ["Time", ...series.map((one) => ({ text: one.name, class: "number" }))],
    rows: labels.map((label, at) => [label, ...series.map((one) => (one.values[at] === null ? "–" : format(one.values[at])))]),
  });
}

function drawn(chart, width) {
  const top = chart.top ?? niceTop(highest(chart), chart.whole);
  const place = {
    x: (at) => LEFT + ((width - LEFT - RIGHT) * at) / chart.labels.length,
    y: (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top,
    step: (width - LEFT - RIGHT) / chart.labels.length,
  };
  return svg(
    "svg", { class: "plot", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": said(chart) },
    grid(chart, top, place, width),
    (chart.kind === "bars" ? bars : lines)(chart, place),
  );
}

function said({ title, labels, series, format }) {
  const most = series.map((one) => {
    const known = one.values.filter((value) => value !== null);
    return known.length ? `${one.name}: at most ${format(Math.max(...known))}` : `${one.name}: none`;
  });
  return `${title}, ${labels.length} steps from ${labels[0] ?? "–"} to ${labels.at(-1) ?? "–"}. ${most.join(", ")}. The table below says the same.`;
}

function highest({ kind, labels, series }) {
  const at = (index) => series.map((one) => one.values[index] ?? 0);
  const tops = labels.map((_label, index) => (kind === "bars" ? at(index).reduce((sum, one) => sum + one, 0) : Math.max(...at(index))));
  return Math.max(0, ...tops);
}

/** The next end whose four lines have short numbers; those of counts are whole. */
function niceTop(value, whole) {
  if (!(value > 0)) return whole ? LINES : 1;
  if (whole && value <= 10 * LINES) return LINES * Math.ceil(value / LINES);
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 8, 10].map((one) => one * power).find((one) => one >= value * 0.9999) ?? 10 * power;
}

function grid({ labels, marks: short = labels, format, axis = format }, top, place, width) {
  const marks = Array.from({ length: LINES + 1 }, (_one, at) => (top * at) / LINES);
  const across = marks.map((value) => [
    svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: place.y(value), y2: place.y(value) }),
    svg("text", { class: "axis", x: LEFT - 6, y: place.y(value) + 4, "text-anchor": "end" }, axis(value)),
  ]);
  return svg("g", { "aria-hidden": "true" }, across, under(short, place, width));
}

/** As many times as have room. */
function under(labels, place, width) {
  const most = Math.max(1, Math.floor((width - LEFT) / 90));
  const every = Math.ceil(labels.length / most);
  const shown = labels.map((label, at) => [label, at]).filter(([, at]) => at % every === 0 && place.x(at) < width - 60);
  return shown.map(([label, at]) => svg("text", { class: "axis", x: place.x(at), y: HEIGHT - 5 }, label));
}

function bars({ labels, series, format }, place) {
  return labels.map((label, at) => {
    if (series.every((one) => one.values[at] === null)) return notKept(label, place, at);
    let base = 0;
    return series.filter((one) => one.values[at] > 0).map((one) => {
      const from = base;
      base += one.values[at];
      const height = place.y(from) - place.y(base);
      return svg("rect", { class: one.style, x: place.x(at) + 0.5, y: place.y(base), width: Math.max(1, place.step - 1.5), height },
        svg("title", {}, `${label}: ${one.name} ${format(one.values[at])}`));
    });
  });
}

/** Nothing is known of this time, which is not the same as none. */
function notKept(label, place, at) {
  return svg("rect", { class: "not-kept", x: place.x(at), y: TOP, width: place.step, height: HEIGHT - BOTTOM - TOP }, svg("title", {}, `${label}: not kept`));
}

function lines({ labels, series, format }, place) {
  const middle = (at) => place.x(at) + place.step / 2;
  return series.map((one) => [
    svg("path", { class: one.style, d: path(one.values, middle, place.y) }),
    one.values.map((value, at) => (value === null ? null : svg("circle", { class: `${one.style} dot`, cx: middle(at), cy: place.y(value), r: 2.5 }, svg("title", {}, `${labels[at]}: ${one.name} ${format(value)}`)))),
  ]);
}

/** A line with a gap wherever nothing is known. */
function path(values, x, y) {
  return values.map((value, at) => (value === null ? "" : `${at && values[at - 1] !== null ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)).join("");
}

/**
 * Usage: calls, latency, errors, cache and cost over time.
 * @module
 */

import { figure } from "./charts.js";
import { button, el, facts, fill, foreign, table } from "./dom.js";
import { amount, clockTime, count, duration, money, plural, share, shortTime, size, tokens } from "./format.js";
import { loaded } from "./loading.js";

const PERIODS = [[1, "The last hour"], [24, "The last 24 hours"], [168, "The last 7 days"], [720, "The last 30 days"]];
const DEFAULT = 24;
const NANO = 1_000_000_000;
/** Seconds; a day and its last bucket. */
const ONE_DAY = 90_000;
const DASHES = ["line one", "line two", "line three"];

/**
 * @param {HTMLElement} root
 * @param {{api: object}} context
 * @returns {{show: () => void, clear: () => void}}
 */
export function createUsage(root, { api }) {
  let figures = [];
  const body = el("div");
  const period = el("select", { id: "period", on: { change: show } }, PERIODS.map(([hours, name]) => el("option", { value: hours, selected: hours === DEFAULT }, name)));
  const watch = new ResizeObserver(() => requestAnimationFrame(draw));

  fill(root, el("div", { class: "row apart" }, el("h2", {}, "Usage"),
    el("div", { class: "row" }, el("label", { for: "period" }, "Period"), period, button("Load anew", show))), body);
  watch.observe(body);

  async function show() {
    await loaded(body, () => api.post("/v1/usage", { hours: Number(period.value) }), ({ data }) => {
      figures = charts(data);
      return [whole(data), figures.length ? el("div", { class: "charts" }, figures.map((one) => one.node)) : null, sums(data)];
    });
    draw();
  }

  function draw() {
    for (const one of figures) if (one.node.isConnected) one.draw();
  }

  return {
    show,
    clear: () => {
      watch.disconnect();
      figures = [];
      root.replaceChildren();
    },
  };
}

function whole({ whole: all, since, until, source, complete, lost, counted_from: from }) {
  const notes = [
    source === "memory" && "Calls are not recorded: these are what this process remembers since it started.",
    complete === false && `This may not be all: some calls of this time are not kept.${from ? ` The first one counted began on ${shortTime(from)}.` : ""}`,
    lost > 0 && `${plural(lost, "call")} could not be recorded at the time.`,
    all.unpriced > 0 && `The cost of ${plural(all.unpriced, "call")} is not known, and not in the sums.`,
  ];
  return el("section", { class: "card", "aria-labelledby": "usage-whole" },
    el("h3", { id: "usage-whole" }, `${shortTime(since)} to ${shortTime(until)}`),
    notes.filter(Boolean).map((one) => el("p", { class: "notice" }, one)),
    facts([
      ["Calls", count(all.calls)],
      ["Failed", `${count(all.failed)} (${share(all.failed, all.calls)})`],
      ["Denied", count(all.denied)],
      ["From a cache", `${count(all.cached)} (${share(all.cached, all.calls)})`],
      ["Left this machine", count(all.dispatched)],
      ["Median", duration(all.p50_ms)],
      ["95 % within", duration(all.p95_ms)],
      ["99 % within", duration(all.p99_ms)],
      ["Page bytes", size(all.bytes)],
      ["Tokens", all.input_tokens || all.output_tokens ? tokens(all) : ""],
      ["Cost", money(all.costs) || "none reported"],
    ]));
}

/** None where nothing was called: empty axes say less than words. What is not known of a time is a gap there, and not 0. */
function charts(data) {
  const { buckets, whole: all, since, until } = data;
  if (!all.calls) return [];
  const known = knownOf(data);
  const gaps = buckets.every(known) ? "" : "Shaded: a time of which no call is kept.";
  const short = until - since > ONE_DAY ? shortTime : clockTime;
  const drawn = (chart) => figure({ ...chart, labels: buckets.map((one) => shortTime(one.at)), marks: buckets.map((one) => short(one.at)) });
  const series = (name, style, value) => ({ name, style, values: buckets.map((one) => (known(one) ? value(one) : null)) });
  const number = (one) => one ?? 0;
  const currencies = [...new Set(buckets.flatMap((one) => Object.keys(one.costs ?? {})))].sort();
  return [
    drawn({ title: "Calls", kind: "bars", note: gaps, whole: true, format: count, axis: compact, series: [
      series("answered", "bar-good", (one) => Math.max(0, one.calls - number(one.failed) - number(one.cached))),
      series("from a cache", "bar-kept", (one) => number(one.cached)),
      series("failed", "bar-bad", (one) => number(one.failed)),
    ] }),
    drawn({ title: "Latency", kind: "lines", format: (value) => duration(value) || "0", series: [
      series("median", DASHES[0], (one) => one.p50_ms ?? null),
      series("95 %", DASHES[1], (one) => one.p95_ms ?? null),
      series("99 %", DASHES[2], (one) => one.p99_ms ?? null),
    ] }),
    drawn({ title: "Cache hits", kind: "lines", format: (value) => share(value, 100), axis: (value) => `${value} %`, note: "Percent of calls, where there were any.", top: 100, series: [
      series("from a cache", DASHES[0], (one) => (one.calls ? (100 * number(one.cached)) / one.calls : null)),
    ] }),
    ...currencies.map((currency) => drawn({ title: `Cost in ${currency}`, kind: "bars", note: gaps, format: amount, axis: (value) => String(Number((value / NANO).toPrecision(3))), series: [
      series(currency, "bar-cost", (one) => number(one.costs?.[currency])),
    ] })),
  ];
}

/** Whether a bucket lies in the time of which calls are kept. */
function knownOf({ buckets, since, until, complete, counted_from: from }) {
  const width = buckets.length > 1 ? buckets[1].at - buckets[0].at : until - since;
  return (bucket) => complete !== false || from === undefined || bucket.at + width > from;
}

function compact(value) {
  return value >= 10_000 ? `${Math.round(value / 1000)}k` : String(Number(value.toFixed(2)));
}

function sums(data) {
  const codes = data.codes?.filter((one) => one.code) ?? [];
  const parts = [
    codes.length ? shares("Errors by code", "Code", codes.map((one) => [one.code, one.calls])) : null,
    ...[["Tools", data.tools], ["Providers", data.providers], ["Tenants", data.tenants]].map(([title, rows]) => (rows?.length ? byKey(title, rows) : null)),
  ].filter(Boolean);
  return data.whole.calls ? parts : el("p", { class: "notice" }, data.complete === false ? "No call of this time is kept." : "No call was made in this time.");
}

/** A table whose numbers are bars too. */
function shares(title, what, rows) {
  const most = Math.max(...rows.map(([, many]) => many));
  return sheet(title, [what, "", { text: "Calls", class: "number" }], rows.map(([name, many]) => [el("code", {}, name), length(many / most), count(many)]));
}

function length(part) {
  const node = el("span", { class: "track wide-track", "aria-hidden": "true" }, el("span", { class: "bar failed" }));
  node.firstChild.style.setProperty("--length", `${(100 * part).toFixed(1)}%`);
  return node;
}

function byKey(title, rows) {
  const columns = [title.slice(0, -1), ...["Calls", "Failed", "Cached", "Median", "95 %", "Cost"].map((text) => ({ text, class: "number" }))];
  return sheet(title, columns, rows.map((one) => [
    foreign(one.key ?? one.tool ?? one.provider ?? one.tenant ?? "none"),
    count(one.calls), count(one.failed ?? 0), count(one.cached ?? 0), duration(one.p50_ms) || "–", duration(one.p95_ms) || "–", money(one.costs) || "–",
  ]));
}

function sheet(title, columns, rows) {
  const id = `usage-${title.toLowerCase().replaceAll(" ", "-")}`;
  return el("section", { class: "card", "aria-labelledby": id }, el("h3", { id }, title), table({ caption: title, columns, rows, hidden: true }));
}

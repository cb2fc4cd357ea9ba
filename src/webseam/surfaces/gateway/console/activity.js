/**
 * Activity: calls as they end, the newest first.
 * @module
 */

import { outcome } from "./attempts.js";
import { wasAborted } from "./api.js";
import { announce, button, el, fill, foreign } from "./dom.js";
import { count, duration, fullTime, plural, timeOfDay } from "./format.js";
import { openRecord } from "./record.js";
import { follow } from "./sse.js";

/** Records kept for the filters, and rows drawn: a person reads no more, and a browser draws them at once. */
const KEPT = 1_000;
const ROWS = 200;
/** Milliseconds between two drawings, however many calls end. */
const PACE = 150;
/** Milliseconds between two readings of the recent calls, however often the stream says that it left some out. */
const CATCH_UP = 1_000;

const FILTERS = [
  ["tool", "Tool", (entry) => entry.tool ?? entry.capability],
  ["provider", "Provider", (entry) => entry.provider],
  ["outcome", "Outcome", (entry) => entry.outcome],
  ["code", "Code", (entry) => entry.code],
  ["tenant", "Tenant", (entry) => entry.tenant],
];

/**
 * @param {HTMLElement} root
 * @param {{api: object, info: {admin: boolean, text: boolean}}} context
 * @returns {{show: () => void, hide: () => void, clear: () => void}}
 */
export function createActivity(root, { api, info }) {
  const records = new Map();
  const filters = FILTERS.filter(([name]) => name !== "tenant" || info.admin).map(([name, label, of]) => ({ name, of, control: el("select", { id: `by-${name}`, on: { change: draw } }), label, known: new Set() }));
  const words = el("input", { id: "by-text", type: "search", autocomplete: "off", on: { input: draw } });
  const state = el("span", { class: "state" });
  const retry = button("Connect now", () => stream?.now(), { class: "small", hidden: true });
  const pause = button("Pause", toggle, { "aria-pressed": "false" });
  const told = el("p", { class: "help" });
  const body = el("tbody");
  let stream = null;
  let paused = false;
  let missed = 0;
  let due = null;
  let behind = null;
  let unread = "The recent calls are being read";
  let connected = true;
  let drawnOn = "";
  const waiting = new Map();

  for (const one of filters) fill(one.control, el("option", { value: "" }, "all"));
  fill(root, head(), filterBar(), told, grid());
  draw();

  function head() {
    return el("div", { class: "row apart" }, el("h2", {}, "Activity"), el("div", { class: "row" }, state, retry, pause));
  }

  function filterBar() {
    const field = (id, label, control) => el("div", { class: "field" }, el("label", { for: id }, label), control);
    return el("div", { class: "filters", role: "group", "aria-label": "Filters" },
      filters.map((one) => field(`by-${one.name}`, one.label, one.control)),
      field("by-text", info.text ? "Text, also of queries and URLs" : "Text", words),
      button("Clear filters", reset));
  }

  function grid() {
    const columns = ["Time", "Tool", "Provider", "Outcome", ["Code", "wide"], ["Took", "number"], ["Cache", "wide"], ...(info.admin ? [["Tenant", "wide"]] : [])];
    const heads = columns.map((one) => (Array.isArray(one) ? el("th", { scope: "col", class: one[1] }, one[0]) : el("th", { scope: "col" }, one)));
    return el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Calls" },
      el("table", { class: "rows" }, el("caption", { class: "unseen" }, "Calls, the newest first; the time opens the full record"), el("thead", {}, el("tr", {}, heads)), body));
  }

  // What comes ------------------------------------------------------------------------------------

  async function catchUp() {
    try {
      const { data } = await api.get("/v1/activity");
      const told = new Set(data.records.map((entry) => entry.id));
      const older = [...records.keys(), ...waiting.keys()].filter((id) => !told.has(id)).length;
      missed = Math.max(0, (data.missed ?? 0) - older);
      unread = "";
      take([...data.records].reverse());
    } catch (error) {
      if (wasAborted(error)) return;
      if (error.name !== "ApiError") throw error;
      unread = `The recent calls could not be read (${error.code})`;
      later();
    }
  }

  function take(entries) {
    for (const entry of entries) {
      if (!paused) keep(entry);
      else if (!records.has(entry.id)) hold(waiting, entry);
    }
    later();
  }

  function keep(entry) {
    hold(records, entry);
    for (const one of filters) offer(one, one.of(entry));
  }

  /** The oldest goes where there are too many, and is counted. */
  function hold(calls, entry) {
    calls.set(entry.id, entry);
    if (calls.size <= KEPT) return;
    calls.delete(calls.keys().next().value);
    missed += 1;
  }

  function offer({ control, known }, value) {
    if (value === undefined || value === null || known.has(value) || known.size >= ROWS) return;
    known.add(value);
    control.append(el("option", { value }, value));
  }

  function heard(name, data) {
    if (name === "call") take([data]);
    else if (name === "missed") {
      missed += data.missed ?? 0;
      behind ??= setTimeout(() => { behind = null; catchUp(); }, CATCH_UP);
    }
  }

  function stateIs(name, seconds, why) {
    const saying = { connecting: "Connecting…", live: "Live", waiting: `Not connected; trying again in ${seconds} s${why ? `: ${why}` : ""}` }[name];
    state.className = `state ${name}`;
    retry.hidden = name !== "waiting";
    fill(state, saying);
    tellChange(name);
  }

  /** A screen reader need not hear of every try. */
  function tellChange(name) {
    if (name === "waiting" && connected) announce("Not connected. The page tries again by itself.");
    if (name === "live" && !connected) announce("Connected again.");
    if (name !== "connecting") connected = name === "live";
  }

  function toggle() {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    fill(pause, paused ? "Go on" : "Pause");
    if (!paused) take(waiting.values());
    waiting.clear();
    announce(paused ? "Paused. Calls are still counted." : "Going on.");
    draw();
  }

  // What is drawn ---------------------------------------------------------------------------------

  function later() {
    due ??= setTimeout(() => { due = null; draw(); }, PACE);
  }

  function draw() {
    const found = [...records.values()].sort((one, other) => other.at + other.elapsed / 1e6 - one.at - one.elapsed / 1e6).filter(wanted);
    const shown = found.slice(0, ROWS);
    anewEachDay();
    const old = new Map([...body.children].map((node) => [node.dataset.id, node]));
    const rows = shown.map((entry) => old.get(entry.id) ?? row(entry));
    const kept = new Set(rows);
    for (const node of old.values()) if (!kept.has(node)) node.remove();
    rows.forEach(place);
    fill(told, summary(found.length, shown.length));
  }

  /** What was today's needs its day from now on. */
  function anewEachDay() {
    const today = new Date().toDateString();
    if (drawnOn !== today) body.replaceChildren();
    drawnOn = today;
  }

  /** A row that stands right is not moved: it would lose the focus. */
  function place(node, at) {
    if (body.children[at] !== node) body.insertBefore(node, body.children[at] ?? null);
  }

  function wanted(entry) {
    const asked = words.value.trim().toLowerCase();
    return filters.every((one) => one.control.value === "" || one.of(entry) === one.control.value)
      && (asked === "" || textOf(entry).includes(asked));
  }

  function summary(found, shown) {
    const parts = [found ? plural(found, "call") : unread || "No calls yet"];
    if (records.size && !found) parts[0] = `None of ${plural(records.size, "call")} is like that`;
    if (records.size && unread) parts.push(unread);
    if (shown < found) parts.push(`the newest ${count(shown)} shown`);
    if (paused && waiting.size) parts.push(`${count(waiting.size)} came while paused`);
    if (missed) parts.push(`${plural(missed, "older call is", "older calls are")} not kept here`);
    return `${parts.join("; ")}.`;
  }

  function row(entry) {
    const time = button(timeOfDay(entry.at), () => openRecord(entry), { class: "link", title: fullTime(entry.at), "aria-label": `Record of ${timeOfDay(entry.at)}, ${entry.tool ?? entry.capability ?? "unknown"}, ${entry.outcome}` });
    const cells = [
      el("td", {}, foreign(entry.tool ?? entry.capability ?? "unknown")),
      el("td", {}, foreign(entry.provider ?? "–")),
      el("td", {}, outcome(entry.outcome)),
      el("td", { class: "wide" }, entry.code ? el("code", {}, entry.code) : "–"),
      el("td", { class: "number" }, duration(entry.elapsed / 1000)),
      el("td", { class: "wide" }, entry.cache ?? "–"),
      info.admin ? el("td", { class: "wide" }, foreign(entry.tenant ?? "–")) : null,
    ];
    const node = el("tr", {}, el("th", { scope: "row" }, time), cells);
    node.dataset.id = entry.id;
    return node;
  }

  function reset() {
    for (const one of filters) one.control.value = "";
    words.value = "";
    draw();
  }

  function hide() {
    stream?.stop();
    stream = null;
    clearTimeout(due);
    clearTimeout(behind);
    due = behind = null;
  }

  return {
    show: () => { stream ??= follow({ api, path: "/v1/activity/stream", hears: { opened: catchUp, event: heard, state: stateIs } }); },
    hide,
    clear: () => {
      hide();
      records.clear();
      waiting.clear();
      root.replaceChildren();
    },
  };
}

const texts = new WeakMap();

/** What a record says, without the names of its fields, and of its currencies all the same. */
function textOf(entry) {
  if (!texts.has(entry)) texts.set(entry, [...said(entry), ...Object.keys(entry.costs ?? {})].join("\n").toLowerCase());
  return texts.get(entry);
}

function said(value) {
  if (value !== null && typeof value === "object") return Object.values(value).flatMap(said);
  return ["string", "number"].includes(typeof value) ? [value] : [];
}

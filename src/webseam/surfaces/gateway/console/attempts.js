/**
 * The tries of a call as bars: who, how it ended, how long it took, whether it may have been billed.
 * @module
 */

import { el } from "./dom.js";
import { duration, plural } from "./format.js";

const ENDS = { __proto__: null, ok: "answered", ungrounded: "answered without searching", failed: "failed", skipped: "was not tried", cancelled: "was cancelled" };

/**
 * @param {Array<{provider: string, outcome: string, code?: string, dispatched: boolean, elapsed: number, free?: boolean}>} attempts
 *   `elapsed` in seconds
 * @param {number} [whole] milliseconds that the whole call took
 * @returns {HTMLElement}
 */
export function timeline(attempts, whole) {
  if (!attempts?.length) return el("p", { class: "help" }, "No provider was asked.");
  const took = attempts.map((one) => Math.max(0, Number(one.elapsed) || 0) * 1000);
  const { starts, span, note } = placed(took, whole);
  const lines = attempts.map((one, at) => line(one, took[at], starts[at] / span, took[at] / span));
  return el("div", { class: "timeline" }, el("ol", {}, lines), note && el("p", { class: "help" }, note));
}

/** Where each bar begins. Only lengths are known: what fits into the call one after another is drawn so. */
function placed(took, whole) {
  const sum = took.reduce((all, one) => all + one, 0);
  const longest = Math.max(...took);
  if (took.length === 1) return { starts: [0], span: Math.max(longest, whole ?? 0, 0.001), note: "" };
  if (whole !== undefined && sum > whole) {
    const note = `${plural(took.length, "try", "tries")}, drawn from one start: together they took longer than the call, so some ran at once.`;
    return { starts: took.map(() => 0), span: Math.max(longest, 0.001), note };
  }
  let at = 0;
  const starts = took.map((one) => (at += one) - one);
  return { starts, span: Math.max(sum, 0.001), note: `${plural(took.length, "try", "tries")}, drawn one after another.` };
}

function line(attempt, took, start, length) {
  const bar = el("span", { class: `bar ${known(attempt.outcome)}`, "aria-hidden": "true" });
  bar.style.setProperty("--start", `${(100 * start).toFixed(2)}%`);
  bar.style.setProperty("--length", `${(100 * length).toFixed(2)}%`);
  return el(
    "li", {},
    el("span", { class: "foreign name", dir: "auto" }, attempt.provider), " ",
    outcome(attempt.outcome, ENDS[attempt.outcome]), " ",
    attempt.code && el("code", {}, attempt.code), " ",
    el("span", { class: "took" }, attempt.outcome === "skipped" ? "" : duration(took)), " ",
    el("span", { class: "help" }, billing(attempt)),
    el("span", { class: "track" }, bar),
  );
}

function billing(attempt) {
  if (attempt.outcome === "skipped") return "";
  if (!attempt.dispatched) return "nothing left this machine";
  return attempt.outcome === "failed" && !attempt.free ? "may have been billed" : "";
}

function known(name) {
  return Object.hasOwn(ENDS, name) ? name : "other";
}

/**
 * How something ended, as a mark with a word: never by colour alone.
 * @param {string} name `ok`, `ungrounded`, `failed`, `skipped`, `cancelled`, or one that is new
 * @param {string} [word]
 * @returns {HTMLElement}
 */
export function outcome(name, word = name) {
  const sign = { __proto__: null, ok: "✓", ungrounded: "○", failed: "✕", skipped: "–", cancelled: "◼" }[name] ?? "?";
  return el("span", { class: `outcome ${known(name)}` }, el("span", { "aria-hidden": "true" }, `${sign} `), word);
}

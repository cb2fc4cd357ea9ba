/**
 * One call's full record, in a dialog: Escape closes it, and the focus goes back to where it was.
 * @module
 */

import { outcome, timeline } from "./attempts.js";
import { button, el, facts, fill, foreign, link } from "./dom.js";
import { costOf, count, duration, fullTime, size, tokens } from "./format.js";
import { tree } from "./tree.js";

const CACHED = {
  __proto__: null,
  fresh: "fresh copy",
  stale: "stale copy",
  revalidated: "copy, asked again and unchanged",
  kept: "the conversation had the page already",
  partly: "some parts of it",
};

/**
 * @param {object} entry a record of the ledger
 */
export function openRecord(entry) {
  const dialog = document.getElementById("record");
  fill(
    dialog,
    el("div", { class: "row apart" }, el("h2", { id: "record-title" }, "Call ", foreign(entry.tool ?? entry.capability ?? "unknown")), button("Close", () => dialog.close())),
    facts(factsOf(entry)),
    el("h3", {}, "Tries"),
    timeline(entry.attempts, entry.elapsed / 1000),
    el("h3", {}, "Record"),
    tree(entry, "The record as it is kept"),
  );
  dialog.setAttribute("aria-label", `Call ${entry.tool ?? entry.capability ?? "unknown"}`);
  dialog.addEventListener("close", () => dialog.replaceChildren(), { once: true });
  if (!dialog.open) dialog.showModal();
}

/** Close it and forget what it showed. */
export function closeRecord() {
  document.getElementById("record").close();
}

function factsOf(entry) {
  return [
    ["Outcome", outcome(entry.outcome)],
    ["Code", entry.code && el("code", {}, entry.code)],
    ["Began", fullTime(entry.at)],
    ["Took", duration(entry.elapsed / 1000)],
    ["Asked for", entry.target && (/^https?:/.test(entry.target) ? link(entry.target) : foreign(entry.target))],
    ["Tenant", entry.tenant && foreign(entry.tenant)],
    ["Provider", entry.provider && foreign(entry.provider)],
    ["Left this machine", entry.dispatched ? "yes" : "no"],
    ["From a cache", entry.cache ? CACHED[entry.cache] ?? entry.cache : "no"],
    ["Permission", entry.permission && [entry.permission, entry.rule ? [", by ", foreign(entry.rule)] : ""]],
    ["Parts", entry.parts ? count(entry.parts) : ""],
    ["Page bytes", size(entry.bytes)],
    ["Vendor's calls", count(entry.calls)],
    ["Tokens", tokens(entry)],
    ["Cost", costOf(entry)],
    ["Id", el("code", {}, entry.id)],
  ];
}

/**
 * What a call of a tool came to: facts, tries, what the model sees, and the structured result.
 * @module
 */

import { outcome, timeline } from "./attempts.js";
import { el, facts, foreign, link, table } from "./dom.js";
import { amount, count, duration, plural, size } from "./format.js";
import { textOf } from "./json.js";
import { copyButton, longText, parted, shortened } from "./text.js";
import { tree } from "./tree.js";

const KEPT_BY = { __proto__: null, native: "by the vendor", enforced: "here, on what came", unsupported: "not honoured" };
const CHARSET_FROM = { __proto__: null, bom: "a byte order mark", header: "the header", meta: "the page's meta element", "utf-8": "being valid UTF-8", detected: "detection", default: "the default" };
const CUT_BY = { __proto__: null, bytes: "the byte limit", pages: "the page limit of PDFs", conversion: "the conversion", view: "the length of one answer", extractor: "the extractor" };
const NANO = 1_000_000_000;

/**
 * The view of a tool's answer.
 * @param {{text: string, structured?: object, is_error: boolean, error?: object, meta?: object, images?: Array<object>}} answer
 * @param {{took: number, requestId: string, buttons?: Array<HTMLElement>, sourceButton?: (source: object) => HTMLElement|null}} given
 * @returns {Array<HTMLElement>}
 */
export function resultView(answer, { took, requestId, buttons = [], sourceButton = () => null }) {
  const told = answer.structured ?? {};
  const failure = answer.error;
  return [
    el("section", { class: "card", "aria-labelledby": "answer-title" },
      el("h3", { id: "answer-title", tabindex: "-1" }, outcome(endOf(answer), answer.is_error ? "Failed" : "Answered"), ` in ${duration(took)}`),
      failure && problem(failure),
      facts(factsOf(told, failure, requestId, answer.meta?.permission)),
      buttons.length ? el("div", { class: "row" }, buttons) : null),
    el("div", { class: "beside" },
      el("section", { class: "card", "aria-labelledby": "tries-title" },
        el("h3", { id: "tries-title" }, "Tries"),
        timeline(failure?.attempts ?? told.attempts, took)),
      controls(told.controls)),
    el("div", { class: "sides" }, modelSide(answer), dataSide(answer)),
    sources(told.sources, sourceButton),
  ].filter(Boolean);
}

function endOf(answer) {
  if (answer.is_error) return "failed";
  return answer.structured?.grounding === "ungrounded" ? "ungrounded" : "ok";
}

/**
 * What went wrong, and what to do: the message is written for that.
 * @param {{code?: string, message?: string, retry_after?: number, dispatched?: boolean, title?: string}} failure
 * @returns {HTMLElement}
 */
export function problem(failure) {
  return el(
    "div", { class: "notice bad" },
    el("p", {}, el("code", {}, failure.code ?? "no code"), failure.title ? ` ${failure.title}` : ""),
    el("p", {}, foreign(failure.message ?? "")),
    failure.retry_after > 0 && el("p", {}, `Wait ${duration(failure.retry_after * 1000)} before trying again.`),
    failure.dispatched && el("p", {}, "A request had left this machine before it failed."),
  );
}

function factsOf(told, failure, requestId, decisions) {
  return [
    ["Provider", (told.provider ?? failure?.provider) && foreign(told.provider ?? failure.provider)],
    ["Page", told.url && link(told.url)],
    ["HTTP status", told.status_code],
    ["Backed by a search", told.grounding && (told.grounding === "searched" ? "yes" : "no: no search backs this answer")],
    ["Type", told.media_type && foreign(told.media_type)],
    ["Charset", charset(told)],
    ["From a cache", cache(told)],
    ["Received", size(told.received_bytes)],
    ["Shown", view(told.view)],
    ["Cut by", told.cut_by?.length ? told.cut_by.map((one) => CUT_BY[one] ?? one).join(", ") : ""],
    ["Removed", removed(told)],
    ["Hidden text", hidden(told)],
    ["Left out", dropped(told.dropped)],
    ["Redirects", told.redirects?.length ? el("ol", {}, told.redirects.map((hop) => el("li", {}, `${hop.status_code} `, link(hop.url)))) : ""],
    ["Notes", notes(told.notes)],
    ["Vendor's remarks", told.notices?.length ? el("ul", {}, told.notices.map((one) => el("li", {}, foreign(one)))) : ""],
    ["Usage", usage(told.usage)],
    ["Permission", permission(decisions)],
    ["Request id", el("code", {}, requestId)],
  ];
}

function charset(told) {
  if (!told.charset) return "";
  return [foreign(told.charset), told.charset_source ? `, by ${CHARSET_FROM[told.charset_source] ?? told.charset_source}` : ""];
}

function cache(told) {
  if (!told.view && !told.grounding) return "";
  if (!told.cache) return "no";
  const state = told.cache.stale ? ", stale" : told.cache.revalidated ? ", asked again and unchanged" : "";
  return `yes, ${duration(told.cache.age * 1000)} old${state}`;
}

function view(shown) {
  if (!shown) return "";
  return `characters ${count(shown.offset)} to ${count(shown.end)} of ${count(shown.total)}`;
}

function removed(told) {
  if (!told.removed) return "";
  const parts = Object.entries(told.removed).map(([what, many]) => `${count(many)} ${what}`);
  return parts.length ? `${parts.join(", ")} characters` : "nothing";
}

function hidden(told) {
  if (told.hidden === undefined) return "";
  const most = { __proto__: null, shown: "; most of the page is marked as hidden, and shown", left_out: "; that is most of the page" }[told.mostly_hidden] ?? "";
  return `${plural(told.hidden, "hidden element")} left out${most}`;
}

function dropped(rows) {
  const parts = Object.entries(rows ?? {}).map(([why, many]) => `${count(many)} ${why.replaceAll("_", " ")}`);
  return parts.join(", ");
}

function notes(found) {
  if (!found?.length) return "";
  return el("ul", {}, found.map((one) => el("li", {}, el("code", {}, one.code), one.detail ? [": ", foreign(one.detail)] : "")));
}

/** Each URL and search that was asked about, and what was decided. */
function permission(decisions) {
  if (!decisions?.length) return "";
  const why = (one) => [one.rule, one.reason, one.flags?.join(", ")].filter(Boolean).join("; ");
  return el("ul", {}, decisions.map((one) => el("li", {}, outcome(one.allowed ? "ok" : "failed", one.allowed ? "allowed" : "denied"), ` ${one.kind} `, foreign(shortened(one.target, 200)), why(one) ? [" – ", foreign(why(one))] : "")));
}

function usage(used) {
  if (!used) return "";
  const parts = [
    Number.isFinite(used.calls) && plural(used.calls, "call"),
    Number.isFinite(used.input_tokens) && `${count(used.input_tokens)} tokens in`,
    Number.isFinite(used.output_tokens) && `${count(used.output_tokens)} tokens out`,
    Number.isFinite(used.cost) && amount(used.cost * NANO, used.currency ?? ""),
  ];
  return parts.filter(Boolean).join(", ");
}

function controls(asked) {
  if (!asked || !Object.keys(asked).length) return null;
  const rows = Object.entries(asked).map(([name, how]) => [
    name.replaceAll("_", " "),
    outcome(how === "unsupported" ? "failed" : "ok", KEPT_BY[how] ?? how),
  ]);
  return el("section", { class: "card", "aria-labelledby": "controls-title" },
    el("h3", { id: "controls-title" }, "Controls"),
    table({ caption: "How each control was honoured", columns: ["Control", "Honoured"], rows, hidden: true }));
}

function sources(found, sourceButton) {
  if (!found?.length) return null;
  const line = (one) => el(
    "li", {},
    el("div", { class: "row" }, foreign(one.title ?? "(no title given)", "b"), sourceButton(one)),
    el("div", {}, link(one.url), one.published_at ? [" · ", foreign(one.published_at)] : null),
    one.snippet && el("div", { class: "help" }, foreign(shortened(one.snippet, 400))),
  );
  return el("section", { class: "card", "aria-labelledby": "sources-title" },
    el("h3", { id: "sources-title" }, plural(found.length, "source")),
    el("ol", { class: "sources" }, found.map(line)));
}

function modelSide(answer) {
  const images = (answer.images ?? []).map((one) => `A picture goes with it: ${one.media_type}, ${count(one.width)} × ${count(one.height)} pixels, not drawn here.`);
  const parts = parted(answer.text);
  const quotes = parts.some((one) => one.kind === "quoted");
  return el("section", { class: "card", "aria-labelledby": "model-title" },
    el("div", { class: "row apart" }, el("h3", { id: "model-title" }, "What the model sees"), copyButton(() => answer.text)),
    quotes && el("p", { class: "help" }, "Between the marked lines stands what the web said; the rest is webseam's."),
    longText(parts, { label: "What the model sees" }),
    images.map((one) => el("p", { class: "help" }, one)));
}

function dataSide(answer) {
  const data = answer.structured ?? answer.error ?? {};
  const { meta } = answer;
  return el("section", { class: "card", "aria-labelledby": "data-title" },
    el("div", { class: "row apart" }, el("h3", { id: "data-title" }, answer.structured ? "Structured result" : "Structured error"), copyButton(() => textOf(data))),
    tree(data, "Structured result"),
    meta && Object.keys(meta).length ? [el("h4", {}, "Meta: permission, and what a view is rebuilt from"), tree(meta, "Meta")] : null);
}

/**
 * Policy: what holds for this token, in words, each rule with where it comes from.
 * @module
 */

import { button, el, fill, foreign } from "./dom.js";
import { loaded } from "./loading.js";

/**
 * @param {HTMLElement} root
 * @param {{api: object, info: {tools: Array<string>, ledger: string, text: boolean}}} context
 * @returns {{show: () => void, clear: () => void}}
 */
export function createPolicy(root, { api, info }) {
  const body = el("div");
  const show = () => loaded(body, () => api.get("/v1/policy"), ({ data }) => data.sections.map(section));
  fill(root, el("div", { class: "row apart" }, el("h2", {}, "Policy"), button("Load anew", show)),
    el("p", { class: "help" }, "What this gateway holds this token to, by all settings together."),
    el("section", { class: "card", "aria-labelledby": "policy-kept" }, el("h3", { id: "policy-kept" }, "This gateway"), el("ul", {}, kept(info).map((one) => el("li", {}, one)))),
    body);
  return { show, clear: () => root.replaceChildren() };
}

function kept(info) {
  const where = { __proto__: null, off: "Calls are not recorded: Activity and Usage show what this process remembers.", file: "Calls are recorded in a file of this machine.", fleet: "Calls are recorded for the whole fleet." }[info.ledger];
  const text = info.text ? "Queries and URLs are kept in the records." : "Queries and URLs are not kept in the records.";
  return [`Tools that are on: ${info.tools?.join(", ") || "none"}.`, where, text].filter(Boolean);
}

function section(one, at) {
  const id = `policy-${at}`;
  return el("section", { class: "card", "aria-labelledby": id },
    el("h3", { id }, foreign(one.title)),
    el("ul", { class: "rules" }, one.rules.map((rule) => el("li", {}, foreign(rule.text), rule.origin ? [" ", el("span", { class: "origin" }, foreign(rule.origin))] : null))));
}

/**
 * Providers: what would be selected now and why, and how each did of late.
 * @module
 */

import { outcome } from "./attempts.js";
import { button, el, fill, foreign, table } from "./dom.js";
import { count, duration, plural, share, shortTime } from "./format.js";
import { loaded } from "./loading.js";
import { problem } from "./result.js";

const TITLES = { __proto__: null, search: "Search", fetch: "Fetch", extract: "Extract" };

/**
 * @param {HTMLElement} root
 * @param {{api: object}} context
 * @returns {{show: () => void, clear: () => void}}
 */
export function createProviders(root, { api }) {
  const body = el("div");
  const show = () => loaded(body, () => api.get("/v1/providers"), ({ data }) => data.capabilities.map(capability));
  fill(root, el("div", { class: "row apart" }, el("h2", {}, "Providers"), button("Load anew", show)),
    el("p", { class: "help" }, "What a call made now would be given to, decided as each call decides it; nothing is asked of a vendor for this page."), body);
  return { show, clear: () => root.replaceChildren() };
}

function capability(one) {
  const title = `providers-${one.capability}`;
  return el("section", { class: "card", "aria-labelledby": title },
    el("h3", { id: title }, TITLES[one.capability] ?? one.capability),
    one.error ? problem(one.error) : el("p", {}, "Selected: ", selected(one.selected ?? []), el("span", { class: "help" }, one.mode ? ` (${one.mode})` : "")),
    one.why?.length ? el("ul", { class: "why" }, one.why.map((why) => el("li", {}, foreign(why)))) : null,
    used(one.providers ?? [], one.capability));
}

/** Those that a call may reach or has reached; the rest is folded. */
function used(providers, capability) {
  const near = providers.filter((one) => one.selected || one.available || one.health?.calls);
  const far = providers.filter((one) => !near.includes(one));
  return [
    near.length ? rows(near, capability) : el("p", { class: "help" }, "None can be used now."),
    far.length ? el("details", {}, el("summary", {}, `${plural(far.length, "provider is", "providers are")} not available, with what is missing`), missing(far, capability)) : null,
  ];
}

function missing(providers, capability) {
  return table({
    caption: `Providers of ${capability} that are not available`,
    hidden: true,
    columns: ["Provider", "What is missing"],
    rows: providers.map((one) => [named(one), one.allowed === false ? "The policy of this token does not allow it." : foreign(one.reason ?? "")]),
  });
}

function selected(ids) {
  if (!ids.length) return "none";
  return ids.map((id, at) => [at ? ", then " : "", foreign(id, "b")]);
}

function rows(providers, capability) {
  return table({
    caption: `Providers of ${capability}, with what recent calls tell`,
    hidden: true,
    columns: ["Provider", "State", { text: "Calls", class: "number" }, { text: "Failed", class: "number" }, { text: "Median", class: "number" }, { text: "95 %", class: "number" }, "Errors", "Last"],
    rows: providers.map((provider) => [named(provider), stateOf(provider), ...health(provider.health ?? {})]),
  });
}

function named(provider) {
  return [foreign(provider.id), provider.kind && provider.kind !== provider.id ? el("span", { class: "help" }, " ", foreign(provider.kind)) : null];
}

function stateOf(provider) {
  if (provider.allowed === false) return [outcome("failed", "not allowed"), " ", el("span", { class: "help" }, "by the policy of this token")];
  if (!provider.available) return [outcome("failed", "not available"), " ", foreign(provider.reason ?? "")];
  return provider.selected ? outcome("ok", "selected") : outcome("skipped", "available");
}

function health({ calls = 0, failed = 0, codes = {}, p50_ms: median, p95_ms: slow, last_at: last }) {
  if (!calls) return ["0", "–", "–", "–", "–", "–"];
  const errors = Object.entries(codes).map(([code, many]) => el("div", {}, el("code", {}, code), ` ${count(many)}`));
  return [count(calls), `${count(failed)} (${share(failed, calls)})`, duration(median) || "–", duration(slow) || "–", errors.length ? errors : "–", last ? shortTime(last) : "–"];
}

/**
 * Playground: run a tool, and see what the model and the host get.
 * @module
 */

import { wasAborted } from "./api.js";
import { announce, button, el, fill } from "./dom.js";
import { createFields, mark } from "./fields.js";
import { duration } from "./format.js";
import { problem, resultView } from "./result.js";

/** The header of a call's deadline. */
const DEADLINE = "Webseam-Timeout";

/**
 * @param {HTMLElement} root
 * @param {{api: object}} context
 * @returns {{show: () => void, clear: () => void}}
 */
export function createPlayground(root, { api }) {
  let tools = null;
  let chosen = null;
  let running = null;
  const forms = new Map();

  const picker = el("fieldset", { class: "picker" });
  const about = el("p", { class: "help" });
  const form = el("form", { class: "card", autocomplete: "off", "aria-label": "Arguments", hidden: true, on: { submit: run } });
  const result = el("div", { class: "result", "aria-busy": "false" });
  const go = el("button", { type: "submit", class: "main", on: { click: once } }, "Run");
  const stop = button("Cancel", cancel, { hidden: true });
  const deadline = el("input", { id: "run-deadline", type: "text", inputmode: "decimal", autocomplete: "off", "aria-describedby": "run-deadline-help" });
  const state = el("p", { class: "help" });

  fill(root, el("h2", {}, "Playground"), el("div", {}, picker, about), form, result);

  async function show() {
    if (tools) return;
    try {
      tools = (await api.get("/v1/tools")).data.tools;
    } catch (error) {
      if (wasAborted(error)) return;
      failed(error, "The tools could not be read");
      result.append(button("Try again", show));
      return;
    }
    fill(result);
    if (!tools.length) return fill(result, el("p", { class: "notice" }, "No tool is on. The section [tools] of the configuration turns them on."));
    pick();
    choose(tools[0].name);
  }

  function pick() {
    const choice = (tool) => el(
      "label", {},
      el("input", { type: "radio", name: "tool", value: tool.name, on: { change: () => choose(tool.name) } }),
      el("span", {}, tool.title ?? tool.name), " ", el("code", {}, tool.name),
    );
    fill(picker, el("legend", {}, "Tool"), tools.map(choice));
  }

  function choose(name) {
    chosen = tools.find((tool) => tool.name === name);
    form.hidden = false;
    picker.querySelector(`input[value="${CSS.escape(name)}"]`).checked = true;
    fill(about, chosen.description);
    if (!forms.has(name)) forms.set(name, createFields(chosen.inputSchema, `arg-${name}`));
    fill(form, el("div", { class: "fields" }, forms.get(name).nodes, limit()), el("div", { class: "row" }, go, stop, state));
  }

  function limit() {
    return el("div", { class: "field" }, el("label", { for: "run-deadline" }, "Deadline in seconds"), deadline,
      el("p", { class: "help", id: "run-deadline-help" }, "Shortens the configured time. Leave out to keep it."));
  }

  /** The second click of two at once is no second call: the first answer may be there already. */
  function once(event) {
    if (event.detail > 1) event.preventDefault();
  }

  async function run(event) {
    event?.preventDefault();
    if (running || !chosen) return;
    const tool = chosen;
    const given = forms.get(tool.name).values();
    const mine = new AbortController();
    const started = performance.now();
    running = mine;
    forms.get(tool.name).blame("");
    mark(deadline, false);
    busy(true);
    try {
      const limited = encodeURIComponent(deadline.value.trim().toWellFormed());
      const headers = limited ? { [DEADLINE]: limited } : {};
      const { data, requestId } = await api.post(`/v1/tools/${encodeURIComponent(tool.name)}`, given, { signal: mine.signal, headers });
      if (running === mine) answered(tool, given, data, requestId, performance.now() - started);
    } catch (error) {
      if (!wasAborted(error)) failed(error, "The gateway refused the call", unheard(error));
      else if (running === mine) ended("Cancelled: the gateway ends the call. A request that had left may be billed.");
    } finally {
      if (running === mine) {
        running = null;
        busy(false);
      }
    }
  }

  function cancel() {
    running?.abort();
    go.focus();
  }

  /** Run stays where it is: what took its place would get the second click of a double one. */
  function busy(is) {
    if (!is && document.activeElement === stop) go.focus();
    stop.hidden = !is;
    go.setAttribute("aria-disabled", String(is));
    result.setAttribute("aria-busy", String(is));
    fill(state, is ? "Running…" : "");
    if (is) announce("Running.");
  }

  function answered(tool, given, data, requestId, took) {
    const buttons = [readOn(tool, given, data)].filter(Boolean);
    const shown = resultView(data, { took, requestId, buttons, sourceButton });
    fill(result, shown);
    if (data.error?.code === "INVALID_ARGS") forms.get(tool.name).blame(data.error.message);
    announce(`${data.is_error ? `Failed: ${data.error?.code}` : "Answered"} in ${duration(took)}.`);
  }

  function readOn(tool, given, data) {
    const next = data.structured?.view?.next_offset;
    if (next === null || next === undefined || !tool.inputSchema.properties?.offset) return null;
    return button(`Read on from ${next.toLocaleString("en")}`, () => rerun(tool.name, { ...given, offset: next }), { class: "main" });
  }

  /** A source is read with the fetch tool, where there is one. */
  function sourceButton(source) {
    const reader = tools.find((tool) => tool.name === "web_fetch");
    if (!reader) return null;
    return button("Read", () => rerun(reader.name, { url: source.url }), { class: "small", "aria-label": `Read ${source.title ?? source.url}` });
  }

  /** In place of what runs, which is cancelled. */
  function rerun(name, values) {
    running?.abort();
    running = null;
    choose(name);
    forms.get(name).set(values);
    go.focus();
    form.scrollIntoView({ block: "start" });
    run();
  }

  function failed(error, title, note = null) {
    if (error.name !== "ApiError") throw error;
    mark(deadline, error.message.includes(DEADLINE));
    fill(result, el("section", { class: "card", "aria-label": "Answer" }, el("h3", {}, title), problem({
      code: error.code, title: error.title, message: error.message, retry_after: error.retryAfter,
    }), note && el("p", { class: "notice" }, note)));
    announce(`Refused: ${error.code}.`);
  }

  function ended(message) {
    fill(result, el("p", { class: "notice" }, message));
    announce(message);
  }

  return {
    show,
    clear: () => {
      running?.abort();
      running = null;
      chosen = null;
      tools = null;
      forms.clear();
      root.replaceChildren();
    },
  };
}

/** What to say where the gateway itself gave no answer: the call may have been made all the same. */
function unheard(error) {
  const lost = error.status === 0 || (error.status >= 500 && error.code === `HTTP_${error.status}`);
  return lost ? "The call may have run all the same, and a request that had left may be billed: Activity shows it if it did." : null;
}

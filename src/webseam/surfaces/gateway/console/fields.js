/**
 * A form from a tool's JSON Schema: a labelled field for each argument, with the schema's own words as help.
 * @module
 */

import { el } from "./dom.js";

const LABELS = {
  __proto__: null,
  url: "URL",
  max_results: "Most results",
  include_domains: "Only these domains",
  exclude_domains: "Not these domains",
};
const WHOLE = new Set(["url", "query", "queries"]);
const MANY_LINES = /one a line/i;
/** How the gateway names an argument that it cannot use. */
const BLAMED = /^(?:The argument )?'?(\w+)/;

/**
 * Fields of a schema.
 * @param {{properties?: Record<string, object>, required?: Array<string>}} schema
 * @param {string} prefix of the ids
 * @returns {{nodes: Array<HTMLElement>, values: () => Record<string, unknown>, set: (values: Record<string, unknown>) => void, blame: (message: string) => void}}
 *   `values` leaves out what is empty, and takes what is no number as it was written: the gateway says what is wrong,
 *   and `blame` marks the field that its message begins with, and no other.
 */
export function createFields(schema, prefix) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const kind = kindOf(given);
    const id = `${prefix}-${name}`;
    const control = CONTROLS[kind](given, { id, name, "aria-describedby": given.description ? `${id}-help` : null });
    return { name, kind, control, node: field(id, given, control, label(name, schema.required?.includes(name))) };
  });
  return {
    nodes: fields.map((one) => one.node),
    values: () => Object.fromEntries(fields.map((one) => [one.name, READERS[one.kind](one.control.value)]).filter(([, value]) => value !== null)),
    set: (values) => fields.forEach((one) => { one.control.value = written(Object.hasOwn(values, one.name) ? values[one.name] : null); }),
    blame: (message) => fields.forEach((one) => mark(one.control, one.name === BLAMED.exec(message)?.[1])),
  };
}

/**
 * Mark a field as one that cannot be used as it is, or take the mark away.
 * @param {HTMLElement} control
 * @param {boolean} wrong
 */
export function mark(control, wrong) {
  control.setAttribute("aria-invalid", String(wrong));
}

function kindOf(given) {
  const type = [given.type].flat().find((one) => one !== "null");
  if (given.enum) return "choice";
  if (type === "boolean") return "truth";
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return "list";
  return MANY_LINES.test(given.description ?? "") ? "lines" : "line";
}

const CONTROLS = {
  line: (_given, names) => el("input", { type: "text", autocomplete: "off", spellcheck: "false", ...names }),
  lines: (_given, names) => el("textarea", { rows: "2", spellcheck: "false", ...names }),
  list: (_given, names) => el("textarea", { rows: "2", spellcheck: "false", ...names }),
  number: (_given, names) => el("input", { type: "text", inputmode: "decimal", autocomplete: "off", ...names }),
  choice: (given, names) => select(given.enum, names),
  truth: (_given, names) => select(["true", "false"], names),
};

const READERS = {
  line: (text) => (text === "" ? null : text),
  lines: (text) => (text === "" ? null : text),
  list: (text) => listed(text),
  number: (text) => numbered(text.trim()),
  choice: (text) => (text === "" ? null : text),
  truth: (text) => (text === "" ? null : text === "true"),
};

function listed(text) {
  const found = text.split("\n").map((one) => one.trim()).filter((one) => one !== "");
  return found.length ? found : null;
}

function numbered(text) {
  if (text === "") return null;
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
}

function written(value) {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join("\n") : String(value);
}

function select(options, names) {
  return el("select", names, el("option", { value: "" }, "not given"), options.map((one) => el("option", { value: one }, one)));
}

function label(name, required) {
  const words = LABELS[name] ?? `${name[0].toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
  return required ? [words, el("span", { class: "needed" }, " (needed)")] : words;
}

function field(id, given, control, words) {
  const more = kindOf(given) === "list" ? " One a line." : "";
  return el(
    "div", { class: WHOLE.has(control.name) ? "field whole" : "field" },
    el("label", { for: id }, words),
    control,
    given.description && el("p", { class: "help", id: `${id}-help` }, `${given.description}${more}`),
  );
}

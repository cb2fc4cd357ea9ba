/**
 * JSON as a tree that folds. Every name and value is text; branches are filled when they are opened.
 * @module
 */

import { button, el, fill, focusOn } from "./dom.js";
import { count, plural } from "./format.js";
import { numberOf } from "./json.js";
import { shortened } from "./text.js";

const MOST_CHARS = 400;
const MOST_ITEMS = 200;
const OPEN_DEPTH = 1;

/**
 * @param {unknown} value
 * @param {string} label what a screen reader calls it
 * @returns {HTMLElement}
 */
export function tree(value, label) {
  const root = el("div", { class: "tree", role: "group", "aria-label": label });
  root.append(isBranch(value) ? children(value, 0) : leaf([value], 0));
  return root;
}

function isBranch(value) {
  return value !== null && typeof value === "object";
}

function children(value, depth) {
  const entries = Object.entries(value);
  const list = el("ul");
  const put = (from) => {
    for (const [name, one] of entries.slice(from, from + MOST_ITEMS)) list.append(item(value, name, one, depth));
    const left = entries.length - from - MOST_ITEMS;
    if (left > 0) list.append(onward(left, () => put(from + MOST_ITEMS)));
  };
  put(0);
  return list;
}

function onward(left, put) {
  const more = () => {
    const last = line.previousSibling;
    line.remove();
    put();
    focusOn(last.nextSibling);
  };
  const line = el("li", {}, button(`Show more: ${count(left)} are left out here`, more, { class: "small" }));
  return line;
}

function item(parent, name, value, depth) {
  const called = el("span", { class: Array.isArray(parent) ? "index" : "name", dir: "auto" }, shortened(name, MOST_CHARS));
  if (!isBranch(value)) return el("li", {}, called, ": ", leaf(parent, name));
  if (Object.keys(value).length === 0) return el("li", {}, called, ": ", el("span", { class: "none" }, Array.isArray(value) ? "[] empty" : "{} empty"));
  return el("li", {}, branch(called, value, depth));
}

function branch(called, value, depth) {
  const size = Object.keys(value).length;
  const what = Array.isArray(value) ? plural(size, "item") : plural(size, "field");
  const node = el("details", {}, el("summary", {}, called, " ", el("span", { class: "none" }, what)));
  const open = () => { if (node.open && node.childElementCount === 1) node.append(children(value, depth + 1)); };
  node.addEventListener("toggle", open);
  if (depth < OPEN_DEPTH && size <= 12) {
    node.open = true;
    open();
  }
  return node;
}

function leaf(parent, name) {
  const value = parent[name];
  if (typeof value !== "string") return el("span", { class: value === null ? "none" : "number" }, numberOf(parent, name));
  const node = el("span", { class: "string", dir: "auto" }, shortened(value, MOST_CHARS));
  if (value.length <= MOST_CHARS) return node;
  const holder = el("span", {}, node, " ", button("Show all", () => { fill(node, value); holder.lastChild.remove(); focusOn(node); }, { class: "small" }));
  return holder;
}

/**
 * Elements, always made by calls: what comes from the web is only ever the text of a node.
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Characters that steer a line or cannot be seen, of all of Unicode. Joiners and the two selectors of text and emoji
 * stay: scripts and emoji need them.
 */
const UNSEEN =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]--[\t\n\u200c\u200d\ufe0e\ufe0f]]/gv;

/** More marks on one letter than any script sets, which would be painted over the lines above and below. */
const PILED = /(\p{M}{8})(\p{M}+)/gu;

/** Half a character, which a browser would draw as a box. */
const HALVES = /\p{Surrogate}/gu;

/** Attributes that could run or load something; nothing here needs them. */
const BARRED = /^(on|style$|src$|srcdoc$|href$|action$|formaction$|xlink:href$)/i;

/**
 * Text in which nothing is invisible: a character that steers or hides stands as its number, and a pile of marks on a
 * letter as how many they are.
 * @param {unknown} value
 * @returns {string}
 */
export function visible(value) {
  return String(value).replace(UNSEEN, numbered).replace(HALVES, numbered).replace(PILED, unpiled);
}

function unpiled(_all, kept, more) {
  return `${kept}⟨${[...more].length} more marks⟩`;
}

function numbered(character) {
  return `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * An HTML element. Children that are strings or numbers become text; null and undefined are left out.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `on` holds listeners by event; `false`, null and undefined are left out.
 * @param {...(Node|string|number|null|undefined|Array<unknown>)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node|string|number|null|undefined|Array<unknown>)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") listen(node, value);
    else if (value !== false && value !== null && value !== undefined) attribute(node, name, value);
  }
  append(node, children);
  return node;
}

function listen(node, listeners) {
  for (const [event, listener] of Object.entries(listeners)) node.addEventListener(event, listener);
}

function attribute(node, name, value) {
  if (BARRED.test(name)) throw new TypeError(`${name} is not set in this way`);
  node.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Append children; strings as visible text.
 * @param {Node} node
 * @param {Array<unknown>} children
 */
export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : visible(child));
  }
}

/**
 * Replace what a node holds.
 * @param {Element} node
 * @param {...unknown} children
 */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/**
 * Text from elsewhere, in a box of its own that its direction and length cannot leave.
 * @param {unknown} value
 * @param {string} [tag]
 * @returns {HTMLElement}
 */
export function foreign(value, tag = "span") {
  return el(tag, { class: "foreign", dir: "auto" }, value);
}

/**
 * A link to an http(s) URL that opens elsewhere; any other URL is only text.
 * @param {unknown} url
 * @returns {HTMLElement}
 */
export function link(url) {
  const target = httpUrl(url);
  if (target === null) return foreign(url);
  const node = el("a", { class: "foreign", rel: "noopener noreferrer", target: "_blank", dir: "ltr" }, url);
  node.href = target;
  return node;
}

/**
 * The canonical form of an http(s) URL without credentials; null for anything else.
 * @param {unknown} url
 * @returns {string|null}
 */
export function httpUrl(url) {
  if (typeof url !== "string" || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  const plain = ["http:", "https:"].includes(parsed.protocol) && !parsed.username && !parsed.password;
  return plain ? parsed.href : null;
}

/**
 * Names and values; a pair without a value is left out.
 * @param {Array<[string, unknown]>} pairs
 * @returns {HTMLElement}
 */
export function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return el("dl", { class: "facts" }, known.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

/**
 * A table with a caption and column headings.
 * @param {{caption: string, columns: Array<string|{text: string, class?: string}>, rows: Array<Array<unknown>>, hidden?: boolean}} given
 *   `hidden` keeps the caption for screen readers.
 * @returns {HTMLElement}
 */
export function table({ caption, columns, rows, hidden = false }) {
  const heads = columns.map((one) => (typeof one === "string" ? { text: one } : one));
  const line = (row) => el("tr", {}, row.map((cell, at) => el(at ? "td" : "th", { class: heads[at].class, scope: at ? null : "row" }, cell)));
  return el(
    "div", { class: "scroll", role: "group", tabindex: "0", "aria-label": caption },
    el("table", {},
      el("caption", { class: hidden && "unseen" }, caption),
      el("thead", {}, el("tr", {}, heads.map((one) => el("th", { class: one.class, scope: "col" }, one.text)))),
      el("tbody", {}, rows.map(line))),
  );
}

/**
 * A button.
 * @param {string} text
 * @param {(event: Event) => void} click
 * @param {Record<string, unknown>} [attributes]
 * @returns {HTMLButtonElement}
 */
export function button(text, click, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click } }, text);
}

/**
 * Move the focus to what takes none by itself: where a button was that is gone.
 * @param {HTMLElement} node
 */
export function focusOn(node) {
  node.tabIndex = -1;
  node.focus();
}

/**
 * Tell a screen reader, once.
 * @param {string} message
 */
export function announce(message) {
  const live = document.getElementById("live");
  live.replaceChildren();
  requestAnimationFrame(() => live.replaceChildren(visible(message))); // of two at once the later is said
}

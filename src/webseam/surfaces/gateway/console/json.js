/**
 * JSON whose whole numbers stay as they were written: beyond 2^53 JavaScript's own are rounded.
 * @module
 */

/** Of an object or array of JSON: what was written for those of its members that are such numbers. */
const written = new WeakMap();
const LONG = /\d{16}/;
const WHOLE = /^-?\d+$/;
/** Whether this browser tells what was written (ECMAScript proposal "JSON.parse source text access"). */
let tells = false;
JSON.parse("1", (_name, value, context) => { tells = context?.source === "1"; return value; });

/**
 * What a JSON text says; `numberOf` knows its long numbers.
 * @param {string} text
 * @returns {unknown}
 * @throws {SyntaxError}
 */
export function parsed(text) {
  return LONG.test(text) ? JSON.parse(text, kept) : JSON.parse(text);
}

function kept(name, value, context) {
  if (!isRounded(value) || !WHOLE.test(context?.source ?? "")) return value;
  if (!written.has(this)) written.set(this, new Map());
  written.get(this).set(name, context.source);
  return value;
}

function isRounded(value) {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * A number as it was written, or where that is not known, said to be about.
 * @param {object} holder the object or array that it is a member of
 * @param {string} name
 * @returns {string}
 */
export function numberOf(holder, name) {
  const value = holder[name];
  return written.get(holder)?.get(name) ?? (isRounded(value) && !tells ? `about ${value}` : String(value));
}

/**
 * The JSON of what was parsed, its long numbers as they were written.
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(value) {
  return JSON.stringify(value, again, 2);
}

function again(name, value) {
  const said = written.get(this)?.get(name);
  return said && JSON.rawJSON ? JSON.rawJSON(said) : value;
}

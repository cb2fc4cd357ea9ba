/**
 * Numbers, times and costs as people read them.
 * @module
 */

const NANO = 1_000_000_000;
const whole = new Intl.NumberFormat("en");
const places = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/**
 * A whole number with its thousands apart; empty where there is none.
 * @param {number|null|undefined} value
 * @returns {string}
 */
export function count(value) {
  return Number.isFinite(value) ? whole.format(value) : "";
}

/**
 * `1 call`, `2 calls`.
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 * @returns {string}
 */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/**
 * Milliseconds, or seconds from one second on.
 * @param {number|null|undefined} milliseconds
 * @returns {string}
 */
export function duration(milliseconds) {
  if (!Number.isFinite(milliseconds)) return "";
  if (milliseconds >= 100_000) return `${count(Math.round(milliseconds / 1000))} s`;
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  if (milliseconds > 0 && milliseconds < 0.05) return "< 0.1 ms";
  return `${milliseconds >= 10 ? Math.round(milliseconds) : Number(milliseconds.toFixed(1))} ms`;
}

/**
 * Bytes, kilobytes, megabytes: powers of a thousand.
 * @param {number|null|undefined} bytes
 * @returns {string}
 */
export function size(bytes) {
  if (!Number.isFinite(bytes)) return "";
  const step = [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]].find(([least]) => bytes >= least);
  return step ? `${(bytes / step[0]).toFixed(1)} ${step[1]}` : `${count(bytes)} B`;
}

/**
 * Costs by currency, from billionths.
 * @param {Record<string, number>|null|undefined} costs
 * @returns {string}
 */
export function money(costs) {
  return Object.entries(costs ?? {}).map(([currency, nano]) => amount(nano, currency)).join(" + ");
}

/**
 * One cost, from billionths of its currency; a small one has three digits, and is never rounded to none.
 * @param {number} nano
 * @param {string} [currency]
 * @returns {string}
 */
export function amount(nano, currency = "") {
  const value = nano / NANO;
  return `${(value && Math.abs(value) < 0.1 ? digits : places).format(value)} ${currency}`.trimEnd();
}

/**
 * Tokens that were told; what was not is not said to be none.
 * @param {{input_tokens?: number, output_tokens?: number}} told
 * @returns {string}
 */
export function tokens({ input_tokens: read, output_tokens: written }) {
  return [Number.isFinite(read) && `${count(read)} in`, Number.isFinite(written) && `${count(written)} out`].filter(Boolean).join(", ");
}

/**
 * The cost of a call that may not be known.
 * @param {{costs?: Record<string, number>, cost_known?: boolean}} entry
 * @returns {string}
 */
export function costOf(entry) {
  const known = money(entry.costs);
  if (entry.cost_known === false) return known ? `${known} and more, not all reported` : "not reported";
  return known;
}

/**
 * The time of day of seconds since 1970; with the day where that is another one than now.
 * @param {number} seconds
 * @param {Date} [now]
 * @returns {string}
 */
export function timeOfDay(seconds, now = new Date()) {
  const then = new Date(seconds * 1000);
  return (then.toDateString() === now.toDateString() ? clock : day).format(then);
}

/**
 * Hours and minutes.
 * @param {number} seconds
 * @returns {string}
 */
export function clockTime(seconds) {
  return minute.format(new Date(seconds * 1000));
}

/**
 * Day and time, short.
 * @param {number} seconds
 * @returns {string}
 */
export function shortTime(seconds) {
  return day.format(new Date(seconds * 1000));
}

/**
 * Day and time with the zone.
 * @param {number} seconds
 * @returns {string}
 */
export function fullTime(seconds) {
  return exact.format(new Date(seconds * 1000));
}

/**
 * Percent of a whole; a dash where there is no whole. Some is never told as none, nor almost all as all.
 * @param {number} part
 * @param {number} all
 * @returns {string}
 */
export function share(part, all) {
  if (!(all > 0)) return "–";
  const percent = (100 * part) / all;
  if (part > 0 && percent < 0.1) return "< 0.1 %";
  if (part < all && percent > 99.9) return "> 99.9 %";
  return `${percent.toFixed(part && part !== all ? 1 : 0)} %`;
}

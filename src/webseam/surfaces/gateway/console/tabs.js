/**
 * Tabs by the ARIA pattern: one tab stop, arrows, Home and End; the address's hash names the tab.
 * @module
 */

const PREFIX = "tab-";

/**
 * @param {HTMLElement} list the element with the role `tablist`
 * @param {(name: string) => void} shown is called with the name of the tab that is shown.
 * @returns {{begin: () => void, current: () => string, select: (name: string) => void}}
 */
export function createTabs(list, shown) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const names = tabs.map(nameOf);
  let current = names[0];

  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) select(nameOf(tab));
  });
  list.addEventListener("keydown", (event) => {
    const to = target(names.indexOf(current), event.key, names.length);
    if (to === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    select(names[to], { replace: true });
    tabs[to].focus();
  });
  window.addEventListener("hashchange", () => show(named()));
  window.addEventListener("popstate", () => show(named()));

  /** The tab in the address; the one that is shown where the address names none. */
  function named() {
    const name = location.hash.slice(1);
    return names.includes(name) ? name : names[0];
  }

  function select(name, { replace = false } = {}) {
    if (name === current && location.hash === `#${name}`) return;
    history[replace ? "replaceState" : "pushState"](null, "", `#${name}`);
    show(name);
  }

  function show(name) {
    if (name === current) return;
    current = name;
    mark();
    shown(name);
  }

  function mark() {
    for (const tab of tabs) {
      const chosen = nameOf(tab) === current;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    document.title = `${tabs[names.indexOf(current)].textContent} – webseam console`;
  }

  return {
    begin: () => {
      current = named();
      mark();
      shown(current);
    },
    current: () => current,
    select,
  };
}

function nameOf(tab) {
  return tab.id.slice(PREFIX.length);
}

function target(at, key, length) {
  const moves = { ArrowRight: (at + 1) % length, ArrowLeft: (at - 1 + length) % length, Home: 0, End: length - 1 };
  return moves[key] ?? null;
}

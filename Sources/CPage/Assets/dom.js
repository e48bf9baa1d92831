// Elements, texts and frames: the few functions that every part of the page uses.

import { language, texts } from "./texts.js";

const plurals = new Intl.PluralRules(language);

/** Returns a text by its key, with `{name}` replaced by the members of `values`. */
export function text(key, values = {}) {
  let form = texts[key];
  if (form === undefined) return key;
  if (typeof form === "object") form = form[plurals.select(values.count)] ?? form.other;
  return form.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/**
 * Creates an element.
 *
 * `properties` contains attributes; `text` is the text of the element, and a function, such as
 * `onclick`, listens to its event. Children are elements or texts; `null` and `undefined` are left
 * out.
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const shapes = {
  previous: "M15 4 6 12l9 8z",
  next: "M9 4l9 8-9 8z",
  play: "M7 4v16l13-8z",
  stop: "M6 6h12v12H6z",
  record: "M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14z",
  warning: "M12 2 1 21h22zM11 9h2v6h-2zm0 8h2v2h-2z",
  light: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4z"
    + "M4.2 5.6l1.4-1.4 2.8 2.8L7 8.400zM15.600 17l1.400-1.400 2.800 2.800-1.400 1.400z"
    + "M4.200 18.400l2.800-2.800 1.400 1.400-2.800 2.800zM15.600 7l2.800-2.800 1.400 1.400L17 8.400z",
  larger: "M10.500 4h3v6.500H20v3h-6.500V20h-3v-6.500H4v-3h6.500z",
  smaller: "M4 10.500h16v3H4z",
  whole: "M3 3h7v2.500H5.500V10H3zM14 3h7v7h-2.500V5.500H14zM3 14h2.500v4.500H10V21H3zM18.500 14H21v7h-7v-2.500h4.500z",
  settings: "M3 5h10v2H3zM17 5h4v2h-4zM13 3h4v6h-4zM3 11h4v2H3zM11 11h10v2H11zM7 9h4v6H7z"
    + "M3 17h12v2H3zM19 17h2v2h-2zM15 15h4v6h-4z",
};

/** Creates an element of a drawing. */
export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Creates an icon that screen readers skip. */
export function icon(name) {
  return shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" },
    shape("path", { d: shapes[name], "fill-rule": "evenodd" }));
}

/** Sets a text only if it differs, so that an unchanged element causes no layout. */
export function setText(element, content) {
  if (element.textContent !== content) element.textContent = content;
}

/** Sets an attribute only if it differs; `null` removes it. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const waiting = new Set();
let isFramePlanned = false;

/** Calls a function in the next frame, at most once per frame. */
export function inNextFrame(paint) {
  waiting.add(paint);
  if (isFramePlanned) return;
  isFramePlanned = true;
  requestAnimationFrame(() => {
    isFramePlanned = false;
    const paints = [...waiting];
    waiting.clear();
    for (const each of paints) each();
  });
}

/** Returns a description of the program with quotation marks around names, which it writes as code. */
export function readable(words) { return words.replace(/`([^`]*)`/g, "“$1”"); }

/**
 * Gives a text the largest size at which it fits into its parent's width and a height.
 *
 * A word is broken only if even the smallest size is too wide.
 */
export function fit(element, { smallest, largest, height }) {
  // With a fraction, the search below would not end.
  let [low, high] = [smallest, Math.floor(largest)];
  const fits = (size) => {
    element.style.fontSize = `${size}px`;
    return element.scrollWidth <= element.clientWidth && element.offsetHeight <= height;
  };
  element.style.overflowWrap = "normal";
  if (fits(high)) return;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  if (!fits(low)) element.style.overflowWrap = "anywhere";
}

/** Returns a time in seconds as `m:ss` or `h:mm:ss`. */
export function clock(seconds) {
  const all = Math.max(0, Math.floor(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`;
}

/** Returns a duration in words. */
export function age(seconds) {
  const all = Math.max(0, Math.floor(seconds));
  if (all < 60) return text("ageSeconds", { count: all });
  if (all < 3600) {
    return text("ageMinutes", { minutes: Math.floor(all / 60), seconds: all % 60 });
  }
  return text("ageHours", { hours: Math.floor(all / 3600), minutes: Math.floor(all / 60) % 60 });
}

/** Returns a number with a true minus sign and a fixed number of decimals. */
export function fixed(number, decimals) {
  const shown = number.toFixed(decimals);
  const isZero = Number(shown) === 0;
  return number < 0 && !isZero ? `−${shown.slice(1)}` : shown.replace("-", "");
}

/** Returns a level in dB as a text; the lowest level is silence. */
export function decibels(value, lowest = -120) {
  return value <= lowest ? text("silent") : text("decibels", { value: fixed(value, 1) });
}

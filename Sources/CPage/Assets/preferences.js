// The preferences that this browser stores.

const key = "stompline";
const defaults = { look: "dark", hand: "right", keepsScreen: true, usesKeys: true, view: null,
  favourites: [], recent: [] };
const listeners = new Set();
let stored = {};

try {
  stored = JSON.parse(localStorage.getItem(key) ?? "{}");
} catch {
  // A browser without storage forgets.
}

export const preferences = { ...defaults, ...stored };

/** Changes one preference, and keeps it. */
export function prefer(name, value) {
  preferences[name] = value;
  try {
    localStorage.setItem(key, JSON.stringify(preferences));
  } catch {
    // It applies until the page is closed.
  }
  apply();
  for (const call of listeners) call();
}

/** Calls a function after each change. */
export function onPreference(call) { listeners.add(call); }

/** Shows the look and the hand. */
export function apply() {
  document.documentElement.dataset.theme = preferences.look;
  document.documentElement.dataset.hand = preferences.hand;
}

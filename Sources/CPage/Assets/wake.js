// Keeps the screen on while the page is visible, where the browser allows it.

import { text } from "./dom.js";
import { onPreference, preferences } from "./preferences.js";

let lock = null;
let reason = null;
const listeners = new Set();

/** The state in words. */
export function screenText() {
  if (!preferences.keepsScreen) return text("screenUnwanted");
  return reason === null ? text("screenOn") : text("screenOff", { reason });
}

/** Whether the screen may switch itself off although it should not. */
function screenFails() { return preferences.keepsScreen && reason !== null; }

/** Calls a function when the state changes. */
export function onScreen(call) { listeners.add(call); }

async function hold() {
  if (!preferences.keepsScreen) {
    await lock?.release();
    lock = null;
    reason = null;
  } else if (!("wakeLock" in navigator)) {
    reason = text(isSecureContext ? "screenUnsupported" : "screenInsecure");
  } else if (!document.hidden && (lock === null || lock.released)) {
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => { if (!document.hidden) hold(); }, { once: true });
      reason = null;
    } catch {
      reason = text("screenRefused");
    }
  }
  for (const call of listeners) call();
}

/** Begins to hold the screen. */
export function startWake() {
  hold();
  document.addEventListener("visibilitychange", hold);
  // Some browsers allow it only after the first touch.
  addEventListener("pointerup", () => { if (reason !== null) hold(); });
  onPreference(hold);
}

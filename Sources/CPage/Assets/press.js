// Buttons that act once per press, at the moment of the touch.

import { make, setAttribute } from "./dom.js";

/** The time after a press in which the same guard ignores another one, in ms. */
const guardTime = 300;
/** The time after a change of the layout in which no press acts, in ms. */
const settleTime = 500;

/** Prevents a nervous thumb, or two fingers, from acting twice. */
export class Guard {
  #closedUntil = 0;

  /** Returns whether a press may act, and closes the guard if so. */
  pass() {
    const now = performance.now();
    if (now < this.#closedUntil) return false;
    this.#closedUntil = now + guardTime;
    return true;
  }

  /** Closes the guard, because other buttons may now be under the finger. */
  settle() { this.#closedUntil = Math.max(this.#closedUntil, performance.now() + settleTime); }
}

/** The guard that all buttons for songs, scenes and cues share, in all views. */
export const steps = new Guard();

/** A guard that lets every press pass, for the tempo. */
export const noGuard = { pass: () => true, settle: () => {} };

/**
 * Creates a button.
 *
 * It acts when a finger or the mouse goes down, not when it goes up, if `isImmediate`; such a
 * button must not lie in an area that scrolls. Keys and screen readers act by a click. A key that
 * is held down acts once.
 */
export function button(properties, { guard = new Guard(), isImmediate = false }, act, ...children) {
  const element = make("button", { type: "button", ...properties }, ...children);
  let releasedAt = -Infinity;
  const run = () => { if (guard.pass()) act(); };
  if (isImmediate) {
    element.classList.add("immediate");
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      run();
    });
    element.addEventListener("pointerup", () => { releasedAt = performance.now(); });
  }
  element.addEventListener("click", (event) => {
    // The click that ends a touch; a click by a key or a screen reader has no pointer.
    if (isImmediate && event.detail > 0 && performance.now() - releasedAt < 1000) return;
    run();
  });
  element.addEventListener("keydown", (event) => { if (event.repeat) event.preventDefault(); });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  return element;
}

/** Shows a button as one without effect; it can still be pressed, and then says why. */
export function setIdle(element, isIdle) {
  element.classList.toggle("idle", isIdle);
  const isOff = isIdle || element.classList.contains("barred");
  setAttribute(element, "aria-disabled", isOff ? "true" : null);
}

/** Shows that all controls below an element have no effect without a connection. */
export function setAway(root, isAway) {
  for (const element of root.querySelectorAll("button, select, [role=slider]")) {
    const isOff = isAway || ["idle", "barred"].some((name) => element.classList.contains(name));
    setAttribute(element, "aria-disabled", isOff ? "true" : null);
  }
}

/** Shows whether a toggle is on. */
export function setOn(element, isOn) { setAttribute(element, "aria-pressed", String(isOn)); }

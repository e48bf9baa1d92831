// Dragging: a mark follows the finger, and the nearest place takes what is dropped.

import { inNextFrame, make } from "./dom.js";

/** The movement in px below which a press is not a drag. */
const slack = 8;

/**
 * Follows a pointer until it is lifted.
 *
 * @param event The event with which the pointer went down.
 * @param label The words of the mark.
 * @param options `begin()` is called when the movement begins and returns the places: each has
 *   `x`, `y`, `reach` in px, and `mark(isOn)`; `drop(place)` receives the one that takes it, or
 *   `null`; `end()` is called in any case.
 */
export function drag(event, label, { begin, drop, end = () => {} }) {
  const { pointerId, clientX, clientY } = event;
  let [x, y] = [clientX, clientY];
  let places = null;
  let nearest = null;
  let mark = null;
  const paint = () => {
    if (mark === null) return;
    mark.style.transform = `translate(${x + 14}px, ${y - 44}px)`;
    let [best, distance] = [null, Infinity];
    for (const place of places) {
      const way = Math.hypot(place.x - x, place.y - y);
      if (way < place.reach && way < distance) [best, distance] = [place, way];
    }
    if (best === nearest) return;
    nearest?.mark(false);
    best?.mark(true);
    nearest = best;
  };
  const move = (moved) => {
    if (moved.pointerId !== pointerId) return;
    [x, y] = [moved.clientX, moved.clientY];
    if (places === null) {
      if (Math.hypot(x - clientX, y - clientY) < slack) return;
      places = begin();
      mark = make("div", { class: "drag-mark", "aria-hidden": "true", text: label });
      document.body.append(mark);
    }
    moved.preventDefault();
    inNextFrame(paint);
  };
  const finish = (isDropped) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", lift);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape, true);
    if (isDropped) paint();
    nearest?.mark(false);
    mark?.remove();
    mark = null;
    if (places !== null) {
      // The click that ends a drag is no press.
      addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stop, true), 0);
    }
    end();
    if (isDropped && places !== null) drop(nearest);
  };
  const stop = (click) => { click.preventDefault(); click.stopPropagation(); };
  const lift = (up) => { if (up.pointerId === pointerId) finish(true); };
  const cancel = (up) => { if (up.pointerId === pointerId) finish(false); };
  const escape = (key) => {
    if (key.key !== "Escape" || places === null) return;
    key.preventDefault();
    key.stopPropagation();
    finish(false);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", lift);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape, true);
}

// A fader or pan control: moved by any number of fingers, by the mouse and by keys.

import { guarded } from "./access.js";
import { inNextFrame, make, setAttribute, setText, text } from "./dom.js";

/** The movement in px below which a touch is a tap. */
const tapSlack = 5;
/** The time between two taps that reset the value, in ms. */
const doubleTap = 350;
/** The distances to the side, in px, and the shares of the movement that then apply. */
const fineSteps = [[120, 0.05], [60, 0.2]];
/** The time for which the page shows a value that it sent and that has no answer yet, in ms. */
const longestAnswer = 1500;

const held = new Set();

/** Ends the movement of all sliders; the next touch begins with the present values. */
export function releaseAll() { for (const slider of [...held]) slider.release(); }

/** One control for one number. */
export class Slider {
  #options;
  #link;
  #value = 0;
  #known = 0;
  #gesture = null;
  #lastTap = { time: -Infinity, x: 0, y: 0 };
  #lastSent = 0;
  #isUnanswered = false;
  #keptUntil = 0;
  #rail = make("div", { class: "rail" },
    make("div", { class: "knob", "data-fine": text("fine") }));
  #output = make("output", { class: "value", "aria-hidden": "true" });
  #paint = () => this.#draw();

  /** The element with the role `slider`. */
  element;
  /** The element that shows the value; the owner places it. */
  get output() { return this.#output; }

  /**
   * @param options `address`, `label`, `isVertical`, `law`, `minimum`, `maximum`, `reset` (the
   *   value of a double tap), `end` (the value of the key End), `step`, `page`, `format` (short,
   *   shown) and `spoken` (for screen readers). `nudge` returns the value that is an amount away
   *   from another one, in units of `step`; without it, they are summed. `decimals` is the number
   *   of decimals that are sent, at most 3 without it.
   */
  constructor(link, options) {
    this.#link = link;
    this.#options = options;
    this.element = make("div", {
      class: `slider ${options.isVertical ? "vertical" : "horizontal"}`, role: "slider",
      tabindex: "0", "aria-label": options.label, "aria-valuemin": options.minimum,
      "aria-valuemax": options.maximum,
      "aria-orientation": options.isVertical ? "vertical" : "horizontal",
    }, make("div", { class: "groove" }), this.#rail);
    guarded(this.element, { request: "set", address: options.address });
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointermove", (event) => this.#drag(event));
    this.element.addEventListener("pointerup", (event) => this.#lift(event));
    this.element.addEventListener("pointercancel", (event) => this.#lift(event));
    this.element.addEventListener("lostpointercapture", (event) => this.#lift(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Shows a value of the session, unless a finger is on the control. */
  show(value) {
    if (typeof value !== "number") return;
    this.#known = value;
    if (this.#gesture === null && !this.#isWaiting) this.#take(value);
  }

  /** Ends the movement; the control shows the value of the session again. */
  release() {
    this.#gesture = null;
    held.delete(this);
    this.#isUnanswered = false;
    this.#take(this.#known);
  }

  get #isWaiting() { return this.#isUnanswered && performance.now() < this.#keptUntil; }

  #take(value) {
    this.#value = value;
    inNextFrame(this.#paint);
  }

  #press(event) {
    if (event.button !== 0 || this.#gesture !== null || !this.#link.isLive) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    const { position } = this.#options.law;
    this.#gesture = {
      id: event.pointerId, x: event.clientX, y: event.clientY, startX: event.clientX,
      startY: event.clientY, position: position(this.#value), hasMoved: false, isFine: false,
      length: this.#options.isVertical ? this.#rail.offsetHeight : this.#rail.offsetWidth,
    };
    held.add(this);
    inNextFrame(this.#paint);
  }

  #drag(event) {
    const gesture = this.#gesture;
    if (gesture?.id !== event.pointerId) return;
    const { isVertical } = this.#options;
    const along = isVertical ? gesture.y - event.clientY : event.clientX - gesture.x;
    const aside = Math.abs(
      isVertical ? event.clientX - gesture.startX : event.clientY - gesture.startY);
    if (!gesture.hasMoved) {
      const distance = Math.abs(isVertical ? event.clientY - gesture.startY
        : event.clientX - gesture.startX);
      if (distance < tapSlack) return;
      gesture.hasMoved = true;
    }
    [gesture.x, gesture.y] = [event.clientX, event.clientY];
    const share = event.shiftKey ? 0.1 : fineSteps.find(([from]) => aside > from)?.[1] ?? 1;
    gesture.isFine = share < 1;
    gesture.position += (along / Math.max(1, gesture.length)) * share;
    gesture.position = Math.min(1, Math.max(0, gesture.position));
    this.#send(this.#options.law.value(gesture.position));
  }

  #lift(event) {
    const gesture = this.#gesture;
    if (gesture?.id !== event.pointerId) return;
    this.#gesture = null;
    held.delete(this);
    if (event.type === "pointerup" && !gesture.hasMoved) this.#tap(event);
    if (!this.#isWaiting) this.#take(this.#known);
    inNextFrame(this.#paint);
  }

  #tap(event) {
    const last = this.#lastTap;
    this.#lastTap = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    const isNear = Math.hypot(event.clientX - last.x, event.clientY - last.y) < 30;
    if (!isNear || event.timeStamp - last.time > doubleTap) return;
    this.#lastTap.time = -Infinity;
    this.#send(this.#options.reset);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { minimum, step, page, end, reset } = this.#options;
    const { nudge = (value, amount) => value + amount } = this.#options;
    const size = event.shiftKey ? step / 10 : step;
    const amount = {
      ArrowUp: size, ArrowRight: size, ArrowDown: -size, ArrowLeft: -size, PageUp: page,
      PageDown: -page,
    }[event.key];
    const next = amount === undefined
      ? { Home: minimum, End: end, Delete: reset, Backspace: reset }[event.key]
      : nudge(this.#value, amount);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#send(next);
  }

  #send(wanted) {
    const { minimum, maximum, address, decimals = 3 } = this.#options;
    const scale = 10 ** decimals;
    const value = Math.round(Math.min(maximum, Math.max(minimum, wanted)) * scale) / scale;
    if (value === this.#value) return inNextFrame(this.#paint);
    const number = ++this.#lastSent;
    const isSent = this.#link.move(address, value, (answer) => this.#confirm(answer, number));
    if (!isSent) return this.release();
    this.#isUnanswered = true;
    this.#keptUntil = performance.now() + longestAnswer;
    this.#take(value);
  }

  /** The changes of a request arrive before its answer, so the session's value is known now. */
  #confirm(answer, number) {
    if (answer?.answer === "stale" && typeof answer.value === "number") this.#known = answer.value;
    if (answer === null || answer.answer === "refused" || answer.answer === "stale") {
      this.#options.onRefusal?.(answer);
      return this.release();
    }
    if (number !== this.#lastSent) return;
    this.#isUnanswered = false;
    if (this.#gesture === null) this.#take(this.#known);
  }

  #draw() {
    const { law, isVertical, format, spoken } = this.#options;
    const share = law.position(this.#value);
    this.#rail.style.transform = isVertical
      ? `translateY(${((1 - share) * 100).toFixed(2)}%)`
      : `translateX(${(share * 100).toFixed(2)}%)`;
    setText(this.#output, format(this.#value));
    this.element.classList.toggle("held", this.#gesture !== null);
    this.element.classList.toggle("fine", this.#gesture?.isFine === true);
    setAttribute(this.element, "aria-valuenow", String(this.#value));
    setAttribute(this.element, "aria-valuetext",
      spoken(this.#value) + (this.#gesture?.isFine ? `, ${text("fine")}` : ""));
  }
}

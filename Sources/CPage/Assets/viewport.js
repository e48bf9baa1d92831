// A plane that fingers, the wheel and keys move and scale.

import { inNextFrame, make } from "./dom.js";

/** The movement in px below which a touch is a tap. */
const slack = 8;
/** The range of scales. */
const [smallest, largest] = [0.04, 3];
/** The smallest scale with which a picture is first shown: its letters are readable. */
const readable = 0.9;
/** The movement of an arrow key in px, and the factor of a zoom key. */
const [keyWay, keyZoom] = [80, 1.25];

/** The visible part of a plane. */
export class Viewport {
  #x = 0;
  #y = 0;
  #scale = 1;
  #width = 1;
  #height = 1;
  #isUntouched = true;
  #pointers = new Map();
  #hasMoved = false;
  #touchedAt = -Infinity;
  #kept = null;
  #listeners = new Set();
  #paint = () => this.#draw();

  /** The element whose children have places in the units of the picture. */
  plane = make("div", { class: "plane" });
  element;

  /** @param properties The attributes of the element. */
  constructor(properties) {
    this.element = make("div", { class: "pane", ...properties }, this.plane);
    const pane = this.element;
    pane.addEventListener("pointerdown", (event) => this.#press(event));
    pane.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      pane.addEventListener(name, (event) => this.#lift(event));
    }
    // The click that ends a movement presses nothing; that of a touch has been made by `#lift`.
    pane.addEventListener("click", (event) => {
      if (!event.isTrusted || event.detail === 0) return;
      // Not every browser says what made the click.
      const isOfTouch = event.pointerType === undefined
        ? event.timeStamp - this.#touchedAt <= 1000 : event.pointerType === "touch";
      if (!this.#hasMoved && !isOfTouch) return;
      event.stopPropagation();
      event.preventDefault();
    }, { capture: true });
    pane.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    // A browser that scrolls to the focus would shift the plane a second time.
    pane.addEventListener("scroll", () => pane.scrollTo(0, 0));
    new ResizeObserver(() => {
      if (this.#isUntouched) this.start();
      else this.#clamp();
      if (this.#kept !== null) this.reveal(this.#kept);
    }).observe(pane);
  }

  /** Keeps a box visible when the size of the element changes; `null` keeps none. */
  keep(box) {
    this.#kept = box;
    if (box !== null) this.reveal(box);
  }

  /** Adopts the size of another picture; the first one is shown from its start. */
  resize(width, height) {
    [this.#width, this.#height] = [width, height];
    if (this.#isUntouched) this.start();
    else this.#clamp();
  }

  /** The place of the plane's origin in px, and its scale. */
  get place() { return { x: this.#x, y: this.#y, scale: this.#scale }; }

  /** Calls a function when the plane has moved, or the size has changed. */
  listen(call) { this.#listeners.add(call); }

  get #size() { return [this.element.clientWidth, this.element.clientHeight]; }

  get #fitting() {
    const [width, height] = this.#size;
    return Math.min(1.5, width / this.#width, height / this.#height);
  }

  /** Shows the whole picture. */
  fit() {
    this.#isUntouched = false;
    this.#show(this.#fitting);
  }

  /** Shows the whole picture if that is readable, otherwise its left end. */
  start() {
    this.#isUntouched = true;
    this.#show(Math.max(this.#fitting, readable));
  }

  #show(scale) {
    const [width, height] = this.#size;
    if (width === 0 || height === 0) return;
    this.#scale = scale;
    this.#x = Math.max(0, (width - this.#width * scale) / 2);
    this.#y = (height - this.#height * scale) / 2;
    inNextFrame(this.#paint);
  }

  /** Scales around a point of the element; without one, around its middle. */
  zoom(factor, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2) {
    this.#isUntouched = false;
    const scale = Math.min(largest, Math.max(smallest, this.#scale * factor));
    const share = scale / this.#scale;
    this.#x = x - (x - this.#x) * share;
    this.#y = y - (y - this.#y) * share;
    this.#scale = scale;
    this.#clamp();
  }

  #move(x, y) {
    this.#isUntouched = false;
    this.#x += x;
    this.#y += y;
    this.#clamp();
  }

  /** Moves the plane as little as possible, so that a box of the picture is visible. */
  reveal({ left, top, width, height }) {
    const [wide, high] = this.#size;
    const edge = 24;
    const way = (start, length, room) => start < edge ? edge - start
      : start + length > room - edge ? Math.max(edge - start, room - edge - start - length) : 0;
    const x = way(this.#x + left * this.#scale, width * this.#scale, wide);
    // The buttons that scale the drawing are at the lower edge.
    const y = way(this.#y + top * this.#scale, height * this.#scale, high - 64);
    if (x !== 0 || y !== 0) this.#move(x, y);
  }

  /** Moves or scales the plane by a key; returns whether the key has a meaning here. */
  key(name) {
    const ways = { ArrowLeft: [keyWay, 0], ArrowRight: [-keyWay, 0], ArrowUp: [0, keyWay],
      ArrowDown: [0, -keyWay] };
    if (name in ways) this.#move(...ways[name]);
    else if (name === "+" || name === "=") this.zoom(keyZoom);
    else if (name === "-") this.zoom(1 / keyZoom);
    else if (name === "0") this.fit();
    else return false;
    return true;
  }

  /** A part of the picture always stays visible. */
  #clamp() {
    const [width, height] = this.#size;
    const rest = 60;
    const limit = (place, length, room) =>
      Math.min(Math.max(place, rest - length * this.#scale), room - rest);
    this.#x = limit(this.#x, this.#width, width);
    this.#y = limit(this.#y, this.#height, height);
    inNextFrame(this.#paint);
  }

  #draw() {
    this.plane.style.transform =
      `translate(${this.#x.toFixed(1)}px, ${this.#y.toFixed(1)}px) scale(${this.#scale.toFixed(4)})`;
    this.element.dataset.scale = this.#scale.toFixed(3);
    for (const call of this.#listeners) call();
  }

  #local(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #press(event) {
    if (event.button !== 0) return;
    // Otherwise the mouse events that follow a touch take the focus from the sheet that it opens.
    if (event.pointerType === "touch") event.preventDefault();
    if (this.#pointers.size === 0) this.#hasMoved = false;
    this.#pointers.set(event.pointerId, { ...this.#local(event), from: this.#local(event) });
  }

  #drag(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (pointer === undefined) return;
    const now = this.#local(event);
    if (!this.#hasMoved) {
      if (Math.hypot(now.x - pointer.from.x, now.y - pointer.from.y) < slack) return;
      this.#hasMoved = true;
      this.element.classList.add("moving");
      for (const id of this.#pointers.keys()) {
        try {
          this.element.setPointerCapture(id);
        } catch {
          // The pointer is already up.
        }
      }
    }
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) {
      this.#move(now.x - pointer.x, now.y - pointer.y);
    } else {
      const distance = (point) => Math.max(20, Math.hypot(point.x - other.x, point.y - other.y));
      this.#move((now.x - pointer.x) / 2, (now.y - pointer.y) / 2);
      this.zoom(distance(now) / distance(pointer), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    [pointer.x, pointer.y] = [now.x, now.y];
  }

  #lift(event) {
    const wasDown = this.#pointers.delete(event.pointerId);
    if (this.#pointers.size > 0) return;
    this.element.classList.remove("moving");
    // Browsers make no click from a touch that soon follows a quick movement.
    if (wasDown && event.type === "pointerup" && event.pointerType === "touch" && !this.#hasMoved) {
      this.#touchedAt = event.timeStamp;
      event.target.closest("button")?.click();
    }
  }

  #roll(event) {
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? 24 : 1;
    if (event.shiftKey) return this.#move(-(event.deltaX || event.deltaY) * pixels, 0);
    const { x, y } = this.#local(event);
    this.zoom(Math.exp(-event.deltaY * pixels * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
  }
}

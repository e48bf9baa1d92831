// The drawing of the session, with live values in its cards.

import { setAttribute, setText, shape, text } from "./dom.js";
import { parameterLaw } from "./taper.js";
import { quantity, valueText } from "./units.js";

/** The room around the cards, in px, for what the page adds below them. */
const margin = 40;

/** Returns the box in a `data-frame`: left, top, width and height in px. */
function boxOf(element) {
  const [left, top, width, height] = (element.dataset.frame ?? "").split(" ").map(Number);
  return { left, top, width, height };
}

/** Returns the text of a mixer's strip, as the drawing of `stompline graph` shows it. */
function stripText(picture, base) {
  const value = (name) => picture.value(`${base}.${name}`);
  const [gain, pan] = [value("gain") ?? 0, value("pan") ?? 0];
  const share = quantity(Math.round(Math.abs(pan) * 100), "%");
  return [gain <= -120 ? text("silent") : quantity(gain, "dB"),
    pan === 0 ? "" : text(pan < 0 ? "left" : "right", { value: share }),
    value("mute") === true ? text("muteOn") : "", value("solo") === true ? text("soloOn") : "",
    value("invert") === true ? text("inverted") : ""].filter((word) => word !== "").join(" · ");
}

/** Turns the pointer of a knob, or lights a lamp. */
function turn(row, parameter, value) {
  const circle = row.querySelector("circle");
  if (circle === null) return;
  const pointer = row.querySelector("path");
  if (pointer === null) {
    setAttribute(circle, "fill", value === true ? circle.getAttribute("stroke") : "#ffffff");
    return;
  }
  if (typeof value !== "number" || !(parameter.maximum > parameter.minimum)) return;
  const share = Math.min(1, Math.max(0, parameterLaw(parameter).position(value)));
  // A knob turns through 270°, from lower left over the top to lower right.
  const angle = (share * 1.5 - 1.25) * Math.PI;
  const [x, y] = [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
  setAttribute(pointer, "d", `M${x} ${y}L${(x + 5.5 * Math.cos(angle)).toFixed(2)} ${
    (y + 5.5 * Math.sin(angle)).toFixed(2)}`);
}

/** One drawing; `end` must be called when it is no longer shown. */
export class Drawing {
  #picture;
  #graph;
  #origin;
  #ends = [];

  /** The picture, which screen readers skip: the page has a button for each node. */
  element;
  width;
  height;
  /** The groups of the nodes by their ids, and of the inputs and outputs by their names. */
  nodes = new Map();
  inputs = new Map();
  outputs = new Map();

  /** @throws If the text is no drawing. */
  constructor(words, picture) {
    const root = new DOMParser().parseFromString(words, "image/svg+xml").documentElement;
    const graph = root.localName === "svg" ? root.querySelector("g.graph") : null;
    if (graph === null) throw new Error(text("noDrawing"));
    this.#picture = picture;
    this.#graph = document.importNode(graph, true);
    const box = boxOf(graph);
    this.#origin = { left: box.left - margin, top: box.top - margin };
    [this.width, this.height] = [box.width + 2 * margin, box.height + 2 * margin];
    this.element = shape("svg", {
      viewBox: `${this.#origin.left} ${this.#origin.top} ${this.width} ${this.height}`,
      width: this.width, height: this.height, "aria-hidden": "true",
    }, this.#graph);
    for (const [kind, groups] of [["node", this.nodes], ["input", this.inputs],
      ["output", this.outputs]]) {
      for (const group of this.#graph.querySelectorAll(`g[data-${kind}]`)) {
        groups.set(group.dataset[kind], group);
      }
    }
    this.#follow();
  }

  end() { for (const end of this.#ends) end(); }

  /** Returns the box of a group, from the upper left corner of the element. */
  box(group) {
    const box = boxOf(group);
    return { ...box, left: box.left - this.#origin.left, top: box.top - this.#origin.top };
  }

  /** Returns the point of a wire at a share of its length, from the corner of the element. */
  along(wire, share) {
    const path = wire.querySelector("path:last-of-type");
    const { x, y } = path.getPointAtLength(path.getTotalLength() * share);
    return { left: x - this.#origin.left, top: y - this.#origin.top };
  }

  #follow() {
    for (const row of this.#graph.querySelectorAll("g[data-address]")) {
      const parameter = this.#picture.parameter(row.dataset.address);
      const words = row.querySelector(".value");
      if (parameter === undefined || words === null) continue;
      this.#ends.push(this.#picture.watch(parameter.address, (value) => {
        if (value === undefined) return;
        setText(words, valueText(parameter, value));
        turn(row, parameter, value);
      }));
    }
    for (const strip of this.#graph.querySelectorAll("g[data-strip]")) {
      const base = strip.dataset.strip;
      const words = strip.querySelector(".value");
      if (words === null) continue;
      const show = () => setText(words, stripText(this.#picture, base));
      for (const name of ["gain", "pan", "mute", "solo", "invert"]) {
        if (this.#picture.parameter(`${base}.${name}`) !== undefined) {
          this.#ends.push(this.#picture.watch(`${base}.${name}`, show));
        }
      }
    }
  }
}

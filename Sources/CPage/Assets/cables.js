// The cables of the drawing in the edit mode: a button on each, and a handle at each output.

import { make, setAttribute, text } from "./dom.js";
import { drag } from "./drag.js";
import { field } from "./panel.js";
import { button } from "./press.js";

/** The size of a button on a cable, in the units of the drawing. */
const size = 36;
/** The distance in px from which a cable or a card takes what is dropped. */
const [cableReach, cardReach] = [70, 120];

/** Asks for the settings without which a type cannot play; `null` if there are none. */
export function settingsOf(type, panel) {
  if (!type.required.includes("file")) return Promise.resolve(null);
  return new Promise((resolve) => {
    const isRecorder = type.type === "recorder";
    const form = field(text("fileOf", { name: type.label }),
      isRecorder ? "takes/%Y-%m-%d %H.%M.%S.wav" : "", { act: text("addIt"),
        attributes: { spellcheck: "false", autocapitalize: "off", required: true } },
      (words) => { if (words !== "") resolve({ file: words }); });
    panel.open(text("fileOf", { name: type.label }), [form,
      make("p", { class: "label", text: text(isRecorder ? "takeHint" : "fileHint") })],
    () => {}, form.input);
  });
}

/** The buttons on all cables, and the panel of one. */
export class CablePanel {
  #picture;
  #acts;
  #cables = [];
  #targets = [];
  #label = null;

  constructor(picture, acts) {
    this.#picture = picture;
    this.#acts = acts;
  }

  /** Returns the elements for a drawing; `reveal(box)` makes a place visible. */
  marks(drawing, reveal) {
    const pipeline = this.#picture.part("pipeline");
    const sources = new Map([...pipeline.nodes.map((node) => [node.id, node.from]),
      ...pipeline.outputs.map((output) => [output.name, output.kind === "midi" ? [] : output.from])]);
    this.#cables = [];
    const taken = [];
    for (const wire of drawing.element.querySelectorAll("g.wire")) {
      const { from, to } = wire.dataset;
      if (!sources.get(to)?.includes(from)) continue;
      if (this.#cables.some((each) => each.from === from && each.to === to)) continue;
      // Where cables cross, their buttons are beside one another.
      const place = [0.5, 0.36, 0.64, 0.25, 0.75].map((share) => drawing.along(wire, share))
        .find(({ left, top }) => taken.every((other) =>
          Math.hypot(other.left - left, other.top - top) > size)) ?? drawing.along(wire, 0.5);
      taken.push(place);
      this.#cables.push({ from, to, wire, element: this.#button(from, to, place, reveal) });
    }
    this.#targets = [...drawing.nodes, ...drawing.outputs]
      .filter(([name]) => sources.has(name)).map(([name, group]) => ({ name, group }));
    const handles = [
      ...pipeline.inputs.filter((input) => input.kind !== "midi")
        .map((input) => [input.name, drawing.inputs.get(input.name)]),
      ...pipeline.nodes.map((node) => [node.id, drawing.nodes.get(node.id)]),
    ].filter(([, group]) => group !== undefined)
      .map(([name, group]) => this.#handle(name, drawing.box(group), reveal));
    this.name(this.#label);
    return [...this.#cables.map((each) => each.element), ...handles];
  }

  #button(from, to, { left, top }, reveal) {
    const element = button({ class: "cable-button", "data-from": from, "data-to": to }, {},
      () => this.#acts.choose(from, to), make("span", { "aria-hidden": "true", text: "+" }));
    Object.assign(element.style, { left: `${left - size / 2}px`, top: `${top - size / 2}px` });
    element.addEventListener("focus", () => {
      if (element.matches(":focus-visible")) {
        reveal({ left: left - size / 2, top: top - size / 2, width: size, height: size });
      }
    });
    return element;
  }

  #handle(name, box, reveal) {
    const element = button({ class: "out-handle", "data-source": name,
      "aria-label": text("connectLabel", { name }) }, {}, () => this.#acts.openConnect(name));
    Object.assign(element.style, { left: `${box.left + box.width - 10}px`,
      top: `${box.top + box.height - 14}px` });
    element.addEventListener("focus", () => {
      if (element.matches(":focus-visible")) reveal(box);
    });
    element.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      if (event.button === 0) this.#dragCable(event, name);
    });
    return element;
  }

  /** Gives the buttons their names: what they would receive, or what they are. */
  name(label) {
    this.#label = label;
    for (const { from, to, element } of this.#cables) {
      setAttribute(element, "aria-label", label === null ? text("cableOf", { from, to })
        : text("putOnCable", { name: label, from, to }));
      element.classList.toggle("waits", label !== null);
    }
  }

  /** Moves the focus to the first cable. */
  focus() { this.#cables[0]?.element.focus({ preventScroll: true }); }

  // The panel of a cable

  open(from, to) {
    const acts = this.#acts;
    const tool = (key, act) => button({}, {}, act, text(key));
    const nodes = this.#picture.part("pipeline").nodes
      .filter((node) => node.id !== from && node.id !== to && node.from.length > 0
        && node.type !== "mixer");
    const moved = make("select", { "aria-label": text("nodeToMove") },
      nodes.map((node) => make("option", { value: node.id, text: node.id })));
    acts.closeSheet();
    acts.panel.open(text("cableOf", { from, to }), [
      make("div", { class: "choices" },
        tool("addHere", () => acts.openPalette(from, to)),
        tool("disconnectCable", () => {
          acts.panel.close();
          acts.disconnect(from, to);
        })),
      nodes.length === 0 ? null : make("div", { class: "field" }, make("label", {},
        make("span", { class: "label", text: text("nodeToMove") }), moved),
      tool("moveHere", () => {
        acts.panel.close();
        acts.move(moved.value, from, to);
      }))].filter((each) => each !== null), () => this.#find(from, to)?.focus());
  }

  #find(from, to) {
    return this.#cables.find((each) => each.from === from && each.to === to)?.element;
  }

  // Dragging

  #places(isFree) {
    return this.#cables.filter(({ from, to }) => isFree(from, to))
      .map(({ from, to, element, wire }) => {
        const box = element.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2, reach: cableReach, from, to,
          mark: (isOn) => {
            element.classList.toggle("takes", isOn);
            wire.classList.toggle("takes", isOn);
          } };
      });
  }

  /** Drags a node to another cable. */
  dragNode(event, id) {
    event.stopPropagation();
    drag(event, id, {
      begin: () => {
        this.#acts.closeSheet();
        return this.#places((from, to) => from !== id && to !== id);
      },
      drop: (place) => { if (place !== null) this.#acts.move(id, place.from, place.to); },
    });
  }

  /** Drags a type of the palette to a cable; `put(from, to)` receives the cable. */
  dragType(event, label, put) {
    event.preventDefault();
    drag(event, label, {
      begin: () => this.#places(() => true),
      drop: (place) => { if (place !== null) put(place.from, place.to); },
    });
  }

  #dragCable(event, name) {
    drag(event, text("cableFrom", { name }), {
      begin: () => this.#targets.filter((target) => target.name !== name)
        .map(({ name: to, group }) => {
          const box = group.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2, reach: cardReach, to,
            mark: (isOn) => group.classList.toggle("takes", isOn) };
        }),
      drop: (place) => {
        if (place === null) return;
        const node = this.#picture.part("pipeline").nodes.find((each) => each.id === place.to);
        if (node?.type === "mixer") this.#acts.connect(name, place.to, {});
        else this.#acts.openConnect(name, place.to);
      },
    });
  }
}

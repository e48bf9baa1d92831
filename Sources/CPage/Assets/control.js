// The control of one parameter: a fader, a switch, a menu or a button, with its value and "learn".

import { guarded } from "./access.js";
import { make, readable, setAttribute, setText, text } from "./dom.js";
import { button, setOn } from "./press.js";
import { Slider } from "./slider.js";
import { parameterLaw } from "./taper.js";
import { quantity, typedNumber, valueText } from "./units.js";

/** The share of the way that an arrow key and a page key move a control. */
const [keyStep, pageStep] = [0.01, 0.1];

/** Returns what `Slider` needs to know about a number. */
function sliderOptions(parameter, label, tell) {
  const { kind, minimum, maximum } = parameter;
  const law = parameterLaw(parameter);
  const format = (value) => valueText(parameter, value);
  const size = Math.max(Math.abs(minimum), Math.abs(maximum), 1e-9);
  return {
    address: parameter.address, label, isVertical: false, law, minimum, maximum,
    reset: parameter.default, end: maximum, format, spoken: format, onRefusal: tell,
    decimals: kind === "integer" ? 0
      : Math.max(3, Math.min(9, 5 - Math.floor(Math.log10(size)))),
    step: kind === "integer" ? 1 : keyStep,
    page: kind === "integer" ? Math.max(2, Math.round((maximum - minimum) * pageStep)) : pageStep,
    nudge: kind === "integer"
      ? (value, amount) => value + Math.sign(amount) * Math.max(1, Math.round(Math.abs(amount)))
      : (value, amount) => law.value(Math.min(1, Math.max(0, law.position(value) + amount))),
  };
}

/** All controls of one node; `end` must be called when they are no longer shown. */
export class Controls {
  #picture;
  #link;
  #tell;
  #ends = [];

  constructor(picture, link, tell) {
    this.#picture = picture;
    this.#link = link;
    this.#tell = tell;
  }

  /** Ends the watches of all controls. */
  end() {
    for (const end of this.#ends) end();
    this.#ends = [];
  }

  /** Calls a function with each value of an address, and once now. */
  watch(address, call) { this.#ends.push(this.#picture.watch(address, call)); }

  #set(address, value) {
    return this.#link.set(address, value).then((answer) => {
      this.#tell(answer);
      return answer;
    });
  }

  /** Creates the control of a parameter; `name` is its short name, `label` the whole one. */
  make(parameter, name, label) {
    const { address, kind, remote } = parameter;
    const head = make("span", { class: "label name", text: name, title: readable(parameter.summary) });
    if (remote !== true) return this.#closed(parameter, head);
    const learn = this.#learn(address, label);
    if (parameter.trigger) {
      const element = button({ "aria-label": label }, {}, () => this.#set(address, true),
        text("trigger"));
      return this.#row("trigger", head, null, guarded(element, { request: "set", address }),
        learn);
    }
    if (kind === "toggle") return this.#row("toggle", head, null, this.#toggle(address, label), learn);
    if (kind === "choice") {
      return this.#row("choice", head, null, this.#menu(parameter, label), learn);
    }
    if (!(parameter.maximum > parameter.minimum)) return this.#closed(parameter, head);
    const slider = new Slider(this.#link, sliderOptions(parameter, label, this.#tell));
    this.watch(address, (value) => slider.show(value));
    return this.#row("number", head, this.#entry(parameter, label, slider), slider.element, learn);
  }

  #row(kind, head, value, control, learn) {
    return make("div", { class: `control ${kind}` }, make("div", { class: "line" }, head, value,
      kind === "number" ? null : control, learn), kind === "number" ? control : null);
  }

  #closed(parameter, head) {
    const value = make("span", { class: "value" });
    this.watch(parameter.address, (now) => setText(value, valueText(parameter, now)));
    return make("div", { class: "control closed" }, make("div", { class: "line" }, head, value),
      parameter.remote === true ? null
        : make("p", { class: "label", text: text("closedToRemote") }));
  }

  #toggle(address, label) {
    const element = button({ class: "switch", "aria-label": label, "aria-pressed": "false" }, {},
      () => this.#set(address, this.#picture.value(address) !== true));
    this.watch(address, (value) => {
      setOn(element, value === true);
      setText(element, text(value === true ? "isOn" : "isOff"));
    });
    return guarded(element, { request: "set", address });
  }

  #menu(parameter, label) {
    const element = make("select", { "aria-label": label },
      parameter.choices.map((choice) => make("option", { value: choice, text: choice })));
    const show = () => { element.value = String(this.#picture.value(parameter.address) ?? ""); };
    element.addEventListener("change", () => {
      this.#set(parameter.address, element.value).then((answer) => {
        if (answer?.answer !== "done") show();
      });
    });
    this.watch(parameter.address, show);
    return guarded(element, { request: "set", address: parameter.address });
  }

  /** The value of a number, which becomes a field for typing when it is pressed. */
  #entry(parameter, label, slider) {
    const element = make("span", { class: "entry" });
    const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off",
      "aria-label": text("typeValue", { name: label }) });
    const close = () => {
      if (!field.isConnected) return;
      const hadFocus = document.activeElement === field;
      element.replaceChildren(show);
      if (hadFocus) show.focus();
    };
    const show = button({ class: "value-button" }, {}, () => {
      field.value = slider.output.textContent;
      element.replaceChildren(field);
      field.focus();
      field.select();
    }, slider.output);
    show.setAttribute("aria-label", text("typeValue", { name: label }));
    guarded(show, { request: "set", address: parameter.address });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") {
        event.preventDefault();
        return close();
      }
      if (event.key !== "Enter") return;
      event.preventDefault();
      const value = typedNumber(field.value, parameter.unit);
      const { minimum, maximum, unit } = parameter;
      if (value === null || value < minimum || value > maximum) {
        return this.#tell({ answer: "note", message: text("notAValue", {
          value: field.value, low: quantity(minimum, unit), high: quantity(maximum, unit) }) });
      }
      const sent = parameter.kind === "integer" ? Math.round(value) : value;
      this.#set(parameter.address, sent);
      close();
    });
    field.addEventListener("blur", () => setTimeout(close, 0));
    element.append(show);
    return element;
  }

  /** The button that binds an address to the next MIDI control that moves, or cancels that. */
  #learn(address, label) {
    const element = button({ class: "learn", "aria-pressed": "false" }, {}, () =>
      this.#set("learn", this.#picture.value("learn") === address ? "" : address));
    this.watch("learn", (value) => {
      const isRunning = value === address;
      setOn(element, isRunning);
      setText(element, text(isRunning ? "cancel" : "learn"));
      setAttribute(element, "aria-label",
        text(isRunning ? "cancelLearn" : "learnLabel", { name: label }));
    });
    return guarded(element, { request: "set", address: "learn" });
  }
}

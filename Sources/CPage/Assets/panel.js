// A panel beside the drawing for lists and forms; the drawing stays usable.

import { make, setText, text } from "./dom.js";
import { button } from "./press.js";

/** One panel, which shows one content at a time. */
export class Panel {
  #title = make("h2");
  #body = make("div", { class: "sheet-body" });
  #onClose = null;
  #afterClose;

  /** Is another number for each content. */
  shown = 0;

  element = make("section", { class: "panel", role: "dialog", tabindex: "-1", hidden: true },
    make("div", { class: "sheet-head" }, make("div", {}, this.#title),
      button({ class: "sheet-close" }, {}, () => this.close(), text("close"))),
    this.#body);

  /** @param afterClose Is called when the panel has been closed. */
  constructor(afterClose) {
    this.#afterClose = afterClose;
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.close();
    });
  }

  get isOpen() { return !this.element.hidden; }

  /**
   * Shows a content, and moves the focus to it.
   *
   * @param title The heading, which is also the name of the panel.
   * @param content Elements.
   * @param onClose Is called once when the panel is closed or shows something else.
   * @param focus The element that gets the focus; without one, the panel.
   */
  open(title, content, onClose = () => {}, focus = null) {
    this.#end();
    this.shown += 1;
    this.#onClose = onClose;
    setText(this.#title, title);
    this.element.setAttribute("aria-label", title);
    this.#body.replaceChildren(...content);
    this.#body.scrollTop = 0;
    this.element.hidden = false;
    (focus ?? this.element).focus({ preventScroll: true });
  }

  /** Closes the panel; with a number, only if it still shows that content. */
  close(shown = this.shown) {
    if (this.element.hidden || shown !== this.shown) return;
    this.element.hidden = true;
    this.#body.replaceChildren();
    this.#end();
    this.#afterClose();
  }

  #end() {
    const call = this.#onClose;
    this.#onClose = null;
    call?.();
  }
}

/**
 * Creates a form with one field.
 *
 * @param label The name of the field.
 * @param value Its first value.
 * @param options `act`, the text of the button, and `attributes` of the field.
 * @param send Receives the text.
 */
export function field(label, value, { act, attributes = {}, isLong = false }, send) {
  const input = make(isLong ? "textarea" : "input", { ...(isLong ? { rows: 4 } : { type: "text" }),
    autocomplete: "off", "aria-label": label, ...attributes });
  input.value = value;
  const form = make("form", { class: "field" }, make("label", {},
    make("span", { class: "label", text: label }), input),
  make("button", { type: "submit", text: act }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(input.value.trim());
  });
  form.input = input;
  return form;
}

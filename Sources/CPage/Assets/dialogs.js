// Dialogs that ask a question or say something, and disappear when they are closed.

import { make, text } from "./dom.js";

/**
 * Opens a dialog; keys that are pressed in it do nothing else.
 *
 * @returns The dialog; its event `close` comes when the user has closed it.
 */
export function openDialog(title, ...children) {
  const dialog = make("dialog", { class: "settings", "aria-label": title },
    make("h2", { text: title }), ...children);
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Shows sentences until the user closes the dialog. */
export function inform(title, ...children) {
  const dialog = openDialog(title, ...children,
    make("button", { type: "button", class: "close", text: text("close"),
      onclick: () => dialog.close() }));
}

/**
 * Asks for one of several choices.
 *
 * @param choices Pairs of a value and the text of its button.
 * @returns The value; `null` if the user cancels.
 */
export function choose(title, words, choices) {
  return new Promise((resolve) => {
    let chosen = null;
    const close = (value) => {
      chosen = value;
      dialog.close();
    };
    const dialog = openDialog(title, ...words.map((each) => make("p", { text: each })),
      ...choices.map(([value, label]) => make("button", { type: "button", class: "close",
        text: label, onclick: () => close(value) })),
      make("button", { type: "button", class: "close", text: text("cancel"),
        onclick: () => close(null) }));
    dialog.addEventListener("close", () => resolve(chosen));
  });
}

/** Changes the children of an element; a control with the same `data-key` keeps the focus. */
export function keepFocus(root, change) {
  const key = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  change();
  if (!key) return;
  [...root.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)
    ?.focus({ preventScroll: true });
}

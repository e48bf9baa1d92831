// What can be done with a node in the edit mode: the buttons in its sheet.

import { make, setText, text } from "./dom.js";
import { isId } from "./gestures.js";
import { field } from "./panel.js";
import { button, setOn } from "./press.js";

/** The buttons for one node. */
export class NodeTools {
  #acts;

  /** @param acts The edits of the board: `move`, `replace`, `duplicate`, and so on. */
  constructor(acts) { this.#acts = acts; }

  /** Returns the buttons for a node of the part `pipeline`. */
  element(node) {
    const acts = this.#acts;
    const bypass = button({ "aria-pressed": "false" }, {}, () => acts.bypass(node.id),
      text("bypassInFile"));
    acts.isBypassed(node.id).then((isOn) => setOn(bypass, isOn), () => {});
    const tool = (key, act) => button({}, {}, act, text(key));
    return make("div", { class: "node-tools", role: "group",
      "aria-label": text("editNode", { name: node.id }) },
    tool("connectOutput", () => acts.openConnect(node.id)),
    tool("moveNode", () => acts.beginMove(node.id)),
    tool("replaceNode", () => acts.openReplace(node.id)),
    tool("duplicateNode", () => acts.duplicate(node.id)),
    tool("renameNode", () => this.#rename(node.id)),
    tool("settingsOfNode", () => acts.openSettings(node.id)), bypass,
    tool("removeNode", () => acts.remove(node.id)));
  }

  #rename(id) {
    const { panel } = this.#acts;
    this.#acts.closeSheet();
    const hint = make("p", { class: "label", role: "status" });
    const form = field(text("newName"), id, { act: text("renameNode"),
      attributes: { maxlength: 64, spellcheck: "false", autocapitalize: "off" } }, (words) => {
      if (words === id) return panel.close();
      if (!isId(words)) return setText(hint, text("badId"));
      this.#acts.rename(id, words);
    });
    panel.open(text("renameOf", { name: id }), [form, hint,
      make("p", { class: "label", text: text("renameFollows") })],
    () => this.#acts.showNode(id), form.input);
    form.input.select();
  }
}

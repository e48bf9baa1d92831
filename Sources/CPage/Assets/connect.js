// The panel that connects an output with an input.

import { make, setText, text } from "./dom.js";
import { fetchType } from "./palette.js";
import { button } from "./press.js";

/** The panel for the signal of an input or a node. */
export class ConnectPanel {
  #picture;
  #acts;

  constructor(picture, acts) {
    this.#picture = picture;
    this.#acts = acts;
  }

  /**
   * Opens the panel.
   *
   * @param name The input or the node whose signal is connected.
   * @param target The only target to show; without one, all of them.
   */
  open(name, target = null) {
    const pipeline = this.#picture.part("pipeline");
    const source = [...pipeline.nodes.map((node) => ({ ...node, name: node.id })),
      ...pipeline.inputs].find((each) => each.name === name);
    const parts = make("select", { "aria-label": text("signal") },
      make("option", { value: name, text: text("allChannels", { name }) }),
      (source?.channels ?? 1) < 2 ? [] : Array.from({ length: source.channels }, (_, index) =>
        make("option", { value: `${name}:${index + 1}`,
          text: text("channelOf", { name, number: index + 1 }) })));
    const targets = [
      ...pipeline.nodes.filter((node) => node.id !== name && this.#accepts(node))
        .map((node) => ({ name: node.id, node })),
      ...pipeline.outputs.filter((output) => output.kind !== "midi")
        .map((output) => ({ name: output.name, node: null })),
    ].filter((each) => target === null || each.name === target);
    const list = make("ul", { class: "targets" }, targets.map((each) =>
      this.#target(each, parts)));
    this.#acts.panel.open(text("connectTitle", { name }),
      [(source?.channels ?? 1) < 2 ? null : make("label", { class: "field" },
        make("span", { class: "label", text: text("signal") }), parts), list]
        .filter((each) => each !== null), () => this.#acts.showNode(name));
  }

  #accepts(node) { return !(node.from.length === 0 && ["player"].includes(node.type)); }

  #target({ name, node }, parts) {
    const connect = (options, words, label) => button({ "aria-label": label }, {},
      () => this.#acts.connect(parts.value, name, options), words);
    const buttons = make("span", { class: "choices" });
    if (node?.type === "mixer") {
      buttons.append(connect({}, text("newStrip"), text("newStripIn", { name })));
    } else {
      buttons.append(connect({}, text("mixIn"), text("mixInto", { name })),
        connect({ replaces: true }, text("instead"), text("insteadIn", { name })));
    }
    const row = make("li", {}, make("strong", { text: name }), buttons);
    if (node?.plugin) {
      const ports = button({ "aria-label": text("portsOf", { name }) }, {}, async () => {
        ports.remove();
        const state = make("p", { class: "label", role: "status", text: text("typesCome") });
        row.append(state);
        try {
          const { inputs } = await fetchType(node.type);
          state.remove();
          row.append(make("span", { class: "choices" }, (inputs ?? []).map((port) =>
            connect({ symbol: port.symbol, inputs }, port.label || port.symbol,
              text("portOf", { port: port.label || port.symbol, name })))));
          row.querySelector(".choices:last-child button")?.focus();
        } catch (error) {
          setText(state, error.message);
        }
      }, text("ports"));
      buttons.append(ports);
    }
    return row;
  }
}

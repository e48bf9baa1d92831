// The connections view: the ports of all inputs and outputs, and what they are connected to.

import { icon, make, setText, text } from "./dom.js";
import { withNearest } from "./problems.js";

/** The view with all ports; it shows, and changes nothing. */
export class ConnectionsView {
  #picture;
  #shown = "";
  #summary = make("p", { class: "summary", role: "status" });
  #groups = make("div", { class: "port-groups" });

  element = make("main", { class: "connections", id: "connections", hidden: true });

  constructor(picture) {
    this.#picture = picture;
    this.element.append(make("div", { class: "port-scroll", tabindex: "0", role: "region",
      "aria-label": text("connections") }, make("h1", { text: text("connections") }),
    this.#summary, this.#groups));
    picture.listen((news) => {
      if (news.kind === "snapshot" || news.kind === "part") this.#show();
    });
  }

  #show() {
    const [connections, pipeline] = [this.#picture.part("connections"),
      this.#picture.part("pipeline")];
    const shown = JSON.stringify([connections?.ports ?? null, pipeline?.inputs,
      pipeline?.outputs]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const ports = connections?.ports ?? [];
    const open = ports.filter((port) => !port.connected).length;
    setText(this.#summary, connections === null ? text("connectionsUnknown")
      : open === 0 ? text("allConnected") : text("openPorts", { count: open }));
    const known = new Set();
    const groups = [["input", "inputs", pipeline?.inputs], ["output", "outputs", pipeline?.outputs]]
      .map(([direction, key, signals]) => this.#section(text(key), (signals ?? []).map((signal) =>
        this.#signal(signal, signal.ports.map((name) => {
          const port = ports.find((each) => each.port === name && each.direction === direction);
          if (port !== undefined) known.add(port);
          return port ?? { port: name, direction, connected: null, to: [], unmatched: [] };
        })))));
    // The client has the ports of all songs.
    const others = ports.filter((port) => !known.has(port));
    groups.push(this.#section(text("otherPorts"), others.length === 0 ? []
      : [make("li", { class: "signal" }, make("ul", {}, others.map((port) => this.#port(port))))]));
    this.#groups.replaceChildren(...groups.filter((each) => each !== null));
  }

  #section(title, entries) {
    if (entries.length === 0) return null;
    return make("section", { class: "card", "aria-label": title }, make("h2", { text: title }),
      make("ul", {}, entries));
  }

  #signal(signal, ports) {
    const channels = signal.kind === "midi" ? text("midi")
      : text("channels", { count: signal.channels });
    return make("li", { class: "signal" },
      make("div", { class: "head" }, make("h3", { text: signal.name }),
        make("span", { class: "label", text: channels })),
      make("ul", {}, ports.map((port) => this.#port(port))));
  }

  #port({ port, direction, connected, to, unmatched }) {
    const arrow = text(direction === "input" ? "from" : "to");
    const state = connected === null ? make("span", { class: "label", text: text("notKnown") })
      : !connected ? make("strong", { class: "open" }, icon("warning"), text("notConnected"))
      : make("span", { class: "peers" }, to.length === 0 ? text("connected")
        : to.map((peer) => make("span", { class: "peer", text: `${arrow} ${peer}` })));
    return make("li", { class: "port" }, make("span", { class: "name", text: port }), state,
      unmatched.map((miss) => make("p", { class: "miss",
        text: withNearest(text("noPortMatches", { rule: miss.rule }), miss) })));
  }
}

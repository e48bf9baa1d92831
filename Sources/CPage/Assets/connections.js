// The connections view: the ports of the song and of the server, and their connections.

import { choose, keepFocus } from "./dialogs.js";
import { icon, make, setText, text } from "./dom.js";
import { button } from "./press.js";
import { withNearest } from "./problems.js";
import { withConnection, withoutConnection } from "./rules.js";

/** Returns the name of the client in the full name of a port. */
function clientOf(name) { return name.slice(0, name.indexOf(":")); }

/** The view with all ports. */
export class ConnectionsView {
  #picture;
  #link;
  #tell;
  #editor;
  #shown = "";
  #shownSheet = "";
  /** The port whose sheet is open: `{port, direction}`; `null` if no sheet is open. */
  #chosen = null;
  #summary = make("p", { class: "summary", role: "status" });
  #groups = make("div", { class: "port-groups" });
  #title = make("h2");
  #kind = make("p", { class: "label" });
  #place = make("fieldset", { class: "place" });
  #list = make("div", { class: "fitting" });
  #isInFile = false;
  #sheet = make("section", { class: "port-sheet", role: "dialog", tabindex: "-1",
    hidden: true },
  make("div", { class: "sheet-head" }, make("div", {}, this.#title, this.#kind),
    button({ class: "sheet-close" }, {}, () => this.#close(), text("close"))),
  make("div", { class: "sheet-body", tabindex: "0", role: "region",
    "aria-label": text("fittingPorts") }, this.#place, this.#list));

  element = make("main", { class: "connections", id: "connections", hidden: true });

  constructor(picture, link, tell, editor) {
    this.#picture = picture;
    this.#link = link;
    this.#tell = tell;
    this.#editor = editor;
    this.element.append(make("div", { class: "port-scroll", tabindex: "0", role: "region",
      "aria-label": text("connections") }, make("h1", { text: text("connections") }),
    this.#summary, this.#groups), this.#sheet);
    this.#sheet.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.#close();
    });
    picture.listen((news) => {
      if (news.kind !== "snapshot" && news.kind !== "part") return;
      this.#show();
      this.#showSheet();
    });
  }

  // The session's ports

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
    keepFocus(this.#groups, () =>
      this.#groups.replaceChildren(...groups.filter((each) => each !== null)));
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

  #port({ port, direction, connected, to, unmatched, ruled = [] }) {
    const arrow = text(direction === "input" ? "from" : "to");
    const kept = new Set(ruled.map((each) => each.port));
    const state = connected === null ? make("span", { class: "label", text: text("notKnown") })
      : !connected ? make("strong", { class: "open" }, icon("warning"), text("notConnected"))
      : make("span", { class: "peers" }, to.length === 0 ? text("connected")
        : to.map((peer) => make("span", { class: "peer" }, `${arrow} ${peer}`,
          kept.has(peer) ? make("span", { class: "ruled", text: text("byRule") }) : null)));
    const change = connected === null ? null
      : button({ class: "change", "data-key": `${direction} ${port}`,
        "aria-label": text("changePort", { port }) }, {}, () => this.#open(port, direction),
      text("change"));
    return make("li", { class: "port", "data-port": port }, make("span", { class: "name", text: port }), state, change,
      unmatched.map((miss) => make("p", { class: "miss",
        text: withNearest(text("noPortMatches", { rule: miss.rule }), miss) })));
  }

  // The ports that fit to one of them

  #open(port, direction) {
    this.#chosen = { port, direction };
    this.#shownSheet = "";
    this.#sheet.hidden = false;
    this.#showSheet();
    this.#sheet.focus({ preventScroll: true });
  }

  #close() {
    const chosen = this.#chosen;
    if (chosen === null) return;
    this.#chosen = null;
    this.#sheet.hidden = true;
    const key = `${chosen.direction} ${chosen.port}`;
    [...this.#groups.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)
      ?.focus();
  }

  /** Returns the state of the chosen port; `undefined` if it does not exist any more. */
  #state() {
    return this.#picture.part("connections")?.ports.find((each) =>
      each.port === this.#chosen?.port && each.direction === this.#chosen?.direction);
  }

  /**
   * Returns the signal of the chosen port, with the place of the port in it; `null` for a port of
   * another song.
   */
  #signalOf({ port, direction }) {
    const pipeline = this.#picture.part("pipeline");
    const key = direction === "input" ? "inputs" : "outputs";
    const signal = pipeline?.[key].find((each) => each.ports.includes(port));
    return signal === undefined ? null : { key, signal, channel: signal.ports.indexOf(port) };
  }

  #showSheet() {
    if (this.#chosen === null) return;
    const state = this.#state();
    if (state === undefined) return this.#close();
    const found = this.#signalOf(state);
    const ports = (this.#picture.part("ports") ?? [])
      .filter((each) => each.for === `${state.direction}s` && each.kind === state.kind);
    const shown = JSON.stringify([state, ports, found]);
    if (shown === this.#shownSheet) return;
    this.#shownSheet = shown;
    const words = { port: state.port };
    setText(this.#title, state.port);
    setText(this.#kind, text(state.direction === "input" ? "connectFrom" : "connectTo", words));
    this.#sheet.setAttribute("aria-label",
      text(state.direction === "input" ? "connectFrom" : "connectTo", words));
    this.#showPlace(found);
    const clients = new Map();
    for (const each of ports) {
      const client = clientOf(each.name);
      clients.set(client, [...clients.get(client) ?? [], each]);
    }
    const gone = state.to.filter((name) => !ports.some((each) => each.name === name));
    keepFocus(this.#list, () => this.#list.replaceChildren(
      ...(ports.length === 0 ? [make("p", { class: "label", text: text("noFittingPort") })] : []),
      ...[...clients].map(([client, members]) => make("section", { class: "client",
        "aria-label": client }, make("h3", { text: client }),
      ...this.#sorted(members).map((each) => this.#choice(state, each, found)))),
      ...gone.map((name) => this.#choice(state, { name, aliases: [] }, found))));
  }

  #sorted(ports) {
    const order = (each) => each.order ?? Infinity;
    return ports.map((each, index) => [each, index])
      .sort(([first, a], [second, b]) => order(first) - order(second) || a - b || 0)
      .map(([each]) => each);
  }

  /** Shows whether a connection is written into the file. */
  #showPlace(found) {
    const rules = found?.signal.rules ?? null;
    if (rules === null) this.#isInFile = false;
    const option = (isInFile, label) => {
      const input = make("input", { type: "radio", name: "place", "data-key": String(isInFile),
        disabled: rules === null });
      input.checked = this.#isInFile === isInFile;
      input.addEventListener("change", () => { this.#isInFile = isInFile; });
      return make("label", { class: "option" }, input, make("span", { text: label }));
    };
    const file = rules?.file.split("/").at(-1);
    keepFocus(this.#place, () => this.#place.replaceChildren(
      make("legend", { text: text("newConnections") }), option(false, text("onlyNow")),
      option(true, rules === null ? text("noRuleHere") : text("writeRule", { file }))));
  }

  #choice(state, other, found) {
    const isOn = state.to.includes(other.name);
    const rule = (state.ruled ?? []).find((each) => each.port === other.name)?.rule ?? null;
    const short = other.name.slice(other.name.indexOf(":") + 1);
    const notes = [other.pretty_name ? short : null, other.group, other.signal_type,
      ...other.aliases, other.physical ? text("hardware") : null].filter((each) => each);
    return button({ class: "fit", "aria-pressed": String(isOn), "data-key": other.name }, {},
      () => this.#change(state, other.name, isOn, rule, found),
      make("span", { class: "mark", "aria-hidden": "true", text: isOn ? "●" : "○" }),
      make("span", { class: "about" },
        make("strong", { text: other.pretty_name || short }),
        notes.length > 0 ? make("span", { class: "label", text: notes.join(" · ") }) : null,
        rule !== null ? make("span", { class: "ruled", text: text("keptBy", { rule }) }) : null));
  }

  // Changes

  async #change(state, other, isOn, rule, found) {
    let isInFile = this.#isInFile && (!isOn || rule !== null);
    if (isOn && rule !== null && !isInFile) {
      const file = found?.signal.rules?.file.split("/").at(-1);
      const choice = file === undefined ? "now" : await choose(text("ruledConnection"),
        [text("ruleKeeps", { rule, file, port: state.port, other })],
        [["now", text("onlyNowDisconnect")], ["file", text("changeRule", { file })]]);
      if (choice === null) return;
      isInFile = choice === "file";
    }
    if (isInFile && !await this.#edit(state, other, isOn, found)) return;
    this.#tell(await this.#link.ask({ request: "connect", port: state.port, other,
      connected: !isOn }));
  }

  /** Changes the rules of the file; returns whether it is done. */
  #edit(state, other, isOn, { key, signal, channel }) {
    const { file, connect } = signal.rules;
    const ports = this.#picture.part("connections").ports;
    const matched = signal.ports.map((name) => (ports.find((each) => each.port === name
      && each.direction === state.direction)?.ruled ?? []).map((each) => each.port));
    const rules = (isOn ? withoutConnection : withConnection)(connect, channel, other, matched);
    const step = (each) => each.replaceAll("~", "~0").replaceAll("/", "~1");
    const path = `/${key}/${step(signal.name)}/connect`;
    const operation = rules.length > 0 ? { op: "add", path, value: rules }
      : { op: "remove", path };
    const name = text(isOn ? "editDisconnect" : "editConnect", { port: state.port, other });
    return this.#editor.edit(file, name, () => [operation]);
  }
}

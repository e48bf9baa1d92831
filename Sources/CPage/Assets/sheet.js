// The sheet of one node: all its values, what it reports, and a picture of what it does.

import { fixed, make, readable, setText, text } from "./dom.js";
import { Controls } from "./control.js";
import { nodeFiles, nodePresets } from "./files.js";
import { Bar } from "./levels.js";
import { channelSets } from "./nodemeters.js";
import { button } from "./press.js";
import { nodeProblems } from "./problems.js";
import { EchoPicture, FilterPicture } from "./response.js";
import { reportText } from "./units.js";

/** The load and the latency of a node, from the part `status`; `null` if they are not known. */
export function nodeStatus(picture, id) {
  const node = picture.part("status")?.nodes?.find((each) => each.id === id);
  const rate = picture.part("session")?.sample_rate;
  if (node === undefined) return null;
  const latency = (1000 * (node.latency_frames ?? 0)) / (rate || Infinity);
  return {
    load: text("nodeLoad", { mean: fixed(100 * node.load_mean, 1) }),
    whole: text("nodeLoadWorst", { mean: fixed(100 * node.load_mean, 1),
      worst: fixed(100 * node.load_worst, 1) }),
    latency: latency > 0 ? text("milliseconds", { value: fixed(latency, 1) }) : null,
  };
}

/** Returns parameters by the groups of a plugin's ports, those without a group first. */
function portGroups(parameters) {
  const groups = new Map([[null, []]]);
  for (const each of parameters) {
    const group = each.group ?? null;
    groups.set(group, [...groups.get(group) ?? [], each]);
  }
  return [...groups].map(([group, list]) => [group ?? text("parameters"), list]);
}

/** A panel beside the drawing; the drawing stays usable. */
export class NodeSheet {
  #picture;
  #link;
  #tell;
  #onClose;
  #levels;
  /** The meters of the node's output. */
  #bars = [];
  #controls;
  /** The picture that the spectrum is drawn into; `null` for none. */
  #spectrum = null;
  #editor;
  #node = null;
  #title = make("h2");
  #kind = make("p", { class: "label" });
  #problems = make("ul", { class: "node-problems" });
  #status = make("p", { class: "label" });
  #tools;
  #body = make("div", { class: "sheet-body", tabindex: "0", role: "region",
    "aria-label": text("values") });
  #close = button({ class: "sheet-close" }, {}, () => this.close(), text("close"));

  element = make("section", { class: "sheet", role: "dialog", tabindex: "-1", hidden: true },
    make("div", { class: "sheet-head" }, make("div", {}, this.#title, this.#kind), this.#close),
    this.#body);

  /**
   * @param onClose Is called with the id of the node when the user closes the sheet.
   * @param tools Returns the buttons for a node that edit the file; `null` without any.
   */
  constructor(picture, link, levels, editor, tell, onClose, tools) {
    this.#levels = levels;
    this.#tools = tools;
    this.#editor = editor;
    this.#picture = picture;
    this.#link = link;
    this.#tell = tell;
    this.#onClose = onClose;
    this.#controls = new Controls(picture, link, tell);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.close();
    });
    link.listenToMeters((frame) => this.#spectrum?.receive(frame));
    picture.listen((news) => {
      if (this.#node === null) return;
      if (news.kind === "structure") this.#refresh();
      else if (news.kind !== "values" || "reduced" in news.values) this.#showState();
    });
  }

  /** The id of the shown node; `null` if the sheet is closed. */
  get node() { return this.#node; }

  /** Shows a node, and moves the focus to the sheet. */
  open(id) {
    this.#node = id;
    this.#build();
    this.element.hidden = false;
    this.#body.scrollTop = 0;
    this.element.focus({ preventScroll: true });
  }

  close() {
    const id = this.#node;
    if (id === null) return;
    this.#node = null;
    this.#controls.end();
    this.#showSpectrum(null);
    this.#levels.remove(this.#bars);
    this.element.hidden = true;
    this.#onClose(id);
  }

  /** Shows the same node of a new structure, or closes if there is none. */
  #refresh() {
    const isThere = this.#find() !== undefined;
    if (isThere) this.#build();
    else this.close();
  }

  /** Shows the same node with the present buttons. */
  refresh() { if (this.#node !== null) this.#refresh(); }

  #find() {
    return this.#picture.part("pipeline")?.nodes.find((each) => each.id === this.#node);
  }

  #build() {
    this.#controls.end();
    const node = this.#find();
    if (node === undefined) return;
    const focused = this.#focusedName();
    const parameters = this.#picture.part("pipeline").parameters
      .filter((each) => each.node === node.id);
    const isOwn = ({ address }) =>
      [`${node.id}.bypass`, `${node.id}.mix`].includes(address);
    setText(this.#title, node.id);
    setText(this.#kind, node.label);
    this.element.setAttribute("aria-label", text("sheetOf", { name: node.id, kind: node.label }));
    const groups = [[text("nodeItself"), parameters.filter(isOwn)],
      ...portGroups(parameters.filter((each) => !isOwn(each) && each.strip === null)),
      ...node.strips.map((strip) =>
        [text("stripOf", { name: strip.name }),
          parameters.filter((each) => each.strip === strip.name)])];
    this.#body.replaceChildren(...[this.#problems, this.#tools(node), this.#status,
      node.summary ? make("p", { class: "summary", text: readable(node.summary) }) : null,
      this.#meters(node), this.#pictureOf(node), nodePresets(this.#picture, this.#editor, node, this.#tell),
      nodeFiles(this.#picture, this.#editor, node),
      ...groups.map(([title, list]) => this.#group(title, list, node)),
      this.#reports(node)].filter((each) => each !== null));
    this.#showState();
    if (focused !== null) {
      ([...this.#body.querySelectorAll("button, select, [role=slider]")]
        .find((each) => (each.ariaLabel ?? each.textContent) === focused) ?? this.element)
        .focus({ preventScroll: true });
    }
  }

  /** The name of the control in the sheet that has the focus; `null` without one. */
  #focusedName() {
    const at = document.activeElement;
    return this.#body !== at && this.#body.contains(at) ? at.ariaLabel ?? at.textContent : null;
  }

  #group(title, list, node) {
    if (list.length === 0) return null;
    return make("fieldset", {}, make("legend", { text: title }), list.map((parameter) => {
      const name = parameter.label || parameter.name;
      const owner = parameter.strip === null ? node.id : `${node.id} ${parameter.strip}`;
      return this.#controls.make(parameter, name, text("valueOf", { name, node: owner }));
    }));
  }

  #reports(node) {
    const reports = (this.#picture.part("pipeline").reports ?? [])
      .filter((each) => each.node === node.id);
    if (reports.length === 0) return null;
    const list = make("dl", { class: "reports" });
    for (const report of reports) {
      const value = make("dd");
      list.append(make("dt", { text: report.label || report.name }), value);
      this.#controls.watch(report.address, () =>
        setText(value, reportText(report, this.#picture.report(report.address))));
    }
    return make("fieldset", {}, make("legend", { text: text("reports") }), list);
  }

  #meters(node) {
    this.#levels.remove(this.#bars);
    this.#bars = channelSets(this.#picture, node.id).map((nodeChannels) =>
      new Bar([], text("levelOfNode", { node: node.id }), { nodeChannels }));
    for (const bar of this.#bars) this.#levels.add(bar);
    return this.#bars.length === 0 ? null
      : make("div", { class: "output-meters" }, this.#bars.map((bar) => bar.element));
  }

  /** The picture of a filter or a delay; `null` for other types. */
  #pictureOf(node) {
    const value = (name) => this.#picture.value(`${node.id}.${name}`);
    const follow = (names, show) => {
      for (const name of names) this.#controls.watch(`${node.id}.${name}`, show);
    };
    if (node.type === "filter") {
      const picture = new FilterPicture();
      this.#showSpectrum(node.id, picture);
      const names = ["shape", "frequency", "gain", "q", "order"];
      const show = () => {
        const filter = Object.fromEntries(names.map((name) => [name, value(name)]));
        if (names.some((name) => filter[name] === undefined)) return;
        picture.show(filter, this.#picture.part("session")?.sample_rate || 48000);
      };
      follow(names, show);
      return picture.element;
    }
    this.#showSpectrum(null);
    if (node.type !== "delay") return null;
    const picture = new EchoPicture();
    const names = ["time", "beats", "feedback", "mix"];
    const show = () => {
      const delay = Object.fromEntries(names.map((name) => [name, value(name)]));
      const tempo = this.#picture.value("tempo");
      if (names.some((name) => delay[name] === undefined) || !(tempo > 0)) return;
      picture.show({ ...delay, tempo });
    };
    follow(names, show);
    this.#controls.watch("tempo", show);
    return picture.element;
  }

  /** Asks for the spectrum of a node and draws it into a picture; `null` ends it. */
  #showSpectrum(id, picture = null) {
    this.#spectrum = picture;
    this.#link.watchSpectrum(id);
  }

  #showState() {
    const lines = nodeProblems(this.#picture).get(this.#node) ?? [];
    const shown = [...this.#problems.children].map((each) => each.textContent);
    if (JSON.stringify(lines) !== JSON.stringify(shown)) {
      this.#problems.replaceChildren(...lines.map((line) => make("li", { text: line })));
    }
    this.#problems.hidden = lines.length === 0;
    const status = nodeStatus(this.#picture, this.#node);
    setText(this.#status, status === null ? ""
      : status.latency === null ? status.whole
      : text("loadAndLatency", { load: status.whole, latency: status.latency }));
  }
}

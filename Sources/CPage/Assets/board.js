// The board view: the drawing of the song, and the sheet of a node.

import { BoardEdit } from "./boardedit.js";
import { icon, make, setAttribute, setText, text } from "./dom.js";
import { Drawing } from "./drawing.js";
import { boundKey } from "./keys.js";
import { Bar } from "./levels.js";
import { channelSets, NodeMeters } from "./nodemeters.js";
import { preferences } from "./preferences.js";
import { button } from "./press.js";
import { nodeProblems } from "./problems.js";
import { NodeSheet, nodeStatus } from "./sheet.js";
import { Viewport } from "./viewport.js";

/** The number of channels of a signal up to which each channel has its own meter. */
const mostMeters = 2;

/** Returns the nodes so that each comes after its sources, otherwise in the order of the file. */
function inSignalOrder(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const done = new Set();
  const order = [];
  for (const first of nodes) {
    // A stack of our own: a chain of nodes can be longer than the stack of calls allows.
    const stack = [first];
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      const open = done.has(node.id) ? [] : node.from.map((name) => byId.get(name)).filter(
        (each) => each !== undefined && !done.has(each.id) && !stack.includes(each));
      if (open.length > 0) {
        stack.push(open[0]);
        continue;
      }
      stack.pop();
      if (!done.has(node.id)) order.push(node);
      done.add(node.id);
    }
  }
  return order;
}

function put(element, { left, top, width, height }) {
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`,
    height: `${height}px` });
}

/** The view with the drawing. */
export class BoardView {
  #picture;
  #levels;
  #link;
  #tell;
  #sheet;
  #drawing = null;
  #request = null;
  #isOld = true;
  #latencies = "";
  #cards = new Map();
  #bars = [];
  #ends = [];
  #edit;
  /** The node that gets the focus when it is drawn; `null` for the drawing itself. */
  #wanted = undefined;
  #viewport = new Viewport({ tabindex: "0", role: "region", "aria-label": text("drawing") });
  #nodeMeters;
  #state = make("p", { class: "drawing-state", role: "status" });
  #again = button({ class: "again", hidden: true }, {}, () => this.#fetch(), text("retryNow"));
  #learning = make("span");
  #learnBar = make("div", { class: "learning", role: "status", hidden: true }, this.#learning,
    button({}, {}, () => this.#link.set("learn", "").then((answer) => this.#tell(answer)),
      text("cancelLearning")));

  element = make("main", { class: "board", id: "board", hidden: true });

  constructor(picture, link, levels, tell, editor) {
    this.#picture = picture;
    this.#link = link;
    this.#levels = levels;
    this.#tell = tell;
    this.#nodeMeters = new NodeMeters(levels, this.#viewport);
    this.#edit = new BoardEdit(picture, editor, tell, {
      focusOn: (name) => {
        this.#wanted = name;
        this.#giveFocus();
      },
      giveFocus: () => this.#giveFocus(),
      showNode: (id) => this.#cards.get(id)?.element.focus({ preventScroll: true }),
      closeSheet: () => this.#sheet.close(),
      refresh: () => {
        this.#sheet.refresh();
        this.#markEdits();
      },
      isShown: () => !this.element.hidden,
    });
    this.#sheet = new NodeSheet(picture, link, levels, editor, tell, (id) => this.#select(null, id),
      (node) => this.#edit.toolsOf(node));
    const tool = (name, key, act) => button({ "aria-label": text(key) }, {}, act, icon(name));
    this.element.append(make("h1", { class: "unseen", text: text("board") }),
      make("div", { class: "board-area" }, this.#edit.bar,
        make("div", { class: "board-stage" }, this.#viewport.element,
          make("div", { class: "drawing-note" }, this.#state, this.#again), this.#learnBar,
          this.#edit.toggle,
          make("div", { class: "zoom", role: "group", "aria-label": text("zoom") },
            tool("smaller", "zoomOut", () => this.#viewport.zoom(1 / 1.4)),
            tool("whole", "zoomFit", () => this.#viewport.fit()),
            tool("larger", "zoomIn", () => this.#viewport.zoom(1.4))))),
      this.#sheet.element, this.#edit.panel.element);
    this.#viewport.element.addEventListener("keydown", (event) => this.#key(event));
    picture.listen((news) => this.#follow(news));
  }

  /** Fetches the drawing if it is not current; the view has become visible. */
  show() {
    this.#showStates();
    if (this.#isOld && this.#picture.run !== null) this.#fetch();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (preferences.usesKeys && boundKey(this.#picture, event.key) !== null) return;
    if (this.#viewport.key(event.key)) event.preventDefault();
  }

  // The drawing

  #follow(news) {
    switch (news.kind) {
      case "structure":
        this.#isOld = true;
        if (!this.element.hidden) this.#fetch();
        break;
      case "snapshot":
        this.#showStates();
        this.#showLearning();
        break;
      case "part":
        if (news.name === "status") this.#followLatencies();
        this.#showStates();
        break;
      case "event":
        if (news.event.event === "learned") {
          this.#tell({ answer: "note", message: text("learned",
            { address: news.event.address, control: news.event.control }) });
        }
        this.#showStates();
        break;
      case "values":
        if ("learn" in news.values) this.#showLearning();
        if ("reduced" in news.values) this.#showStates();
    }
  }

  /** The drawing contains the latencies, so other ones need another drawing. */
  #followLatencies() {
    if (this.#latencyText() === this.#latencies) return;
    this.#isOld = true;
    if (!this.element.hidden) this.#fetch();
  }

  #latencyText() {
    return JSON.stringify((this.#picture.part("status")?.nodes ?? [])
      .filter((node) => node.latency_frames > 0).map((node) => [node.id, node.latency_frames]));
  }

  async #fetch() {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.#isOld = false;
    this.#latencies = this.#latencyText();
    this.#again.hidden = true;
    if (this.#drawing === null) setText(this.#state, text("drawingComes"));
    try {
      const answer = await fetch("api/drawing", { signal: request.signal });
      if (!answer.ok) throw new Error(text("drawingStatus", { status: answer.status }));
      const words = await answer.text();
      if (request.signal.aborted) return;
      this.#build(new Drawing(words, this.#picture));
      setText(this.#state, "");
    } catch (error) {
      if (request.signal.aborted) return;
      this.#isOld = true;
      this.#again.hidden = false;
      setText(this.#state, text("drawingFailed", { reason: error.message }));
    }
  }

  #build(drawing) {
    this.#drawing?.end();
    for (const end of this.#ends) end();
    this.#levels.remove(this.#bars);
    [this.#drawing, this.#ends, this.#bars, this.#cards] = [drawing, [], [], new Map()];
    const pipeline = this.#picture.part("pipeline");
    const focused = this.#focusedPart();
    const nodes = inSignalOrder(pipeline?.nodes ?? [])
      .filter((node) => drawing.nodes.has(node.id));
    this.#viewport.plane.replaceChildren(drawing.element,
      ...this.#meters(pipeline?.inputs ?? [], drawing.inputs, "input"),
      ...nodes.flatMap((node) => this.#card(node)),
      ...this.#meters(pipeline?.outputs ?? [], drawing.outputs, "output"));
    this.#viewport.resize(drawing.width, drawing.height);
    this.#nodeMeters.show(nodes.map((node) => ({ box: this.#cards.get(node.id).box,
      sets: channelSets(this.#picture, node.id) })));
    this.#markEdits();
    this.#showStates();
    this.#markSelected();
    this.#refocus(focused);
    this.#giveFocus();
  }

  /** Returns the selector of the part of the drawing that has the focus; `null` without one. */
  #focusedPart() {
    const at = document.activeElement;
    if (!this.#viewport.plane.contains(at)) return null;
    return Object.entries(at.dataset).map(([name, value]) =>
      `[data-${name}="${CSS.escape(value)}"]`).join("") || null;
  }

  #refocus(part) {
    if (part === null) return;
    this.#viewport.plane.querySelector(`button${part}`)?.focus({ preventScroll: true });
  }

  /** Adds what the edit mode needs to the drawing, or removes it. */
  #markEdits() {
    const focused = this.#focusedPart();
    for (const each of this.#viewport.plane.querySelectorAll(".cable-button, .out-handle")) {
      each.remove();
    }
    this.element.classList.toggle("edits", this.#edit.isOn);
    if (this.#drawing === null) return;
    this.#viewport.plane.append(...this.#edit.marks(this.#drawing,
      (box) => this.#viewport.reveal(box)));
    this.#refocus(focused);
  }

  /** Moves the focus to the node that an edit has added or changed, or to the drawing. */
  #giveFocus() {
    if (this.#wanted === undefined || this.element.hidden) return;
    const card = this.#wanted === null ? undefined : this.#cards.get(this.#wanted);
    // The node comes with the next drawing.
    if (this.#wanted !== null && card === undefined) return;
    // A panel or a sheet keeps the focus until it is closed.
    if (this.#edit.panel.isOpen || this.#sheet.node !== null) return;
    this.#wanted = undefined;
    (card?.element ?? this.#viewport.element).focus({ preventScroll: true });
    if (card !== undefined) this.#viewport.reveal(card.box);
  }

  /** Returns the button of a node, and the words below its card. */
  #card(node) {
    const group = this.#drawing.nodes.get(node.id);
    const box = this.#drawing.box(group);
    const element = button({ class: "card-button", "data-node": node.id }, {},
      () => this.#select(node.id));
    element.addEventListener("focus", () => {
      if (element.matches(":focus-visible")) this.#viewport.reveal(box);
    });
    element.addEventListener("pointerdown", (event) => this.#edit.drag(event, node.id));
    const [problem, bypass, load] = ["problem", "bypassed", "load"].map((kind) =>
      make("span", { class: kind, hidden: true }));
    const words = make("div", { class: "card-words", "aria-hidden": "true" }, problem, bypass, load);
    put(element, box);
    // A card of the setlist has a frame around it.
    const distance = group.classList.contains("setlist") ? 9 : 3;
    put(words, { left: box.left, top: box.top + box.height + distance, width: box.width,
      height: 20 });
    this.#cards.set(node.id, { node, box, element, group, problem, bypass, load });
    this.#ends.push(this.#picture.watch(`${node.id}.bypass`, () => {
      if (this.#cards.has(node.id)) this.#showState(this.#cards.get(node.id));
    }));
    return [element, words];
  }

  /** Returns the meters below the inputs or outputs. */
  #meters(signals, groups, direction) {
    const list = this.#picture.part("meters") ?? [];
    const channel = (port) => list.findIndex((meter) =>
      meter.port === port && meter.direction === direction);
    return signals.flatMap((signal) => {
      const group = groups.get(signal.name);
      const channels = signal.ports.map(channel).filter((index) => index >= 0);
      if (group === undefined || channels.length === 0) return [];
      const box = this.#drawing.box(group);
      const sets = channels.length <= mostMeters ? channels.map((each) => [each]) : [channels];
      return sets.map((set, row) => {
        const name = set.length === 1 ? list[set[0]].port : signal.name;
        const bar = new Bar(set, text(direction === "input" ? "inputLevel" : "outputLevel",
          { name }));
        put(bar.element, { left: box.left, top: box.top + box.height + 2 + 11 * row,
          width: box.width, height: 9 });
        this.#bars.push(bar);
        this.#levels.add(bar);
        return bar.element;
      });
    });
  }

  // The states

  #showStates() {
    if (this.#drawing === null || this.element.hidden) return;
    const problems = nodeProblems(this.#picture);
    for (const card of this.#cards.values()) {
      card.lines = problems.get(card.node.id) ?? [];
      this.#showState(card);
    }
  }

  #showState(card) {
    const { node, element, group, problem, bypass, load, lines = [] } = card;
    const isBypassed = this.#picture.value(`${node.id}.bypass`) === true;
    const status = nodeStatus(this.#picture, node.id);
    const mark = node.stand_in ? text("markStandIn") : lines.length > 0 ? text("markProblem") : "";
    const show = (part, words) => {
      setText(part, words);
      part.hidden = words === "";
    };
    show(problem, mark);
    show(bypass, isBypassed ? text("markBypassed") : "");
    show(load, [status?.load, status?.latency].filter((word) => word).join(" · "));
    group.classList.toggle("is-bypassed", isBypassed);
    group.classList.toggle("has-problem", mark !== "");
    const words = [node.id, node.label, isBypassed ? text("bypassed") : "", mark,
      status?.load ?? "", status?.latency ? text("latencyOf", { value: status.latency }) : ""];
    setAttribute(element, "aria-label", words.filter((word) => word !== "").join(", "));
  }

  #showLearning() {
    const address = this.#picture.value("learn") ?? "";
    this.#learnBar.hidden = address === "";
    setText(this.#learning, address === "" ? "" : text("learning", { address }));
  }

  // The sheet

  /** Opens the sheet of a node, or shows that none is open and returns the focus. */
  #select(id, former = null) {
    if (id !== null) {
      this.#edit.panel.close();
      this.#sheet.open(id);
    }
    this.#markSelected();
    this.#viewport.keep(this.#cards.get(id)?.box ?? null);
    if (id === null) {
      const card = this.#cards.get(former);
      (card?.element ?? this.#viewport.element).focus({ preventScroll: true });
    }
  }

  #markSelected() {
    for (const [id, { element, group }] of this.#cards) {
      const isOpen = id === this.#sheet.node;
      setAttribute(element, "aria-expanded", String(isOpen));
      group.classList.toggle("is-open", isOpen);
    }
  }
}

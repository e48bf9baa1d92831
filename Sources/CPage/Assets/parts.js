// Players, recorders and loopers of the song.

import { guarded } from "./access.js";
import { clock, decibels, icon, make, setAttribute, setText, text } from "./dom.js";
import { button } from "./press.js";
import { texts } from "./texts.js";

function fileName(path) { return (path ?? "").split("/").pop(); }

/** A bar that shows progress. */
function progress(label) {
  const fill = make("div", { class: "fill" });
  const element = make("div", {
    class: "progress", role: "progressbar", "aria-label": label, "aria-valuemin": 0,
    "aria-valuemax": 100,
  }, fill);
  return {
    element,
    show(share, words) {
      const part = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
      fill.style.transform = `scaleX(${part.toFixed(4)})`;
      setAttribute(element, "aria-valuenow", String(Math.round(part * 100)));
      setAttribute(element, "aria-valuetext", words);
    },
  };
}

/** Reads and watches the values and reports of one node. */
class NodeAccess {
  constructor(picture, link, node, tell) {
    Object.assign(this, { picture, link, node, tell, ends: [] });
  }

  report(name) {
    return this.picture.report(`${this.node.id}.reports.${name}`)
      ?? this.picture.report(`${this.node.id}.${name}`);
  }

  watch(names, call) {
    for (const name of names) {
      for (const address of [`${this.node.id}.reports.${name}`, `${this.node.id}.${name}`]) {
        this.ends.push(this.picture.watch(address, call));
      }
    }
  }

  guarded(name, element) {
    return guarded(element, { request: "set", address: `${this.node.id}.${name}` });
  }
  isOpen(name) { return this.picture.isOpen(`${this.node.id}.${name}`); }
  value(name) { return this.picture.value(`${this.node.id}.${name}`); }
  set(name, value) {
    this.link.set(`${this.node.id}.${name}`, value).then((answer) => this.tell(answer));
  }
}

function player(access) {
  const { node } = access;
  const title = make("span", { class: "title" });
  const state = make("span", { class: "state" });
  const elapsed = make("span", { class: "time" });
  const remaining = make("span", { class: "time" });
  const bar = progress(text("progress", { name: node.id }));
  const card = make("li", { class: "part player" },
    make("div", { class: "head" }, make("h3", { text: node.id }), state), title,
    make("div", { class: "times" },
      make("span", {}, make("span", { class: "label", text: text("elapsed") }), elapsed),
      make("span", {}, make("span", { class: "label", text: text("remaining") }), remaining)),
    bar.element);
  const toggle = access.isOpen("playing")
    ? access.guarded("playing",
      button({ class: "toggle" }, {}, () => access.set("playing", !isPlaying()))) : null;
  if (toggle) card.append(make("div", { class: "buttons" }, toggle));
  const isPlaying = () => access.report("playing") ?? access.value("playing") === true;
  const titleOf = () => {
    const last = access.picture.events.findLast(({ event }) =>
      event.node === node.id && ["title", "source_ended", "song"].includes(event.event));
    return (last?.event.event === "title" && last.event.title) || fileName(access.report("file"));
  };
  const show = () => {
    const [position, duration] = [access.report("position") ?? 0, access.report("duration") ?? 0];
    const isOn = isPlaying();
    const buffering = access.report("buffering");
    const item = access.report("item");
    const number = item > 1 ? ` · ${text("item", { number: item })}` : "";
    setText(title, `${titleOf()}${number}`);
    setText(state, !isOn ? text("stopped")
      : buffering > 0 && buffering < 100
        ? text("buffering", { percent: Math.round(buffering) }) : text("playing"));
    setText(elapsed, clock(position));
    setText(remaining, duration > 0 ? `−${clock(Math.ceil(duration - position))}` : text("noEnd"));
    bar.show(position / duration, duration > 0 ? `${clock(position)} / ${clock(duration)}`
      : clock(position));
    card.classList.toggle("active", isOn);
    if (toggle === null || toggle.dataset.on === String(isOn)) return;
    toggle.dataset.on = String(isOn);
    toggle.replaceChildren(icon(isOn ? "stop" : "play"), text(isOn ? "stop" : "play"));
    setAttribute(toggle, "aria-label",
      text(isOn ? "stopLabel" : "playLabel", { name: node.id }));
  };
  access.watch(["position", "duration", "playing", "file", "buffering", "item"], show);
  return card;
}

function recorder(access) {
  const { node } = access;
  const state = make("span", { class: "state" });
  const file = make("span", { class: "title" });
  const length = make("span", { class: "time" });
  const peak = make("span", { class: "time" });
  const lost = make("p", { class: "warning" });
  const card = make("li", { class: "part recorder" },
    make("div", { class: "head" }, make("h3", { text: node.id }), state), file,
    make("div", { class: "times" },
      make("span", {}, make("span", { class: "label", text: text("recordedTime") }), length),
      make("span", {}, make("span", { class: "label", text: text("recordedPeak") }), peak)),
    lost);
  let toggle = null;
  if (access.isOpen("recording")) {
    toggle = access.guarded("recording", button({ class: "toggle" }, {}, () =>
      access.set("recording", access.value("recording") !== true)));
    const take = access.isOpen("take")
      ? access.guarded("take", button({ "aria-label": text("newTakeLabel", { name: node.id }) },
        {}, () => access.set("take", true), text("newTake")))
      : null;
    card.append(make("div", { class: "buttons" }, toggle, take));
  } else {
    card.append(make("p", { class: "label", text: text("closedToRemote") }));
  }
  const states = {
    idle: "recordingIdle", waiting: "recordingWaiting", recording: "recordingRunning",
    failed: "recordingFailed",
  };
  const show = () => {
    const now = access.report("state") ?? "idle";
    const isOn = access.value("recording") === true;
    setText(state, text(states[now] ?? "recordingIdle"));
    card.classList.toggle("recording", now === "recording");
    card.classList.toggle("failed", now === "failed");
    setText(file, fileName(access.report("file")));
    setText(length, clock(access.report("recorded") ?? 0));
    setText(peak, decibels(access.report("peak") ?? -200));
    const frames = access.report("lost-frames") ?? 0;
    lost.hidden = frames === 0;
    setText(lost, frames === 0 ? "" : text("lostFrames", { count: frames }));
    if (toggle === null || toggle.dataset.on === String(isOn)) return;
    toggle.dataset.on = String(isOn);
    toggle.replaceChildren(icon(isOn ? "stop" : "record"), text(isOn ? "stop" : "record"));
    setAttribute(toggle, "aria-label",
      text(isOn ? "stopRecordingLabel" : "recordLabel", { name: node.id }));
  };
  access.watch(["state", "recorded", "peak", "file", "recording", "lost-frames"], show);
  return card;
}

function looper(access) {
  const { node } = access;
  const state = make("span", { class: "state" });
  const time = make("span", { class: "time" });
  const layers = make("span", { class: "label" });
  const bar = progress(text("loopPosition", { name: node.id }));
  const action = (name, key, shape) => access.isOpen(name)
    ? access.guarded(name, button({ "aria-label": text("ofNode", { action: text(key),
      name: node.id }) }, {}, () => access.set(name, true), shape ? icon(shape) : null, text(key)))
    : null;
  const overdub = action("overdub", "loopOverdub", null);
  const card = make("li", { class: "part looper" },
    make("div", { class: "head" }, make("h3", { text: node.id }), state), bar.element,
    make("div", { class: "times" }, time, layers),
    make("div", { class: "buttons" }, action("record", "loopRecord", "record"), overdub,
      action("play", "loopPlay", "play"), action("stop", "loopStop", "stop"),
      action("undo", "loopUndo", null)));
  const show = () => {
    const number = access.report("state") ?? 0;
    const name = texts.loopStates[number] ?? "";
    setText(state, access.report("waiting") > 0 ? text("loopWaiting", { state: name }) : name);
    card.classList.toggle("active", number === 2 || number === 3);
    card.classList.toggle("recording", [1, 3, 4, 5].includes(number));
    const [position, length] = [access.report("position") ?? 0, access.report("length") ?? 0];
    const words = `${position.toFixed(1)} / ${length.toFixed(1)} s`;
    setText(time, words);
    bar.show(position / length, words);
    const count = access.report("undo-layers") ?? 0;
    setText(layers, count > 0 ? text("loopLayers", { count }) : "");
  };
  access.watch(["state", "waiting", "position", "length", "undo-layers"], show);
  return card;
}

const kinds = [["player", "players", player], ["recorder", "recorders", recorder],
  ["looper", "loopers", looper]];

/** The lists of all players, recorders and loopers; a list without an entry is left out. */
export class PartCards {
  #accesses = [];
  element = make("div", { class: "parts" });

  constructor(picture, link, tell) { Object.assign(this, { picture, link, tell }); }

  build() {
    for (const access of this.#accesses) for (const end of access.ends) end();
    this.#accesses = [];
    const nodes = this.picture.part("pipeline")?.nodes ?? [];
    const cards = kinds.map(([type, title, build]) => {
      const entries = nodes.filter((node) => node.type === type).map((node) => {
        const access = new NodeAccess(this.picture, this.link, node, this.tell);
        this.#accesses.push(access);
        return build(access);
      });
      return entries.length === 0 ? null
        : make("section", { class: `card ${title}`, "aria-label": text(title) },
          make("h2", { text: text(title) }), make("ul", {}, entries));
    });
    this.element.replaceChildren(...cards.filter((card) => card !== null));
  }
}

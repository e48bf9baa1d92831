// The stage view: the current song, scene and cue, the next ones, and the buttons for them.

import { guarded } from "./access.js";
import { fit, fixed, icon, inNextFrame, make, setAttribute, setText, text } from "./dom.js";
import { Bar } from "./levels.js";
import { PartCards } from "./parts.js";
import { onPreference, preferences } from "./preferences.js";
import { button, Guard, noGuard, setIdle, setOn, steps } from "./press.js";
import { ProblemCard } from "./problems.js";
import { BeatLamp } from "./tempo.js";
import { TunerCard } from "./tuner.js";
import { onScreen, screenText } from "./wake.js";

/** The name of an entry of a list next to the current one; `null` at the end. */
function neighbour(names, index, step) { return index < 0 ? null : names[index + step] ?? null; }

/** The view for playing. */
export class StageView {
  #picture;
  #link;
  #tell;
  #levels;
  #lamp = new BeatLamp();
  #pads = {};
  #padNames = "";
  #bars = [];
  #limiter = make("p", { class: "limiter" });
  #meters = make("section", { class: "card levels" });
  #machine = make("section", { class: "card machine" });
  #problems;
  #parts;
  #fits = () => this.#fit();

  #songNumber = make("span", { class: "number" });
  #song = make("h1", { class: "song" });
  #nextSong = make("p", { class: "next-song" });
  #scene = make("p", { class: "scene" });
  #nextScene = make("p", { class: "next-scene" });
  #sceneLabel = make("span", { class: "label" });
  #sceneBox = make("div", { class: "scene-box" });
  #notes = make("div", { class: "notes" });
  #muted = make("p", { class: "muted", role: "status" });
  #now = make("section", { class: "now" });
  #scroll = make("div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": text("stage") });
  #dock = make("section", { class: "dock", "aria-label": text("controls") });

  element = make("main", { class: "stage", id: "stage" });

  constructor(picture, link, levels, tell) {
    this.#picture = picture;
    this.#link = link;
    this.#levels = levels;
    this.#tell = tell;
    this.tuner = new TunerCard(picture, levels, (input) => this.#set("tuner", input));
    this.#problems = new ProblemCard(picture);
    this.#parts = new PartCards(picture, link, tell);
    this.#sceneBox.append(this.#sceneLabel, this.#scene, this.#nextScene);
    this.#now.append(this.#muted, this.#songNumber, this.#song, this.#nextSong, this.#sceneBox,
      this.#notes);
    this.element.append(
      this.#scroll, this.#dock);
    this.#scroll.append(this.#now, make("div", { class: "cards" }, this.#problems.element,
      this.tuner.element, this.#meters, this.#parts.element, this.#machine));
    this.#machine.setAttribute("aria-label", text("machine"));
    this.#makePads();
    picture.listen((news) => this.#follow(news));
    onPreference(() => this.#arrange());
    onScreen(() => this.#showMachine());
    new ResizeObserver(() => inNextFrame(this.#fits)).observe(this.#scroll);
    document.fonts?.ready.then(() => inNextFrame(this.#fits));
    levels.listen(() => this.#showLoad());
  }

  /** The number of problems that are shown. */
  get problemCount() { return this.#problems.count; }

  /** Moves the focus and the page to the problems. */
  showProblems() {
    this.#problems.element.scrollIntoView({ block: "start" });
    this.#problems.element.focus({ preventScroll: true });
  }

  /** Performs the action of a button or a key. */
  act(name) {
    if (["song", "scene"].some((kind) => name.endsWith(kind))) return this.#step(name);
    switch (name) {
      case "mute": return this.#set("mute", this.#picture.value("mute") !== true);
      case "tap": return this.#tap();
      default: return this.#perform(name);
    }
  }

  /** Acts for a key, through the guard of the button. */
  press(name) {
    const guard = name === "tap" ? noGuard : this.#pads[name]?.guard ?? steps;
    if (guard.pass()) this.act(name);
  }

  #set(address, value) { this.#link.set(address, value).then((answer) => this.#tell(answer)); }

  #perform(action) {
    this.#link.perform(action, (answer) => this.#tell(answer)).then((answer) => {
      this.#tell(answer);
      if (action === "panic" && answer?.answer === "done") {
        this.#tell({ answer: "note", message: text("panicDone") });
      }
    });
  }

  #tap() {
    this.#lamp.tap();
    this.#link.perform("tap").then((answer) => {
      if (answer?.answer !== "done") this.#tell(answer);
    });
  }

  /** Performs a step, or says that the list ends here. */
  #step(name) {
    const [direction, kind] = name.split("-");
    const { names, index } = kind === "song" ? this.#songs : this.#scenes;
    const isAtEnd = index >= 0 && names[index + (direction === "next" ? 1 : -1)] === undefined;
    if (!isAtEnd || !this.#link.isLive) return this.#perform(name);
    const key = `is${direction === "next" ? "Last" : "First"}${kind === "song" ? "Song" : "Scene"}`;
    this.#tell({ answer: "note", message: text(key, { name: names[index] }) });
  }

  get #songs() {
    const overview = this.#picture.part("overview");
    return { names: (overview?.songs ?? []).map((song) => song.name),
      index: (overview?.song ?? 0) - 1 };
  }

  get #scenes() {
    const names = (this.#picture.part("overview")?.scenes ?? []).map((scene) => scene.name);
    const value = this.#picture.value("scene");
    return { names, index: typeof value === "number" ? value - 1 : names.indexOf(value) };
  }

  get #hasCues() { return this.#picture.value("cue") !== undefined; }

  // The buttons

  #makePads() {
    const pad = (name, guard, ...children) => {
      const element = button({ class: `pad ${name}` }, { guard, isImmediate: true },
        () => this.act(name), ...children);
      guarded(element, name === "mute" ? { request: "set", address: "mute" }
        : { request: "perform", action: name });
      this.#pads[name] = { element, guard, detail: make("span", { class: "detail" }) };
      return element;
    };
    const arrow = (name, key, direction) => {
      const title = make("span", { class: "title" }, direction < 0 ? icon("previous") : null,
        text(key), direction > 0 ? icon("next") : null);
      pad(name, steps, title);
      this.#pads[name].element.append(this.#pads[name].detail);
    };
    arrow("previous-song", "previousSong", -1);
    arrow("next-song", "nextSong", 1);
    arrow("previous-scene", "previousScene", -1);
    arrow("next-scene", "nextScene", 1);
    pad("back", steps, make("span", { class: "title" }, icon("previous"), text("back")));
    this.#pads.back.element.setAttribute("aria-label", text("backLabel"));
    pad("go", steps, make("span", { class: "title", text: text("go") }));
    this.#pads.go.element.append(this.#pads.go.detail);
    const mute = make("span", { class: "title" });
    pad("mute", new Guard(), mute);
    this.#pads.mute.title = mute;
    this.#pads.mute.element.setAttribute("aria-label", text("muteLabel"));
    pad("tap", noGuard, make("span", { class: "title", text: text("tap") }), this.#lamp.element);
    pad("panic", new Guard(), make("span", { class: "title", text: text("panic") }));
    this.#pads.panic.element.setAttribute("aria-label", text("panicLabel"));
  }

  /** Places the buttons that the song has; the order of the last row follows the hand. */
  #arrange() {
    const rows = [];
    if (this.#songs.names.length > 1) rows.push(["previous-song", "next-song"]);
    if (this.#hasCues) rows.push(["back", "go"]);
    else if (this.#scenes.names.length > 0) rows.push(["previous-scene", "go", "next-scene"]);
    const last = ["panic", "tap", "mute"];
    rows.push(preferences.hand === "left" ? last.reverse() : last);
    const names = JSON.stringify(rows);
    if (names === this.#padNames) return;
    if (this.#padNames !== "") for (const { guard } of Object.values(this.#pads)) guard.settle();
    this.#padNames = names;
    this.#dock.replaceChildren(...rows.map((row) => make("div", { class: `row ${row[1]}` },
      row.map((name) => this.#pads[name].element))));
  }

  // The picture

  #follow(news) {
    switch (news.kind) {
      case "snapshot": return this.#showAll();
      case "structure": return this.#build();
      case "part":
        if (news.name === "overview") this.#showNow();
        if (news.name === "status") this.#showMachine();
        return this.#showProblems();
      case "event": return this.#showProblems();
      case "values": return this.#showValues(news.values);
    }
  }

  #showValues(values) {
    if (["scene", "song", "cue", "next-cue", "notes", "color", "mute"].some(
      (address) => address in values)) this.#showNow();
    if ("tempo" in values) this.#showTempo(values.tempo);
    if ("reduced" in values) this.#showProblems();
  }

  #build() {
    this.tuner.build();
    this.#parts.build();
    this.#buildMeters();
  }

  #showAll() {
    this.#showNow();
    this.#showTempo(this.#picture.value("tempo"));
    this.#showProblems();
    this.#showMachine();
  }

  #showTempo(tempo) {
    this.#lamp.show(tempo);
    if (typeof tempo !== "number") return;
    setAttribute(this.#pads.tap.element, "aria-label", text("tapLabel", { tempo: fixed(tempo, 1) }));
  }

  #showNow() {
    const overview = this.#picture.part("overview");
    if (overview === null) return;
    const [songs, scenes] = [this.#songs, this.#scenes];
    const isMuted = this.#picture.value("mute") === true;
    setText(this.#songNumber, songs.names.length > 1
      ? text("songOf", { number: songs.index + 1, count: songs.names.length }) : "");
    setText(this.#song, songs.names[songs.index] ?? overview.name);
    this.#showNextSong(overview, songs);
    this.#showScene(overview, scenes);
    const notes = this.#picture.value("notes") ?? overview.songs[songs.index]?.notes ?? "";
    setText(this.#notes, notes);
    this.#notes.hidden = notes === "";
    const color = this.#picture.value("color") || overview.songs[songs.index]?.color || "";
    this.#now.classList.toggle("has-color", color !== "");
    this.#now.style.setProperty("--song", color === "" ? "transparent" : color);
    setText(this.#muted, isMuted ? text("muted") : "");
    this.element.classList.toggle("is-muted", isMuted);
    setOn(this.#pads.mute.element, isMuted);
    setText(this.#pads.mute.title, text(isMuted ? "unmute" : "mute"));
    this.#arrange();
    inNextFrame(this.#fits);
  }

  #showNextSong(overview, songs) {
    const next = neighbour(songs.names, songs.index, 1);
    const isRefused = next !== null && overview.songs[songs.index + 1]?.refusal;
    setText(this.#nextSong, songs.names.length < 2 ? ""
      : next === null ? text("lastSong")
      : text("nextSongIs", { name: isRefused ? `${next} (${text("songRefused")})` : next }));
    this.#label("previous-song", "previousSongLabel", neighbour(songs.names, songs.index, -1));
    this.#label("next-song", "nextSongLabel", next);
  }

  #showScene(overview, scenes) {
    const hasCues = this.#hasCues;
    this.#sceneBox.hidden = scenes.names.length === 0;
    setText(this.#sceneLabel, text(hasCues ? "cue" : "scene"));
    const previous = neighbour(scenes.names, scenes.index, -1);
    const next = scenes.index < 0 ? scenes.names[0] ?? null
      : neighbour(scenes.names, scenes.index, 1);
    if (hasCues) {
      const [cue, nextCue] = [this.#picture.value("cue"), this.#picture.value("next-cue")];
      setText(this.#scene, cue || text("noCue"));
      const follows = overview.scenes[scenes.index]?.cue?.then ? ` · ${text("follows")}` : "";
      setText(this.#nextScene,
        nextCue ? text("nextCueIs", { name: nextCue }) + follows : text("lastCue"));
      this.#label("go", "goLabel", nextCue || null);
      setText(this.#pads.go.detail, nextCue ?? "");
    } else {
      setText(this.#scene, scenes.names[scenes.index] ?? text("noScene"));
      setText(this.#nextScene, next === null ? text("lastScene")
        : text("nextSceneIs", { name: next }));
      const afterSong = next === null && neighbour(this.#songs.names, this.#songs.index, 1);
      this.#label("go", "goLabel", next ?? (afterSong || null));
    }
    this.#label("previous-scene", "previousSceneLabel", previous);
    this.#label("next-scene", "nextSceneLabel", next);
  }

  /** Shows on a button the song, scene or cue that it calls. */
  #label(name, key, target) {
    const { element, detail } = this.#pads[name];
    const label = target === null
      ? text(key in { goLabel: 0 } ? "go" : key.replace("Label", "None"))
      : text(key, { name: target });
    setAttribute(element, "aria-label", label);
    setText(detail, target ?? "");
    setIdle(element, target === null);
  }

  #fit() {
    if (this.#song.offsetParent === null) return;
    // The lines between them, and notes of two lines, fit below without scrolling.
    const rest = 130 + Math.min(90, this.#notes.offsetHeight) + this.#muted.offsetHeight;
    const free = Math.min(this.#scroll.clientHeight - rest, innerHeight * 0.42);
    const [song, scene] = [Math.max(34, free * 0.62), Math.max(28, free * 0.34)];
    fit(this.#song, { smallest: 26, largest: Math.min(170, song), height: song });
    fit(this.#scene, { smallest: 20, largest: Math.min(96, scene * 0.9), height: scene });
  }

  #showProblems() { this.#problems.show(); }

  #buildMeters() {
    this.#levels.remove(this.#bars);
    this.#bars = [];
    const rows = (this.#picture.part("meters") ?? []).map((meter, channel) => {
      if (meter.direction !== "input" && meter.direction !== "output") return null;
      const isInput = meter.direction === "input";
      const name = text(isInput ? "inputLevel" : "outputLevel", { name: meter.port });
      const number = make("span", { class: "level", "aria-hidden": "true" });
      const clip = button({ class: "clip", hidden: true,
        "aria-label": text("clearClip", { name }) }, {}, () => bar.clear(), text("clip"));
      const bar = new Bar([channel], name, { number, clip });
      this.#bars.push(bar);
      this.#levels.add(bar);
      return make("li", { class: isInput ? "input" : "output" },
        make("span", { class: "name", text: meter.port }), bar.element, number, clip);
    });
    this.#meters.setAttribute("aria-label", text("levels"));
    this.#meters.replaceChildren(make("h2", { text: text("levels") }),
      make("ul", {}, rows.filter((row) => row !== null)), this.#limiter);
    this.#meters.hidden = this.#bars.length === 0;
  }

  #load = make("dd");
  #loadAt = 0;
  /** The load of each core, if nodes run on several. */
  #cores = [make("dt", { text: text("cores") }), make("dd")];
  #latency = make("dd");
  #xruns = make("dd");
  #screen = make("p", { class: "screen" });

  #showMachine() {
    const status = this.#picture.part("status");
    const session = this.#picture.part("session");
    const limit = -(status?.limiter_gain_db ?? 0);
    this.#limiter.hidden = limit < 0.1;
    setText(this.#limiter, limit < 0.1 ? "" : text("limiter", { amount: fixed(limit, 1) }));
    const rate = session?.sample_rate;
    setText(this.#latency, status && rate ? text("milliseconds",
      { value: fixed((1000 * status.round_trip_frames) / rate, 1) }) : "–");
    setText(this.#xruns, String(status?.xruns ?? 0));
    const loads = status?.core_loads ?? [];
    for (const element of this.#cores) element.hidden = loads.length === 0;
    setText(this.#cores[1], loads.map((load) =>
      text("percent", { value: Math.round(100 * load) })).join(" · "));
    setText(this.#screen, screenText());
    if (this.#machine.childElementCount > 0) return;
    this.#machine.append(make("h2", { text: text("machine") }),
      make("dl", {}, make("dt", { text: text("load") }), this.#load, this.#cores,
        make("dt", { text: text("latency") }), this.#latency,
        make("dt", { text: text("interruptions") }), this.#xruns), this.#screen);
  }

  #showLoad() {
    const now = performance.now();
    if (now - this.#loadAt < 500) return;
    this.#loadAt = now;
    const { mean, worst } = this.#levels.load;
    setText(this.#load, text("loadValue",
      { mean: Math.round(100 * mean), worst: Math.round(100 * worst) }));
  }
}

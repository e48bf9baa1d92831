// The edit mode of the setlist view: order, names, notes, gain and color of the songs.

import { guarded } from "./access.js";
import { make, setText, text } from "./dom.js";
import { drag } from "./drag.js";
import { historyButtons } from "./editor.js";
import { field } from "./panel.js";
import { button, setOn } from "./press.js";

/** The edits of the setlist. */
export class SetlistEdit {
  #picture;
  #editor;
  #isOn = false;
  #opened = null;
  #focus = null;
  #onTurn;
  #list = make("ol", { class: "song-edits" });
  #add;

  toggle = guarded(button({ class: "setlist-toggle", "aria-pressed": "false" }, {},
    () => this.#turn(!this.#isOn), text("edit")), { request: "edit" });
  element;

  /** @param onTurn Is called when the mode begins or ends. */
  constructor(picture, editor, view, onTurn) {
    this.#picture = picture;
    this.#editor = editor;
    this.#onTurn = onTurn;
    this.#add = field(text("addSong"), "", { act: text("add"), attributes: { required: true,
      spellcheck: "false", autocapitalize: "off", placeholder: "song.json" } }, (file) => {
      if (file === "") return;
      this.#change(text("nameAdd", { name: file }), () =>
        [{ op: "add", path: "/songs/-", value: { pipeline: file } }]).then((isDone) => {
        if (isDone) this.#add.input.value = "";
      });
    });
    this.element = make("div", { class: "setlist-edit", hidden: true },
      make("div", { class: "edit-bar", role: "toolbar", "aria-label": text("editBar") },
        historyButtons(picture, editor, () => this.#isOn && !view.hidden)),
      this.#list, this.#add, make("p", { class: "label", text: text("addSongHint") }));
    picture.listen((news) => {
      if (news.kind === "snapshot" || (news.kind === "part"
        && ["overview", "files"].includes(news.name))) this.#follow();
    });
  }

  get isOn() { return this.#isOn; }

  #turn(isOn) {
    this.#isOn = isOn;
    this.#opened = null;
    setOn(this.toggle, isOn);
    setText(this.toggle, text(isOn ? "editDone" : "edit"));
    this.element.hidden = !isOn;
    this.#onTurn(isOn);
    this.#follow();
  }

  #follow() {
    const path = this.#editor.files.setlist;
    this.toggle.hidden = path === null;
    if (path === null && this.#isOn) return this.#turn(false);
    if (this.#isOn) this.#show(path);
  }

  async #show(path) {
    let content;
    try {
      content = await this.#editor.files.read(path);
    } catch {
      return;
    }
    const names = this.#picture.part("overview")?.songs ?? [];
    const focus = this.#focus ?? document.activeElement?.dataset?.edit ?? null;
    this.#focus = null;
    const typing = this.#list.contains(document.activeElement)
      && document.activeElement.matches("input, textarea");
    if (typing && this.#opened !== null) return;
    this.#list.replaceChildren(...(content.value.songs ?? []).map((song, index, all) =>
      this.#row(song, song.name ?? names[index]?.name ?? song.pipeline, index, all.length)));
    if (focus !== null) this.#list.querySelector(`[data-edit="${CSS.escape(focus)}"]`)?.focus();
  }

  #change(words, plan) { return this.#editor.edit(this.#editor.files.setlist, words, plan); }

  #row(song, name, index, count) {
    const same = JSON.stringify(song);
    const act = (key, label, run, mark = text(key)) => button({ "aria-label": label,
      "data-edit": `${key} ${name}` }, {}, run, mark);
    const handle = make("span", { class: "handle", "aria-hidden": "true", text: "⠿",
      title: text("dragSong"), onpointerdown: (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        drag(event, name, { begin: () => this.#gaps(index),
          drop: (gap) => { if (gap !== null) this.#move(same, name, index, gap.to); } });
      } });
    const up = act("up", text("moveUp", { name }), () => this.#move(same, name, index, index - 1,
      `up ${name}`), "▲");
    const down = act("down", text("moveDown", { name }), () =>
      this.#move(same, name, index, index + 1, `down ${name}`), "▼");
    up.disabled = index === 0;
    down.disabled = index === count - 1;
    const row = make("li", {}, make("div", { class: "song-edit" }, handle,
      make("span", { class: "number", text: String(index + 1) }),
      make("strong", { text: name }), make("span", { class: "choices" }, up, down,
        act("details", text("detailsOf", { name }), () => this.#open(row, song, name)),
        act("remove", text("removeOf", { name }), () => this.#remove(same, name)))));
    if (song.color) row.style.setProperty("--song", song.color);
    row.classList.toggle("has-color", Boolean(song.color));
    return row;
  }

  /** Finds a song in a content, which may be newer than the one that is shown. */
  #find(value, same, index) {
    const songs = value.songs ?? [];
    const found = JSON.stringify(songs[index]) === same ? index
      : songs.findIndex((song) => JSON.stringify(song) === same);
    if (found < 0) throw new Error(text("songChanged"));
    return found;
  }

  /** The places between songs to which a song can be dragged. */
  #gaps(index) {
    const rows = [...this.#list.children];
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const gap = (to, row, isBelow, box) => ({ to, x: box.left + 40,
      y: isBelow ? box.bottom : box.top, reach: 2000,
      mark: (isOn) => row.classList.toggle(isBelow ? "takes-below" : "takes-above", isOn) });
    return [...rows.map((row, place) => gap(place > index ? place - 1 : place, row, false,
      boxes[place])), gap(rows.length - 1, rows.at(-1), true, boxes.at(-1))];
  }

  #move(same, name, index, to, focus = null) {
    if (to === index) return;
    this.#focus = focus;
    return this.#change(text("nameMove", { name }), ({ value }) => {
      const from = this.#find(value, same, index);
      return [{ op: "move", from: `/songs/${from}`,
        path: `/songs/${Math.min(Math.max(0, from + to - index), value.songs.length - 1)}` }];
    });
  }

  #remove(same, name) {
    return this.#change(text("nameRemove", { name }), async (content) => {
      const index = this.#find(content.value, same, 0);
      return [...await this.#editor.files.references(content, [["remove-song", name]]),
        { op: "remove", path: `/songs/${index}` }];
    });
  }

  // The details of a song

  #open(row, song, name) {
    const wasOpen = this.#opened === name;
    this.#list.querySelector(".song-form")?.remove();
    this.#opened = wasOpen ? null : name;
    if (wasOpen) return;
    const input = (kind, value, attributes) => {
      const element = make(kind, attributes);
      element.value = value;
      return element;
    };
    const inputs = {
      name: input("input", name, { type: "text", maxlength: 64, required: true }),
      gain: input("input", String(song.gain ?? 0), { type: "number", min: -60, max: 24,
        step: "any" }),
      notes: input("textarea", song.notes ?? "", { rows: 3, maxlength: 1000 }),
      color: input("input", song.color ?? "#888888", { type: "color" }),
    };
    const hasColor = make("input", { type: "checkbox" });
    hasColor.checked = song.color !== undefined;
    inputs.color.addEventListener("input", () => { hasColor.checked = true; });
    const line = (key, element, ...more) => make("div", { class: "line" }, make("label", {},
      make("span", { class: "label", text: text(key) }), element), more);
    const form = make("form", { class: "song-form", "aria-label": text("detailsOf", { name }) },
      line("songName", inputs.name), line("songGainField", inputs.gain),
      line("notes", inputs.notes),
      line("songColor", inputs.color, make("label", { class: "option" }, hasColor,
        make("span", { text: text("useColor") }))),
      make("div", { class: "choices" }, make("button", { type: "submit", text: text("save") }),
        button({}, {}, () => {
          this.#opened = null;
          form.remove();
          row.querySelector("[data-edit^=details]").focus();
        }, text("cancel"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(song, name, { name: inputs.name.value.trim(), gain: Number(inputs.gain.value),
        notes: inputs.notes.value.trim(), color: hasColor.checked ? inputs.color.value : "" });
    });
    row.append(form);
    inputs.name.focus();
  }

  async #save(song, name, goal) {
    const same = JSON.stringify(song);
    const opened = this.#opened;
    this.#opened = null;
    this.#focus = `details ${goal.name}`;
    const isDone = await this.#change(text("nameChange", { name }), async (content) => {
      const path = `/songs/${this.#find(content.value, same, 0)}`;
      const operations = [];
      for (const [key, none] of [["name", name], ["gain", 0], ["notes", ""], ["color", ""]]) {
        const value = goal[key];
        if (value === (song[key] ?? none)) continue;
        operations.push(value === none && key !== "name" ? { op: "remove", path: `${path}/${key}` }
          : { op: key in song ? "replace" : "add", path: `${path}/${key}`, value });
      }
      const changes = goal.name === name ? [] : [["rename-song", name, goal.name]];
      return [...await this.#editor.files.references(content, changes), ...operations];
    });
    if (!isDone) this.#opened = opened;
  }
}

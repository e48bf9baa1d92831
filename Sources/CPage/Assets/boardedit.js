// The edit mode of the board: what each gesture there does to the files.

import { guarded } from "./access.js";
import { make, setText, text } from "./dom.js";
import { CablePanel, settingsOf } from "./cables.js";
import { ConnectPanel } from "./connect.js";
import { historyButtons } from "./editor.js";
import { addAtEnd, addOnCable, connect, disconnect, duplicateNode, moveNode, newNode, removeInput,
  removeNode, replaceType } from "./gestures.js";
import { settingOperations, settingsForm } from "./nodesettings.js";
import { NodeTools } from "./nodetools.js";
import { Palette, fetchType, fetchTypes } from "./palette.js";
import { Panel } from "./panel.js";
import { button, setOn } from "./press.js";
import { bindingsPanel, scenesPanel, signalsPanel } from "./songparts.js";
import { Wiring, pointer } from "./wiring.js";

/** The edits of the board; outside its mode, no touch edits. */
export class BoardEdit {
  #picture;
  #editor;
  #tell;
  #view;
  #tools = new NodeTools(this);
  #connectPanel;
  #cables;
  #isOn = false;
  /** What the next chosen cable receives: `{label, put(from, to), end}`. */
  #placing = null;
  #words = make("span");
  #end = button({}, {}, () => this.#put(null, null), text("atTheEnd"));
  #banner = make("div", { class: "placing", hidden: true }, make("span", { role: "status" }, this.#words),
    this.#end, button({}, {}, () => this.#cancel(), text("cancel")));

  panel = new Panel(() => this.#view.giveFocus());
  toggle = guarded(button({ class: "edit-toggle", "aria-pressed": "false" }, {},
    () => this.#turn(!this.#isOn), text("edit")), { request: "edit" });
  bar;

  /**
   * @param view What the board offers: `focusOn(name)` gives a node the focus when it is drawn, and
   *   `giveFocus()` tries that again, `showNode(id)`, `closeSheet()`, `refresh()`, and `isShown()`.
   */
  constructor(picture, editor, tell, view) {
    this.#picture = picture;
    this.#editor = editor;
    this.#tell = tell;
    this.#view = view;
    this.#connectPanel = new ConnectPanel(picture, this);
    this.#cables = new CablePanel(picture, this);
    const tool = (key, act) => button({}, {}, act, text(key));
    this.bar = make("div", { class: "edit-bar", role: "toolbar", "aria-label": text("editBar"),
      hidden: true },
    historyButtons(picture, editor, () => this.#isOn && view.isShown()),
    tool("addNode", () => this.openPalette()),
    tool("scenes", () => scenesPanel(picture, this)),
    tool("signals", () => signalsPanel(picture, this)),
    tool("controls2", () => bindingsPanel(picture, this)), this.#banner);
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || !this.isPlacing) return;
      event.preventDefault();
      this.#cancel();
    });
  }

  get isOn() { return this.#isOn; }
  get files() { return this.#editor.files; }

  #turn(isOn) {
    this.#isOn = isOn;
    setOn(this.toggle, isOn);
    setText(this.toggle, text(isOn ? "editDone" : "edit"));
    this.bar.hidden = !isOn;
    this.#place(null);
    this.panel.close();
    this.#view.refresh();
    if (isOn) fetchTypes().catch(() => {});
  }

  /** Returns the elements in the drawing: the buttons of cables, and the handles of outputs. */
  marks(drawing, names) { return this.#isOn ? this.#cables.marks(drawing, names) : []; }

  /** Returns the buttons in the sheet of a node. */
  toolsOf(node) { return this.#isOn ? this.#tools.element(node) : null; }

  /** Lets a card be dragged to a cable. */
  drag(event, id) { if (this.#isOn && event.button === 0) this.#cables.dragNode(event, id); }

  showNode(id) { this.#view.showNode(id); }
  closeSheet() { this.#view.closeSheet(); }
  note(message) { this.#tell({ answer: "note", message }); }

  // Choosing a place

  get isPlacing() { return this.#placing !== null; }

  #place(placing) {
    this.#placing = placing;
    this.#banner.hidden = placing === null;
    this.#end.hidden = placing?.end !== true;
    setText(this.#words, placing === null ? "" : text("chooseCable", { name: placing.label }));
    this.#cables.name(placing?.label ?? null);
    if (placing !== null) this.#cables.focus();
  }

  #cancel() {
    this.#place(null);
    this.#view.focusOn(null);
  }

  /** Puts what waits on a cable. */
  choose(from, to) {
    if (this.#placing === null) return this.#cables.open(from, to);
    return this.#put(from, to);
  }

  #put(from, to) {
    const { put } = this.#placing;
    this.#place(null);
    return put(from, to);
  }

  beginMove(id) {
    this.closeSheet();
    this.#place({ label: id, put: (from, to) => this.move(id, from, to) });
  }

  /** Opens the palette for a cable, or to choose a place afterwards. */
  openPalette(from = null, to = null) {
    const chosen = async (type) => {
      if (type.problem !== null) return this.note(text("cannotUse", { reason: type.problem }));
      const settings = await settingsOf(type, this.panel);
      this.panel.close();
      if (from !== null) return this.add(type, settings, from, to);
      this.#place({ label: type.label, end: true,
        put: (...cable) => this.add(type, settings, ...cable) });
    };
    const palette = new Palette(chosen, from !== null ? null : (event, type, use) =>
      this.#cables.dragType(event, type.label, async (...cable) => {
        use();
        const settings = await settingsOf(type, this.panel);
        this.panel.close();
        return this.add(type, settings, ...cable);
      }));
    this.closeSheet();
    this.panel.open(from === null ? text("addNode") : text("addOn", { from, to }),
      palette.content, () => {}, palette.search);
    palette.load();
  }

  openReplace(id) {
    const palette = new Palette(async (type) => {
      if (type.problem !== null) return this.note(text("cannotUse", { reason: type.problem }));
      const settings = await settingsOf(type, this.panel);
      this.panel.close();
      this.replace(id, type, settings);
    });
    this.closeSheet();
    this.panel.open(text("replaceOf", { name: id }), palette.content, () => {}, palette.search);
    palette.load();
  }

  openConnect(name, target = null) {
    this.closeSheet();
    this.#connectPanel.open(name, target);
  }

  // Files

  /** Returns the path of the file that has a node or an output. */
  async home(name) {
    const { setlist, song } = this.files;
    if (setlist === null) return song;
    const { value } = await this.files.read(setlist);
    const isOuter = [...(value.before ?? []), ...(value.after ?? [])]
      .some((node) => node.id === name) || name in (value.outputs ?? {});
    return isOuter ? setlist : song;
  }

  async #wiring(content) {
    const nodes = this.#picture.part("pipeline")?.nodes ?? [];
    const { setlist, song } = this.files;
    const songOutput = content.path === setlist && song !== null
      ? Object.keys((await this.files.read(song)).value.outputs ?? { out: {} })[0] : undefined;
    return new Wiring(content.value, {
      songOutput, isMixer: (raw) => raw.type === "mixer",
      isSource: (raw) => raw.from === undefined && raw.ports === undefined
        && (raw.type === "player" || nodes.some((node) => node.id === raw.id
          && node.from.length === 0)),
    });
  }

  /**
   * Makes an edit of the wiring.
   *
   * @param name A node or an output in the file, or `null` for the song.
   * @param gesture Receives the wiring and the content; returns the references that change, or
   *   `{changes, operations}`.
   */
  async #rewire(name, words, gesture, focus) {
    this.#view.focusOn(focus);
    const path = name === null ? this.files.song : this.home(name);
    const isDone = await this.#editor.edit(path, words, async (content) => {
      const wiring = await this.#wiring(content);
      const result = await gesture(wiring, content);
      const { changes, operations = [] } = Array.isArray(result) ? { changes: result } : result;
      const all = [...changes, ...wiring.strips()].filter((each, index, list) =>
        list.findIndex((other) => other.join() === each.join()) === index);
      return [...await this.files.references(content, all), ...operations, ...wiring.patch()];
    });
    if (!isDone) this.#view.focusOn(undefined);
    return isDone;
  }

  /** Makes an edit of the song, or of another file, without a change of the wiring. */
  change(words, plan, path = this.files.song) { return this.#editor.edit(path, words, plan); }

  // Edits

  async add(type, settings, from, to) {
    let id = null;
    const words = text("nameAdd", { name: type.label });
    const gesture = (wiring) => {
      const node = newNode(wiring, type, settings);
      id = node.id;
      this.#view.focusOn(id);
      if (from !== null) return addOnCable(wiring, from, to, node);
      const [output] = wiring.outputs;
      if (output === undefined) throw new Error(text("noOutput"));
      return addAtEnd(wiring, output.name, node);
    };
    return this.#rewire(to, words, gesture, null);
  }

  remove(id) {
    this.closeSheet();
    return this.#rewire(id, text("nameRemove", { name: id }), (wiring) => removeNode(wiring, id), null);
  }

  move(id, from, to) {
    return this.#rewire(id, text("nameMove", { name: id }),
      (wiring) => moveNode(wiring, id, from, to), id);
  }

  duplicate(id) {
    this.closeSheet();
    return this.#rewire(id, text("nameDuplicate", { name: id }), (wiring) => {
      const { id: copy, changes } = duplicateNode(wiring, id);
      this.#view.focusOn(copy);
      return changes;
    }, id);
  }

  async rename(id, name) {
    const { shown } = this.panel;
    this.#view.focusOn(name);
    const isDone = await this.change(text("nameRename", { name: id, to: name }),
      (content) => this.files.references(content, [["rename-node", id, name]]), this.home(id));
    if (!isDone) this.#view.focusOn(undefined);
    else this.panel.close(shown);
    return isDone;
  }

  async replace(id, type, settings) {
    return this.#rewire(id, text("nameReplace", { name: id, to: type.label }),
      async (wiring, content) => replaceType(wiring, content.value, id, type,
        await fetchType(type.type), settings), id);
  }

  connect(signal, to, options) {
    const pipeline = this.#picture.part("pipeline");
    const channels = (name) => [...pipeline.inputs.map((each) => [each.name, each.channels]),
      ...pipeline.nodes.map((each) => [each.id, each.channels])]
      .find(([each]) => each === name)?.[1] ?? 1;
    const { shown } = this.panel;
    return this.#rewire(to, text("nameConnect", { from: signal, to }),
      (wiring) => connect(wiring, signal, to, { channels, ...options }), to)
      .then((isDone) => { if (isDone) this.panel.close(shown); return isDone; });
  }

  disconnect(from, to) {
    return this.#rewire(to, text("nameDisconnect", { from, to }),
      (wiring) => disconnect(wiring, from, to), to);
  }

  removeInput(name) {
    return this.#rewire(null, text("nameRemove", { name }), (wiring, content) => {
      const changes = removeInput(wiring, name);
      const { inputs } = content.value;
      return { changes, operations: inputs === undefined
        ? [{ op: "add", path: "/inputs", value: {} }]
        : [{ op: "remove", path: `/inputs/${pointer(name)}` }] };
    }, undefined);
  }

  /** Opens the panel with the settings of a node. */
  async openSettings(id) {
    try {
      const { raw } = await this.#raw(id);
      const about = await fetchType(raw.type === "lv2" ? raw.uri : raw.type);
      const { content, focus } = settingsForm(about, raw.settings,
        (changes) => this.#changeSettings(id, changes));
      this.closeSheet();
      this.panel.open(text("settingsOf", { name: id }), content, () => this.showNode(id));
      focus();
    } catch (error) {
      this.note(error.message);
    }
  }

  async #changeSettings(id, changes) {
    const { shown } = this.panel;
    const isDone = await this.change(text("nameSettings", { name: id }), ({ value }) => {
      const { raw, path } = rawNode(value, id);
      return settingOperations(raw.settings, `${path}/settings`, changes);
    }, this.home(id));
    if (isDone) this.panel.close(shown);
  }

  async isBypassed(id) { return (await this.#raw(id)).raw.bypass === true; }

  async #raw(id) {
    const { value } = await this.files.read(await this.home(id));
    return rawNode(value, id);
  }

  async bypass(id) {
    const wasOn = this.isBypassed(id);
    const name = wasOn.then((isOn) => text(isOn ? "nameUnbypass" : "nameBypass", { name: id }));
    const isDone = await this.change(name,
      async ({ value }) => {
        const { raw, path } = rawNode(value, id);
        return await wasOn ? [{ op: "remove", path: `${path}/bypass` }]
          : [{ op: "bypass" in raw ? "replace" : "add", path: `${path}/bypass`, value: true }];
      }, this.home(id));
    this.#view.refresh();
    return isDone;
  }
}

function rawNode(value, id) {
  for (const key of ["nodes", "before", "after"]) {
    const index = (value[key] ?? []).findIndex((node) => node.id === id);
    if (index >= 0) return { raw: value[key][index], path: `/${key}/${index}` };
  }
  throw new Error(text("noNode", { name: id }));
}

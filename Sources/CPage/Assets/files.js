// Files: the files that play, the files in their folders, and what can be sent there.

import { choose, inform, openDialog } from "./dialogs.js";
import { clock, fixed, make, text } from "./dom.js";

/** The largest file that the server accepts, in bytes. */
const mostBytes = 512 * 2 ** 20;

/** Returns the part of a path after its last slash. */
function baseName(path) { return path.slice(path.lastIndexOf("/") + 1); }

/** Returns a path with its special characters escaped, except the slashes. */
function escaped(path) { return path.split("/").map(encodeURIComponent).join("/"); }

/** Fetches from the server; an answer that is no JSON, or none at all, becomes an error. */
async function ask(target, options = {}) {
  try {
    const response = await fetch(target, { cache: "no-store", ...options });
    const body = await response.text();
    let json = null;
    try { json = JSON.parse(body); } catch { json = { error: body }; }
    return { ok: response.ok, status: response.status, body, json,
      tag: response.headers.get("ETag")?.replaceAll('"', "") ?? null };
  } catch {
    return { ok: false, status: 0, body: "", json: { error: text("notSentAway") }, tag: null };
  }
}

/** Shows why the server has refused a request. */
function explain(title, { json }) {
  inform(title, make("p", { text: json.error }),
    make("ul", { class: "edit-errors" }, (json.diagnostics ?? []).map((error) =>
      make("li", { text: text("editError", error) }))));
}

/** Returns the entry of the part `files` with a path; `undefined` without one. */
function entryOf(picture, path) {
  return picture.part("files")?.find((each) => each.file === path);
}

/** Returns the value in a file at a JSON pointer; `undefined` without one. */
export function at(json, pointer) {
  return pointer.split("/").slice(1).reduce((value, step) =>
    value?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], json);
}

/**
 * Sends a file into the folder of a file that plays; asks before it replaces another one.
 *
 * @returns The answer; `null` if the file was not written.
 */
async function upload(number, path, content, type) {
  if (content.size > mostBytes) {
    inform(text("notSent", { name: baseName(path) }), make("p", { text: text("fileTooLarge") }));
    return null;
  }
  const target = `/api/library/${number}/${escaped(path)}`;
  const send = (fields) => ask(target, { method: "PUT", body: content,
    headers: { "Content-Type": type, ...fields } });
  let answer = await send({});
  if (answer.status === 409 && answer.json.tag) {
    const choice = await choose(text("fileExists", { name: baseName(path) }),
      [text("replaceQuestion", { name: baseName(path) })], [["replace", text("replaceFile")]]);
    if (choice === null) return null;
    answer = await send({ "If-Match": `"${answer.json.tag}"` });
  }
  if (answer.ok) return answer.json;
  explain(text("notSent", { name: baseName(path) }), answer);
  return null;
}

/** Creates a field to choose a file of this device; `receive` gets the file. */
function fileField(label, accept, receive) {
  const input = make("input", { type: "file", accept, class: "unseen", "aria-label": label });
  input.addEventListener("change", () => {
    const [file] = input.files;
    input.value = "";
    if (file !== undefined) receive(file);
  });
  return [make("button", { type: "button", class: "close", text: label,
    onclick: () => input.click() }), input];
}

// The files of a node

const soundTypes = ".wav,.flac,.ogg,.oga,.opus,.mp3,.aif,.aiff,.aifc,.caf,.au,.w64,audio/*";

/** Returns the facts about a file of a list in words. */
function factsOf(file) {
  if (file.readable === false) return text("notReadable");
  const size = text("megabytes", { value: fixed(file.bytes / 1e6, file.bytes < 1e7 ? 1 : 0) });
  if (file.seconds === undefined) return size;
  return [file.seconds < 10 ? text("secondsLong", { value: fixed(file.seconds, 2) })
    : clock(file.seconds), text("channels", { count: file.channels }),
  text("kilohertz", { value: fixed(file.sample_rate / 1000, 1) }), size].join(" · ");
}

function pathOf(item) { return typeof item === "string" ? item : item?.file; }

/** Returns a list without a path, which was at an index when the user saw it. */
function withoutPath(list, path, index) {
  const place = pathOf(list[index]) === path ? index
    : list.findIndex((each) => pathOf(each) === path);
  return place < 0 ? list : list.toSpliced(place, 1);
}

/** Opens the picker for a setting of a node that names a file, or a list of files. */
async function pickFile(picture, editor, node, setting) {
  const { file, pointer } = node.place;
  const number = entryOf(picture, file)?.number;
  const title = text("chooseFile", { node: node.id, setting: setting.setting });
  if (number === undefined) return;
  const list = make("div", { class: "fitting" });
  const chosen = make("ul", { class: "chosen" });
  const dialog = openDialog(title, chosen, list,
    ...fileField(text("sendFile"), setting.kind === "sound" ? soundTypes : "", async (sent) => {
      const done = await upload(number, sent.name, sent, sent.type || "application/octet-stream");
      if (done !== null) showFiles();
    }),
    make("button", { type: "button", class: "close", text: text("close"),
      onclick: () => dialog.close() }));

  /** Changes the setting in the file; `change` gets the present value and returns the new one. */
  async function edit(name, change) {
    const isDone = await editor.edit(file, name, (content) => {
      const settings = at(content.value, `${pointer}/settings`);
      const value = change(settings?.[setting.setting]);
      return [settings === undefined
        ? { op: "add", path: `${pointer}/settings`, value: { [setting.setting]: value } }
        : { op: "add", path: `${pointer}/settings/${setting.setting}`, value }];
    });
    if (!isDone) return;
    if (setting.list) await showChosen();
    else dialog.close();
  }

  async function showChosen() {
    if (!setting.list) return;
    const content = await editor.files.read(file).catch(() => null);
    const items = at(content?.value, `${pointer}/settings/${setting.setting}`) ?? [];
    chosen.replaceChildren(...items.map((item, index) => {
      const path = pathOf(item);
      return make("li", {}, make("span", { text: path }),
        items.length < 2 ? null : make("button", { type: "button", text: text("removeFile"),
          "aria-label": text("removeNamed", { name: path }),
          onclick: () => edit(text("editFile", { node: node.id, file: baseName(path) }),
            (value) => withoutPath(value, path, index)) }));
    }));
  }

  async function showFiles() {
    list.replaceChildren(make("p", { class: "label", text: text("reading") }));
    const answer = await ask(`/api/library/${number}`);
    if (!answer.ok) return list.replaceChildren(make("p", { text: answer.json.error }));
    const folder = answer.json.folder;
    const fitting = answer.json.files.filter((each) => setting.kind === null
      ? each.kind !== "pipeline" : each.kind === setting.kind);
    list.replaceChildren(
      make("p", { class: "label", text: text("folderOf", { folder }) }),
      ...(fitting.length === 0 ? [make("p", { text: text("noFittingFile") })] : []),
      ...fitting.map((each) => {
        const isOn = setting.paths.includes(folder + each.path)
          || setting.paths.includes(each.path);
        return make("button", { type: "button", class: "fit", "aria-pressed": String(isOn),
          disabled: each.readable === false,
          onclick: () => edit(text("editFile", { node: node.id, file: baseName(each.path) }),
            (value) => setting.list ? [...value ?? [], each.path] : each.path) },
        make("span", { class: "about" }, make("strong", { text: each.path }),
          make("span", { class: "label", text: factsOf(each) })));
      }),
      ...(answer.json.truncated ? [make("p", { text: text("moreFiles") })] : []));
  }
  await Promise.all([showChosen(), showFiles()]);
}

/** Creates the part of a sheet with the files of a node; `null` if it has none. */
export function nodeFiles(picture, editor, node) {
  const files = (node.files ?? []).filter((each) =>
    node.plugin || each.paths.length > 0 || node.files.length === 1);
  if (files.length === 0 || node.place === null) return null;
  return make("fieldset", { class: "node-files" }, make("legend", { text: text("filesOfNode") }),
    files.map((each) => make("div", { class: "line" },
      make("span", { class: "about" }, make("strong", { text: each.setting }),
        make("span", { class: "label", text: each.paths.length === 0 ? text("noFileChosen")
          : each.paths.map(baseName).join(", ") })),
      make("button", { type: "button", text: text("choose"),
        "aria-label": text("chooseFile", { node: node.id, setting: each.setting }),
        onclick: () => pickFile(picture, editor, node, each) }))));
}

// The presets of a plugin

/** Creates the button for the presets of a plugin; `null` for other nodes. */
export function nodePresets(picture, editor, node, tell) {
  if (!node.plugin || node.place === null || node.stand_in) return null;
  return make("button", { type: "button", class: "presets", text: text("presets"),
    "aria-label": text("presetsOf", { node: node.id }),
    onclick: () => openPresets(picture, editor, node, tell) });
}

async function openPresets(picture, editor, node, tell) {
  const target = `/api/nodes/${encodeURIComponent(node.id)}/presets`;
  const list = make("div", { class: "fitting" },
    make("p", { class: "label", text: text("reading") }));
  const name = make("input", { type: "text", maxlength: "80", "aria-label": text("presetName") });
  const dialog = openDialog(text("presetsOf", { node: node.id }), list,
    make("fieldset", {}, make("legend", { text: text("savePreset") }), name,
      make("button", { type: "button", text: text("save"), onclick: () => save() })),
    make("button", { type: "button", class: "close", text: text("close"),
      onclick: () => dialog.close() }));

  async function show() {
    const answer = await ask(target);
    if (!answer.ok) return list.replaceChildren(make("p", { text: answer.json.error }));
    list.replaceChildren(
      ...(answer.json.length === 0 ? [make("p", { text: text("noPresets") })] : []),
      ...answer.json.map((preset) => make("button", { type: "button", class: "fit",
        onclick: () => apply(preset, answer.json) }, make("strong", { text: preset.label }))));
  }

  async function apply(preset, all) {
    const name = text("editPreset", { node: node.id, name: preset.label });
    const isDone = await editor.edit(node.place.file, name, (content) =>
      application(content, preset, all));
    if (isDone) dialog.close();
  }

  /** Returns the operations that apply a preset; `null` if the user cancels. */
  async function application(content, preset, all) {
    const { pointer } = node.place;
    const { settings, parameters } = at(content.value, pointer) ?? {};
    // The label alone does not identify a preset whose name another one has.
    const value = all.filter((each) => each.label === preset.label).length > 1 ? preset.uri
      : preset.label;
    const operations = [settings === undefined
      ? { op: "add", path: `${pointer}/settings`, value: { preset: value } }
      : { op: "add", path: `${pointer}/settings/preset`, value }];
    const count = Object.keys(parameters ?? {}).length;
    if (count > 0) {
      const choice = await choose(text("applyPreset", { name: preset.label }),
        [text("ownValues", { count, node: node.id })],
        [["all", text("presetAlone")], ["own", text("presetWithValues")]]);
      if (choice === null) return null;
      if (choice === "all") operations.push({ op: "remove", path: `${pointer}/parameters` });
    }
    return operations;
  }

  async function save() {
    const label = name.value.trim();
    if (label === "") return name.focus();
    const put = (query) => ask(`${target}/${encodeURIComponent(label)}${query}`,
      { method: "PUT" });
    let answer = await put("");
    if (answer.status === 409 && /already exists/.test(answer.json.error)) {
      const choice = await choose(text("fileExists", { name: label }),
        [text("replaceQuestion", { name: label })], [["replace", text("replaceFile")]]);
      if (choice === null) return;
      answer = await put("?replace");
    }
    if (!answer.ok) return explain(text("notSent", { name: label }), answer);
    tell({ answer: "note", message: text("presetSaved", { name: label }) });
    name.value = "";
    show();
  }
  await show();
}

// The pipeline files

const emptyPipeline = `{
  "version": 1,
  "inputs": { "in": { "channels": 1 } },
  "outputs": { "out": { "channels": 2, "from": "level" } },
  "nodes": [
    { "id": "level", "type": "gain", "from": "in" }
  ]
}
`;

/** Opens the dialog with the files that play, for new files and for downloads. */
export async function openFiles(picture, editor, tell) {
  const files = picture.part("files") ?? [];
  const setlist = files.find((each) => each.setlist);
  const number = (setlist ?? files[0])?.number;
  if (number === undefined) return;
  const isAdded = make("input", { type: "checkbox" });
  isAdded.checked = setlist !== undefined;
  const name = make("input", { type: "text", maxlength: "100" });
  const source = make("select", {}, make("option", { value: "", text: text("fromNothing") }),
    make("optgroup", { label: text("copyOf") }, files.filter((each) => !each.setlist)
      .map((each) => make("option", { value: `/api/files/${each.number}`,
        text: baseName(each.file) }))));
  const dialog = openDialog(text("files"),
    make("ul", { class: "chosen" }, files.map((each) => make("li", {},
      make("span", { text: baseName(each.file) }),
      make("a", { href: `/api/files/${each.number}?download`, download: baseName(each.file),
        "aria-label": text("downloadNamed", { name: baseName(each.file) }),
        text: text("download") })))),
    make("fieldset", {}, make("legend", { text: text("newPipeline") }),
      make("label", { class: "option" }, make("span", { text: text("fileName") }), name),
      make("label", { class: "option" }, make("span", { text: text("beginWith") }), source),
      make("button", { type: "button", text: text("create"), onclick: () => create() })),
    make("fieldset", {}, make("legend", { text: text("sendPipeline") }),
      ...fileField(text("sendFile"), ".json,application/json", async (sent) =>
        add(sent.name, await sent.text()))),
    setlist === undefined ? null : make("label", { class: "option" }, isAdded,
      make("span", { text: text("addToSetlist") })),
    make("button", { type: "button", class: "close", text: text("close"),
      onclick: () => dialog.close() }));

  async function create() {
    const plain = name.value.trim();
    if (plain === "") return name.focus();
    let body = emptyPipeline;
    if (source.value !== "") {
      const answer = await ask(source.value);
      if (!answer.ok) return explain(text("notSent", { name: plain }), answer);
      body = answer.body;
    }
    await add(plain.endsWith(".json") ? plain : `${plain}.json`, body);
  }

  async function add(path, body) {
    const done = await upload(number, path, body, "application/json");
    if (done === null) return;
    tell({ answer: "note", message: text("fileCreated", { name: done.path }) });
    if (setlist === undefined || !isAdded.checked) return dialog.close();
    const isDone = await editor.edit(setlist.file, text("editAddSong", { name: path }),
      () => [{ op: "add", path: "/songs/-", value: { pipeline: done.path } }]);
    if (isDone) dialog.close();
  }

  const templates = await ask("/api/templates");
  if (templates.ok && templates.json.length > 0) {
    source.append(make("optgroup", { label: text("shipped") }, templates.json.map((each) =>
      make("option", { value: `/api/templates/${escaped(each.name)}`, text: each.name }))));
  }
}

// The panels of the edit mode for the parts of a song that are no nodes: scenes, bindings, inputs
// and outputs.

import { make, setText, text } from "./dom.js";
import { field } from "./panel.js";
import { button } from "./press.js";
import { pointer } from "./wiring.js";

/** Returns a row with a name and buttons: `[key, label, act]`. */
function row(name, facts, buttons) {
  return make("li", {}, make("span", { class: "about" }, make("strong", { text: name }),
    facts === "" ? null : make("span", { class: "label", text: facts })),
  make("span", { class: "choices" }, buttons.map(([key, label, act]) =>
    button({ "aria-label": label }, {}, act, text(key)))));
}

function list(rows, empty) {
  return rows.length === 0 ? make("p", { class: "label", text: empty })
    : make("ul", { class: "song-parts" }, rows);
}

/** Opens a panel again after an edit, if it is done. */
async function then(edit, open) { if (await edit) await open(); }

/**
 * Shows a form with another name for a part of the song.
 *
 * @param hint Shows why a name cannot be used.
 * @param send Receives the new name, which differs from the old one.
 */
function openRename(acts, name, hint, open, send, ...notes) {
  setText(hint, "");
  const form = field(text("newName"), name, { act: text("rename"),
    attributes: { maxlength: 64, spellcheck: "false", autocapitalize: "off" } },
  (to) => to === name ? open() : send(to));
  acts.panel.open(text("renameOf", { name }), [form, hint, ...notes], () => {}, form.input);
  form.input.select();
}

// Scenes

/** The values that the song's scenes set, as they are now. */
function valuesOfScenes(picture, scenes) {
  const addresses = new Set(Object.values(scenes).flatMap((scene) => Object.keys(scene)));
  return Object.fromEntries([...addresses].map((address) => [address, picture.value(address)])
    .filter(([address, value]) => address.includes(".") && value !== undefined
      && picture.parameter(address)?.trigger === false));
}

/** Shows the scenes: add, rename, remove. */
export async function scenesPanel(picture, acts) {
  const open = () => scenesPanel(picture, acts);
  const { value } = await acts.files.read(acts.files.song);
  const scenes = value.scenes ?? {};
  const hint = make("p", { class: "label", role: "status" });
  const isFree = (name) => {
    const problem = name === "" ? "" : name in scenes ? text("sceneExists", { name }) : null;
    setText(hint, problem ?? "");
    return problem === null;
  };
  const add = field(text("newScene"), "", { act: text("add"), attributes: { maxlength: 64 } },
    (name) => {
      if (!isFree(name)) return;
      then(acts.change(text("nameAdd", { name }), (content) => {
        const values = valuesOfScenes(picture, content.value.scenes ?? {});
        return content.value.scenes === undefined
          ? [{ op: "add", path: "/scenes", value: { [name]: values } }]
          : [{ op: "add", path: `/scenes/${pointer(name)}`, value: values }];
      }), open);
    });
  const rename = (name) => openRename(acts, name, hint, open, (to) => {
    if (!isFree(to)) return;
    then(acts.change(text("nameRename", { name, to }), (content) =>
      acts.files.references(content, [["rename-scene", name, to]])), open);
  });
  acts.closeSheet();
  acts.panel.open(text("scenes"), [list(Object.keys(scenes).map((name) => row(name, "", [
    ["rename", text("renameOf", { name }), () => rename(name)],
    ["remove", text("removeOf", { name }), () => then(acts.change(text("nameRemove", { name }),
      (content) => acts.files.references(content, [["remove-scene", name]])), open)],
  ])), text("noScenes")), add, hint, make("p", { class: "label", text: text("newSceneHint") })]);
}

// Bindings

/** Returns the control of a binding in words. */
function controlText(binding) {
  const kinds = ["cc", "note", "program", "key-pressure", "key"];
  const kind = kinds.find((each) => each in binding);
  const words = kind !== undefined ? text(`control-${kind}`, { number: binding[kind] })
    : text("bend" in binding ? "control-bend" : "control-pressure");
  return [words, binding.channel === undefined ? "" : text("midiChannel", { number: binding.channel }),
    binding.press === undefined || binding.press === "short" ? "" : text(`press-${binding.press}`)]
    .filter((word) => word !== "").join(", ");
}

/** Returns the target of a binding in words. */
function targetText(binding) {
  if (Array.isArray(binding.to)) {
    return binding.to.map((each) => each.address ?? each).join(", ");
  }
  if (binding.to !== undefined) return binding.to;
  if (binding.scene !== undefined) return text("sceneNamed", { name: binding.scene });
  if (binding.song !== undefined) return text("songNamed", { name: binding.song });
  if (binding.cycle !== undefined) return text("sceneNamed", { name: binding.cycle.join(", ") });
  if (binding.cue !== undefined) return text("cueNamed", { name: binding.cue });
  return binding.action ?? "";
}

/** Lists the bindings of the song and of the setlist; each can be removed. */
export async function bindingsPanel(picture, acts) {
  const open = () => bindingsPanel(picture, acts);
  const { song, setlist } = acts.files;
  const sections = [];
  for (const [path, title] of [[song, text("bindingsOfSong")],
    ...(setlist === null ? [] : [[setlist, text("bindingsOfSetlist")]])]) {
    const { value } = await acts.files.read(path);
    const rows = (value.midi ?? []).map((binding) => {
      const [control, target] = [controlText(binding), targetText(binding)];
      const same = JSON.stringify(binding);
      return row(control, `→ ${target}`, [["remove", text("removeBinding", { control, target }),
        () => then(acts.change(text("nameUnbind", { name: target }), (content) => {
          const index = (content.value.midi ?? [])
            .findIndex((each) => JSON.stringify(each) === same);
          if (index < 0) throw new Error(text("noBinding"));
          return [{ op: "remove", path: `/midi/${index}` }];
        }, path), open)]]);
    });
    sections.push(make("h3", { text: title }), list(rows, text("noBindings")));
  }
  acts.closeSheet();
  acts.panel.open(text("controls2"), [...sections,
    make("p", { class: "label", text: text("learnHint") })]);
}

// Inputs and outputs

function isName(words) { return words !== "" && words.length <= 64 && !/[:.=@/\p{Cc}]/u.test(words); }

/** Returns the operations that rename an input or output, and all references to it. */
async function renameSignal(acts, content, kind, signals, name, to) {
  const all = { ...content.value.inputs, ...content.value.outputs };
  if (to in all || content.value.nodes?.some((node) => node.id === to)) {
    throw new Error(text("nameTaken", { name: to }));
  }
  const operations = await acts.files.references(content, [["rename-signal", name, to]]);
  // A file without inputs or outputs has one with a known name.
  return content.value[kind] !== undefined ? operations
    : [...operations, { op: "add", path: `/${kind}`, value: { [to]: signals[name] } }];
}

/** Shows the inputs and outputs of the song: add, rename and remove. */
export async function signalsPanel(picture, acts) {
  const open = () => signalsPanel(picture, acts);
  const { value } = await acts.files.read(acts.files.song);
  const hint = make("p", { class: "label", role: "status" });
  const facts = (signal) => signal.kind === "midi" ? text("midi")
    : text("channels", { count: signal.channels ?? 1 });
  const section = (kind) => {
    const signals = value[kind] ?? (kind === "inputs" ? { in: { channels: 2 } }
      : { out: { channels: 2 } });
    const remove = (name) => kind === "inputs" ? acts.removeInput(name)
      : acts.change(text("nameRemove", { name }), (content) =>
        content.value.outputs === undefined ? [{ op: "add", path: "/outputs", value: {} }]
          : [{ op: "remove", path: `/outputs/${pointer(name)}` }]);
    const rename = (name) => openRename(acts, name, hint, open, (to) => {
      if (!isName(to)) return setText(hint, text("badName"));
      then(acts.change(text("nameRename", { name, to }), (content) =>
        renameSignal(acts, content, kind, signals, name, to)), open);
    }, make("p", { class: "label", text: text("portsFollow") }));
    const width = make("select", { "aria-label": text("width") }, [["1", text("channels", { count: 1 })],
      ["2", text("channels", { count: 2 })], ["midi", text("midi")]].map(([each, words]) =>
      make("option", { value: each, text: words })));
    const names = [...(value.nodes ?? []).map((node) => node.id),
      ...Object.keys(value.inputs ?? { in: 0 })];
    const from = kind === "inputs" ? null : make("select", { "aria-label": text("sourceOfOutput") },
      names.reverse().map((name) => make("option", { value: name, text: name })));
    const form = field(text(kind === "inputs" ? "newInput" : "newOutput"), "",
      { act: text("add"), attributes: { maxlength: 64, spellcheck: "false", autocapitalize: "off" } },
      (name) => {
        if (!isName(name)) return setText(hint, text("badName"));
        then(acts.change(text("nameAdd", { name }), (content) => {
          const signal = width.value === "midi" ? { kind: "midi" }
            : { ...(width.value === "1" ? {} : { channels: 2 }),
              ...(from === null ? {} : { from: from.value }) };
          const present = content.value[kind];
          if (present !== undefined && name in present) throw new Error(text("nameTaken", { name }));
          return present === undefined
            ? [{ op: "add", path: `/${kind}`, value: { ...signals, [name]: signal } }]
            : [{ op: "add", path: `/${kind}/${pointer(name)}`, value: signal }];
        }), open);
      });
    form.querySelector("button").before(make("span", { class: "choices" }, width, from ?? []));
    return [make("h3", { text: text(kind) }), list(Object.entries(signals).map(([name, signal]) =>
      row(name, facts(signal), [["rename", text("renameOf", { name }), () => rename(name)],
        ["remove", text("removeOf", { name }), () => then(remove(name), open)]])),
    text("noSignals")), form];
  };
  acts.closeSheet();
  acts.panel.open(text("signals"), [...section("inputs"), ...section("outputs"), hint]);
}

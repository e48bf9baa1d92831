// The panel with the settings of a node, as its file gives them.

import { make, readable, setText, text } from "./dom.js";

/** Settings with a list of their own: files, and the presets of a plugin. */
function isListed({ name, kind }) { return ["path", "paths"].includes(kind) || name === "preset"; }

/** The field for one setting; an empty field leaves the setting out of the file. */
class SettingField {
  #setting;
  #input;
  #first;

  element;

  /** @param value The value in the file; `undefined` without one. */
  constructor(setting, value) {
    this.#setting = setting;
    const unset = setting.default === null ? text("settingUnset")
      : text("settingStandard", { value: this.#words(setting.default) });
    const attributes = { "aria-label": text("settingLabel", { name: setting.name }) };
    const choices = this.#choices();
    if (choices !== null) {
      this.#input = make("select", attributes, make("option", { value: "", text: unset }),
        choices.map((each) => make("option", { value: JSON.stringify(each),
          text: this.#words(each) })));
      this.#input.value = value === undefined ? "" : JSON.stringify(value);
    } else {
      const isNumber = ["number", "integer"].includes(setting.kind);
      this.#input = make("input", { type: "text", autocomplete: "off", placeholder: unset,
        spellcheck: "false", autocapitalize: "off", ...(isNumber ? { inputmode: "decimal" } : {}),
        ...attributes });
      this.#input.value = value === undefined ? "" : String(value);
    }
    this.#first = this.#input.value;
    const unit = choices === null && setting.unit ? ` (${setting.unit})` : "";
    this.element = make("label", {}, make("span", { text: setting.name + unit }), this.#input,
      setting.summary ? make("span", { class: "label", text: readable(setting.summary) }) : null);
  }

  get name() { return this.#setting.name; }
  get isChanged() { return this.#input.value.trim() !== this.#first; }
  focus() { this.#input.focus({ preventScroll: true }); }

  /** The value for the file; `undefined` for none. Throws an error with a sentence. */
  get value() {
    const words = this.#input.value.trim();
    if (words === "") return undefined;
    if (this.#choices() !== null) return JSON.parse(words);
    const { name, kind, minimum, maximum } = this.#setting;
    if (!["number", "integer"].includes(kind)) return words;
    const number = Number(words.replace(",", ".").replace("−", "-"));
    const isWhole = kind === "number" || Number.isInteger(number);
    if (!(number >= minimum && number <= maximum) || !isWhole) {
      throw new Error(text(kind === "integer" ? "settingWhole" : "settingRange",
        { name, minimum, maximum }));
    }
    return number;
  }

  #choices() {
    return this.#setting.kind === "toggle" ? [false, true] : this.#setting.choices;
  }

  #words(value) {
    if (typeof value === "boolean") return text(value ? "yes" : "no");
    return this.#setting.unit ? `${value} ${this.#setting.unit}` : String(value);
  }
}

/**
 * Returns the operations that change settings.
 *
 * @param settings The settings in the file; `undefined` without any.
 * @param path The path of the settings.
 * @param changes Pairs of a name and a value; `undefined` removes the setting.
 */
export function settingOperations(settings, path, changes) {
  const next = { ...settings };
  for (const [name, value] of changes) {
    if (value === undefined) delete next[name];
    else next[name] = value;
  }
  if (settings === undefined) {
    return Object.keys(next).length === 0 ? [] : [{ op: "add", path, value: next }];
  }
  if (Object.keys(next).length === 0) return [{ op: "remove", path }];
  return changes.filter(([name, value]) => value !== undefined || name in settings)
    .map(([name, value]) => value === undefined ? { op: "remove", path: `${path}/${name}` }
      : { op: name in settings ? "replace" : "add", path: `${path}/${name}`, value });
}

/**
 * Returns the content of the panel.
 *
 * @param about The type of the node, from the palette.
 * @param settings The settings in the file; `undefined` without any.
 * @param send Receives the pairs that have changed.
 * @returns The elements, and the function that gives the first field the focus.
 */
export function settingsForm(about, settings, send) {
  const fields = about.settings.filter((each) => !isListed(each))
    .map((each) => new SettingField(each, settings?.[each.name]));
  if (fields.length === 0) {
    return { content: [make("p", { text: text("noSettings") })], focus: () => {} };
  }
  const hint = make("p", { class: "refusal", role: "status" });
  const form = make("form", { class: "setting-fields" }, fields.map((each) => each.element), hint,
    make("button", { type: "submit", text: text("apply") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const changes = [];
    for (const each of fields.filter((field) => field.isChanged)) {
      try {
        changes.push([each.name, each.value]);
      } catch (error) {
        // Next to the field: the end of the form may not be visible.
        each.element.after(hint);
        setText(hint, error.message);
        return each.focus();
      }
    }
    setText(hint, "");
    send(changes);
  });
  return { content: [form, make("p", { class: "label", text: text("settingsHint") })],
    focus: () => fields[0].focus() };
}

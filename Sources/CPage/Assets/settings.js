// The dialog with the preferences of this browser.

import { onAccess, ownAccess } from "./access.js";
import { icon, make, setAttribute, setText, text } from "./dom.js";
import { onPreference, prefer, preferences } from "./preferences.js";
import { button } from "./press.js";
import { texts } from "./texts.js";
import { onScreen, screenText } from "./wake.js";

function choice(name, value, label) {
  const input = make("input", { type: "radio", name, value });
  const show = () => { input.checked = preferences[name] === value; };
  input.addEventListener("change", () => prefer(name, value));
  onPreference(show);
  show();
  return make("label", { class: "option" }, input, make("span", { text: label }));
}

function toggle(name, label) {
  const input = make("input", { type: "checkbox", name });
  const show = () => { input.checked = preferences[name]; };
  input.addEventListener("change", () => prefer(name, input.checked));
  onPreference(show);
  show();
  return make("label", { class: "option" }, input, make("span", { text: label }));
}

function group(title, ...children) {
  return make("fieldset", {}, make("legend", { text: title }), children);
}

/** The group of a paired device: its role, its name, and the end of the pairing. */
function deviceGroup(say) {
  const role = make("p", { class: "remark" });
  const name = make("input", { type: "text", maxlength: "40", autocomplete: "off",
    "aria-label": text("pairName") });
  const ask = async (method, body) => {
    try {
      const answer = await fetch("/api/access", { method, body });
      if (!answer.ok) say(text("refused", { reason: (await answer.json()).error }));
    } catch {
      say(text("notSentAway"));
    }
  };
  const rename = make("button", { type: "button", text: text("rename"),
    onclick: () => ask("PUT", JSON.stringify({ name: name.value })) });
  const forget = make("button", { type: "button", text: text("forget"),
    onclick: () => ask("DELETE") });
  const element = group(text("device"), role, name, rename, forget);
  const show = () => {
    const access = ownAccess();
    element.hidden = !access?.device;
    if (element.hidden) return;
    name.value = access.name ?? "";
    const words = { look: "mayLook", play: "mayPlay", edit: "mayEdit" }[access.role];
    setText(role, access.limit === null ? text(words) : text("mayMix", { name: access.limit }));
  };
  onAccess(show);
  show();
  return element;
}

/** Creates the dialog and the two buttons for the head of the page. */
export function makeSettings(picture, say) {
  const screen = make("p", { class: "remark" });
  const version = make("p", { class: "remark" });
  const dialog = make("dialog", { class: "settings", "aria-label": text("settings") },
    make("div", {},
      make("h2", { text: text("settings") }),
      group(text("look"), choice("look", "dark", text("lookDark")),
        choice("look", "light", text("lookLight"))),
      group(text("hand"), choice("hand", "right", text("handRight")),
        choice("hand", "left", text("handLeft"))),
      group(text("screen"), toggle("keepsScreen", text("screenKeep")), screen),
      group(text("keyboard"), toggle("usesKeys", text("keyboardUse")),
        make("dl", { class: "keys" }, texts.keyList.flatMap(([keys, action]) =>
          [make("dt", { text: keys }), make("dd", { text: action })])),
        make("p", { class: "remark", text: text("keyOfSong") })),
      deviceGroup(say), version,
      make("button", { type: "button", class: "close", text: text("close"),
        onclick: () => dialog.close() })));
  const showScreen = () => setText(screen, screenText());
  onScreen(showScreen);
  showScreen();
  const look = button({ class: "plain look" }, {},
    () => prefer("look", preferences.look === "dark" ? "light" : "dark"), icon("light"));
  const showLook = () => setAttribute(look, "aria-label",
    text(preferences.look === "dark" ? "switchToLight" : "switchToDark"));
  onPreference(showLook);
  showLook();
  const open = button({ class: "plain", "aria-label": text("settings") }, {}, () => {
    setText(version, text("version", { version: picture.version }));
    dialog.showModal();
  }, icon("settings"));
  return { dialog, look, open };
}

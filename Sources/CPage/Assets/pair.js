// The view of a device that is not paired: fields for the code and its name.

import { make, setText, text } from "./dom.js";

/** Returns a name for this device, from what the browser says about itself. */
function guessedName() {
  const words = navigator.userAgent;
  for (const name of ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"]) {
    if (words.includes(name)) return text("deviceName", { name });
  }
  return text("deviceName", { name: "" }).trim();
}

/** Returns the code of the link in a QR code, and removes it from the address of the page. */
function linkedCode() {
  const found = /^#pair=(\d{6})$/.exec(location.hash);
  if (found === null) return "";
  history.replaceState(null, "", location.pathname + location.search);
  return found[1];
}

/** The view that covers the page until the device is paired. */
export class PairView {
  #onPaired;
  #code = make("input", { id: "pair-code", type: "text", inputmode: "numeric",
    autocomplete: "one-time-code", maxlength: "7", size: "7", spellcheck: "false",
    "aria-describedby": "pair-how" });
  #name = make("input", { id: "pair-name", type: "text", maxlength: "40", autocomplete: "off",
    enterkeyhint: "go" });
  #send = make("button", { type: "submit", class: "pair-send", text: text("pairSend") });
  #error = make("p", { class: "pair-error", role: "alert" });
  #isSending = false;

  element = make("main", { class: "pair", id: "pair", hidden: true },
    make("form", { onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
      make("h1", { text: text("pairTitle") }),
      make("p", { id: "pair-how", text: text("pairHow") }),
      make("label", { for: "pair-code", text: text("pairCode") }), this.#code,
      make("label", { for: "pair-name", text: text("pairName") }), this.#name,
      this.#send, this.#error));

  /** @param onPaired Is called when the device has got its key. */
  constructor(onPaired) {
    this.#onPaired = onPaired;
    this.#code.value = linkedCode();
    this.#name.value = guessedName();
    addEventListener("hashchange", () => {
      const code = linkedCode();
      if (code !== "") this.#code.value = code;
    });
  }

  /** Whether the view covers the page. */
  get isShown() { return !this.element.hidden; }

  show() {
    if (this.isShown) return;
    this.element.hidden = false;
    (this.#code.value === "" ? this.#code : this.#send).focus();
  }

  hide() {
    this.element.hidden = true;
    this.#code.value = "";
    setText(this.#error, "");
  }

  async #submit() {
    const code = this.#code.value.replace(/\s/g, "");
    if (!/^\d{6}$/.test(code)) return this.#refuse(text("pairDigits"));
    if (this.#isSending) return;
    this.#isSending = true;
    setText(this.#error, "");
    try {
      const answer = await fetch("/api/pair", { method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ code, name: this.#name.value }) });
      if (answer.ok) return this.#onPaired();
      if (answer.status === 429) return this.#refuse(text("pairTooMany"));
      if (answer.status === 403) return this.#refuse(text("pairWrong"));
      this.#refuse(text("refused", { reason: (await answer.json()).error }));
    } catch {
      this.#refuse(text("pairAway"));
    } finally {
      this.#isSending = false;
    }
  }

  #refuse(words) {
    setText(this.#error, words);
    this.#code.focus();
    this.#code.select();
  }
}

/** Returns whether the server does not know this device; `false` if there is no answer. */
export async function isUnpaired() {
  try {
    return (await fetch("/api/access", { cache: "no-store" })).status === 401;
  } catch {
    return false;
  }
}

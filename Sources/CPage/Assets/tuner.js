// The tuner: note, cents and needle, of the session's tuner and of each `tuner` node.

import { guarded } from "./access.js";
import { fixed, inNextFrame, make, setAttribute, setText, text } from "./dom.js";
import { button, Guard } from "./press.js";

const names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];
/** A deviation in cents that most listeners hear as in tune. */
const inTuneCents = 2;

/** Returns the name of a MIDI note with its octave; middle C is C4. */
function noteName(number) {
  return `${names[((number % 12) + 12) % 12]}${Math.floor(number / 12) - 1}`;
}

/** Returns the nearest note of equal temperament and the cents from it; `null` for no pitch. */
function noteOf(hertz, reference = 440) {
  if (!(hertz > 0) || !Number.isFinite(hertz)) return null;
  const exact = 69 + 12 * Math.log2(hertz / reference);
  const number = Math.round(exact);
  return { name: noteName(number), cents: 100 * (exact - number), hertz };
}

/** The display of one tuner. */
class Dial {
  #note = make("span", { class: "note" });
  #cents = make("span", { class: "cents" });
  #verdict = make("span", { class: "verdict" });
  #needle = make("div", { class: "needle" });
  #hertz = make("span", { class: "hertz" });
  #spokenAt = 0;
  #last = null;
  #paint = () => this.#draw();

  constructor(name) {
    this.element = make("div", { class: "dial", role: "img", "aria-label": name },
      make("div", { class: "reading" }, this.#note, this.#cents, this.#verdict, this.#hertz),
      make("div", { class: "scale" }, make("div", { class: "middle" }),
        make("div", { class: "way" }, this.#needle)));
    this.name = name;
    this.show(null);
  }

  show(note) {
    this.#last = note;
    inNextFrame(this.#paint);
  }

  #draw() {
    const note = this.#last;
    this.element.classList.toggle("quiet", note === null);
    if (note === null) {
      setText(this.#note, "–");
      setText(this.#cents, "");
      setText(this.#verdict, text("noPitch"));
      setText(this.#hertz, "");
      setAttribute(this.element, "aria-label", `${this.name}: ${text("noPitch")}`);
      return;
    }
    const isInTune = Math.abs(note.cents) < inTuneCents;
    const verdict = text(isInTune ? "inTune" : note.cents < 0 ? "flat" : "sharp");
    const cents = (note.cents > 0 ? "+" : "") + fixed(note.cents, 1);
    this.element.classList.toggle("right", isInTune);
    setText(this.#note, note.name);
    setText(this.#cents, text("cents", { value: cents }));
    setText(this.#verdict, isInTune ? `● ${verdict}`
      : note.cents < 0 ? `♭ ${verdict}` : `♯ ${verdict}`);
    setText(this.#hertz, text("hertz", { value: fixed(note.hertz, 1) }));
    const share = Math.min(1, Math.max(0, (note.cents + 50) / 100));
    this.#needle.style.transform = `translateX(${(share * 100).toFixed(1)}%)`;
    const now = performance.now();
    if (now - this.#spokenAt < 1000) return;
    this.#spokenAt = now;
    setAttribute(this.element, "aria-label", `${this.name}: ${text("tunerLabel",
      { note: note.name, cents: fixed(note.cents, 0), verdict })}`);
  }
}

/** The card of the tuner; it is hidden for a song without an input and without a tuner. */
export class TunerCard {
  #picture;
  #levels;
  #onPress;
  #ends = [];
  #master = null;
  #choices = [];

  constructor(picture, levels, onPress) {
    this.#picture = picture;
    this.#levels = levels;
    this.#onPress = onPress;
    this.element = make("section", { class: "card tuner", "aria-label": text("tuner") });
    levels.listen(() => {
      if (this.#master !== null && this.#input !== "") this.#master.show(noteOf(levels.pitch));
    });
  }

  get #input() { return this.#picture.value("tuner") ?? ""; }

  /** Chooses the next input, as the key U of the terminal view does. */
  next() {
    const inputs = (this.#picture.part("overview")?.inputs ?? []).map((each) => each.tuner);
    if (inputs.length > 0) this.#onPress(inputs[inputs.indexOf(this.#input) + 1] ?? "");
  }

  build() {
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#master = null;
    const inputs = this.#picture.part("overview")?.inputs ?? [];
    const nodes = (this.#picture.part("pipeline")?.nodes ?? [])
      .filter((node) => node.type === "tuner");
    this.element.hidden = inputs.length === 0 && nodes.length === 0;
    const dials = [];
    if (inputs.length > 0) {
      this.#master = new Dial(text("tuner"));
      dials.push(this.#choiceRow(inputs), this.#master.element);
    }
    for (const node of nodes) {
      const dial = new Dial(`${text("tuner")} ${node.id}`);
      dials.push(make("div", { class: "of-node" }, make("h3", { text: node.id }), dial.element));
      const read = () => {
        const [frequency, cents, note] = ["frequency", "cents", "note"].map((name) =>
          this.#picture.report(`${node.id}.${name}`)
            ?? this.#picture.report(`${node.id}.reports.${name}`));
        dial.show(frequency > 0 ? { name: noteName(note), cents, hertz: frequency } : null);
      };
      this.#ends.push(this.#picture.watch(`${node.id}.frequency`, read),
        this.#picture.watch(`${node.id}.cents`, read));
    }
    this.element.replaceChildren(make("h2", { text: text("tuner") }), ...dials);
    this.#ends.push(this.#picture.watch("tuner", () => this.#showChoice()));
  }

  #choiceRow(inputs) {
    const choices = [["", text("off")], ...inputs.map((each) => [each.tuner, each.tuner])];
    this.#choices = choices.map(([value, name]) => ({
      value,
      element: guarded(button({ class: "choice", "aria-pressed": "false" },
        { guard: new Guard() }, () => this.#onPress(value), name),
      { request: "set", address: "tuner" }),
    }));
    return make("div", { class: "choices", role: "group", "aria-label": text("tunerInput") },
      this.#choices.map((choice) => choice.element));
  }

  #showChoice() {
    for (const { value, element } of this.#choices) {
      setAttribute(element, "aria-pressed", String(value === this.#input));
    }
    if (this.#master === null) return;
    this.#master.element.hidden = this.#input === "";
    if (this.#input === "") this.#master.show(null);
  }
}

// The tempo and the lamp that blinks with it.

import { fixed, make, setText } from "./dom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A lamp that blinks with the tempo.
 *
 * The page knows the tempo, not the place in the bar: the blinking begins at the last tap on this
 * page, or when the tempo arrives.
 */
export class BeatLamp {
  #animation = null;
  #tempo = 0;
  #lamp = make("span", { class: "lamp", "aria-hidden": "true" });
  #number = make("span", { class: "number" });

  element = make("span", { class: "tempo" }, this.#lamp, this.#number);

  constructor() { still.addEventListener("change", () => this.show(this.#tempo)); }

  /** Shows a tempo in beats per minute; the current beat continues. */
  show(tempo) {
    if (typeof tempo !== "number") return;
    const beat = 60000 / tempo;
    const share = this.#animation === null ? 0
      : ((this.#animation.currentTime ?? 0) / (60000 / this.#tempo)) % 1;
    this.#tempo = tempo;
    setText(this.#number, fixed(tempo, 1));
    this.#animation?.cancel();
    this.#animation = null;
    this.#lamp.hidden = still.matches;
    if (still.matches || !(tempo > 0)) return;
    this.#animation = this.#lamp.animate(
      [{ opacity: 1 }, { opacity: 1, offset: 0.15 }, { opacity: 0.15, offset: 0.4 },
        { opacity: 0.15 }], { duration: beat, iterations: Infinity });
    this.#animation.currentTime = share * beat;
  }

  /** Begins a beat now. */
  tap() { if (this.#animation !== null) this.#animation.currentTime = 0; }
}

// The mixer view: all strips of all mixers of the song, and the master.

import { guarded } from "./access.js";
import { decibels, fixed, make, setText, text } from "./dom.js";
import { Bar } from "./levels.js";
import { button, setOn } from "./press.js";
import { Slider } from "./slider.js";
import { faderLaw, faderMarks, linearLaw } from "./taper.js";

const panLaw = linearLaw(-1, 1, 2);

function shortGain(value) { return value <= -120 ? "−∞" : fixed(value, 1); }

function shortPan(value) {
  const share = Math.round(Math.abs(value) * 100);
  if (share === 0) return text("centreShort");
  return text(value < 0 ? "leftShort" : "rightShort", { value: share });
}

function spokenPan(value) {
  const share = Math.round(Math.abs(value) * 100);
  return share === 0 ? text("centre") : text(value < 0 ? "left" : "right", { value: share });
}

/** The view with a fader per strip. */
export class MixerView {
  #picture;
  #link;
  #levels;
  #tell;
  #bars = [];
  #groups = make("div", { class: "groups", tabindex: "0", role: "region",
    "aria-label": text("mixers") });
  #jumps = make("nav", { class: "jumps", "aria-label": text("mixers") });
  #master = make("section", { class: "master", "aria-label": text("masterStrip") });

  element = make("main", { class: "mixer", id: "mixer", hidden: true });

  constructor(picture, link, levels, tell) {
    this.#picture = picture;
    this.#link = link;
    this.#levels = levels;
    this.#tell = tell;
    this.element.append(make("h1", { class: "unseen", text: text("mixer") }), this.#jumps,
      make("div", { class: "desk" }, this.#groups, this.#master),
      make("p", { class: "hint", text: text("mixerHint") }));
    picture.listen((news) => { if (news.kind === "structure") this.#build(); });
    new ResizeObserver(() => this.#showJumps()).observe(this.#groups);
  }

  /** Shows the buttons that jump to a mixer only if not all mixers fit. */
  #showJumps() {
    if (this.element.hidden) return;
    const isWide = this.#groups.scrollWidth > this.#groups.clientWidth;
    this.#jumps.hidden = !isWide || this.#groups.childElementCount < 2;
  }

  #build() {
    this.#levels.remove(this.#bars);
    this.#bars = [];
    const mixers = (this.#picture.part("pipeline")?.nodes ?? [])
      .filter((node) => node.strips.length > 0);
    const groups = mixers.map((mixer) => this.#group(mixer));
    this.#groups.replaceChildren(...groups,
      ...(groups.length === 0 ? [make("p", { class: "empty", text: text("noMixer") })] : []));
    this.#jumps.replaceChildren(...mixers.map((mixer, index) => button(
      { "aria-label": text("jumpTo", { name: mixer.id }) }, {},
      () => groups[index].scrollIntoView({ inline: "start", block: "nearest" }), mixer.id)));
    this.#showJumps();
    this.#master.replaceChildren(...this.#masterStrip());
  }

  #group(mixer) {
    const strips = mixer.strips.map((strip) => this.#strip(mixer, strip));
    const sum = this.#picture.isOpen(`${mixer.id}.gain`) ? [this.#sum(mixer)] : [];
    const solos = mixer.strips.map((strip) => `${mixer.id}.${strip.name}.solo`);
    const showSolo = () => {
      const isAny = solos.some((address) => this.#picture.value(address) === true);
      strips.forEach((strip, index) => strip.setSilenced(
        isAny && this.#picture.value(solos[index]) !== true));
    };
    for (const address of solos) this.#picture.watch(address, showSolo);
    return make("section", { class: "group", "aria-label": mixer.id },
      make("h2", { text: mixer.id }),
      make("ul", { class: "strips" }, strips.map((strip) => strip.element), sum));
  }

  #strip(mixer, strip) {
    const base = `${mixer.id}.${strip.name}`;
    const words = { strip: strip.name, mixer: mixer.id };
    const state = make("span", { class: "state" });
    const fader = this.#fader(`${base}.gain`, text("gainOf", words));
    const pan = this.#pan(mixer, strip, base, words);
    const mute = this.#toggle(`${base}.mute`, "mute", text("muteShort"), text("muteOf", words));
    const solo = this.#toggle(`${base}.solo`, "solo", text("soloShort"), text("soloOf", words));
    const meter = this.#meter(strip.meters ?? [], text("levelOf", words),
      strip.node_meters ?? []);
    const element = make("li", { class: "strip" },
      make("h3", { text: strip.name, title: strip.name }),
      make("div", { class: "throw" }, meter, fader?.element ?? null),
      make("div", { class: "readout" }, fader?.output ?? null),
      make("div", { class: "pan" }, pan?.element ?? null, pan?.output ?? null),
      make("div", { class: "switches" }, mute, solo), state);
    let isSilenced = false;
    const showState = () => {
      const isMuted = this.#picture.value(`${base}.mute`) === true;
      element.classList.toggle("is-muted", isMuted);
      element.classList.toggle("is-silenced", isSilenced && !isMuted);
      setText(state, isMuted ? text("muteOn") : isSilenced ? text("soloed") : "");
    };
    this.#picture.watch(`${base}.mute`, showState);
    return { element, setSilenced: (now) => { isSilenced = now; showState(); } };
  }

  #sum(mixer) {
    const fader = this.#fader(`${mixer.id}.gain`, text("sumOf", { mixer: mixer.id }));
    const channels = (this.#picture.part("node_meters") ?? [])
      .flatMap((meter, index) => (meter.node === mixer.id ? [index] : []));
    const meter = this.#meter([], text("levelOfNode", { node: mixer.id }), channels);
    return make("li", { class: "strip sum" }, make("h3", { text: text("sum") }),
      make("div", { class: "throw" }, meter, fader.element),
      make("div", { class: "readout" }, fader.output),
      make("div", { class: "pan" }), make("div", { class: "switches" }),
      make("span", { class: "state" }));
  }

  #masterStrip() {
    const fader = this.#fader("gain", text("masterGain"));
    const outputs = (this.#picture.part("meters") ?? [])
      .map((meter, index) => (meter.direction === "output" ? index : -1))
      .filter((index) => index >= 0);
    const mute = this.#toggle("mute", "mute", text("mute"), text("muteLabel"));
    const state = make("span", { class: "state" });
    this.#picture.watch("mute", (value) => {
      this.#master.classList.toggle("is-muted", value === true);
      setText(state, value === true ? text("muted") : "");
    });
    return [make("h2", { text: text("masterStrip") }),
      make("div", { class: "throw" }, outputs.slice(0, 2).map((index) => this.#meter([index],
        text("outputLevel", { name: this.#picture.part("meters")[index].port }))),
      fader?.element ?? null),
      make("div", { class: "readout" }, fader?.output ?? null),
      make("div", { class: "switches" }, mute), state];
  }

  #meter(channels, label, nodeChannels = []) {
    if (channels.length + nodeChannels.length === 0) return null;
    const bar = new Bar(channels, label, { nodeChannels, isVertical: true });
    this.#bars.push(bar);
    this.#levels.add(bar);
    return bar.element;
  }

  #fader(address, label) {
    const parameter = this.#picture.parameter(address);
    if (parameter?.remote !== true) return null;
    const slider = new Slider(this.#link, {
      address, label, isVertical: true, law: faderLaw, minimum: parameter.minimum,
      maximum: parameter.maximum, reset: parameter.default, end: 0, step: 1, page: 6,
      format: shortGain, spoken: (value) => decibels(value), onRefusal: this.#tell,
    });
    const marks = make("div", { class: "marks", "aria-hidden": "true" }, faderMarks.map(
      ([value, name]) => {
        const mark = make("span", { text: name });
        mark.style.top = `${(1 - faderLaw.position(value)) * 100}%`;
        if (value === 0) mark.className = "zero";
        return mark;
      }));
    slider.element.prepend(marks);
    this.#picture.watch(address, (value) => slider.show(value));
    return slider;
  }

  /** Pan has no effect on a strip of more than two channels, or if the mixer does not have two. */
  #pan(mixer, strip, base, words) {
    const parameter = this.#picture.parameter(`${base}.pan`);
    if (parameter?.remote !== true || mixer.channels !== 2 || strip.channels > 2) return null;
    const slider = new Slider(this.#link, {
      address: `${base}.pan`, label: text(strip.channels === 2 ? "balanceOf" : "panOf", words),
      isVertical: false, law: panLaw, minimum: -1, maximum: 1, reset: parameter.default, end: 1,
      step: 0.1, page: 0.25, format: shortPan, spoken: spokenPan, onRefusal: this.#tell,
    });
    this.#picture.watch(`${base}.pan`, (value) => slider.show(value));
    return slider;
  }

  #toggle(address, kind, name, label) {
    if (!this.#picture.isOpen(address)) return null;
    const element = button({ class: `switch ${kind}`, "aria-pressed": "false",
      "aria-label": label }, {}, () => this.#link.set(address,
      this.#picture.value(address) !== true).then((answer) => this.#tell(answer)), name);
    this.#picture.watch(address, (value) => setOn(element, value === true));
    return guarded(element, { request: "set", address });
  }
}

// Pictures that follow from parameters: the response of a filter, and the echoes of a delay.

import { fixed, make, setAttribute, setText, shape, text } from "./dom.js";
import { quantity } from "./units.js";

/**
 * The sections of a filter, as `FilterDesign.write` in Sources/DSP/FilterDesign.swift makes and
 * explains them. A section is (input·(s² + d·s + 1) + band·s + low) / (s² + d·s + 1), in which
 * s = j·tan(π f / rate) / g is the frequency after the bilinear transform.
 *
 * @param filter `shape`, `frequency` in Hz, `gain` in dB, `q` and `order`.
 * @param rate The sample rate in Hz.
 */
function sections({ shape: kind, frequency, gain, q, order }, rate) {
  const g = Math.tan(Math.PI * Math.min(frequency / rate, 0.49));
  if (kind === "lowpass" || kind === "highpass") {
    const isLow = kind === "lowpass";
    return Array.from({ length: Math.ceil(order / 2) }, (_, index) => {
      if (2 * index + 1 === order) {
        // 1 / (s + 1) or s / (s + 1), with both parts multiplied by (s + 1).
        return isLow ? { g, damping: 2, input: 0, band: 1, low: 1 }
          : { g, damping: 2, input: 1, band: -1, low: -1 };
      }
      const angle = (Math.PI * (2 * index + 1)) / (2 * order);
      const damping = 2 * Math.sin(angle) * (index === 0 ? 0.7071 / q : 1);
      return isLow ? { g, damping, input: 0, band: 0, low: 1 }
        : { g, damping, input: 1, band: -damping, low: -1 };
    });
  }
  const k = 1 / q;
  const root = 10 ** (gain / 80);
  const a = root * root;
  switch (kind) {
    case "bandpass": return [{ g, damping: k, input: 0, band: k, low: 0 }];
    case "notch": return [{ g, damping: k, input: 1, band: -k, low: 0 }];
    case "peak": return [{ g, damping: k / a, input: 1, band: k * (a - 1 / a), low: 0 }];
    case "lowshelf":
      return [{ g: g / root, damping: k, input: 1, band: k * (a - 1), low: a * a - 1 }];
    case "highshelf":
      return [{ g: g * root, damping: k, input: a * a, band: k * (1 - a) * a, low: 1 - a * a }];
    default: return [];
  }
}

/** Returns the gain of a filter in dB at a frequency in Hz below half of the sample rate. */
export function filterGain(filter, rate, hertz) {
  let power = 1;
  for (const { g, damping, input, band, low } of sections(filter, rate)) {
    // s = j·w: s² is -w², and the real and imaginary parts are separate.
    const w = Math.tan((Math.PI * hertz) / rate) / g;
    const [real, imaginary] = [1 - w * w, damping * w];
    const size = real * real + imaginary * imaginary;
    power *= ((input * real + low) ** 2 + (input * imaginary + band * w) ** 2) / size;
  }
  return 10 * Math.log10(Math.max(power, 1e-30));
}

/**
 * Returns the echoes of a delay above -60 dB, each with its `seconds` and its `gain`, a factor.
 *
 * They are those of `DelayKernel` in Sources/Effects/DelayKernel.swift: `beats` above 0 replaces
 * `time`, and each echo is `feedback` times the one before. The dry signal is the first entry if
 * the node's linear `mix` leaves any.
 */
export function echoes({ time, beats, feedback, mix, tempo }) {
  const step = beats > 0 ? (beats * 60) / tempo : time;
  const entries = mix < 1 ? [{ seconds: 0, gain: 1 - mix, isDry: true }] : [];
  let gain = mix;
  for (let number = 1; number <= 64 && gain > 0.001; number += 1) {
    entries.push({ seconds: number * step, gain, isDry: false });
    gain *= feedback;
  }
  return entries;
}

const [width, height] = [360, 140];
const [left, right, top, bottom] = [36, 8, 8, 22];

function frame(lines, labels) {
  return [
    shape("rect", { class: "ground", x: left, y: top, width: width - left - right,
      height: height - top - bottom }),
    ...lines.map(([x1, y1, x2, y2, kind]) => shape("line", { class: kind ?? "grid", x1, y1, x2, y2 })),
    ...labels.map(([x, y, anchor, words]) =>
      shape("text", { x, y, "text-anchor": anchor }, words)),
  ];
}

function decibels(gain) {
  const shown = gain < -120 ? "−∞" : fixed(gain, 1);
  return text("decibels", { value: gain >= 0.05 ? `+${shown}` : shown });
}

/** The lowest and highest frequency of the curve, in Hz. */
const [lowest, highest] = [20, 20000];
const place = (hertz) =>
  left + (Math.log(hertz / lowest) / Math.log(highest / lowest)) * (width - left - right);

/** The level in dB at the bottom of a spectrum. */
const spectrumFloor = -96;
/** The number of bytes before the levels of a spectrum, and the number of bytes per level. */
const [spectrumHead, spectrumBytes] = [4, 2];

/** The picture of a filter's response, with the spectrum of its output behind the curve. */
export class FilterPicture {
  #spectrum = shape("path", { class: "spectrum" });
  #curve = shape("path", { class: "curve" });
  #marks = shape("g");
  #words = make("p", { class: "label" });
  #graph = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });

  element = make("figure", { class: "response", role: "img" }, this.#graph, this.#words);

  constructor() { this.#graph.append(this.#marks, this.#spectrum, this.#curve); }

  /** Draws the spectrum in a frame of the server; other frames are ignored. */
  receive(frame) {
    if (frame.byteLength < spectrumHead || frame.getUint8(0) !== 3) return;
    const count = frame.getUint16(2, true);
    if (count < 2 || frame.byteLength < spectrumHead + count * spectrumBytes) return;
    const points = [];
    for (let index = 0; index < count; index += 1) {
      const raw = frame.getInt16(spectrumHead + index * spectrumBytes, true) / 100;
      const share = Math.min(1, Math.max(0, 1 - raw / spectrumFloor));
      const x = left + (index / (count - 1)) * (width - left - right);
      points.push(`${x.toFixed(1)} ${(height - bottom - share * (height - top - bottom)).toFixed(1)}`);
    }
    setAttribute(this.#spectrum, "d",
      `M${left} ${height - bottom}L${points.join("L")}L${width - right} ${height - bottom}Z`);
  }

  /** Shows a filter; `rate` is the sample rate in Hz. */
  show(filter, rate) {
    const reach = Math.abs(filter.gain) > 17.9
      && ["peak", "lowshelf", "highshelf"].includes(filter.shape) ? 36 : 18;
    const level = (gain) => top + ((reach - Math.max(-reach, Math.min(reach, gain)))
      / (2 * reach)) * (height - top - bottom);
    const steps = [-reach, -reach / 2, 0, reach / 2, reach];
    this.#marks.replaceChildren(...frame(
      [...steps.map((gain) => [left, level(gain), width - right, level(gain),
        gain === 0 ? "axis" : "grid"]),
      ...[100, 1000, 10000].map((hertz) =>
        [place(hertz), top, place(hertz), height - bottom])],
      [...steps.map((gain) => [left - 4, level(gain) + 4, "end", quantity(gain, "")]),
        ...[20, 100, 1000, 10000].map((hertz) =>
          [place(hertz), height - 6, "middle", quantity(hertz, "Hz")])]));
    const points = [];
    for (let x = left; x <= width - right; x += 1) {
      const hertz = lowest * (highest / lowest) ** ((x - left) / (width - left - right));
      if (hertz >= rate / 2) break;
      points.push(`${x} ${level(filterGain(filter, rate, hertz)).toFixed(1)}`);
    }
    setAttribute(this.#curve, "d", `M${points.join("L")}`);
    const words = text("filterPicture", {
      shape: filter.shape, frequency: quantity(filter.frequency, "Hz"),
      gain: decibels(filterGain(filter, rate, Math.min(filter.frequency, 0.49 * rate))),
      low: decibels(filterGain(filter, rate, 50)),
      high: decibels(filterGain(filter, rate, 10000)),
    });
    setText(this.#words, words);
    setAttribute(this.element, "aria-label", words);
  }
}

/** The picture of a delay's echoes. */
export class EchoPicture {
  #bars = shape("g");
  #marks = shape("g");
  #words = make("p", { class: "label" });
  #graph = shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });

  element = make("figure", { class: "response", role: "img" }, this.#graph, this.#words);

  constructor() { this.#graph.append(this.#marks, this.#bars); }

  /** Shows the echoes of a delay. */
  show(delay) {
    const list = echoes(delay);
    const wet = list.filter((echo) => !echo.isDry);
    const last = Math.max(0.05, ...list.map((echo) => echo.seconds)) * 1.05;
    const x = (seconds) => left + 4 + (seconds / last) * (width - left - right - 8);
    const y = (gain) => top
      + (Math.min(60, -20 * Math.log10(Math.max(gain, 1e-6))) / 60) * (height - top - bottom);
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * last);
    this.#marks.replaceChildren(...frame(
      [0, -20, -40].map((gain) => [left, y(10 ** (gain / 20)), width - right,
        y(10 ** (gain / 20))]),
      [...[0, -20, -40, -60].map((gain) =>
        [left - 4, y(10 ** (gain / 20)) + 4, "end", quantity(gain, "")]),
      ...ticks.map((seconds, index) => [x(seconds), height - 6,
        index === 4 ? "end" : "middle", quantity(seconds, "s")])]));
    this.#bars.replaceChildren(...list.map((echo) => shape("rect", {
      class: echo.isDry ? "dry" : "echo", x: x(echo.seconds) - 2, y: y(echo.gain), width: 4,
      height: Math.max(0, height - bottom - y(echo.gain)),
    })));
    const words = wet.length === 0 ? text("noEchoes") : text("echoPicture", {
      count: wet.length, step: quantity(wet[0].seconds, "s"),
      end: quantity(wet[wet.length - 1].seconds, "s"),
    });
    setText(this.#words, words);
    setAttribute(this.element, "aria-label", words);
  }
}

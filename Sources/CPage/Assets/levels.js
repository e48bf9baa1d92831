// Meters: bars that a frame of levels moves without a new layout.

import { decibels, fixed, inNextFrame, make, setAttribute, setText, text } from "./dom.js";

/** The level in dB at which a bar is empty. */
export const floor = -60;
/** The fall of a bar, in dB per second. */
const fall = 30;
/** The time for which the mark of the highest level stays, in ms. */
const holdTime = 1500;
/** A level in dB that counts as full scale, with room for rounding. */
export const clipping = -0.01;
const silence = -200;

/** The number of bytes per channel in a frame. */
const channelBytes = 4;
/** The kinds of frames: their part with the channels, and the number of bytes before the levels. */
const kinds = { 1: { part: "meters", headBytes: 12 }, 2: { part: "node_meters", headBytes: 4 } };

function level(raw) { return raw === -32768 ? silence : raw / 100; }

/** The newest levels of a list of channels. */
class ChannelLevels {
  #peaks = [];
  #rms = [];
  #isDrawn = true;

  /** Reads the levels of a frame. */
  read(frame, headBytes, count) {
    for (let channel = 0; channel < count; channel += 1) {
      const at = headBytes + channel * channelBytes;
      // A frame that is not drawn yet keeps its peak.
      const peak = level(frame.getInt16(at, true));
      this.#peaks[channel] = Math.max(peak, this.#isDrawn ? silence : this.#peaks[channel]);
      this.#rms[channel] = level(frame.getInt16(at + 2, true));
    }
    this.#isDrawn = false;
  }

  /** Notes that the levels are drawn. */
  finish() { this.#isDrawn = true; }

  /** Returns the highest peak and RMS of some channels. */
  highest(channels) {
    let [peak, rms] = [silence, silence];
    for (const channel of channels) {
      peak = Math.max(peak, this.#peaks[channel] ?? silence);
      rms = Math.max(rms, this.#rms[channel] ?? silence);
    }
    return [peak, rms];
  }
}

/** The newest frame of meters: levels of all channels, pitch and load. */
export class Levels {
  #picture;
  #ports = new ChannelLevels();
  #nodes = new ChannelLevels();
  #bars = new Set();
  #frameAt = 0;
  #paint = () => this.#draw();
  #listeners = new Set();

  /** The pitch of the session's tuner in Hz; 0 if it detects none. */
  pitch = 0;
  /** The mean and the worst load, as shares of the period. */
  load = { mean: 0, worst: 0 };

  constructor(picture) { this.#picture = picture; }

  /** Receives a frame of the server; a frame for another list of channels is ignored. */
  receive(frame) {
    const kind = frame.byteLength < 4 ? undefined : kinds[frame.getUint8(0)];
    if (kind === undefined) return;
    const count = frame.getUint16(2, true);
    if (count !== (this.#picture.part(kind.part) ?? []).length) return;
    if (frame.byteLength < kind.headBytes + count * channelBytes) return;
    if (kind.part === "meters") {
      this.pitch = frame.getFloat32(4, true);
      this.load = { mean: frame.getUint16(8, true) / 1e4, worst: frame.getUint16(10, true) / 1e4 };
      this.#ports.read(frame, kind.headBytes, count);
    } else {
      this.#nodes.read(frame, kind.headBytes, count);
    }
    inNextFrame(this.#paint);
  }

  /** Calls a function when a frame is drawn. */
  listen(call) { this.#listeners.add(call); }

  /** Adds a bar for the highest of some channels. */
  add(bar) { this.#bars.add(bar); }

  /** Removes the bars of a view that is built again. */
  remove(bars) { for (const bar of bars) this.#bars.delete(bar); }

  #draw() {
    const now = performance.now();
    const seconds = Math.min(1, (now - this.#frameAt) / 1000);
    this.#frameAt = now;
    for (const bar of this.#bars) {
      const [peak, rms] = this.#ports.highest(bar.channels);
      const [nodePeak, nodeRms] = this.#nodes.highest(bar.nodeChannels);
      bar.draw(Math.max(peak, nodePeak), Math.max(rms, nodeRms), now, seconds);
    }
    this.#ports.finish();
    this.#nodes.finish();
    for (const call of this.#listeners) call();
  }
}

/** The movement of a meter: it rises at once, falls slowly, and keeps the highest level for a while. */
export class Ballistics {
  #markAt = 0;

  /** The shown level and the mark of the highest level, in dB. */
  level = floor;
  mark = floor;

  /** Adopts a peak in dB, `seconds` after the last one. */
  follow(peak, now, seconds) {
    this.level = Math.max(peak, this.level - fall * seconds, floor);
    if (peak >= this.mark || now - this.#markAt > holdTime) {
      this.mark = Math.max(peak, floor);
      this.#markAt = now;
    }
  }
}

/** One meter: the peak as a bar, the RMS as its bright part, the highest peak as a mark. */
export class Bar {
  #isVertical;
  #ballistics = new Ballistics();
  #numberAt = 0;
  #highest = silence;
  #hasClipped = false;
  #cover = make("div", { class: "cover" });
  #dim = make("div", { class: "dim" });
  #line = make("div", { class: "mark" });
  #number;
  #clip;
  #lastTransforms = ["", "", ""];

  /** The indices of the channels in the frames: of ports, and of nodes. */
  channels;
  nodeChannels;
  element;

  constructor(channels, label, { nodeChannels = [], isVertical = false, number = null, clip = null } = {}) {
    this.channels = channels;
    this.nodeChannels = nodeChannels;
    this.#isVertical = isVertical;
    this.#number = number;
    this.#clip = clip;
    this.element = make("div", {
      class: `meter ${isVertical ? "vertical" : "horizontal"}`, role: "meter",
      "aria-label": label, "aria-valuemin": floor, "aria-valuemax": 0, "aria-valuenow": floor,
      "aria-valuetext": text("silent"),
    }, make("div", { class: "scale" }), this.#dim, this.#cover, this.#line);
  }

  /** Whether the level was at full scale since the mark was cleared. */
  get hasClipped() { return this.#hasClipped; }

  /** Removes the mark of a level at full scale. */
  clear() {
    this.#hasClipped = false;
    if (this.#clip !== null) this.#clip.hidden = true;
  }

  draw(peak, rms, now, seconds) {
    this.#ballistics.follow(peak, now, seconds);
    const { level: shown, mark } = this.#ballistics;
    if (peak >= clipping && !this.#hasClipped) {
      this.#hasClipped = true;
      if (this.#clip !== null) this.#clip.hidden = false;
    }
    const share = (value) => Math.min(1, Math.max(0, 1 - value / floor));
    const axis = this.#isVertical ? "Y" : "X";
    const way = (part) => (this.#isVertical ? -1 : 1) * part * 100;
    this.#move(0, this.#cover, `scale${axis}(${(1 - share(shown)).toFixed(3)})`);
    this.#move(1, this.#dim,
      `scale${axis}(${(1 - share(Math.min(rms, shown))).toFixed(3)})`);
    this.#move(2, this.#line, `translate${axis}(${way(share(mark)).toFixed(1)}%)`);
    this.#highest = Math.max(this.#highest, peak);
    // Numbers that change 30 times per second cannot be read, neither by eye nor by ear.
    if (now - this.#numberAt < 300) return;
    this.#numberAt = now;
    if (this.#number !== null) {
      setText(this.#number, this.#highest < -119 ? "−∞" : fixed(this.#highest, 1));
    }
    setAttribute(this.element, "aria-valuenow",
      String(Math.round(Math.min(0, Math.max(floor, this.#highest)))));
    setAttribute(this.element, "aria-valuetext", decibels(this.#highest, -119));
    this.#highest = silence;
  }

  #move(index, element, transform) {
    if (this.#lastTransforms[index] === transform) return;
    this.#lastTransforms[index] = transform;
    element.style.transform = transform;
  }
}

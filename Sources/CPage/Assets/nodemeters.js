// The meters of nodes on the board: one canvas for all of them. Elements that move 30 times per
// second would slow down a drawing of hundreds of nodes.

import { inNextFrame, make } from "./dom.js";
import { Ballistics, clipping, floor } from "./levels.js";

/** The width of a meter and its distance to the node and to the next meter, in units of the drawing. */
const [width, distance] = [5, 3];
/** The level in dB from which a meter has the color of high levels. */
const middle = -6;

/** The level of one channel, or the highest of several, at a place of the drawing. */
class NodeMeter {
  #ballistics = new Ballistics();

  /** The indices of the channels in the frames: of ports, and of nodes. */
  channels = [];
  nodeChannels;
  place;

  constructor(nodeChannels, place) {
    this.nodeChannels = nodeChannels;
    this.place = place;
  }

  draw(peak, rms, now, seconds) { this.#ballistics.follow(peak, now, seconds); }

  get level() { return this.#ballistics.level; }
  get mark() { return this.#ballistics.mark; }
}

/** The number of channels up to which each channel has its own meter. */
const most = 2;

/** Returns the channels of a node's output in sets, each of which has a meter. */
export function channelSets(picture, id) {
  const channels = (picture.part("node_meters") ?? [])
    .flatMap((meter, index) => (meter.node === id ? [index] : []));
  return channels.length <= most ? channels.map((each) => [each]) : [channels];
}

/** The canvas with the meters, in front of a viewport. */
export class NodeMeters {
  #levels;
  #viewport;
  #meters = [];
  #canvas = make("canvas", { class: "node-meters", "aria-hidden": "true" });
  #colors = null;
  #theme = null;
  #paint = () => this.#draw();

  constructor(levels, viewport) {
    this.#levels = levels;
    this.#viewport = viewport;
    viewport.element.append(this.#canvas);
    // Both call within a frame, so the meters move together with the drawing.
    levels.listen(this.#paint);
    viewport.listen(this.#paint);
  }

  /**
   * Shows the meters of other nodes.
   *
   * @param nodes The box of each node, and its channels in sets, each of which has a meter.
   */
  show(nodes) {
    this.#levels.remove(this.#meters);
    this.#meters = nodes.flatMap(({ box, sets }) => sets.map((set, column) => new NodeMeter(set, {
      left: box.left + box.width + distance + (width + 1) * column, top: box.top + distance,
      height: box.height - 2 * distance })));
    for (const meter of this.#meters) this.#levels.add(meter);
    inNextFrame(this.#paint);
  }

  /** Adopts the size of the viewport, and returns it in px; `null` if the board is not shown. */
  #resize() {
    const { clientWidth, clientHeight } = this.#viewport.element;
    if (clientWidth === 0 || clientHeight === 0) return null;
    const [wide, high] = [clientWidth, clientHeight].map((size) =>
      Math.round(size * devicePixelRatio));
    if (this.#canvas.width !== wide) this.#canvas.width = wide;
    if (this.#canvas.height !== high) this.#canvas.height = high;
    return [clientWidth, clientHeight];
  }

  #readColors() {
    const theme = document.documentElement.dataset.theme;
    if (this.#theme === theme) return;
    this.#theme = theme;
    const style = getComputedStyle(document.documentElement);
    this.#colors = Object.fromEntries(["empty", "low", "middle", "high", "text"].map((name) =>
      [name, style.getPropertyValue(`--${name}`)]));
  }

  #draw() {
    const size = this.#resize();
    if (size === null) return;
    this.#readColors();
    const context = this.#canvas.getContext("2d");
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, ...size);
    const { x, y, scale } = this.#viewport.place;
    for (const meter of this.#meters) {
      const left = x + meter.place.left * scale;
      const top = y + meter.place.top * scale;
      const high = meter.place.height * scale;
      if (left > size[0] || top > size[1] || left + width * scale < 0 || top + high < 0) continue;
      this.#drawMeter(context, meter, left, top, width * scale, high);
    }
  }

  #drawMeter(context, meter, left, top, wide, high) {
    const at = (level) => top + high * Math.min(1, Math.max(0, level / floor));
    const fill = (color, from, to) => {
      context.fillStyle = this.#colors[color];
      context.fillRect(left, from, wide, to - from);
    };
    fill("empty", top, top + high);
    fill("low", at(Math.min(meter.level, middle)), top + high);
    if (meter.level > middle) fill("middle", at(meter.level), at(middle));
    if (meter.mark >= clipping) fill("high", top, top + Math.max(2, 3 * high / 60));
    else if (meter.mark > floor) fill("text", at(meter.mark), at(meter.mark) + Math.max(1, high / 60));
  }
}

// The laws of controls: from a value to a position between 0 and 1, and back.

/**
 * The audio taper of a fader: equal distances for equal steps of loudness near 0 dB, and coarser
 * steps below, as on a mixing desk. The pairs are dB and position; between them the law is linear.
 */
const points = [[-120, 0], [-60, 0.06], [-40, 0.16], [-20, 0.36], [-10, 0.54], [0, 0.74], [12, 0.9],
  [24, 1]];

function interpolate(value, from, to) {
  const last = points.length - 1;
  if (value <= points[0][from]) return points[0][to];
  if (value >= points[last][from]) return points[last][to];
  const upper = points.findIndex((point) => point[from] >= value);
  const [low, high] = [points[upper - 1], points[upper]];
  return low[to] + ((value - low[from]) / (high[from] - low[from])) * (high[to] - low[to]);
}

/** The law of a gain in dB, from -120 (silence) to 24. */
export const faderLaw = {
  position: (value) => interpolate(value, 0, 1),
  value: (position) => {
    const exact = interpolate(position, 1, 0);
    return exact < -119 ? -120 : Math.round(exact * 10) / 10;
  },
};

/** A law that is linear over a range, with a number of decimals. */
export function linearLaw(minimum, maximum, decimals) {
  const scale = 10 ** decimals;
  return {
    position: (value) => (value - minimum) / (maximum - minimum),
    value: (position) =>
      Math.round((minimum + position * (maximum - minimum)) * scale) / scale,
  };
}

/** A law that gives equal distances to equal ratios; both ends of the range are above 0. */
function logarithmicLaw(minimum, maximum) {
  const octaves = Math.log(maximum / minimum);
  return {
    position: (value) => Math.log(Math.max(value, minimum) / minimum) / octaves,
    value: (position) => Number((minimum * Math.exp(position * octaves)).toPrecision(4)),
  };
}

/** Returns the law for a number: that of a fader for gains down to silence, otherwise by `kind`. */
export function parameterLaw({ kind, unit, minimum, maximum }) {
  if (unit === "dB" && minimum === -120 && maximum === 24) return faderLaw;
  if (kind === "integer") return linearLaw(minimum, maximum, 0);
  if (kind === "logarithmic" && minimum > 0) return logarithmicLaw(minimum, maximum);
  // About 1000 steps, in decimals.
  return linearLaw(minimum, maximum,
    Math.max(0, Math.min(8, 3 - Math.floor(Math.log10(maximum - minimum)))));
}

/** The marks next to a fader: dB and the text. */
export const faderMarks = [[12, "+12"], [0, "0"], [-10, "−10"], [-20, "−20"], [-40, "−40"],
  [-120, "−∞"]];

// Values of parameters and reports as texts, with their units, and texts as values.

import { decibels, fixed, text } from "./dom.js";

/** Units whose numbers always show their sign. */
const signed = new Set(["dB", "st", "ct"]);

/** Returns a number with about three significant digits, without trailing zeros. */
export function short(value) {
  const size = Math.abs(value);
  const decimals = size >= 1e4 ? 0 : size >= 100 ? 1 : size >= 10 ? 1 : size >= 1 ? 2
    : size >= 0.1 ? 3 : 5;
  const shown = fixed(value, decimals);
  return shown.includes(".") ? shown.replace(/\.?0+$/, "") : shown;
}

/** Returns a number of a unit for display. */
export function quantity(value, unit) {
  if (unit === "Hz" && Math.abs(value) >= 1000) {
    return text("kilohertz", { value: short(value / 1000) });
  }
  if (unit === "s" && value !== 0 && Math.abs(value) < 1) {
    return text("milliseconds", { value: short(value * 1000) });
  }
  const number = signed.has(unit) && value > 0 ? `+${short(value)}` : short(value);
  return unit === "" ? number : unit === "°" ? number + unit : `${number} ${unit}`;
}

/** Returns the value of a parameter for display. */
export function valueText(parameter, value) {
  if (value === undefined || value === null) return "–";
  if (parameter.kind === "toggle") return text(value === true ? "isOn" : "isOff");
  if (typeof value !== "number") return String(value);
  const { unit, minimum, maximum } = parameter;
  if (unit === "dB" && minimum <= -120 && value <= minimum) return decibels(-120);
  const isSharedSign = minimum < 0 && maximum > 0 && value > 0 && !signed.has(unit);
  const shown = (isSharedSign ? "+" : "") + quantity(value, unit);
  if (parameter.gain_factor !== true) return shown;
  return `${shown} (${decibels(value > 0 ? 20 * Math.log10(value) : -200, -119)})`;
}

/** Returns what a node reports for display. */
export function reportText(report, value) {
  if (value === undefined || value === null) return "–";
  if (report.kind === "toggle") return text(value === true || value === 1 ? "isOn" : "isOff");
  if (report.kind === "choice" && typeof value === "number") {
    return report.choices?.[value] ?? short(value);
  }
  return typeof value === "number" ? quantity(value, report.unit) : String(value);
}

/**
 * Returns the number that somebody typed, in the unit of a parameter; `null` if it is none.
 *
 * A comma is a decimal point, and a unit may follow: `2,5 kHz`, `350 ms`, `-6 dB`.
 */
export function typedNumber(words, unit) {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([^\d\s]*)\s*$/
    .exec(words.replace("−", "-").replace(",", "."));
  if (found === null) return null;
  const [number, suffix] = [Number(found[1]), found[2].toLowerCase()];
  if (suffix === "" || suffix === unit.toLowerCase()) return number;
  if (unit === "Hz" && ["k", "khz"].includes(suffix)) return number * 1000;
  if (unit === "s" && suffix === "ms") return number / 1000;
  if (unit === "ms" && suffix === "s") return number * 1000;
  return null;
}

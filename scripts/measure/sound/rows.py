"""The rows of the table: the sound for each engine, the figure, and its target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterator

import numpy as np

from . import details as d
from . import figures as f
from . import signals as s
from .engines import FAST, Engine
from .signals import Signal

#: Computes a figure for an engine; None if the engine cannot do it or a sound is missing.
Measure = Callable[[Engine], float | None]


@dataclass(frozen=True)
class Row:
    figure: str
    condition: str
    unit: str
    measure: Measure
    lowest: float | None = None
    highest: float | None = None

    @property
    def target(self) -> str:
        if self.lowest is not None:
            return f"≥ {self.lowest:g}"
        return f"≤ {self.highest:g}" if self.highest is not None else ""

    def met(self, value: float) -> bool:
        return (self.lowest is None or value >= self.lowest) and (self.highest is None or value <= self.highest)


def on(y: Signal | None, figure: Callable[[Signal], float]) -> float | None:
    return None if y is None else figure(y)


def shift_rows() -> Iterator[Row]:
    """Returns the rows for whole mixes, shifted by an interval."""
    for st in (5, -5, 12, -12):
        ratio, at = 2 ** (st / 12), f"{st:+d} st"
        for hertz in (110, 440, 1000):
            x = s.tone(hertz)
            yield Row("tone, purity", f"{hertz} Hz {at}", "dB", lambda e: on(e.shifted(x, st), lambda y: f.purity(y, [hertz * ratio])), 65)
        yield Row("tone, frequency", f"440 Hz {at}", "cent", lambda e: on(e.shifted(s.tone(440), st), lambda y: abs(f.cents(y, 440 * ratio))), None, 0.05)
        for name, notes in s.CHORDS.items():
            partials = [k * n * ratio for n in notes for k in range(1, 110)]
            yield Row("chord, purity", f"{name} {at}", "dB", lambda e: on(e.shifted(s.chord(notes), st), lambda y: f.purity(y, partials)), 20)
        bursts = s.bursts()
        yield Row("bursts, 90 % within", at, "ms", lambda e: on(e.shifted(bursts, st), lambda y: f.clicks(y).t90_milliseconds), None, 4.8)
        yield Row("bursts, before", at, "dB", lambda e: on(e.shifted(bursts, st), lambda y: f.clicks(y).before_decibels), None, -43)
        yield Row("noise, level", at, "dB", lambda e: on(e.shifted(s.noise(), st), lambda y: abs(f.loudness(s.noise(), y, 200 * max(1, ratio), 20_000 * min(1, ratio)) + f.decibels(ratio))), None, 0.5)
        if st > 0:
            yield Row("noise, spikes", at, "", lambda e: on(e.shifted(s.noise(), st), lambda y: f.spikes(y, 300 * ratio, 14_000)), None, 0.4 if st == 12 else 0.2)
        for v in s.VOWELS:
            partials = [k * v.pitch_hertz * ratio for k in range(1, 150)]
            yield Row("vowel, purity", f"{v.name} {at}", "dB", lambda e: on(e.shifted(s.vowel(v), st), lambda y: f.purity(y, partials, 4)), 45)


def there_and_back(e: Engine, x: Signal | None, there: Callable[[Engine, Signal], Signal | None], back: Callable[[Engine, Signal], Signal | None]) -> float | None:
    between = None if x is None else there(e, x)
    returned = None if between is None else back(e, between)
    return None if x is None or returned is None else f.distance(x, returned)


def round_trip_rows() -> Iterator[Row]:
    """Returns the rows for real sound, shifted up and back down."""
    sounds = {
        "drums": (s.recorded("drums"), 1.2, 1.3), "guitar": (s.recorded("guitar"), 1.05, 0.8), "speech": (s.spoken(), 1.3, 1.6),
        "mix": (s.recorded("mix"), None, None), "choir": (s.recorded("choir"), None, None),
    }  # fmt: skip
    for name, (x, shift_target, stretch_target) in sounds.items():
        yield Row("there and back", f"{name} ±5 st", "dB", lambda e: there_and_back(e, x, lambda e, x: e.shifted(x, 5), lambda e, x: e.shifted(x, -5)), None, shift_target)
        yield Row("there and back", f"{name} at 0.8 and 1.25", "dB", lambda e: there_and_back(e, x, lambda e, x: e.played(x, 0.8), lambda e, x: e.played(x, 1.25)), None, stretch_target)
        if name == "drums" and x is not None:
            yield Row("onsets", "drums +5 st", "dB", lambda e: on(e.shifted(x, 5), f.onset_rise), 10.5)


def stretch_rows() -> Iterator[Row]:
    """Returns the rows for a recording, slower and faster."""
    for rate in (0.5, 0.8, 1.25, 2):
        stretch, at = 1 / rate, f"at {rate:g}"
        clicks = s.clicks()
        yield Row("clicks, off the beat", at, "ms", lambda e: on(e.played(clicks, rate), lambda y: f.clicks(y, stretch).deviation_milliseconds), None, 0.02)
        yield Row("clicks, tempo", at, "ppm", lambda e: on(e.played(clicks, rate), lambda y: abs(f.clicks(y, stretch).slope_ppm)), None, 5)
        yield Row("clicks, 90 % within", at, "ms", lambda e: on(e.played(clicks, rate), lambda y: f.clicks(y, stretch).t90_milliseconds), None, 0.1)
        yield Row("clicks, before", at, "dB", lambda e: on(e.played(clicks, rate), lambda y: f.clicks(y, stretch).before_decibels), None, -32)
        for hertz in (110, 1000):
            yield Row("tone, purity", f"{hertz} Hz {at}", "dB", lambda e: on(e.played(s.tone(hertz), rate), lambda y: f.purity(y, [hertz], stretch=stretch)), 90)
        for name, notes in s.CHORDS.items():
            partials = [k * n for n in notes for k in range(1, 110)]
            yield Row("chord, purity", f"{name} {at}", "dB", lambda e: on(e.played(s.chord(notes), rate), lambda y: f.purity(y, partials, stretch=stretch)), 24)


def voice_rows() -> Iterator[Row]:
    """Returns the rows for one voice with unchanged formants."""
    for st in (-12, -5, 5, 12):
        ratio = 2 ** (st / 12)
        for v, error in zip(s.VOWELS, (1.0, 2.5)):
            at = f"{v.name} {st:+d} st"
            yield Row("formants, moved by", at, "st", lambda e: on(e.shifted(s.vowel(v), st, True), lambda y: f.formants(y, v, ratio).displacement_semitones), None, 0.2)
            yield Row("formants, error", at, "dB", lambda e: on(e.shifted(s.vowel(v), st, True), lambda y: f.formants(y, v, ratio).error_decibels), None, error)


def played_rows() -> Iterator[Row]:
    """Returns the rows for instruments that are played through the shifter, in its fast quality."""
    for st, vibrato in ((-2, 34), (-5, 30), (5, 28)):
        ratio, at = 2 ** (st / 12), f"{st:+d} st"
        name, notes = next(iter(s.CHORDS.items()))
        partials = [k * n * ratio for n in notes for k in range(1, 110)]
        yield Row("chord, purity", f"{name} {at}", "dB", lambda e: on(e.shifted(s.chord(notes), st), lambda y: f.purity(y, partials)))
        strings = [k * n * ratio for n in s.STRINGS for k in range(1, 60)]
        yield Row("strum, rest", at, "dB", lambda e: on(e.shifted(s.strum(), st), lambda y: f.rest(y, strings)), None, -28)
        for depth in (35, 90):
            target = vibrato if depth == 35 else None
            yield Row("vibrato, purity", f"±{depth} cent {at}", "dB", lambda e: on(e.shifted(s.vibrato(depth), st), lambda y: f.warped_purity(y, depth, ratio)), target)
        for string, hertz in (("B0", 30.87), ("E1", 41.2)):
            low = [k * hertz * ratio for k in range(1, 13)]
            yield Row("low string, ripple", f"{string} {at}", "dB", lambda e: on(e.shifted(s.string(hertz), st), lambda y: f.ripple(y, low)), None, 1)
        bursts = s.bursts()
        yield Row("bursts, 90 % within", at, "ms", lambda e: on(e.shifted(bursts, st), lambda y: f.clicks(y).t90_milliseconds), None, 5)
        yield Row("bursts, before", at, "dB", lambda e: on(e.shifted(bursts, st), lambda y: f.clicks(y).before_decibels), None, -45)
        yield Row("noise, level", at, "dB", lambda e: on(e.shifted(s.noise(), st), lambda y: abs(f.loudness(s.noise(), y, 200 * max(1, ratio), 20_000 * min(1, ratio)) + f.decibels(ratio))), None, 0.5)
        yield Row("noise, spikes", at, "", lambda e: on(e.shifted(s.noise(), st), lambda y: f.spikes(y, 300 * max(1, ratio), 14_000 * min(1, ratio))), None, 0.2)


def detail_rows() -> Iterator[Row]:
    """Returns the rows for the details of a shift: what is lost, levels, small intervals, and the stereo image."""
    for hertz, st in ((9000, 24), (15_000, 12), (20_000, 7)):
        x = s.tone(hertz)
        yield Row("past half the sample rate", f"{hertz / 1000:g} kHz {st:+d} st", "dB", lambda e: on(e.shifted(x, st), lambda y: d.level(x, y)), None, -90)
    x, notes = s.chord(s.CHORDS["Dm9"]), s.CHORDS["Dm9"]
    for cents in (5, 25, -25):
        ratio = 2 ** (cents / 1200)
        yield Row("small interval, beating", f"Dm9 {cents:+d} cent", "dB", lambda e: on(e.shifted(x, cents / 100), lambda y: d.beating(y, notes, ratio)), None, 0.7)
    for st in (-5, 5):
        ratio, at = 2 ** (st / 12), f"{st:+d} st"
        strum, noise = s.strum(), s.noise()
        yield Row("60 dB quieter, difference", f"strum {at}", "dB", lambda e: on(quieter(e, strum, st), lambda pair: d.distance(*pair)), None, -80)
        yield Row("noise, worst third octave", at, "dB", lambda e: on(e.shifted(noise, st), lambda y: d.flatness(noise, y, ratio)), None, 1)
        silence = np.zeros(len(strum))
        yield Row("stereo, leak to the other side", f"strum {at}", "dB", lambda e: on(e.shifted(np.stack([strum, silence], 1), st), d.leak), None, -100)
        yield Row("stereo, sum of opposites", f"strum {at}", "dB", lambda e: on(e.shifted(np.stack([strum, -strum], 1), st), d.cancelled), None, -100)
        speech = s.spoken()
        if speech is not None:
            late = np.stack([speech, np.roll(speech, 24)], 1)
            yield Row("stereo, change of a delay of 500 µs", f"speech {at}", "µs", lambda e: on(e.shifted(late, st), lambda y: abs(d.side_delay(y) - 500)))


def quieter(e: Engine, x: Signal, st: float) -> tuple[Signal, Signal] | None:
    """Returns a shifted sound, and the same sound shifted at a level 60 dB lower and raised again."""
    loud, quiet = e.shifted(x, st), e.shifted(x / 1000, st)
    return None if loud is None or quiet is None else (loud, 1000 * quiet)


def singing_rows() -> Iterator[Row]:
    """Returns the rows for the starts of a voice's notes and for its steadiness, with unchanged formants."""
    for kind in ("silence", "s", "swell"):
        for hertz, target in ((75, 18), (110, 12), (200, 5)):
            x, starts = d.notes(hertz, kind)
            for st in (-5, 4):
                yield Row("note, at its old pitch for", f"{hertz} Hz after {kind} {st:+d} st", "ms", lambda e: on(e.shifted(x, st, True), lambda y: d.unshifted(y, starts, 2 ** (st / 12))), None, target)
    for breath, target in ((-60, 0.1), (-20, 0.1), (-12, 0.2)):
        x = d.breathy_note(breath)
        source = d.jitter(x, 220)
        for st in (-2, 4):
            yield Row("jitter added", f"breath {breath} dB {st:+d} st", "%", lambda e: on(e.shifted(x, st, True), lambda y: d.jitter(y, 220 * 2 ** (st / 12)) - source), None, target)


#: The rows of each table, and the engine to which their targets apply.
PARTS: dict[str, tuple[Callable[[], Iterator[Row]], str]] = {
    "Pitch shift, whole mixes": (shift_rows, "Stompline"),
    "Pitch shift, played through": (played_rows, FAST),
    "Time stretch": (stretch_rows, "Stompline"),
    "Pitch shift, details": (detail_rows, "Stompline"),
    "Pitch shift, one voice": (voice_rows, "Stompline"),
    "Pitch shift, starts of notes and jitter": (singing_rows, "Stompline"),
    "Real sound": (round_trip_rows, "Stompline"),
}

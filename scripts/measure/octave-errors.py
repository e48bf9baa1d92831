#!/usr/bin/env python3
"""Counts the pitch errors of pitch-shift's voice mode on speech and on sung glides.

usage: octave-errors.py [PROGRAM] [--semitones 5] [--json FILE]     PROGRAM: default
.build/release/stompline

Needs numpy, scipy and espeak-ng. Every voice is rendered clean, with noise 20 dB below it, in a
room, and with a second voice 20 dB below it. An offline pitch tracker with look-ahead
(autocorrelation after Boersma 1993) tracks the output. Its pitch is compared with the reference
times the ratio: for glides the exact pitch, for speech the tracker's pitch of the clean voice. A
frame counts if the reference is voiced for 30 ms around it and the tracker finds the reference's
pitch in the input, so that the tracker's own errors are not counted.

octave    %  within 0.2 octaves of an octave (or two) too high or too low
gross     %  more than 20 % off; includes the octaves and the unshifted frames
unshifted %  within 3 % of the input's pitch
lost      %  without a pitch
cents        median of the absolute error of all other frames

Exit status: 0; 1 if a rate is above its limit; 2 if a requirement is missing.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.io import wavfile
from scipy.signal import fftconvolve, resample_poly

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
HOP_SECONDS = 0.01
LOWEST_HERTZ, HIGHEST_HERTZ = 60, 1000
# Limits for the mean rates of a condition, in %; the exit status is 1 if one is exceeded.
LIMITS = {"octave": 1.0, "gross": 3.0}

TEXTS = {
    "en-us": "The quick brown fox jumps over the lazy dog. Singing along the shore, we heard the voices rise and fall all evening.",
    "de": "Am Abend gehen wir langsam durch den alten Garten, und die Vögel singen noch immer von ihrer langen Reise.",
    "fr": "Le soir, nous marchons lentement dans le jardin, et les oiseaux chantent encore leur long voyage.",
}
#: Name, espeak voice, its pitch from 0 through 99.
VOICES = [
    ("man", "en-us+m3", 35), ("deep man", "en-us+m1", 10), ("old man", "en-us+m7", 40), ("German man", "de+m5", 40),
    ("croak", "en-us+croak", 50), ("woman", "en-us+f2", 60), ("high woman", "en-us+f2", 95),
    ("French woman", "fr+f4", 55),
]  # fmt: skip
#: Frequencies in Hz at the start and the end of sung glides.
GLIDES = [(60, 100), (80, 160), (150, 300), (300, 600), (500, 1000)]


def spoken(voice: str, pitch: int) -> np.ndarray:
    """Returns a text spoken by espeak-ng."""
    text = TEXTS[voice.split("+")[0]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "voice.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-p", str(pitch), "-s", "150", "-w", str(path), text], check=True)
        rate, samples = wavfile.read(path)
    divisor = np.gcd(rate, RATE)
    x = resample_poly(samples / 32_768, RATE // divisor, rate // divisor)
    return np.pad(0.5 * x / np.abs(x).max(), RATE // 4)


def sung(first: float, last: float, seconds: float = 5) -> tuple[np.ndarray, np.ndarray]:
    """Returns a gliding vowel with a vibrato of half a semitone, and its pitch in Hz at every
    frame."""
    time = np.arange(int(seconds * RATE)) / RATE
    hertz = first * (last / first) ** (time / seconds) * 2 ** (np.sin(2 * np.pi * 5.5 * time) / 24)
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    formants = [(650, 90), (1150, 110), (2600, 150), (3500, 200)]
    x = np.zeros(len(time))
    for k in range(1, int(8000 / first) + 1):
        f = k * hertz
        gain = np.ones(len(time)) / k
        for centre, width in formants:
            gain = gain * centre**2 / np.hypot(centre**2 - f**2, f * width)
        x += gain * np.sin(k * phase) * (f < 8000)
    fade = np.minimum(1, np.minimum(time, time[::-1]) / 0.05)
    return np.pad(0.5 * x * fade / np.abs(x).max(), RATE // 4), np.pad(hertz * (fade >= 1), RATE // 4)


def degraded(x: np.ndarray, condition: str) -> np.ndarray:
    """Returns the voice as a stage microphone might receive it."""
    random = np.random.default_rng(7)
    level = np.sqrt(np.mean(x[np.abs(x) > 0.01] ** 2))
    if condition == "noise":
        return x + 0.1 * level * random.standard_normal(len(x))
    if condition == "room":
        # 0.4 s to -60 dB, 6 dB below the direct sound, after 10 ms.
        time = np.arange(int(0.5 * RATE)) / RATE
        tail = random.standard_normal(len(time)) * 10 ** (-3 * time / 0.4) * (time > 0.01)
        return x + 0.5 * fftconvolve(x, tail / np.sqrt(np.sum(tail**2)))[: len(x)]
    if condition == "second voice":
        other = np.resize(spoken("de+f4", 50), len(x))
        return x + 0.1 * level * other / np.sqrt(np.mean(other[np.abs(other) > 0.01] ** 2))
    return x


def pitch(x: np.ndarray, lowest: float, highest: float) -> np.ndarray:
    """Returns the pitch in Hz every 10 ms, 0 if unvoiced.

    Candidates come from the autocorrelation, the best path from the Viterbi algorithm (Boersma
    1993).
    """
    rate = 16_000
    x = resample_poly(x, 1, RATE // rate)
    size = int(3 * rate / lowest)
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(x, size // 2), size)[:: int(HOP_SECONDS * rate)]
    window = np.hanning(size)
    spectrum = np.fft.rfft((frames - frames.mean(1, keepdims=True)) * window, 4 * size)
    likeness = np.fft.irfft(np.abs(spectrum) ** 2)[:, :size]
    own = np.fft.irfft(np.abs(np.fft.rfft(window, 4 * size)) ** 2)[:size]
    likeness = likeness / (likeness[:, :1] + 1e-12) / (own / own[0] + 1e-9)
    peaks = np.abs(frames).max(1) / np.abs(x).max()
    return best_path([candidates(r, p, rate, lowest, highest) for r, p in zip(likeness, peaks)])


def candidates(r: np.ndarray, peak: float, rate: int, lowest: float, highest: float) -> np.ndarray:
    """Returns the frequency in Hz and the strength of a frame's candidates, unvoiced first."""
    lags = np.arange(int(rate / highest), min(int(rate / lowest) + 1, len(r) // 2))
    lags = lags[(r[lags] > r[lags - 1]) & (r[lags] >= r[lags + 1]) & (r[lags] > 0.2)]
    a, b, c = r[lags - 1], r[lags], r[lags + 1]
    offset = 0.5 * (a - c) / (a - 2 * b + c - 1e-12)
    hertz, height = rate / (lags + offset), np.minimum(b - 0.25 * (a - c) * offset, 1)
    order = np.argsort(-height)[:14]
    unvoiced = 0.45 + max(0, 2 - peak / (0.03 / 1.45))
    strength = height + 0.01 * np.log2(np.maximum(hertz, 1) / lowest)
    return np.vstack([[(0, unvoiced)], np.stack([hertz, strength], 1)[order]])


def best_path(frames: list[np.ndarray]) -> np.ndarray:
    """Returns the path of candidates with the greatest total strength minus the costs of jumps."""
    scores, ways = [frames[0][:, 1]], []
    for before, now in zip(frames, frames[1:]):
        a, b = before[:, :1], now[:, 0][None]
        jump = 0.35 * np.abs(np.log2(np.maximum(a, 1) / np.maximum(b, 1)))
        cost = np.where((a == 0) & (b == 0), 0, np.where((a == 0) | (b == 0), 0.14, jump))
        total = scores[-1][:, None] - cost
        ways.append(total.argmax(0))
        scores.append(total.max(0) + now[:, 1])
    place = int(scores[-1].argmax())
    path = [place]
    for way in reversed(ways):
        place = int(way[place])
        path.append(place)
    return np.array([frame[place, 0] for frame, place in zip(frames, reversed(path))])


@dataclass
class Rates:
    frames: int
    octave: float
    gross: float
    unshifted: float
    lost: float
    cents: float

    @classmethod
    def of(cls, heard: np.ndarray, reference: np.ndarray, counts: np.ndarray, ratio: float) -> Rates:
        found = heard[counts] > 0
        error = np.log2(np.maximum(heard[counts], 1) / (reference[counts] * ratio))[found]
        raw = np.abs(error + np.log2(ratio))
        size = np.abs(error)
        near = np.minimum(np.abs(size - 1), np.abs(size - 2)) < 0.2
        share = 100 / max(1, int(counts.sum()))
        fine = size <= np.log2(1.2)
        return cls(
            frames=int(counts.sum()), octave=share * int(near.sum()), gross=share * int((~fine).sum()),
            unshifted=share * int((raw < np.log2(1.03)).sum()), lost=share * int((~found).sum()),
            cents=float(1200 * np.median(size[fine])) if fine.any() else float("nan"),
        )  # fmt: skip


def render(program: str, x: np.ndarray, semitones: float) -> np.ndarray:
    """Returns the program's output for a voice, with its latency removed."""
    with tempfile.TemporaryDirectory() as folder:
        source, target, file = (Path(folder) / name for name in ("in.wav", "out.wav", "voice.json"))
        wavfile.write(source, RATE, x.astype(np.float32))
        node = {"id": "fx", "type": "pitch-shift", "settings": {"mode": "voice"}, "parameters": {"semitones": semitones}}
        outputs = {"out": {"channels": 1, "limiter": False}}
        file.write_text(json.dumps({"version": 1, "inputs": {"in": {}}, "outputs": outputs, "nodes": [node]}))
        command = [program, "render", str(file), "--input", str(source), "--output", str(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with warnings.catch_warnings():
            # The file also has a chunk with its author, which scipy does not know.
            warnings.simplefilter("ignore", wavfile.WavFileWarning)
            _, y = wavfile.read(target)
    return y.astype(float)


def signals() -> list[tuple[str, np.ndarray, np.ndarray | None]]:
    """Yields the name, the sound, and the exact pitch at every frame if it is known."""
    speech = [(name, spoken(voice, height), None) for name, voice, height in VOICES]
    return speech + [(f"sung {a} to {b} Hz", *sung(a, b)) for a, b in GLIDES]


def settled(voiced: np.ndarray) -> np.ndarray:
    """Returns the frames around which 30 ms are voiced."""
    return np.convolve(voiced, np.ones(7), "same") > 6.5


def measure(program: str, semitones: float) -> dict[str, dict[str, Rates]]:
    ratio = 2 ** (semitones / 12)
    table: dict[str, dict[str, Rates]] = {}
    for name, x, exact in signals():
        reference = pitch(x, LOWEST_HERTZ, HIGHEST_HERTZ * 1.1)
        if exact is not None:
            reference = exact[:: int(HOP_SECONDS * RATE)][: len(reference)]
        for condition in ("clean", "noise", "room", "second voice"):
            y = degraded(x, condition)
            before = pitch(y, LOWEST_HERTZ, HIGHEST_HERTZ * 1.1)
            after = pitch(render(program, y, semitones), LOWEST_HERTZ * ratio, HIGHEST_HERTZ * 1.1 * max(1, ratio))
            n = min(map(len, (reference, before, after)))
            known = reference[:n] > 0
            agrees = np.abs(np.log2(np.maximum(before[:n], 1) / np.maximum(reference[:n], 1))) < np.log2(1.2)
            counts = settled(known) & known & agrees
            table.setdefault(name, {})[condition] = Rates.of(after[:n], reference[:n], counts, ratio)
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--semitones", type=float, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    for needed in (options.program, "espeak-ng"):
        if not shutil.which(needed):
            print(f"{needed} is missing", file=sys.stderr)
            return 2
    table = measure(options.program, options.semitones)
    print(f"{'voice':22s} {'condition':13s} frames  octave  gross  unshifted   lost  cents")
    for name, conditions in table.items():
        for condition, r in conditions.items():
            print(f"{name:22s} {condition:13s} {r.frames:6d} {r.octave:7.2f} {r.gross:6.2f} {r.unshifted:10.2f} {r.lost:6.2f} {r.cents:6.1f}")
    failed = False
    for condition in ("clean", "noise", "room", "second voice"):
        rows = [rates[condition] for rates in table.values()]
        total = sum(r.frames for r in rows)
        mean = {key: sum(getattr(r, key) * r.frames for r in rows) / total for key in ("octave", "gross", "unshifted", "lost")}
        failed |= any(mean[key] > limit for key, limit in LIMITS.items())
        print(f"{'all':22s} {condition:13s} {total:6d} {mean['octave']:7.2f} {mean['gross']:6.2f} {mean['unshifted']:10.2f} {mean['lost']:6.2f}")
    if options.json:
        options.json.write_text(json.dumps({n: {c: vars(r) for c, r in cs.items()} for n, cs in table.items()}, indent=1))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures `tune` and `harmony` on synthetic singing whose pitch is known.

usage: voice-effects.py [PROGRAM] [--json FILE]     PROGRAM: default .build/release/stompline

Needs numpy and scipy. Voices of five heights sing 14 notes of C major, each up to 45 cents flat or sharp, joined by
glides of 30 ms, with breath 30 dB below. The same voices sing one long note with a vibrato of 50 cents.

landing   ms  from the start of a note until the pitch stays within 10 cents of the right one, as it leaves the effect:
              median, and in brackets the worst
error     ct  median error of the pitch from 0.1 s after the start of a note
jumps     %   frames whose pitch is more than half an octave off, from 0.05 s after the start of a note
vibrato   %   what remains of the vibrato's depth, with `vibrato` 1 and 0
wobble    ct  rms of the pitch error in a vibrato that is made flat
unpitched     whether noise, a click and a whisper pass bit for bit

`harmony` sings the same notes a third above and a sixth below: landing, error and jumps as above, without the breath of
the lead. Two other correctors are measured next to `tune` if they are installed: x42's fat1 (Debian x42-plugins), at its
fastest, and autotalent (Debian autotalent), which applyplugin (ladspa-sdk) runs. The autotalent of Debian 12 needs
functions that its C library no longer exports, so gcc builds them. Exit status: 0; 1 if a limit is exceeded; 2 if a
requirement is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy.io import wavfile
from scipy.signal import butter, sosfilt

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
VOICES = {"bass": 98.0, "tenor": 147.0, "alto": 220.0, "soprano": 392.0, "high": 587.33}
FORMANTS = [(650, 90), (1150, 110), (2600, 150), (3500, 200)]
#: Steps of C major above the first note, which is the nearest note of the scale to the voice's pitch.
MELODY = [0, 1, 2, 4, 2, 0, -1, 3, 5, 4, 1, 2, -2, 0]
NOTE_SECONDS = 0.4
MAJOR = [0, 2, 4, 5, 7, 9, 11]
FAT1 = "http://gareus.org/oss/lv2/fat1"
AUTOTALENT = Path("/usr/lib/ladspa/autotalent.so")
#: The functions that autotalent imports, and that the C library has exported under other names since version 2.31.
FORMER_NAMES = """
#include <math.h>
double __exp_finite(double x) { return exp(x); }
double __exp2_finite(double x) { return exp2(x); }
double __log10_finite(double x) { return log10(x); }
"""
# Limits: landing in ms (median and worst), which the glides of a harmony need longer for; error in cents, jumps in %,
# wobble in cents.
LIMITS = {"landing": 40, "worst": 50, "error": 3, "jumps": 0, "wobble": 6}
HARMONY_LIMITS = {**LIMITS, "landing": 50, "worst": 70}


def vowel(hertz, level=0.3, breath=-30, seed=3):
    """Returns a vowel with this course of its pitch in Hz, one value per frame."""
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    x = np.zeros(len(hertz))
    for k in range(1, int(9000 / hertz.min())):
        z = np.exp(2j * np.pi * k * hertz / RATE)
        gain = np.ones(len(hertz), complex)
        for centre, width in FORMANTS:
            pole = np.exp(-np.pi * width / RATE + 2j * np.pi * centre / RATE)
            gain *= abs(1 - pole) ** 2 / ((1 - pole / z) * (1 - np.conj(pole) / z))
        x += np.where(k * hertz < 9000, np.abs(gain) / k * np.sin(k * phase + np.angle(gain)), 0)
    x *= level / np.sqrt(np.mean(x**2)) / 3
    noise = np.random.default_rng(seed).standard_normal(len(x))
    noise = sosfilt(butter(1, [1000, 8000], "bandpass", fs=RATE, output="sos"), noise)
    return x + noise * 10 ** (breath / 20) * np.sqrt(np.mean(x**2) / np.mean(noise**2))


def member(note, steps):
    """Returns the note of C major that is a number of steps above another one."""
    octave, place = divmod(MAJOR.index(note % 12) + steps, 7)
    return note // 12 * 12 + 12 * octave + MAJOR[place]


def hertz_of(note):
    return 440 * 2 ** ((np.asarray(note, float) - 69) / 12)


def song(pitch):
    """Returns singing, the start of each note in frames, and the right note of each."""
    rng = np.random.default_rng(int(pitch))
    first = min((n for n in range(128) if n % 12 in MAJOR), key=lambda n: abs(hertz_of(n) - pitch))
    notes = [member(first, step) for step in MELODY]
    sung = np.array(notes) + rng.uniform(-0.45, 0.45, len(notes))
    count = int(NOTE_SECONDS * RATE)
    course = np.repeat(sung, count)
    glide = int(0.03 * RATE)
    for index in range(1, len(notes)):
        # A glide that is half done when the note starts.
        start = index * count - glide // 2
        course[start:start + glide] = np.linspace(sung[index - 1], sung[index], glide)
    x = vowel(hertz_of(course))
    fade = np.minimum(1, np.minimum(np.arange(len(x)), np.arange(len(x))[::-1]) / 500)
    pad = RATE // 2
    return np.pad(x * fade, pad), [pad + index * count for index in range(len(notes))], notes


def pitch_course(y, low, high, hop=96):
    """Returns the pitch of a signal in Hz every `hop` frames, from periods that are compared over three periods."""
    longest = int(RATE / low)
    found = []
    for start in range(0, len(y) - 5 * longest, hop):
        best, lag = -1.0, 0
        first = int(RATE / high)
        window = y[start:start + 5 * longest]
        # The correlation of 2.5 periods at every lag.
        size = 1 << int(np.ceil(np.log2(2 * len(window))))
        spectrum = np.fft.rfft(window, size)
        products = np.fft.irfft(np.abs(spectrum) ** 2, size)[: longest + 2]
        squares = np.concatenate([[0], np.cumsum(window**2)])
        lags = np.arange(longest + 2)
        energy = squares[len(window) - lags] + squares[-1] - squares[lags]
        likeness = 2 * products / np.maximum(energy, 1e-12)
        for at in range(max(first, 2), longest + 1):
            if likeness[at] > likeness[at - 1] and likeness[at] >= likeness[at + 1] and likeness[at] > best + 0.03:
                best, lag = likeness[at], at
        if best < 0.5:
            found.append(np.nan)
            continue
        # Several periods away, the peak is more exact.
        a, b, c = likeness[lag - 1:lag + 2]
        found.append(RATE / (lag + 0.5 * (a - c) / (a - 2 * b + c)))
    centre = (5 * longest) // 2
    return np.array(found), centre + hop * np.arange(len(found))


def render(program, x, nodes, channels=1):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "p.json").write_text(json.dumps({
            "version": 1, "inputs": {"in": {}}, "outputs": {"out": {"channels": channels, "limiter": False}},
            "nodes": nodes}))
        wavfile.write(folder / "in.wav", RATE, x.astype(np.float32))
        done = subprocess.run(
            [program, "render", str(folder / "p.json"), "--input", f"in={folder}/in.wav", "--output",
             f"out={folder}/out.wav", "--keep-latency"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wavfile.WavFileWarning)
            y = wavfile.read(folder / "out.wav")[1]
    y = y.astype(float).reshape(len(y), -1)
    y = np.pad(y, ((0, max(0, len(x) - len(y))), (0, 0)))[: len(x)]
    return y[:, 0] if channels == 1 else y


def tune(**parameters):
    return [{"id": "tune", "type": "tune",
             "parameters": {"key": "C", "scale": "major", "speed": 0, **parameters}}]


def harmony():
    """A third above on the left, a sixth below on the right."""
    return [{"id": "harmony", "type": "harmony", "settings": {"voices": 2},
             "parameters": {"key": "C", "scale": "major", "interval-1": "third-above", "interval-2": "sixth-below",
                            "pan-1": -1, "pan-2": 1, "lead": -120, "variation": 0, "tune": 1}}]


def fat1(scale=MAJOR):
    """Another corrector: the whole correction, its fastest filter."""
    allowed = {f"m{n:02d}": n in scale for n in range(12)}
    return [{"id": "fat1", "type": "lv2", "uri": FAT1,
             "parameters": {"corr": 1, "filter": 0.02, "bias": 0, "fastmode": True, **allowed}}]


class Autotalent:
    """autotalent as a program of its own, because it is not an LV2 plugin: the whole correction, no smoothing."""

    def __init__(self, folder):
        self.folder = Path(folder)
        (self.folder / "names.c").write_text(FORMER_NAMES)
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", self.folder / "names.so", self.folder / "names.c", "-lm"],
                       check=True)

    @staticmethod
    def is_installed():
        return AUTOTALENT.exists() and bool(shutil.which("applyplugin")) and bool(shutil.which("gcc"))

    def render(self, x, scale=MAJOR):
        # The notes from A upwards: 1 is in the scale, -1 is not.
        notes = [1 if (9 + step) % 12 in scale else -1 for step in range(12)]
        controls = [440, 0, 0, *notes, 1, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 1]
        source, target = self.folder / "in.wav", self.folder / "out.wav"
        wavfile.write(source, RATE, np.round(np.clip(x, -1, 1) * 32_767).astype(np.int16))
        subprocess.run(["applyplugin", "-s1", source, target, AUTOTALENT, "autotalent", *map(str, controls)],
                       env={**os.environ, "LD_PRELOAD": str(self.folder / "names.so"), "LADSPA_PATH": str(AUTOTALENT.parent)},
                       check=True, stdout=subprocess.DEVNULL)
        return wavfile.read(target)[1][: len(x)] / 32_768


def cents_near(y, frame, period):
    """Returns the deviation in cents from a period, measured at a frame over three periods, at least 12 ms; NaN if it is far off."""
    length = int(max(1.5 * period, 0.01 * RATE))
    lags = np.arange(int(0.86 * period), int(1.16 * period) + 2)
    # Both parts lie evenly around the frame.
    firsts = frame - (length + lags) // 2
    a = np.stack([y[first:first + length] for first in firsts])
    b = np.stack([y[first + lag:first + lag + length] for first, lag in zip(firsts, lags)])
    likeness = 2 * np.sum(a * b, 1) / np.maximum(np.sum(a * a, 1) + np.sum(b * b, 1), 1e-12)
    at = int(np.argmax(likeness))
    if at == 0 or at == len(lags) - 1 or likeness[at] < 0.6:
        return np.nan
    left, middle, right = likeness[at - 1:at + 2]
    return 1200 * np.log2(period / (lags[at] + 0.5 * (left - right) / (left - 2 * middle + right)))


def landing(y, starts, notes, delay):
    """Returns the landing times in ms, the error in cents, and the share of jumps in %."""
    landings, errors, jumps, count = [], [], 0, 0
    low, high = 0.7 * hertz_of(min(notes)), 1.5 * hertz_of(max(notes))
    for start, note in zip(starts, notes):
        start += delay
        period = RATE / hertz_of(note)
        times = np.arange(-0.005, NOTE_SECONDS - 0.06, 0.001)
        cents = np.array([cents_near(y, start + int(time * RATE), period) for time in times])
        early = times < 0.2
        wrong = np.flatnonzero(~(np.abs(cents[early]) <= 10))
        landings.append(1000 * max(0, times[wrong[-1] + 1]) if len(wrong) else 0.0)
        late = np.abs(cents[times > 0.1])
        errors += list(late[np.isfinite(late)])
        # At the change of a note, two pitches are in the window.
        found, _ = pitch_course(y[start + 2400:start + int((NOTE_SECONDS - 0.06) * RATE)], low, high, 480)
        found = found[np.isfinite(found)]
        jumps += int(np.sum(np.abs(1200 * np.log2(found / hertz_of(note))) > 800))
        count += len(found)
    return landings, float(np.median(errors)), 100 * jumps / count


def vibrato(pitch):
    """Returns a note of 3 s with a vibrato of 50 cents, and the note's number."""
    note = min((n for n in range(128) if n % 12 in MAJOR), key=lambda n: abs(hertz_of(n) - pitch))
    seconds = np.arange(3 * RATE) / RATE
    depth = 0.5 * np.minimum(1, seconds / 0.5)
    return np.pad(vowel(hertz_of(note + 0.2 + depth * np.sin(2 * np.pi * 5.6 * seconds))), RATE // 2), note


def depth(y, note):
    """Returns the amplitude of the vibrato and the rms error of the pitch, in cents."""
    hertz, at = pitch_course(y[int(1.5 * RATE):int(3.3 * RATE)], 0.8 * hertz_of(note), 1.25 * hertz_of(note))
    cents = 1200 * np.log2(hertz / hertz_of(note))
    seconds = at[np.isfinite(cents)] / RATE
    cents = cents[np.isfinite(cents)]
    turn = np.exp(-2j * np.pi * 5.6 * seconds)
    return 2 * abs(np.mean((cents - cents.mean()) * turn)), float(np.sqrt(np.mean(cents**2)))


def unpitched():
    rng = np.random.default_rng(1)
    x = np.zeros(2 * RATE)
    x[RATE // 4] = 0.9
    x[RATE // 2:RATE] = 0.2 * rng.standard_normal(RATE // 2)
    whisper = sosfilt(butter(1, [900, 5000], "bandpass", fs=RATE, output="sos"), rng.standard_normal(RATE // 2))
    x[RATE:RATE + RATE // 2] = 0.2 * whisper
    return x.astype(np.float32).astype(float)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build" / "release" / "stompline"))
    parser.add_argument("--json")
    options = parser.parse_args()
    program = options.program
    if not Path(program).exists():
        print(f"voice-effects: there is no program {program}", file=sys.stderr)
        sys.exit(2)
    results, failures = {}, []
    with tempfile.TemporaryDirectory() as folder:
        # For each corrector: how it renders, with or without the vibrato, and its delay if it is known.
        engines = {"tune": (lambda x, keeps: render(program, x, tune(vibrato=1 if keeps else 0)), 288)}
        if subprocess.run([program, "plugin", FAT1], capture_output=True).returncode == 0:
            engines["fat1"] = (lambda x, keeps: render(program, x, fat1()), None)
        if Autotalent.is_installed():
            autotalent = Autotalent(folder)
            engines["autotalent"] = (lambda x, keeps: autotalent.render(x), None)
        for engine, (corrected, delay) in engines.items():
            lag = delay if delay is not None else latency(corrected)
            for voice, pitch in VOICES.items():
                row = results[f"{engine} {voice}"] = measured(corrected, lag, pitch)
                print(f"{engine:10s} {voice:8s} landing {row['landing']:3.0f} ({row['worst']:3.0f}) ms  error {row['error']:4.1f} ct  "
                      f"jumps {row['jumps']:4.1f} %  vibrato {row['vibrato kept']:3.0f} / {row['vibrato flat']:3.0f} %  "
                      f"wobble {row['wobble']:4.1f} ct  latency {lag} frames", flush=True)
                if engine == "tune":
                    failures += above("tune", voice, row)
    for voice, pitch in VOICES.items():
        x, starts, notes = song(pitch)
        y = render(program, x, harmony(), channels=2)
        for channel, (name, steps) in enumerate([("above", 2), ("below", -5)]):
            times, error, jumps = landing(y[:, channel], starts, [member(note, steps) for note in notes], 288)
            row = {"landing": float(np.median(times)), "worst": float(max(times)), "error": error, "jumps": jumps}
            results[f"harmony {voice} {name}"] = row
            print(f"harmony {voice:8s} {name}  landing {row['landing']:3.0f} ({row['worst']:3.0f}) ms  error {error:4.1f} ct  "
                  f"jumps {jumps:4.1f} %", flush=True)
            failures += above("harmony", voice, row)
    x = unpitched()
    same = bool(np.array_equal(render(program, x, tune())[288:], x[:-288]))
    results["unpitched"] = same
    print(f"tune  unpitched sound passes {'bit for bit' if same else 'CHANGED'}")
    if not same:
        failures.append("unpitched sound is changed")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    for failure in failures:
        print(f"voice-effects: above the limit: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


def measured(corrected, lag, pitch):
    """Returns the figures of a corrector for a voice."""
    x, starts, notes = song(pitch)
    times, error, jumps = landing(corrected(x, False), starts, notes, lag)
    v, note = vibrato(pitch)
    source = depth(v, note)[0]
    kept = 100 * depth(corrected(v, True)[lag:], note)[0] / source
    flat, wobble = depth(corrected(v, False)[lag:], note)
    return {"landing": float(np.median(times)), "worst": float(max(times)), "error": error, "jumps": jumps,
            "vibrato kept": kept, "vibrato flat": 100 * flat / source, "wobble": wobble}


def above(effect, voice, row):
    """Returns the figures that exceed their limits."""
    limits = HARMONY_LIMITS if effect == "harmony" else LIMITS
    return [f"{effect}, {voice}: {name} {row[name]:.1f}" for name, limit in limits.items()
            if name in row and not row[name] <= limit]


def latency(corrected):
    """Returns the delay of a click in frames."""
    x = np.zeros(RATE)
    x[RATE // 4] = 0.9
    return int(np.argmax(np.abs(corrected(x, False)))) - RATE // 4


if __name__ == "__main__":
    main()

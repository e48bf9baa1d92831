#!/usr/bin/env python3
"""Measures `tune`, `harmony` and a round trip of `pitch-shift` on recordings of one voice.

usage: voice-recordings.py RECORDING... [--program PROGRAM]     PROGRAM: default .build/release/stompline

Needs numpy, scipy, praat-parselmouth, pystoi, pesq and sox. The pitch is Praat's. Figures for each recording:

tune       %  voiced frames within 20 cents of a note of the chromatic scale, in the input and in the output, for `tune`
              and for fat1 and autotalent if they are installed
harmony    ct median error of a voice 4 semitones above and of one 5 semitones below, against the input's pitch
jumps      %  frames more than half an octave off
round trip    ESTOI and PESQ (wide band) of a voice that is moved by some semitones and back with its formants kept
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import parselmouth
import pesq
import pystoi
from scipy.io import wavfile
from scipy.signal import resample_poly

ROOT = Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("effects", Path(__file__).parent / "voice-effects.py")
effects = importlib.util.module_from_spec(spec)
spec.loader.exec_module(effects)
RATE = effects.RATE
LATENCY = 288


def recording(path):
    """Returns at most 8 s of a recording as one channel, with half a second of silence at both ends."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "x.wav"
        subprocess.run(["sox", "-G", path, "-r", str(RATE), "-b", "32", "-e", "float", target, "remix", "-", "trim", "0", "8"],
                       check=True)
        x = wavfile.read(target)[1].astype(float)
    return np.pad(0.5 * x / np.abs(x).max(), RATE // 2)


def pitch(x, low=60, high=1100):
    """Returns Praat's pitch in Hz every 5 ms, 0 if unvoiced."""
    found = parselmouth.Sound(x, RATE).to_pitch_ac(time_step=0.005, pitch_floor=low, pitch_ceiling=high)
    return np.interp(np.arange(0, len(x) / RATE, 0.005), found.xs(), found.selected_array["frequency"], left=0, right=0)


def in_tune(hertz):
    """Returns the share of voiced frames within 20 cents of a note, in %."""
    notes = 12 * np.log2(hertz[hertz > 0] / 440)
    return 100 * np.mean(np.abs(notes - np.round(notes)) <= 0.2)


def errors(heard, wanted):
    """Returns the median error in cents and the share of jumps in %, of frames that are voiced in both."""
    both = (heard > 0) & (wanted > 0)
    cents = np.abs(1200 * np.log2(heard[both] / wanted[both]))
    return np.median(cents), 100 * np.mean(cents > 600)


def shifted(program, x, semitones):
    node = {"id": "fx", "type": "pitch-shift", "settings": {"mode": "voice"}, "parameters": {"semitones": semitones}}
    return effects.render(program, x, [node])


def harmonised(program, x):
    parameters = {"semitones-1": 4, "semitones-2": -5, "pan-1": -1, "pan-2": 1, "lead": -120, "unpitched": -120, "variation": 0}
    node = {"id": "h", "type": "harmony", "settings": {"mode": "interval", "voices": 2}, "parameters": parameters}
    return effects.render(program, x, [node], channels=2)[LATENCY:]


def correctors(program, folder):
    """Yields the name, the output and the delay of each corrector."""
    chromatic = [{"id": "t", "type": "tune", "parameters": {"speed": 0, "vibrato": 0}}]
    yield "tune", lambda x: effects.render(program, x, chromatic), LATENCY
    if subprocess.run([program, "plugin", effects.FAT1], capture_output=True).returncode == 0:
        yield "fat1", lambda x: effects.render(program, x, effects.fat1(range(12))), None
    if effects.Autotalent.is_installed():
        autotalent = effects.Autotalent(folder)
        yield "autotalent", lambda x: autotalent.render(x, range(12)), None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recordings", nargs="+")
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    options = parser.parse_args()
    program = options.program
    with tempfile.TemporaryDirectory() as folder:
        for path in options.recordings:
            x = recording(path)
            source = pitch(x)
            print(f"{Path(path).stem}: input {in_tune(source):.0f} % in tune")
            for name, corrected, delay in correctors(program, folder):
                lag = delay if delay is not None else effects.latency(lambda click, _: corrected(click))
                heard = pitch(np.pad(corrected(x)[lag:], (0, lag)))
                print(f"  {name:10s} {in_tune(heard):.0f} % in tune  jumps {errors(heard, source)[1]:.1f} %")
            for side, semitones in enumerate((4, -5)):
                heard = pitch(np.pad(harmonised(program, x)[:, side], (0, LATENCY)), 40, 1500)
                cents, jumps = errors(heard, source * 2 ** (semitones / 12))
                print(f"  harmony {semitones:+d}  error {cents:.1f} ct  jumps {jumps:.1f} %")
            for semitones in (2, 5, -5):
                y = shifted(program, shifted(program, np.pad(x, (0, 2 * LATENCY)), semitones), -semitones)[2 * LATENCY:]
                a, b = (resample_poly(v, 1, 3).astype(np.float32) for v in (x, y[: len(x)]))
                print(f"  round trip {semitones:+d}  ESTOI {pystoi.stoi(a, b, 16_000, extended=True):.2f}  "
                      f"PESQ {pesq.pesq(16_000, a, b, 'wb'):.2f}", flush=True)


if __name__ == "__main__":
    main()

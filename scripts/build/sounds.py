#!/usr/bin/python3
"""Makes the sounds in pipelines/sounds, which the shipped pipelines play.

usage: sounds.py [FOLDER]     default: pipelines/sounds

Organ, bass, bells, shaker and click have four bars at 120 beats per minute. Rain, thunder and
doorbell are for a theatre. The sounds are part of the repository; this script documents how they
were made. Needs numpy, and `flac` or
`ffmpeg` in the PATH.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import wavfile

SECONDS = 8
BAR = 2.0
CHORDS = ((57, 60, 64), (53, 57, 60), (48, 52, 55), (55, 59, 62))  # A minor, F, C, G


def hertz(note: float) -> float:
    return 440 * 2 ** ((note - 69) / 12)


def times(rate: int, seconds: float = SECONDS) -> np.ndarray:
    return np.arange(int(seconds * rate)) / rate


def organ(rate: int) -> np.ndarray:
    """Drawbar chords, slightly detuned between the sides; every bar fades in and out so that the
    loop joins."""
    t = times(rate)
    sides = []
    for detune in (-0.04, 0.04):
        sound = np.zeros_like(t)
        for bar, chord in enumerate(CHORDS):
            inside = (t >= bar * BAR) & (t < (bar + 1) * BAR)
            u = t[inside] - bar * BAR
            swell = np.minimum(1, np.minimum(u / 0.05, (BAR - u) / 0.08))
            for note in chord:
                for harmonic, level in ((1, 1.0), (2, 0.5), (3, 0.3), (4, 0.15), (6, 0.08)):
                    sound[inside] += level * swell * np.sin(2 * np.pi * harmonic * hertz(note + detune) * u)
        sides.append(sound)
    return np.stack(sides, 1)


def bass(rate: int) -> np.ndarray:
    """A plucked root note on every other eighth."""
    t = times(rate)
    sound = np.zeros_like(t)
    for step in range(0, 32):
        if step % 4 == 3:
            continue
        start, note = step * BAR / 8, CHORDS[step // 8][0] - 24
        inside = (t >= start) & (t < start + BAR / 8)
        u = t[inside] - start
        pluck = np.minimum(1, u / 0.004) * np.exp(-5 * u) * np.minimum(1, (BAR / 8 - u) / 0.02)
        for harmonic in range(1, 9):
            sound[inside] += pluck * np.exp(-2.5 * harmonic * u) / harmonic * np.sin(2 * np.pi * harmonic * hertz(note) * u)
    return sound


def bell(rate: int) -> np.ndarray:
    """Small bells up and down the chord, all below 1.4 kHz like in an old sampler."""
    t = times(rate)
    sound = np.zeros_like(t)
    for step in range(16):
        note = CHORDS[step // 4][(0, 1, 2, 1)[step % 4]] + 12
        start = step * BAR / 4
        inside = t >= start
        u = t[inside] - start
        ring = np.minimum(1, u / 0.003) * np.exp(-4 * u) * np.clip((SECONDS - t[inside]) / 0.1, 0, 1)
        sound[inside] += ring * np.sin(2 * np.pi * hertz(note) * u + 0.6 * np.exp(-9 * u) * np.sin(2 * np.pi * 2.76 * hertz(note) * u))
    return sound


def shaker(rate: int) -> np.ndarray:
    """Sixteenths of bright noise that alternate between the sides, with louder off-beats."""
    random = np.random.default_rng(7)
    sound = np.zeros((SECONDS * rate, 2))
    count = int(0.06 * rate)
    u = np.arange(count) / rate
    for step in range(64):
        grain = np.diff(random.standard_normal(count + 1)) * np.minimum(1, u / 0.002) * np.exp(-60 * u)
        side = 0.5 + 0.35 * np.sin(step * np.pi / 4)
        first = int(step * BAR / 16 * rate)
        level = 1.0 if step % 4 == 2 else 0.45
        sound[first : first + count] += level * grain[:, None] * np.array([np.sqrt(1 - side), np.sqrt(side)])
    return sound


def click(rate: int) -> np.ndarray:
    """A short tone on every beat, an octave higher on the first beat of a bar."""
    t = times(rate)
    sound = np.zeros_like(t)
    for beat in range(16):
        u = t - beat * BAR / 4
        ring = np.minimum(1, u / 0.002) * np.exp(-90 * u) * (u >= 0) * (u < 0.1)
        sound += ring * np.sin(2 * np.pi * (1600 if beat % 4 == 0 else 800) * u)
    return sound


def low_noise(rate: int, seconds: float, hertz: float, seed: int) -> np.ndarray:
    """Noise below a frequency; its end leads into its beginning."""
    noise = np.random.default_rng(seed).standard_normal(int(seconds * rate))
    spectrum = np.fft.rfft(noise)
    frequencies = np.fft.rfftfreq(len(noise), 1 / rate)
    return np.fft.irfft(spectrum / (1 + (frequencies / hertz) ** 4), len(noise))


def rain(rate: int) -> np.ndarray:
    """Soft noise that swells and falls once."""
    t = times(rate, 4)
    return low_noise(rate, 4, 1500, 11) * (1 + 0.2 * np.sin(2 * np.pi * t / 4))


def thunder(rate: int) -> np.ndarray:
    """A low rumble of three rolls that fades away."""
    t = times(rate, 5)
    rolls = sum(level * np.exp(-1.6 * np.maximum(0, t - start)) * np.clip((t - start) / 0.15, 0, 1)
                for start, level in ((0, 1.0), (0.7, 0.7), (1.9, 0.45)))
    return low_noise(rate, 5, 120, 12) * rolls * np.clip((5 - t) / 0.5, 0, 1)


def doorbell(rate: int) -> np.ndarray:
    """Two tones, the second a third lower."""
    t = times(rate, 2)
    sound = np.zeros_like(t)
    for start, hz in ((0, 660.0), (0.6, 528.0)):
        u = np.maximum(0, t - start)
        ring = np.minimum(1, u / 0.005) * np.exp(-3.5 * u) * np.clip((2 - t) / 0.1, 0, 1)
        sound += ring * (np.sin(2 * np.pi * hz * u) + 0.3 * np.sin(2 * np.pi * 2 * hz * u) * np.exp(-4 * u))
    return sound


def write(sound: np.ndarray, rate: int, path: Path) -> None:
    whole = np.round(0.5 * 32767 * sound / np.abs(sound).max()).astype(np.int16)
    if path.suffix == ".wav":
        wavfile.write(path, rate, whole)
        return
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "sound.wav"
        wavfile.write(wav, rate, whole)
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", wav, "-compression_level", "12", "-fflags", "+bitexact",
             "-flags:a", "+bitexact", path],
            check=True,
        )


def main() -> None:
    root = Path(__file__).resolve().parent.parent.parent
    folder = Path(sys.argv[1]) if sys.argv[1:] else root / "pipelines/sounds"
    folder.mkdir(exist_ok=True)
    write(organ(44_100), 44_100, folder / "organ.flac")
    write(bass(44_100), 44_100, folder / "bass.flac")
    write(bell(3_000), 3_000, folder / "bells.wav")
    write(shaker(48_000), 48_000, folder / "shaker.flac")
    write(click(16_000), 16_000, folder / "click.flac")
    write(rain(11_025), 11_025, folder / "rain.flac")
    write(thunder(3_000), 3_000, folder / "thunder.flac")
    write(doorbell(8_000), 8_000, folder / "doorbell.flac")


main()

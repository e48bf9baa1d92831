"""The test sounds for the effects: computed, recorded and spoken."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.io import wavfile

RATE = 48_000
SECONDS = 6
Signal = NDArray[np.float64]

CLICK_FIRST, CLICK_STEP, CLICK_COUNT = 24_000, 12_000, 24
CHORDS = {"A7 open": [110, 164.81, 196, 277.18], "Dm9": [146.83, 174.61, 220, 261.63, 329.63]}
SAMPLES = Path("/usr/share/sonic-pi/samples")
RECORDED = {"drums": "loop_amen_full", "guitar": "guit_em9", "mix": "loop_garzul", "choir": "ambi_choir"}
SENTENCE = "Every evening the old band played on the harbour, and nobody ever wanted to go home before the last song."
#: The strings of a struck chord, Am, in Hz.
STRINGS = [110.0, 164.81, 220.0, 261.63, 329.63, 440.0]


@dataclass(frozen=True)
class Vowel:
    """A voice that sustains one vowel: its pitch, and the resonances of its vocal tract."""

    name: str
    pitch_hertz: float
    formants_hertz: tuple[float, ...]
    bandwidths_hertz: tuple[float, ...]

    def response(self, hertz: Signal) -> NDArray[np.complex128]:
        """Returns the response of an all-pole tract, 1 at 0 Hz."""
        z = np.exp(2j * np.pi * hertz / RATE)
        total = np.ones_like(z)
        for centre, width in zip(self.formants_hertz, self.bandwidths_hertz):
            pole = np.exp(-np.pi * width / RATE + 2j * np.pi * centre / RATE)
            total *= abs(1 - pole) ** 2 / ((1 - pole / z) * (1 - np.conj(pole) / z))
        return total


VOWELS = [
    Vowel("male a", 113, (710, 1150, 2550, 3300, 4400), (80, 90, 120, 150, 200)),
    Vowel("female e", 207, (450, 2050, 2850, 3900, 4900), (80, 100, 140, 180, 240)),
]


def time(seconds: float = SECONDS) -> Signal:
    return np.arange(int(seconds * RATE)) / RATE


def framed(x: Signal) -> Signal:
    """Returns the signal at half scale, with soft ends, between two half seconds of silence."""
    n = RATE // 40
    ramp = np.sin(np.pi / 2 * np.arange(n) / n) ** 2
    x = 0.5 * x / np.abs(x).max()
    x[:n] *= ramp
    x[-n:] *= ramp[::-1]
    return np.pad(x, RATE // 2)


def tone(hertz: float) -> Signal:
    return framed(np.sin(2 * np.pi * hertz * time()))


def harmonics(hertz: float, levels: Signal, phases: Signal) -> Signal:
    k = np.arange(1, len(levels) + 1)
    return sum(a * np.cos(2 * np.pi * n * hertz * time() + p) for n, a, p in zip(k, levels, phases))


def chord(notes_hertz: list[float]) -> Signal:
    """Returns saws with scattered phases, up to 10 kHz."""
    total = np.zeros(len(time()))
    for index, hertz in enumerate(notes_hertz):
        k = np.arange(1, int(10_000 / hertz) + 1)
        total += harmonics(hertz, 1 / k, 1.7 * index + k * k)
    return framed(total)


def vowel(v: Vowel) -> Signal:
    k = np.arange(1, int(15_000 / v.pitch_hertz) + 1)
    response = v.response(k * v.pitch_hertz) / k
    return framed(harmonics(v.pitch_hertz, np.abs(response), np.angle(response)))


def click_places() -> NDArray[np.int_]:
    return CLICK_FIRST + CLICK_STEP * np.arange(CLICK_COUNT)


def clicks() -> Signal:
    x = np.zeros(click_places()[-1] + RATE)
    x[click_places()] = 0.9
    return x


def bursts() -> Signal:
    """Returns castanet-like bursts: a sine at 2.2 kHz that decays within some milliseconds."""
    n = np.arange(2400)
    shape = 0.6 * np.exp(-n / (0.004 * RATE)) * np.sin(2 * np.pi * 2200 * n / RATE + 0.3)
    x = np.zeros(click_places()[-1] + RATE)
    for place in click_places():
        x[place : place + len(n)] += shape
    return x


def strum() -> Signal:
    """Returns six plucked strings, struck 25 ms apart, whose partials decay the faster the higher they are."""
    t, total = time(), np.zeros(len(time()))
    for index, hertz in enumerate(STRINGS):
        since = np.maximum(t - 0.025 * index - 0.02, 0)
        for k in range(1, int(9_000 / hertz) + 1):
            strike = np.sin(0.23 * np.pi * k) / k
            decay = np.exp(-since * (0.5 + 0.25 * k)) * np.minimum(since / 0.002, 1)
            total += strike * decay * np.sin(2 * np.pi * k * hertz * since)
    return framed(total)


def string(hertz: float) -> Signal:
    """Returns a steady low string: twelve partials that fall by 3 dB each."""
    return framed(harmonics(hertz, 10 ** (-3 * np.arange(12) / 20), 0.7 * np.arange(12) ** 2))


def vibrato_turns(depth_cents: float) -> Signal:
    """Returns the phase, in turns, of a tone of 220 Hz with a vibrato of 5.5 Hz."""
    hertz = 220 * 2 ** (depth_cents / 1200 * np.sin(2 * np.pi * 5.5 * time()))
    return np.cumsum(hertz) / RATE


def vibrato(depth_cents: float) -> Signal:
    """Returns a bowed tone with a vibrato: 20 partials that fall by 6 dB per octave."""
    turns = vibrato_turns(depth_cents)
    return framed(sum(np.sin(2 * np.pi * k * turns + k * k) / k for k in range(1, 21)))


def noise() -> Signal:
    return framed(np.clip(np.random.default_rng(4).standard_normal(len(time())), -4, 4))


def recorded(name: str) -> Signal | None:
    """Returns at most nine seconds of a loop from sonic-pi-samples; None without it or sox."""
    source = SAMPLES / f"{RECORDED[name]}.flac"
    if not source.exists() or not shutil.which("sox"):
        return None
    return through_sox(source, "remix", "-", "trim", "0", "9", "gain", "-n", "-3", "pad", "0.5", "0.5")


def spoken(voice: str = "en-gb+m3") -> Signal | None:
    if not shutil.which("espeak-ng") or not shutil.which("sox"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-w", str(raw), SENTENCE], check=True)
        return through_sox(raw, "gain", "-n", "-3", "pad", "0.5", "0.5")


def through_sox(source: Path, *effects: str) -> Signal:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "sound.wav"
        form = ["-r", str(RATE), "-b", "32", "-e", "float"]
        subprocess.run(["sox", "-V1", str(source), *form, str(target), *effects], check=True)
        return read(target)


def read(path: Path) -> Signal:
    """Returns a file's first channel."""
    return read_all(path)[:, 0]


def read_all(path: Path) -> NDArray[np.float64]:
    """Returns a file's frames, each with all channels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wavfile.WavFileWarning)  # unknown chunks
        _, x = wavfile.read(path)
    scale = 1 if x.dtype.kind == "f" else np.iinfo(x.dtype).max
    return x.reshape(len(x), -1).astype(float) / scale


def write(path: Path, x: Signal, as_floats: bool = True) -> None:
    wavfile.write(path, RATE, x.astype(np.float32) if as_floats else np.round(x * 32767).astype(np.int16))

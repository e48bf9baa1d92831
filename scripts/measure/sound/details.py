"""Figures of the details that a critical listener hears: levels, small intervals, the stereo image, and the voice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, sosfilt

from . import signals as s
from .figures import decibels, steady
from .signals import RATE, Signal

#: Frames by two channels.
Stereo = NDArray[np.float64]


def level(x: Signal, y: Signal) -> float:
    """Returns the level of the middle of y, relative to that of x, in dB."""
    return float(decibels(np.mean(steady(y) ** 2) / np.mean(steady(x) ** 2)))


def distance(x: Signal, y: Signal) -> float:
    """Returns the level of the difference of the middles, relative to x, in dB."""
    count = min(len(x), len(y))
    return float(decibels(np.mean(steady(y[:count] - x[:count]) ** 2) / np.mean(steady(x) ** 2)))


def flatness(x: Signal, y: Signal, ratio: float) -> float:
    """Returns the largest distance of a third-octave level of shifted noise from that of the noise, from 400 Hz up, in dB.

    Below 400 Hz, the bands of four seconds of noise differ by chance.
    """

    def thirds(z: Signal, scale: float) -> Signal:
        power, bins = np.abs(np.fft.rfft(steady(z))) ** 2, np.fft.rfftfreq(len(steady(z)), 1 / RATE)
        centres = 1000 * 2 ** (np.arange(-4, 11) / 3)
        edges = [(c * scale * 2 ** (-1 / 6), c * scale * 2 ** (1 / 6)) for c in centres if c * scale * 1.2 < 0.45 * RATE]
        return np.array([decibels(power[(bins >= a) & (bins < b)].sum()) for a, b in edges])

    count = len(thirds(y, ratio))
    return float(np.abs(thirds(y, ratio) - thirds(x, 1)[:count]).max())


def beating(y: Signal, notes_hertz: list[float], ratio: float) -> float:
    """Returns the rms movement of the levels of a steady chord's partials below 3 kHz that have no near neighbour, in dB."""
    middle = steady(y)
    window = np.hanning(RATE // 10)
    window /= window.sum()
    partials = np.array(sorted(k * hertz for hertz in notes_hertz for k in range(1, int(9000 / hertz))))
    t = np.arange(len(middle)) / RATE
    movements = []
    for index, hertz in enumerate(partials):
        if hertz > 3000 or np.abs(np.delete(partials, index) - hertz).min() < 25:
            continue
        band = fftconvolve(middle * np.exp(-2j * np.pi * hertz * ratio * t), window, "valid")[::960]
        movements.append((20 * np.log10(np.abs(band) + 1e-9)).std())
    return float(np.sqrt(np.mean(np.square(movements))))


def leak(y: Stereo) -> float:
    """Returns the level on the right of a sound that is only on the left, in dB."""
    return float(decibels((y[:, 1] ** 2).sum() / (y[:, 0] ** 2).sum() + 1e-15))


def cancelled(y: Stereo) -> float:
    """Returns the level of the sum of a sound and its opposite, relative to one of them, in dB."""
    return float(decibels((y.sum(1) ** 2).sum() / (y[:, 0] ** 2).sum() + 1e-15))


def side_delay(y: Stereo) -> float:
    """Returns the time by which the right channel is later than the left one, in microseconds."""
    size = 1 << 20
    spectrum = np.fft.rfft(y[:, 1], size) * np.conj(np.fft.rfft(y[:, 0], size))
    place = int(np.argmax(np.fft.irfft(spectrum, 4 * size)))
    return (place - 4 * size if place > 2 * size else place) / 4 / RATE * 1e6


@dataclass(frozen=True)
class Start:
    """A note: its first frame, the frame after its last, and its mean period in frames."""

    first: int
    end: int
    period: float


def notes(hertz: float, kind: str) -> tuple[Signal, list[Start]]:
    """Returns 14 short notes of a voice with breath.

    `kind` is what comes before each: "silence"; "s", noise like that of a consonant; or "swell", a slow start.
    """
    rng, count, length = np.random.default_rng(11), 14, int(0.35 * RATE)
    t = np.arange(length) / RATE
    x, starts = np.zeros(int((count + 1.5) * 0.6 * RATE)), []
    breath, hiss = (butter(order, edges, kind, fs=RATE, output="sos") for order, edges, kind in ((1, [1000, 8000], "bandpass"), (4, 3500, "highpass")))
    for index in range(count):
        # A note starts a little sharp.
        course = hertz * 2 ** (rng.uniform(-1, 1) / 12) * (1 + 0.03 * np.exp(-t / 0.04))
        turns = np.cumsum(course) / RATE
        k = np.arange(1, int(7000 / hertz))
        response = s.VOWELS[0].response(k * hertz) / k
        note = sum(abs(r) * np.sin(2 * np.pi * n * turns + np.angle(r)) for n, r in zip(k, response))
        note *= 0.2 / np.sqrt(np.mean(note**2))
        note += 0.02 * sosfilt(breath, rng.standard_normal(length))
        rise = 0.06 if kind == "swell" else 0.004
        note *= np.minimum(1, t / rise) * np.minimum(1, (t[-1] - t) / 0.02)
        first = int((0.5 + 0.6 * index) * RATE) + int(rng.integers(0, 1500))
        x[first : first + length] += note
        starts.append(Start(first, first + length, RATE / course.mean()))
        if kind == "s":
            noise = sosfilt(hiss, rng.standard_normal(int(0.12 * RATE)))
            noise *= 0.06 / np.sqrt(np.mean(noise**2)) * np.minimum(1, np.arange(len(noise)) / 2000)
            x[first - len(noise) : first] += noise
    return x, starts


def likeness(y: Signal, at: int, period: float) -> float:
    """Returns the best correlation of one and a half periods with those a period later, within 1.5 % of the period."""
    length, best = int(1.5 * period), 0.0
    a = y[at : at + length]
    for lag in range(int(0.985 * round(period)), int(1.015 * round(period)) + 1):
        b = y[at + lag : at + lag + length]
        best = max(best, float(np.dot(a, b) / np.sqrt(np.dot(a, a) * np.dot(b, b) + 1e-12)))
    return best


def unshifted(y: Signal, starts: list[Start], ratio: float) -> float:
    """Returns the median time from the start of a note until its new period is clearer than its old one, in ms."""
    times = []
    for note in starts:
        new, last = note.period / ratio, note.end - int(3 * max(note.period, note.period / ratio))
        places = range(note.first, last, 96)
        found = next((at for at in places if likeness(y, at, new) > max(likeness(y, at, note.period), 0.7)), note.end)
        times.append((found - note.first) / RATE * 1e3)
    return float(np.median(times))


def breathy_note(breath_decibels: float) -> Signal:
    """Returns a steady vowel of 220 Hz with breath at a level relative to it."""
    x = s.vowel(s.Vowel("a", 220, s.VOWELS[0].formants_hertz, s.VOWELS[0].bandwidths_hertz))
    noise = sosfilt(butter(1, [1000, 8000], "bandpass", fs=RATE, output="sos"), np.random.default_rng(3).standard_normal(len(x)))
    shape = np.convolve(np.abs(x), np.ones(480) / 480, "same")
    noise *= shape
    return x + noise * 10 ** (breath_decibels / 20) * np.sqrt(np.mean(x**2) / np.mean(noise**2))


def jitter(y: Signal, hertz: float) -> float:
    """Returns the mean difference of neighbouring periods, relative to the period, in per cent.

    Each period is the distance at which the sound around a mark is most like that around the next one.
    """
    middle, period = steady(y), RATE / hertz
    half = int(0.5 * period)
    place, periods = 4 * period, []
    while place + 3 * period < len(middle) - half:
        at = int(place)
        a = middle[at - half : at + half]
        lags = np.arange(int(0.8 * period), int(1.25 * period) + 1)
        b = np.stack([middle[at + lag - half : at + lag + half] for lag in lags])
        alike = b @ a / np.sqrt((b**2).sum(1) * (a @ a) + 1e-12)
        best = int(np.argmax(alike[1:-1])) + 1
        left, centre, right = alike[best - 1 : best + 2]
        lag = lags[best] + 0.5 * (left - right) / (left - 2 * centre + right)
        periods.append(lag)
        place += lag
    return float(100 * np.mean(np.abs(np.diff(periods))) / np.mean(periods))

"""The definitions of the figures, from signals to numbers.

`stretch` is the output's length divided by the input's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.signal import fftconvolve
from scipy.signal.windows import blackmanharris, hann

from .signals import CLICK_COUNT, CLICK_FIRST, CLICK_STEP, RATE, Signal, Vowel, vibrato_turns


def decibels(power):
    return 10 * np.log10(np.maximum(power, 1e-30))


def steady(y: Signal, stretch: float = 1) -> Signal:
    """Returns the middle four seconds (times stretch) of a framed sound."""
    return y[int(1.6 * RATE * stretch) : int(5.6 * RATE * stretch)]


def spectrum(s: Signal) -> tuple[Signal, Signal]:
    return np.abs(np.fft.rfft(s * blackmanharris(len(s)))) ** 2, np.fft.rfftfreq(len(s), 1 / RATE)


def purity(y: Signal, partials: Sequence[float], reach: float = 6, stretch: float = 1) -> float:
    """Returns the energy near the partials relative to the rest, 30 Hz to 12 kHz, in dB.

    `reach` is the distance in Hz that counts as near.
    """
    power, bins = spectrum(steady(y, stretch))
    heard = (bins > 30) & (bins < 12_000)
    wanted = np.zeros(len(bins), bool)
    for partial in partials:
        first, last = np.searchsorted(bins, [partial - reach, partial + reach])
        wanted[first:last] = True
    return float(decibels(power[heard & wanted].sum() / (power[heard & ~wanted].sum() + 1e-30)))


def rest(y: Signal, partials: Sequence[float]) -> float:
    """Returns the energy between the partials of a decaying chord relative to theirs, 0.6 to 2.8 s after its start."""
    power, bins = spectrum(y[int(1.1 * RATE) : int(3.3 * RATE)])
    heard = (bins > 60) & (bins < 2500)
    near = np.zeros(len(bins), bool)
    for partial in partials:
        first, last = np.searchsorted(bins, [partial - 8, partial + 8])
        near[first:last] = True
    return float(decibels(power[heard & ~near].sum() / power[heard & near].sum()))


def ripple(y: Signal, partials: Sequence[float]) -> float:
    """Returns the mean standard deviation of the levels of steady partials, each over 0.15 s, in dB."""
    s, length = steady(y), int(0.15 * RATE)
    window = hann(length)
    levels = []
    for hertz in partials:
        turned = s * np.exp(-2j * np.pi * hertz * np.arange(len(s)) / RATE)
        count = len(turned) // length
        blocks = np.abs((turned[: count * length].reshape(count, length) * window).sum(1))
        levels.append(20 * np.log10(blocks + 1e-12))
    strongest = max(float(np.median(level)) for level in levels)
    return float(np.mean([level.std() for level in levels if np.median(level) > strongest - 30]))


def warped_purity(y: Signal, depth_cents: float, ratio: float) -> float:
    """Returns the purity of a shifted vibrato after its vibrato was removed, at the delay where it is best."""
    turns = vibrato_turns(depth_cents)
    even = np.linspace(turns[RATE], turns[-RATE], int((turns[-RATE] - turns[RATE]) / 220 * RATE))
    places = np.interp(even, turns, np.arange(len(turns))) + RATE // 2
    partials = [k * 220 * ratio for k in range(1, 21)]
    frames = np.arange(len(y))

    def at(delay: int) -> float:
        # A shift by the ratio reads the phase faster, so the frames are the same.
        warped = CubicSpline(frames, y)(places + delay)
        power, bins = spectrum(warped)
        heard = (bins > 60) & (bins < 9000)
        near = np.zeros(len(bins), bool)
        for partial in partials:
            first, last = np.searchsorted(bins, [partial - 3, partial + 3])
            near[first:last] = True
        return float(decibels(power[heard & near].sum() / power[heard & ~near].sum()))

    return max(at(delay) for delay in range(-256, 257, 64))


def spikes(y: Signal, lowest: float, highest: float) -> float:
    """Returns how much the bins of shifted noise exceed those of noise in kurtosis: E[p²] / E[p]² − 2 of powers p."""
    s = steady(y)
    frames = np.lib.stride_tricks.sliding_window_view(s, 2048)[::512] * hann(2048)
    power = np.abs(np.fft.rfft(frames)) ** 2
    bins = np.fft.rfftfreq(2048, 1 / RATE)
    power = power[:, (bins > lowest) & (bins < highest)]
    power = power / power.mean(0)
    return float((power**2).mean() - 2)


def cents(y: Signal, hertz: float, stretch: float = 1) -> float:
    """Returns a tone's frequency error in cents, from the slope of its phase over 32 sections."""
    s = steady(y, stretch)
    turned = s * np.exp(-2j * np.pi * hertz * np.arange(len(s)) / RATE)
    length = len(s) // 32
    blocks = (turned[: 32 * length].reshape(32, length) * hann(length)).sum(1)
    slope = np.polyfit(np.arange(32) * length / RATE, np.unwrap(np.angle(blocks)), 1)[0]
    return float(1200 * np.log2(1 + slope / (2 * np.pi * hertz)))


@dataclass(frozen=True)
class Clicks:
    t90_milliseconds: float  #: shortest time that holds 90 % of a click's energy, the median
    before_decibels: float  #: energy more than 2 ms before the peak against all of it, the median
    deviation_milliseconds: float  #: of the peaks from a straight line, rms
    slope_ppm: float  #: error of the line's slope


def clicks(y: Signal, stretch: float = 1) -> Clicks:
    """Returns the smear and timing of the clicks or bursts of `signals`."""
    half = int(CLICK_STEP * stretch / 2.5)
    rows, times = [], []
    for k in range(1, CLICK_COUNT - 2):
        place = int((CLICK_FIRST + k * CLICK_STEP) * stretch)
        first = max(0, place - half)
        energy = y[first : place + half] ** 2
        if energy.sum() < 1e-9:
            continue
        peak = int(np.argmax(np.convolve(energy, np.ones(24), "same")))
        near = slice(max(0, peak - 4000), peak + 5000)
        energy, peak = energy[near], peak - near.start
        share = np.concatenate([[0], np.cumsum(energy)]) / energy.sum()
        starts = np.flatnonzero(share <= 0.1)
        ends = np.searchsorted(share, np.minimum(share[starts] + 0.9, 1))
        centroid = (np.arange(len(energy)) * energy).sum() / energy.sum()
        rows.append(((ends - starts).min() / RATE * 1e3, share[max(0, peak - 96)]))
        times.append((CLICK_FIRST + k * CLICK_STEP, first + near.start + centroid))
    if len(rows) < 5:
        return Clicks(*[float("nan")] * 4)
    t90, before = np.median(np.array(rows), axis=0)
    at, came = np.array(times).T
    fit = np.polyfit(at, came, 1)
    deviation = np.sqrt(np.mean((came - np.polyval(fit, at)) ** 2))
    return Clicks(
        float(t90), float(decibels(before + 1e-9)), float(deviation / RATE * 1e3), float((fit[0] / stretch - 1) * 1e6)
    )


def loudness(x: Signal, y: Signal, lowest: float, highest: float) -> float:
    """Returns y's level relative to x's between two frequencies in dB; x has a flat density."""
    power_x, bins = spectrum(steady(x))
    power_y, _ = spectrum(steady(y))
    band = (bins > lowest) & (bins < highest)
    return float(decibels(power_y[band].sum() / power_x[band].sum()))


def onset_rise(y: Signal) -> float:
    """Returns the 98th percentile of the rise of 1 ms energies over 5 ms, in dB."""
    energy = np.add.reduceat(y**2, np.arange(0, len(y), 48))
    level = decibels(energy + 1e-7 * 48 * np.max(y**2))
    return float(np.percentile(level[5:] - level[:-5], 98))


def erb(hertz):
    return 21.4 * np.log10(1 + 0.00437 * hertz)


def bands(x: Signal) -> Signal:
    """Returns the energies of 40 bands on the ERB scale, 80 Hz to 14 kHz, every 10 ms."""
    frames = np.lib.stride_tricks.sliding_window_view(x, 2048)[::480] * hann(2048)
    power = np.abs(np.fft.rfft(frames)) ** 2
    place = (erb(np.fft.rfftfreq(2048, 1 / RATE)) - erb(80)) / (erb(14_000) - erb(80)) * 39
    weights = np.maximum(0, 1 - np.abs(place[:, None] - np.arange(40)))
    return power @ weights + 1e-12


def distance(x: Signal, y: Signal, reach: int = 960) -> float:
    """Returns the rms difference in dB between the bands of two sounds.

    Only frames in which x is audible count, at the best lag within reach.
    """
    wanted = bands(x)
    return min(band_distance(wanted, bands(shifted(y, lag))) for lag in range(-reach, reach + 1, 120))


def shifted(y: Signal, lag: int) -> Signal:
    return y[lag:] if lag >= 0 else np.pad(y, (-lag, 0))


def band_distance(a: Signal, b: Signal) -> float:
    n = min(len(a), len(b))
    a, b = a[:n], b[:n]
    loud = a.sum(1) > 1e-4 * a.sum(1).max()
    floor = 1e-6 * a.max()
    d = (decibels(b + floor) - decibels(a + floor))[loud]
    return float(np.sqrt(((d - np.median(d)) ** 2).mean(1)).mean())


@dataclass(frozen=True)
class Formants:
    displacement_semitones: float  #: by how much the throat seems to have changed
    error_decibels: float  #: rms difference of the harmonics from the throat's own envelope


def formants(y: Signal, v: Vowel, ratio: float) -> Formants:
    """Returns the shift of a vowel's formants for a pitch ratio, from 100 Hz to 3.5 kHz."""
    hertz = v.pitch_hertz * ratio * np.arange(1, int(3500 / (v.pitch_hertz * ratio)) + 1)
    hertz = hertz[hertz > 100]
    power, bins = spectrum(steady(y))
    measured = np.array([decibels(power[np.abs(bins - f) < 6].sum()) for f in hertz])

    def error(scale: float) -> float:
        throat = decibels(np.abs(v.response(hertz / scale) * scale / hertz) ** 2)
        return float(np.std(measured - throat))

    steps = np.arange(-14, 14.01, 0.1)
    best = steps[int(np.argmin([error(2 ** (s / 12)) for s in steps]))]
    return Formants(abs(float(best)), error(1))


def lag(x: Signal, y: Signal, limit: int = 12_000) -> int:
    """Returns the delay of y's loudness relative to x's, in frames."""
    smooth = hann(1921)
    a, b = (np.diff(fftconvolve(s**2, smooth, "same")) for s in (x, y))
    n = min(len(a), len(b))
    c: NDArray[np.float64] = fftconvolve(b[:n], a[:n][::-1])
    return int(np.argmax(c[n - 1 : n - 1 + limit]))

#!/usr/bin/env python3
"""Measures `feedback-guard` in loops through simulated rooms, and its effect on music.

usage: feedback-guard.py [PLUGIN] [--json FILE] [--quick]     PLUGIN: default plugins/stompline.lv2/stompline.so

Needs numpy, scipy, espeak-ng (without it, the source is noise in syllables), and the plugin, which
scripts/build/plugins.sh builds. It runs in blocks of 64 frames at 48 kHz.

A loop consists of the sound at the microphone, the guard, an amplifier that clips softly, a loudspeaker (80 Hz to
9 kHz), and a room of about 6 x 5 x 3 m made of image sources. The microphone is still or moves at 0.5 m/s. The limit is
the highest stable gain without the guard, by Nyquist's criterion at each position. The speech is 30 dB below clipping.

margin  dB  how far the gain can be above the limit: the loop does not stay more than 12 dB louder than the direct
            sound in the last 6 of 12 s
loss    dB  mean attenuation of the notches from 100 Hz to 10 kHz, at that gain
time    ms  from the moment at which a rising tone has -70 dB, 25 dB above the noise in its band, until its notch is
            there: 45 tones, the mean and the slowest
dozen       how many of 12 tones have a notch 200 ms after all had -70 dB, at 100 to 210 dB/s
music   dB  largest change of a third-octave band that contains at least a thousandth of the energy

Exit status: 0; 1 if a limit is exceeded; 2 if a requirement is missing.
"""

from __future__ import annotations

import argparse
import ctypes as c
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import wavfile
from scipy.signal import butter, lfilter, resample_poly, sosfilt

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
BLOCK = 64
TAPS = 16_384
DELAY = 128
PARAMETERS = {"sensitivity": 0.5, "depth": 18, "width": 0.1, "release": 30, "lowest": 40, "highest": 24_000, "hold": 0,
              "clear": 0}
# Seed of the room, reverberation time in seconds, whether the microphone moves.
ROOMS = [(3, 0.4, True), (4, 0.7, False), (5, 0.6, True), (9, 0.8, False), (11, 0.5, True), (12, 0.4, False)]
LIMITS = {"margin": 8, "time": 200, "dozen": 12, "music": 0.5}


class Descriptor(c.Structure):
    _fields_ = [("uri", c.c_char_p), ("instantiate", c.c_void_p), ("connect", c.c_void_p), ("activate", c.c_void_p),
                ("run", c.c_void_p), ("deactivate", c.c_void_p), ("cleanup", c.c_void_p), ("extension", c.c_void_p)]


class Guard:
    """One instance of the plugin for one channel."""

    def __init__(self, path, **values):
        library = c.CDLL(str(path))
        library.lv2_descriptor.restype = c.POINTER(Descriptor)
        index = 0
        while True:
            found = library.lv2_descriptor(index)
            if not found:
                raise SystemExit(f"{path} has no feedback guard")
            if found.contents.uri == b"urn:stompline:feedback-guard":
                break
            index += 1
        d = found.contents
        make = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_double, c.c_char_p, c.c_void_p)(d.instantiate)
        features = (c.c_void_p * 1)()
        self._handle = make(c.cast(found, c.c_void_p), float(RATE), b"", c.cast(features, c.c_void_p))
        connect = c.CFUNCTYPE(None, c.c_void_p, c.c_uint32, c.c_void_p)(d.connect)
        self._run = c.CFUNCTYPE(None, c.c_void_p, c.c_uint32)(d.run)
        self._input, self._output = np.zeros(BLOCK, np.float32), np.zeros(BLOCK, np.float32)
        # The parameters, `enabled`, `latency`, and the three reports.
        self._controls = np.array([*{**PARAMETERS, **values}.values(), 1, 0, 0, 0, 0], np.float32)
        for port, place in enumerate([self._input, self._output]):
            connect(self._handle, port, place.ctypes.data)
        for index in range(len(self._controls)):
            connect(self._handle, 2 + index, self._controls[index:].ctypes.data)
        c.CFUNCTYPE(None, c.c_void_p)(d.activate)(self._handle)
        self._cleanup = c.CFUNCTYPE(None, c.c_void_p)(d.cleanup)

    def __del__(self):
        self._cleanup(self._handle)

    def block(self, x):
        self._input[:] = x
        self._run(self._handle, BLOCK)
        return self._output.copy()

    def render(self, x):
        whole = np.pad(x, (0, -len(x) % BLOCK))
        return np.concatenate([self.block(part) for part in whole.reshape(-1, BLOCK)])[:len(x)]

    @property
    def latency(self):
        return int(self._controls[-4])

    @property
    def notches(self):
        return int(self._controls[-3])

    @property
    def frequency(self):
        return float(self._controls[-2])


def image_response(room, source, microphone, reverberation):
    """Returns the response of a room (Allen and Berkley, 1979) with a loudspeaker and a microphone."""
    volume = np.prod(room)
    surface = 2 * (room[0] * room[1] + room[0] * room[2] + room[1] * room[2])
    reflection = np.sqrt(1 - min(0.161 * volume / surface / reverberation, 0.95))
    axes = []
    for length, a, b in zip(room, source, microphone):
        count = int(TAPS / RATE * 343 / (2 * length)) + 2
        n = np.arange(-count, count + 1)
        axes.append((np.concatenate([2 * n * length + a - b, 2 * n * length - a - b]),
                     np.concatenate([abs(2 * n), abs(2 * n - 1)])))
    (x, i), (y, j), (z, k) = axes
    h = np.zeros(TAPS)
    for dx, ix in zip(x, i):
        distance = np.sqrt(dx**2 + y[:, None] ** 2 + z[None, :] ** 2).ravel()
        order = (ix + j[:, None] + k[None, :]).ravel()
        time = distance / 343 * RATE
        keep = time < TAPS - 20
        time, level = time[keep], reflection ** order[keep] / (4 * np.pi * distance[keep])
        frame = time.astype(int)
        share = time - frame
        # A fractional delay of eight frames' length.
        for offset in range(-3, 5):
            place = offset - share
            weight = np.sinc(place) * (0.5 + 0.5 * np.cos(np.pi * place / 4.5))
            np.add.at(h, np.maximum(frame + offset, 0), level * weight)
    h = sosfilt(butter(2, 80, "highpass", fs=RATE, output="sos"), h)
    return sosfilt(butter(2, 9000, fs=RATE, output="sos"), h)


def responses(seed, reverberation, moves):
    rng = np.random.default_rng(seed)
    room = np.array([6.1, 4.9, 3.1]) * rng.uniform(0.9, 1.1, 3)
    source = np.array([0.5, room[1] * 0.8, 2.0]) * rng.uniform(0.9, 1.1, 3)
    start = np.array([2.5, 2, 1.5]) * rng.uniform(0.85, 1.2, 3)
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle), 0])
    return [image_response(room, source, start + 0.02 * step * way, reverberation) for step in range(13 if moves else 1)]


def stable_limit(all_responses):
    """Returns the highest stable gain at all positions."""
    size, highest = 1 << 18, 0.0
    turn = np.exp(-2j * np.pi * np.arange(size // 2 + 1) * DELAY / size)
    for h in all_responses:
        loop = np.fft.rfft(h, size) * turn
        real = loop.real[(abs(loop.imag) < 0.2 * abs(loop.real)) & (loop.real > 0)]
        highest = max(highest, real.max())
    return 1 / highest


def loop(guard, all_responses, gain, source):
    """Returns the sound of the loudspeaker."""
    size = 2 * TAPS
    spectra = [np.fft.rfft(h, size) for h in all_responses]
    way = (len(spectra) - 1) * int(0.02 / 0.5 * RATE)
    lead = size + DELAY
    sound = np.zeros(len(source) + lead)
    for first in range(0, len(source) - BLOCK + 1, BLOCK):
        end = lead + first + BLOCK - DELAY
        past = np.fft.rfft(sound[end - size:end])
        place = 0.0
        if way:
            turn = first % (2 * way)
            place = min(turn, 2 * way - 1 - turn) / way * (len(spectra) - 1)
        index = int(place)
        spectrum = spectra[index]
        if place > index:
            spectrum = spectrum + (place - index) * (spectra[index + 1] - spectrum)
        heard = np.fft.irfft(past * spectrum, size)[-BLOCK:]
        x = (source[first:first + BLOCK] + heard).astype(np.float32)
        y = guard.block(x) if guard else x
        sound[lead + first:lead + first + BLOCK] = np.tanh(gain * y.astype(float))
    return sound[lead:]


def excess(sound, direct):
    """Returns by how much the loudest half second of the second half is louder than the direct sound, in dB."""
    def loudest(x):
        parts = x[len(x) // 2:]
        return np.sqrt(np.mean(parts[:len(parts) // 24_000 * 24_000].reshape(-1, 24_000) ** 2, axis=1)).max()
    return 20 * np.log10(loudest(sound) / loudest(direct))


def speech(seconds):
    if not shutil.which("espeak-ng"):
        rng = np.random.default_rng(0)
        noise = sosfilt(butter(2, [200, 3000], "bandpass", fs=RATE, output="sos"), rng.standard_normal(seconds * RATE))
        x = noise * (np.sin(2 * np.pi * 2 * np.arange(len(noise)) / RATE) > -0.3)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/speech.wav"
            subprocess.run(["espeak-ng", "-v", "en-us", "-s", "150", "-w", path, (
                "The north wind and the sun were disputing which was the stronger, when a traveller came along wrapped "
                "in a warm cloak. They agreed that the one who first succeeded in making the traveller take his cloak "
                "off should be considered stronger than the other.")], check=True)
            rate, x = wavfile.read(path)
        x = resample_poly(x / 32768, RATE, rate)
        x = np.tile(x, seconds * RATE // len(x) + 1)[:seconds * RATE]
    return x / np.sqrt(np.mean(x**2)) * 10 ** (-30 / 20)


def attenuation(before, after):
    """Returns the mean change of level from 100 Hz to 10 kHz in third-octave bands, in dB."""
    a, b = thirds(before), thirds(after)
    return float(np.mean(10 * np.log10(b[3:-1] / a[3:-1])))


def thirds(x):
    frequency = np.fft.rfftfreq(len(x), 1 / RATE)
    power = abs(np.fft.rfft(x)) ** 2
    edges = 1000 * 2 ** ((np.arange(-13, 15) - 0.5) / 3)
    return np.array([power[(frequency >= a) & (frequency < b)].sum() for a, b in zip(edges, edges[1:])])


def margin(path, room):
    """Returns the highest stable gain above the limit in dB, and the attenuation there."""
    h = responses(*room)
    limit = stable_limit(h)
    source = speech(12)
    best, loss = 0, 0.0
    for above in [4, 6, 8, 9, 10, 11, 12]:
        gain = limit * 10 ** (above / 20)
        guard = Guard(path)
        sound = loop(guard, h, gain, source / gain)
        if excess(sound, source) > 12:
            break
        best = above
        noise = 0.001 * np.random.default_rng(1).standard_normal(2 * RATE)
        loss = attenuation(noise, guard.render(noise))
    return best, loss


def rising(hertz, speed, seconds, end=-12, start=-100):
    t = np.arange(int(seconds * RATE)) / RATE
    return np.sin(2 * np.pi * hertz * t) * 10 ** (np.minimum(start + speed * t, end) / 20)


def reaction(path):
    """Returns the times from -70 dB of rising tones to their notches, in ms."""
    times = []
    for hertz in [120, 200, 315, 500, 800, 1250, 2000, 3150, 5000, 8000, 12_500, 16_000, 1010, 333, 4321]:
        for speed in [60, 150, 300]:
            guard = Guard(path)
            noise = 3e-4 * np.random.default_rng(hertz).standard_normal(RATE)
            guard.render(noise[:RATE // 2])
            x = noise + rising(hertz, speed, 1)
            time = next((n for n in range(0, RATE, BLOCK) if guard.block(x[n:n + BLOCK]) is not None and guard.notches),
                        RATE)
            times.append(1000 * ((time + BLOCK) / RATE - 30 / speed))
    return times


def dozen(path):
    """Returns how many of 12 tones have a notch 200 ms after all had -70 dB, 25 dB above the noise in their bands."""
    guard = Guard(path)
    noise = 3e-4 * np.random.default_rng(0).standard_normal(RATE)
    guard.render(noise[:RATE // 2])
    t = np.arange(RATE // 2) / RATE
    tones = sum(np.sin(2 * np.pi * 200 * 1.34**n * t) * 10 ** (np.minimum((100 + 10 * n) * (t - 0.3) - 70, -30) / 20)
                for n in range(12))
    guard.render(noise[RATE // 2:] + tones)
    return guard.notches


def pieces():
    """Returns pieces of music of 16 s."""
    rng = np.random.default_rng(0)
    scale = [60, 62, 64, 65, 67, 69, 71, 72, 74, 76]

    def hertz(note):
        return 440 * 2 ** ((note - 69) / 12)

    def shaped(x, attack, release):
        a, b = int(attack * RATE), int(release * RATE)
        x[:a] *= np.linspace(0, 1, a)
        x[-b:] *= np.linspace(1, 0, b)
        return x

    def tone(f, partials, n, vibrato=0.0):
        t = np.arange(n) / RATE
        phase = 2 * np.pi * np.cumsum(f * 2 ** (vibrato / 1200 * np.sin(2 * np.pi * 5.5 * t))) / RATE
        return sum(a * np.sin(k * phase) for k, a in enumerate(partials, 1) if k * f < 20_000)

    def pluck(f, n):
        period = int(RATE / f - 0.5)
        noise = np.zeros(n)
        noise[:period] = rng.uniform(-1, 1, period)
        a = np.zeros(period + 2)
        a[0], a[-2], a[-1] = 1, -0.498, -0.498
        return lfilter([1], a, noise)

    def melody(make, step, up=0):
        x = np.zeros(18 * RATE)
        time = 0.0
        while time < 15.5:
            length = step * rng.choice([0.5, 1, 1, 2, 4])
            y = make(hertz(rng.choice(scale) + up), int(length * RATE))
            place = int(time * RATE)
            y = y[:len(x) - place]
            x[place:place + len(y)] += y
            time += length
        return x[:16 * RATE]

    def chords(make, step):
        x = np.zeros(20 * RATE)
        for bar in range(int(16 / step)):
            root = rng.choice([48, 50, 53, 55])
            for note in [0, 7, 12, 16, 19, 24]:
                y = make(hertz(root + note), int(step * RATE))
                place = int(bar * step * RATE)
                x[place:place + len(y)] += y
        return x[:16 * RATE]

    found = {
        "singing": melody(lambda f, n: shaped(tone(f, [1, 0.7, 0.5, 0.2, 0.3, 0.1], n, 50), 0.08, 0.08), 0.5),
        "singing without vibrato": melody(lambda f, n: shaped(tone(f, [1, 0.5, 0.3, 0.1], n), 0.06, 0.08), 0.6),
        "flute": melody(lambda f, n: shaped(tone(f, [1, 0.1, 0.03], n, 6), 0.2, 0.1), 0.8, 12),
        "whistling": melody(lambda f, n: shaped(tone(f, [1, 0.01], n, 8), 0.08, 0.06), 0.6, 24),
        "organ": chords(lambda f, n: shaped(tone(f, [1, 0.8, 0.1, 0.6, 0, 0.1, 0, 0.3], n), 0.03, 0.05), 4),
        "sine organ": chords(lambda f, n: shaped(tone(f, [1, 0.02], n), 0.05, 0.08), 4),
        "strings": chords(
            lambda f, n: shaped(tone(f, [1 / k for k in range(1, 20)], n, 15), 0.6, 0.5) * 10 ** (
                np.linspace(-20, 0, n) / 20), 4),
        "guitar": chords(pluck, 2),
        "picked guitar": melody(lambda f, n: pluck(f, 2 * n), 0.25),
    }
    hits = np.zeros(16 * RATE)
    for beat in range(32):
        t = np.arange(RATE // 2) / RATE
        y = np.sin(2 * np.pi * 55 * t) * np.exp(-9 * t) if beat % 2 == 0 else rng.standard_normal(len(t)) * np.exp(-20 * t)
        hits[beat * RATE // 2:beat * RATE // 2 + len(y)] += y
    found["drums"] = hits
    level = {name: x / np.sqrt(np.mean(x**2)) * 0.1 for name, x in found.items()}
    level["speech"] = speech(16) * 10 ** 0.5
    level["a band"] = level["drums"] + level["guitar"] + level["singing"] + 0.5 * level["strings"]
    return level


def change(path, x):
    before, after = thirds(x), thirds(Guard(path).render(x))
    loud = before > before.sum() / 1000
    return float(max(abs(10 * np.log10(after[loud] / before[loud]))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin", nargs="?", default=ROOT / "plugins/stompline.lv2/stompline.so", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true", help="two rooms only")
    options = parser.parse_args()
    if not options.plugin.exists():
        print(f"{options.plugin} is missing; build it with scripts/build/plugins.sh", file=sys.stderr)
        return 2
    results, isGood = {}, True

    def report(name, value, good):
        nonlocal isGood
        results[name] = value
        isGood &= good
        print(f"{name:40} {value}{'' if good else '   exceeds the limit'}", flush=True)

    times = reaction(options.plugin)
    report("time, ms", [round(float(np.mean(times))), round(max(times))], max(times) < LIMITS["time"])
    found = dozen(options.plugin)
    report("dozen", found, found == LIMITS["dozen"])
    for name, x in pieces().items():
        value = change(options.plugin, x)
        report(f"music, dB: {name}", round(value, 2), value < LIMITS["music"])
    for room in ROOMS[:2] if options.quick else ROOMS:
        best, loss = margin(options.plugin, room)
        place = "moving" if room[2] else "still"
        report(f"margin, dB: {room[1]} s, {place}", [best, round(loss, 1)], best >= LIMITS["margin"])
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0 if isGood else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Makes a page of listening examples: short sounds, as they are and as each engine plays them.

usage: examples.py [FOLDER] [--program PATH] [--player PATH] [--only NAME]     FOLDER: default .build/examples

Open index.html of the folder in a browser. All versions of an example have the same loudness and begin together; a click
into a spectrogram plays this version from there, so that versions can be compared while they play. Rubber Band,
SoundTouch, fat1, and the recorded sounds are included if Debian's rubberband-cli, soundstretch, x42-plugins and
sonic-pi-samples (with sox) are installed. Exit status 1 if a version that must sound is silent.
"""

from __future__ import annotations

import argparse
import html
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.io import wavfile

from sound.engines import ROOT, fast, ours, peers
from sound.examples import Example, Sound, all_examples
from sound.pictures import levels, png, spectrogram
from sound.signals import RATE

#: The level of all versions, in dB below full scale, and the highest peak.
LEVEL, PEAK = -20.0, 0.97
#: Below this level, relative to the source, a version is silent: its level stays as it is.
SILENCE = -40.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / ".build/examples")
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--player", default=str(ROOT / ".build/release/stretch-file"))
    parser.add_argument("--only", help="the name of one example")
    options = parser.parse_args()

    options.folder.mkdir(parents=True, exist_ok=True)
    engines = [ours(options.program, options.player), fast(options.program), *peers()]
    sections, silent = [], []
    for example in all_examples(engines, options.program):
        if options.only not in (None, example.name):
            continue
        print(f"{example.name:16} {', '.join(example.versions)}", flush=True)
        sections.append(section(example, options.folder))
        silent += [f"{example.name}: {name}" for name, sound in example.versions.items() if not is_expected(example, name, sound)]
    page = (Path(__file__).resolve().parent / "sound/examples.html").read_text()
    (options.folder / "index.html").write_text(page.replace("<!-- examples -->", "\n".join(sections)))
    print(f"\n{options.folder / 'index.html'}")
    for name in silent:
        print(f"examples: {name} is silent", file=sys.stderr)
    return 1 if silent or not sections else 0


def power(sound: Sound) -> float:
    return float(np.mean(sound**2))


def is_expected(example: Example, name: str, sound: Sound) -> bool:
    """Returns whether a version sounds, or is silent where silence is right."""
    relative = 10 * np.log10(power(sound) / power(example.versions["source"]) + 1e-30)
    return np.isfinite(sound).all() and (relative > SILENCE or example.name == "nyquist")


def part(example: Example, sound: Sound) -> Sound:
    """Returns the part of a version to hear, with soft ends."""
    first, last = (int(t * RATE) for t in example.seconds)
    frames = sound[first:last].copy()
    count = RATE // 50
    ramp = np.linspace(0, 1, count).reshape(-1, *[1] * (frames.ndim - 1))
    frames[:count] *= ramp
    frames[-count:] *= ramp[::-1]
    return frames


def section(example: Example, folder: Path) -> str:
    """Writes the sounds and pictures of an example, and returns its part of the page."""
    loudest = power(part(example, example.versions["source"]))
    top = None
    versions = []
    for name, sound in example.versions.items():
        frames = part(example, sound)
        own = power(frames)
        gain = np.sqrt(10 ** (LEVEL / 10) / (own if own > loudest * 10 ** (SILENCE / 10) else loudest))
        frames = frames * min(gain, PEAK / max(np.abs(frames).max(), 1e-9))
        stem = f"{example.name}-{name.lower().replace(' ', '-').replace('.json', '')}"
        wavfile.write(folder / f"{stem}.wav", RATE, np.round(frames * 32767).astype(np.int16))
        mono = frames if frames.ndim == 1 else frames.mean(1)
        shown = (0, len(mono) / RATE)
        if top is None:
            top = float(levels(mono, shown, example.window).max())
        (folder / f"{stem}.png").write_bytes(png(spectrogram(mono, shown, example.window, top)))
        measured = ""
        if example.figure and name != "source":
            measured = f"{round(example.figure.measure(sound), 1) + 0:.1f} {example.figure.unit}".replace("-", "−")
        versions.append(
            f'<figure><button type="button" aria-label="Play {html.escape(name)}"><img src="{stem}.png" alt="Spectrogram of {html.escape(name)}">'
            f'<i></i></button><figcaption><b>{html.escape(name)}</b> {html.escape(measured)}</figcaption>'
            f'<audio src="{stem}.wav" preload="auto"></audio></figure>'
        )
    claim = example.claim + (f" The number is the {example.figure.name}." if example.figure else "")
    return (
        f'<section id="{example.name}"><h2>{html.escape(example.title)}</h2><p>{html.escape(claim)}</p>'
        f'<div>{"".join(versions)}</div></section>'
    )


if __name__ == "__main__":
    sys.exit(main())

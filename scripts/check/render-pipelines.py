#!/usr/bin/python3
"""Renders every shipped pipeline, and each of its scenes, with music-like noise at all its inputs.

usage: render-pipelines.py [PROGRAM]

Of a setlist, it renders each song, from the setlist.

Fails if a render fails, or if the output is silent, not finite, or above the limiter's ceiling, or
if the output differs in any bit on several cores. The render without a scene is repeated on several
cores, and that of the first scene that is not active at load on two.
A scene may silence an output on purpose, but not all outputs. An output of a setlist may be silent
in a song without it.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.io import wavfile

# Our files contain their peak level in a chunk that scipy does not know.
warnings.simplefilter("ignore", wavfile.WavFileWarning)

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
CEILING = 10 ** (-0.3 / 20) + 1e-6
SILENCE = 1e-3
#: The numbers of cores whose output must equal that of one core: 1, 2, 4, 8 and 16 workers.
CORES = (2, 3, 5, 9, 17)
#: The same, in one scene of each pipeline.
CORES_OF_SCENE = (2,)


def test_sound(channels: int, seed: int) -> np.ndarray:
    """Returns two seconds of decaying bursts of pinkish noise over a chord, peak at -12 dBFS."""
    random = np.random.default_rng(seed)
    t = np.arange(2 * RATE) / RATE
    noise = np.cumsum(random.standard_normal((len(t), channels)), 0)
    noise -= np.mean(noise, 0)
    noise /= np.abs(noise).max()
    chord = sum(np.sin(2 * np.pi * f * t) for f in (110, 220, 277.2, 329.6, 1760, 5274))
    sound = (noise + 0.3 * chord[:, None]) * np.exp(-4 * (t % 0.5))[:, None]
    return (0.25 * sound / np.abs(sound).max()).astype(np.float32)


def render(
    program: str, path: Path, options: list[str], scene: str | None, folder: Path, cores: tuple[int, ...]
) -> list[str]:
    """Renders one pipeline in one scene, and again on these numbers of cores; returns the errors.

    The words `options` follow the path: a setlist has a song, and a pipeline none.
    """
    pipeline, setlist = pipeline_of(path, options), json.loads(path.read_text()) if options else {}
    call = [program, "render", str(path), *options, "--allow-network", "--allow-private", "--takes", str(folder)]
    inputs = setlist.get("inputs", {}) | pipeline.get("inputs", {"in": {"channels": 2}})
    call += ["--tail", "1"] if inputs else ["--length", "3"]
    for seed, (name, signal) in enumerate(inputs.items()):
        if signal.get("kind", "audio") == "audio":
            wavfile.write(folder / f"{name}.wav", RATE, test_sound(signal.get("channels", 1), seed))
            call += ["--input", f"{name}={folder / name}.wav"]
    own = pipeline.get("outputs", {"out": {"channels": 2}})
    outputs = own | setlist.get("outputs", {})
    audible = [name for name, signal in outputs.items() if signal.get("kind", "audio") == "audio"]
    for name in audible:
        call += ["--output", f"{name}={folder / name}-out.wav"]
    if scene is not None:
        call += ["--scene", scene]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode != 0:
        return [f"status {done.returncode}: {done.stderr.strip()}"]
    peaks = {name: peak(folder / f"{name}-out.wav") for name in audible}
    silent = [name for name, value in peaks.items() if value < SILENCE]
    if scene is not None and len(silent) < len(audible):
        silent = []
    silent = [name for name in silent if name in own]
    wrong = [f"{name} is silent" for name in silent] + [
        f"{name} has a peak of {value:.3f}" for name, value in peaks.items() if not value <= CEILING]
    return wrong + unequal(call, [folder / f"{name}-out.wav" for name in audible], cores)


def unequal(call: list[str], outputs: list[Path], all_cores: tuple[int, ...]) -> list[str]:
    """Renders again on several cores; returns the numbers of cores for which an output differs."""
    expected = [path.read_bytes() for path in outputs]
    wrong = []
    for cores in all_cores:
        done = subprocess.run([*call, "--cores", str(cores)], capture_output=True, text=True)
        if done.returncode != 0:
            wrong.append(f"status {done.returncode} on {cores} cores: {done.stderr.strip()}")
        elif [path.read_bytes() for path in outputs] != expected:
            wrong.append(f"another output on {cores} cores")
    return wrong


def pipeline_of(path: Path, options: list[str]) -> dict:
    """Returns the pipeline of a file, or of the chosen song of a setlist."""
    document = json.loads(path.read_text())
    if "setlist" not in document:
        return document
    return json.loads((path.parent / document["songs"][int(options[1]) - 1]["pipeline"]).read_text())


def songs(path: Path) -> list[list[str]]:
    """Returns the options that choose each song of a setlist; for a pipeline, one empty list."""
    document = json.loads(path.read_text())
    if "setlist" not in document:
        return [[]]
    return [["--song", str(number)] for number in range(1, len(document["songs"]) + 1)]


def peak(path: Path) -> float:
    """Returns the highest sample of a rendered file; NaN or infinity if a sample is not finite."""
    return float(np.abs(wavfile.read(path)[1].astype(float)).max())


@contextlib.contextmanager
def sounds_served() -> Iterator[None]:
    """Serves the sounds that web-radio.json requests."""
    call = [sys.executable, "-m", "http.server", "8017", "--bind", "127.0.0.1", "--directory", str(ROOT / "pipelines/sounds")]
    server = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", 8017), timeout=1):
                break
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait()


def main() -> int:
    with sounds_served():
        return render_all()


def render_all() -> int:
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/stompline")
    failed = 0
    for path in sorted((ROOT / "pipelines").glob("*.json")):
        for options in songs(path):
            # The scenes of a song are rendered with its own file.
            pipeline = {} if options else pipeline_of(path, options)
            scenes = list(pipeline.get("scenes", {}))
            compared = next((scene for scene in scenes if scene != pipeline.get("scene")), None)
            for scene in [None, *scenes]:
                cores = CORES if scene is None else CORES_OF_SCENE if scene == compared else ()
                with tempfile.TemporaryDirectory() as scratch:
                    wrong = render(program, path, options, scene, Path(scratch), cores)
                failed += bool(wrong)
                name = ", ".join([path.name, *([" ".join(options)] if options else []), *([scene] if scene else [])])
                print(f"{name}: {'; '.join(wrong) or 'renders'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

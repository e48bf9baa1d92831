#!/usr/bin/env python3
"""Compares the load that `stompline prove` predicts with the load of a live session.

usage: prove.py [--program PROGRAM] [--frames 128] [--seconds 5] [--passes 3] [--rounds 3] [--within 10] [FILE…]

For each pipeline it starts a JACK server with real-time priority and the dummy driver, and plays the pipeline with
silent inputs for some seconds. Live, it takes the median of the mean and of the worst load of each second: the worst
load of all is an interruption where other programs run. Then `prove --real-time` plays the same silence, and the
loads of its second second count. A machine is not equally fast at all times, so both alternate, and the medians of all
rounds count. Ends with status 1 if a worst load differs by more than `--within` percent, and by more than 1 % of the
period: a light pipeline takes so little time that a single interruption is a large share of it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
# A smaller difference does not count, as a share of the period.
LEAST_DIFFERENCE = 0.01


class Server:
    """A JACK server with the dummy driver."""

    def __init__(self, frames: int) -> None:
        self.name = f"prove-{os.getpid()}"
        self.process = subprocess.Popen(
            ["jackd", "-n", self.name, "-R", "-P", "70", "-d", "dummy", "-r", str(RATE), "-p", str(frames)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def live(program: str, path: Path, frames: int, seconds: int) -> tuple[float, float]:
    """Returns the mean load and the usual worst load of a second of a live session."""
    server = Server(frames)
    try:
        result = subprocess.run(
            [program, "run", str(path), "--server", server.name, "--no-connect", "--no-start-server",
             "--duration", str(seconds + 1), "--json"],
            capture_output=True, text=True, check=True)
    finally:
        server.end()
    events = [json.loads(line) for line in result.stdout.splitlines()]
    states = [event for event in events if event.get("event") == "status"][1:]
    return (statistics.median(state["load_mean"] for state in states),
            statistics.median(state["load_worst"] for state in states))


def predicted(program: str, path: Path, frames: int, passes: int) -> tuple[float, float]:
    """Returns the mean and the worst load of a second that `prove` measures."""
    signals = json.loads(path.read_text())["inputs"].items()
    silence = path.parent / "silence.wav"
    with wave.open(str(silence), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(bytes(2 * RATE))
    inputs = [word for name, signal in signals if signal.get("kind") != "midi"
              for word in ("--input", f"{name}={silence}")]
    result = subprocess.run(
        [program, "prove", str(path), "--frames", str(frames), "--rate", str(RATE), "--real-time", "--passes",
         str(passes), "--seconds", "1", "--json", *inputs],
        capture_output=True, text=True, check=False)
    step = json.loads(result.stdout)["steps"][1]
    return step["mean"], step["worst"]


def without_changes(path: Path, folder: str) -> Path:
    """Writes a pipeline without bindings and with a scene that changes nothing, and returns its path.

    The scene is the second second of the pipeline: the first blocks of a session are slower.
    """
    pipeline = json.loads(path.read_text())
    for key in ("scenes", "scene", "midi"):
        pipeline.pop(key, None)
    pipeline["scenes"] = {"same": {}}
    reduced = Path(folder) / path.name
    reduced.write_text(json.dumps(pipeline))
    return reduced


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("STOMPLINE", str(ROOT / ".build/release/stompline")))
    parser.add_argument("--frames", type=int, default=128)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--within", type=float, default=10)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    names = ["clean-vocal", "parallel-reverb", "vocal-harmony"]
    files = [Path(file) for file in options.files] or [ROOT / "pipelines" / f"{name}.json" for name in names]
    print(f"{'pipeline':20} {'mean: predicted':>16} {'live':>8} {'differs':>8} {'worst: predicted':>17} {'live':>8} "
          f"{'differs':>8}  worst live in each round")
    missed = 0
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            reduced = without_changes(file, folder)
            rounds = [(predicted(options.program, reduced, options.frames, options.passes),
                       live(options.program, reduced, options.frames, options.seconds)) for _ in range(options.rounds)]
        mean, worst = (statistics.median(each[0][kind] for each in rounds) for kind in (0, 1))
        live_mean, live_worst = (statistics.median(each[1][kind] for each in rounds) for kind in (0, 1))
        difference = 100 * (worst / live_worst - 1)
        missed += abs(difference) > options.within and abs(worst - live_worst) > LEAST_DIFFERENCE
        print(f"{file.stem:20} {100 * mean:14.2f} % {100 * live_mean:6.2f} % {100 * (mean / live_mean - 1):+6.1f} % "
              f"{100 * worst:15.2f} % {100 * live_worst:6.2f} % {difference:+6.1f} %  "
              + " ".join(f"{100 * each[1][1]:.1f}" for each in rounds))
    print(f"\nload of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

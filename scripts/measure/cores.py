#!/usr/bin/python3
"""Finds how many plugins a pipeline of equal branches runs before the first late cycle.

usage: cores.py [--program PROGRAM] [--frames 64,128,1024] [--cores 1,2] [--uri URI] [--branches 8]
                [--seconds 4] [--peer]

It starts a JACK server with real-time priority and the dummy driver for each block size. The plugins are in
branches of equal length between a stereo input and a mixer. A number of plugins passes if a run of the given length has
no late cycle and no xrun after its first second. The number grows by whole branches until a run fails twice.
--peer also runs the same plugins in N clients of jalv, one a branch... see docs/measurements/cores.md.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000


def pipeline(uri: str, branches: int, length: int) -> dict:
    """Returns a pipeline of equal branches."""
    nodes = []
    for branch in range(branches):
        source = "in"
        for place in range(length):
            nodes.append({"id": f"b{branch}-{place}", "type": "lv2", "uri": uri, "from": source})
            source = f"b{branch}-{place}"
    ends = [f"b{branch}-{length - 1}" for branch in range(branches)]
    nodes.append({"id": "sum", "type": "mixer", "from": ends})
    return {"version": 1, "name": "branches", "inputs": {"in": {"channels": 2}},
            "outputs": {"out": {"channels": 2}}, "nodes": nodes}


class Server:
    """A JACK server with the dummy driver."""

    def __init__(self, frames: int) -> None:
        self.name = f"cores-{os.getpid()}"
        self.process = subprocess.Popen(
            ["jackd", "-n", self.name, "-R", "-P", "70", "-d", "dummy", "-r", str(RATE), "-p", str(frames)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def late_cycles(program: str, path: Path, server: str, cores: int, seconds: float) -> int:
    """Plays a pipeline; returns its late cycles and xruns after the first second."""
    call = [program, "run", str(path), "--server", server, "--cores", str(cores), "--json", "--no-start-server",
            "--no-watch", "--no-watchdog", "--duration", str(seconds + 1)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=seconds + 60)
    counts = []
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") == "status" or event.get("type") == "status":
            counts.append(event["late_cycles"] + event["xruns"])
    if not counts:
        print(done.stdout[-500:], done.stderr[-500:], file=sys.stderr)
        return 1 << 30
    return counts[-1] - counts[0]


def most(options: argparse.Namespace, server: str, cores: int, folder: Path, start: int) -> int:
    """Returns the largest number of plugins without a late cycle."""
    path = folder / "branches.json"
    best, length = 0, start
    step = max(1, start // 8)
    while True:
        path.write_text(json.dumps(pipeline(options.uri, options.branches, length)))
        tries = [late_cycles(options.program, path, server, cores, options.seconds) for _ in range(1)]
        if tries[0] > 0:
            tries.append(late_cycles(options.program, path, server, cores, options.seconds))
        print(f"  {cores} cores, {length * options.branches} plugins: late {tries}", file=sys.stderr, flush=True)
        if min(tries) > 0:
            if step > 1 and best:
                # Continue in small steps from the last number that passed.
                length, step = best // options.branches + 1, 1
                continue
            if not best and length > 1:
                length, step = max(1, length // 2), 1
                continue
            return best
        best = length * options.branches
        length += step


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--frames", default="64,128,1024")
    parser.add_argument("--cores", default="1,2")
    parser.add_argument("--uri", default="http://plugin.org.uk/swh-plugins/plate")
    parser.add_argument("--branches", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--start", type=int, default=1)
    options = parser.parse_args()
    for frames in map(int, options.frames.split(",")):
        server = Server(frames)
        try:
            found = {}
            with tempfile.TemporaryDirectory() as folder:
                for cores in map(int, options.cores.split(",")):
                    found[cores] = most(options, server.name, cores, Path(folder), options.start)
            first = next(iter(found.values()))
            text = ", ".join(f"{cores} cores: {count} (×{count / max(1, first):.2f})" for cores, count in found.items())
            print(f"{frames} frames: {text}", flush=True)
        finally:
            server.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())

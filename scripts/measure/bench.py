#!/usr/bin/env python3
"""Measures the host against a bare C loop over the same plugins, and its start-up time, memory and
size.

usage: bench.py [PROGRAM [BARE_HOST]]

Costs are nanoseconds per 64-frame block. Both sides are measured alternately for several rounds,
and the lowest cost of each counts, so that other work of the machine affects both sides or none.
"""

from __future__ import annotations

import array
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / ".build/release"
BLOCK = 64
ROUNDS = 5
COPIES = (1, 16, 48)
EXAMPLE = "http://lv2plug.in/plugins/eg-amp"
REAL = {
    "calf equaliser, 5 bands": "http://calf.sourceforge.net/plugins/Equalizer5Band",
    "lsp equaliser, 16 bands": "http://lsp-plug.in/plugins/lv2/para_equalizer_x16_stereo",
}


def chain(folder: Path, uri: str, copies: int, channels: int, isolate: bool | str = False) -> str:
    """Writes a pipeline of copies in series; returns its path."""
    nodes = [{"id": f"n{k}", "type": "lv2", "uri": uri, "isolate": isolate} for k in range(copies)]
    pipeline = {
        "version": 1,
        "inputs": {"in": {"channels": channels}},
        "outputs": {"out": {"channels": channels, "limiter": False}},
        "nodes": nodes,
    }
    path = folder / f"chain-{copies}-{str(isolate).lower()}.json"
    path.write_text(json.dumps(pipeline))
    return str(path)


def hosted(program: str, path: str) -> float:
    call = [program, "bench", path, "--block", str(BLOCK), "--json"]
    report = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
    return report["total"]["median_ns_per_frame"] * BLOCK


def bare(host: str, uri: str, copies: int) -> float:
    call = [host, uri, "--time", str(copies)]
    return float(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def compare(program: str, host: str, folder: Path, uri: str, channels: int) -> dict[int, tuple[float, float]]:
    """Returns the lowest cost for each number of copies, in the host and in the bare loop."""
    files = {copies: chain(folder, uri, copies, channels) for copies in COPIES}
    ours: dict[int, list[float]] = {copies: [] for copies in COPIES}
    theirs: dict[int, list[float]] = {copies: [] for copies in COPIES}
    for _ in range(ROUNDS):
        for copies in COPIES:
            ours[copies].append(hosted(program, files[copies]))
            theirs[copies].append(bare(host, uri, copies))
    return {copies: (min(ours[copies]), min(theirs[copies])) for copies in COPIES}


def slope(costs: dict[int, tuple[float, float]], side: int) -> float:
    """Returns the cost of one more copy, from the fewest to the most copies."""
    first, last = COPIES[0], COPIES[-1]
    return (costs[last][side] - costs[first][side]) / (last - first)


def print_costs(name: str, costs: dict[int, tuple[float, float]]) -> None:
    print(f"\n{name}, ns per block of {BLOCK} frames")
    print(f"{'copies':>8} {'stompline':>11} {'bare loop':>11} {'ratio':>7}")
    for copies, (ours, theirs) in costs.items():
        print(f"{copies:>8} {ours:>11.0f} {theirs:>11.0f} {ours / theirs:>7.2f}")
    ours, theirs = slope(costs, 0), slope(costs, 1)
    print(f"one more: {ours:.1f} ns here, {theirs:.1f} ns bare: ratio {ours / theirs:.3f}, {ours - theirs:+.1f} ns per node")


def print_isolation(program: str, folder: Path, name: str, uri: str, channels: int) -> None:
    """Prints the cost of an isolated process: the time of a block from call to sound, and the
    latency."""
    kinds: dict[bool | str, str] = {False: "in-process", True: "isolated", "same-cycle": "same-cycle"}
    files = {kind: chain(folder, uri, 1, channels, kind) for kind in kinds}
    costs: dict[bool | str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, path in files.items():
            costs[kind].append(hosted(program, path))
    print(f"\n{name} in a separate process, ns per block of {BLOCK} frames, including the wait for it")
    print(f"{'':>12} {'per block':>11} {'ratio':>7} {'of a period':>12} {'latency':>8}")
    for kind, label in kinds.items():
        least, own = min(costs[kind]), min(costs[False])
        late = BLOCK if kind is True else 0
        print(f"{label:>12} {least:>11.0f} {least / own:>7.2f} {least / (BLOCK / 48000 * 1e9):>11.1%} {late:>+8}")


def noise_file(path: Path, rate: int, channels: int, seconds: int = 4) -> None:
    """Writes a file of 16-bit white noise."""
    samples = array.array("h", (random.randrange(-6000, 6000) for _ in range(seconds * rate * channels)))
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(samples.tobytes())


def player(folder: Path, channels: int, file_rate: int, count: int = 1, **parameters: float) -> str:
    """Writes a pipeline of players and a mixer; returns its path."""
    noise_file(folder / f"noise-{file_rate}-{channels}.wav", file_rate, channels)
    settings = {"file": f"noise-{file_rate}-{channels}.wav"}
    nodes: list[dict] = [
        {"id": f"p{k}", "type": "player", "settings": settings, "parameters": {"loop": True, **parameters}} for k in range(count)
    ]
    nodes.append({"id": "sum", "type": "mixer", "from": [f"p{k}" for k in range(count)]})
    outputs = {"out": {"channels": channels, "limiter": False}}
    path = folder / f"player-{channels}-{file_rate}-{count}-{'-'.join(parameters)}.json"
    path.write_text(json.dumps({"version": 1, "inputs": {}, "outputs": outputs, "nodes": nodes}))
    return str(path)


def print_players(program: str, folder: Path) -> None:
    """Prints a player's cost per channel in the callback, and its worst block against the mean."""
    print("\na player, ns per frame and channel in the callback")
    print(f"{'':>28} {'mean':>7} {'worst/mean':>11}")
    kinds = {"equal rate": (48_000, {}), "44.1 kHz": (44_100, {}), "3 kHz": (3_000, {}), "at rate 0.8": (48_000, {"rate": 0.8}),
             "five semitones up": (48_000, {"semitones": 5})}  # fmt: skip
    for name, (rate, parameters) in kinds.items():
        for channels in (1, 2):
            path = player(folder, channels, rate, **parameters)
            means, worsts = [], []
            for _ in range(ROUNDS):
                call = [program, "bench", path, "--block", str(BLOCK), "--json"]
                report = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
                means.append(report["nodes"][0]["mean_ns_per_frame"] / channels)
                worsts.append(report["nodes"][0]["worst_ns_per_frame"] / channels)
            print(f"{name + ', ' + ('mono', 'stereo')[channels - 1]:>28} {min(means):>7.1f} {min(worsts) / min(means):>11.2f}")
    print(f"{'32 players, stereo, together':>28} {hosted(program, player(folder, 2, 44_100, 32)) / BLOCK:>7.1f} ns per frame")


def start_up(program: str, folder: Path) -> None:
    """Prints the time from exec to the first cycle, and the memory while running, on a separate
    server."""
    server = f"stompline-bench-{os.getpid()}"
    jack = subprocess.Popen(
        ["jackd", "-n", server, "-d", "dummy", "-r", "48000", "-p", str(BLOCK)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        subprocess.run(["jack_wait", "-s", server, "-w", "-t", "5"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        path = chain(folder, REAL["calf equaliser, 5 bands"], 1, 2)
        seconds, own, shared = zip(*(one_start(program, path, server) for _ in range(ROUNDS)))
    finally:
        jack.terminate()
        jack.wait()
    print(f"\nexec to first cycle: {statistics.median(seconds):.3f} s (median of {ROUNDS})")
    print(f"memory of a session: {max(own):.1f} MiB private, {max(shared):.1f} MiB shared with the JACK server")
    print(f"size of the program: {os.path.getsize(program) / 2**20:.1f} MiB")


def one_start(program: str, path: str, server: str) -> tuple[float, float, float]:
    """Returns the seconds to the first cycle, and the private and shared resident memory in MiB."""
    call = [program, "run", path, "--server", server, "--no-start-server", "--json", "--duration", "1"]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    started = json.loads(process.stdout.readline())
    time.sleep(0.3)
    status = Path(f"/proc/{process.pid}/status").read_text()
    process.communicate()
    resident = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if line.startswith("Rss")}
    anonymous, file, shared = (int(resident[key]) / 1024 for key in ("RssAnon", "RssFile", "RssShmem"))
    return started["startup_seconds"], anonymous + file, shared


def main() -> int:
    program = sys.argv[1] if len(sys.argv) > 1 else str(BUILT / "stompline")
    host = sys.argv[2] if len(sys.argv) > 2 else str(BUILT / "bare-lv2-host")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        print_costs(f"eg-amp ({EXAMPLE})", compare(program, host, folder, EXAMPLE, 1))
        for name, uri in REAL.items():
            print_costs(f"{name} ({uri})", compare(program, host, folder, uri, 2))
        for name, uri in REAL.items():
            print_isolation(program, folder, name, uri, 2)
        print_players(program, folder)
        start_up(program, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Shows the demo's levels while it plays, then a summary.

usage: summary.py WAV

The summary contains the latency, load, xruns, and the level of the recording. Standard input is
the output of `stompline run --json`. Fails if nothing was heard.
"""

from __future__ import annotations

import json
import math
import sys
import wave
from collections.abc import Iterable, Iterator


def peak_decibels(path: str) -> tuple[float, float]:
    """Returns the length in seconds and the peak level in dBFS of a 24-bit file."""
    with wave.open(path) as sound:
        data = sound.readframes(sound.getnframes())
        seconds = sound.getnframes() / sound.getframerate()
        width = sound.getsampwidth()
    whole = range(0, len(data) - width + 1, width)
    peak = max((abs(int.from_bytes(data[k : k + width], "little", signed=True)) for k in whole), default=0)
    return seconds, 20 * math.log10(max(peak, 1) / 2 ** (8 * width - 1))


def meters(status: dict) -> str:
    """Returns one line of bars, with a stroke for each 3 dB above -60 dB, for every output port."""
    bars = ((o["port"], o["peak_db"]) for o in status["outputs"])
    return "   ".join(f"{port} {'|' * max(0, int((peak + 60) / 3)):<20} {peak:6.1f} dB" for port, peak in bars)


def shown(lines: Iterable[str]) -> Iterator[dict]:
    """Returns all events, and prints the levels of each second as they arrive."""
    second = 0
    for event in map(json.loads, lines):
        if event["event"] == "status":
            second += 1
            print(f"  {second:2d} s   {meters(event)}", flush=True)
        yield event


def main() -> int:
    events = list(shown(sys.stdin))
    started = next(e for e in events if e["event"] == "started")
    ended = next(e for e in events if e["event"] == "ended")
    loads = [e["load_mean"] for e in events if e["event"] == "status"]
    seconds, peak = peak_decibels(sys.argv[1])
    rate, block, latency = started["sample_rate"], started["block_frames"], started["latency_frames"]
    print(f"""
{started["pipeline"]}, live for {ended["seconds"]:.1f} s
  latency   {latency} frames ({1e3 * latency / rate:.1f} ms) of the pipeline, {block} frames per block at {rate:.0f} Hz
  load      {100 * sum(loads) / max(1, len(loads)):.1f} % on average, {100 * ended["load_worst"]:.1f} % at worst
  xruns     {ended["xruns"]} reported by JACK; {ended["late_cycles"]} cycles of the program exceeded their period
  recorded  {sys.argv[1]}: {seconds:.1f} s, peak {peak:.1f} dBFS""")
    return 0 if peak > -60 else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Slows a machine down while a pipeline plays, and shows that its nodes give way, and that few cycles remain late.

usage: when-late.py [--program PROGRAM] [--burdens sibling,quota] [--share S] [--load L] [--frames N] [--seconds S]
                    [--core 0] [--priority 80] [--calm 45] [--returns N] [--variants mixed|bypass]

It starts a JACK server with the dummy driver, and takes a share of the machine's time away for some seconds, in one way
after the other:

sibling   Server, program and a busy process share one core of the machine; only the thread that decides may use the
          others, as in any program. The busy process has a higher real-time priority, so it takes its share of the core
          at any moment, as a slower processor would. It needs the permission for real-time priority; --priority 0 does
          without, and is then disturbed by other programs.
          Usually it takes 50 % for 12 s, and the nodes need 55 % of a block of 256 frames.
quota     The program has no real-time priority, and Linux lets it run for only a part of each 4 ms, as a container with
          a limit does (cpu.max, or cpu.cfs_quota_us). It needs the permission to make a control group; without it, the
          script prints "when-late: SKIPPED the quota" with the reason.
          Usually it takes 65 % for 9 s, and the nodes need 45 % of a block of 1024 frames, which is long because the
          kernel measures the time in steps of a few ms.

The pipeline has as many pitch shifters as needed for the load, which process noise. Each has a cheaper variant, in an
order that is not that of the file: half of them a bypass, half of them other settings. With --variants bypass, all of
them are bypasses. --calm is the longest time after the burden, which ends when --returns nodes have returned.

The black box of the program shows each late cycle with its frame. The script prints how many there are until the first
node gives way, and in the second that begins with the first one; an xrun that no cycle of the program has caused is in
neither figure. The script exits with status 1 if

- without "when-late" hardly any cycle is late under the burden, because then nothing is shown;
- nodes do not give way in the order of their ranks, or do not return in reverse order when the burden has ended;
- under the burden "sibling", a third cycle is late within the second before the first node gives way: after the second
  one, the engine itself halts nodes;
- the last four seconds of the burden have more than a tenth of the late cycles that they have without "when-late". A
  busy or virtual machine has late cycles of its own, which no node can prevent;
- the black box was not kept, or contains no late cycle.
"""

from __future__ import annotations

import argparse
import array
import json
import random
import sys
import tempfile
import wave
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "when-late"))
from burdens import Quota, Sibling  # noqa: E402
from machine import RATE, Beginning, Events, Machine, beginning_of, late_per_second, loads  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
#: With many channels, a node costs as much as a plugin that musicians think of first when a machine is too slow.
CHANNELS = 16
BEFORE_SECONDS = 4
#: The late cycles without "when-late" in four seconds with which it is shown that the machine is too slow.
LEAST_LATE = 20
#: The late cycles within a second after which the engine halts nodes.
LATE_BEFORE_HALT = 2


def write_noise(path: Path) -> None:
    """Writes two seconds of noise; the same noise in all channels."""
    samples = array.array("h", (random.randint(-3000, 3000) for _ in range(2 * RATE)))
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(samples.tobytes())


def pipeline(count: int, variants: str) -> dict:
    """Returns a chain of pitch shifters after a player; the last one of the file has the lowest rank.

    The variants are "none", "mixed" or "bypass".
    """
    nodes = [{"id": "noise", "type": "player", "settings": {"file": "noise.wav", "channels": CHANNELS},
              "parameters": {"loop": True}}]
    for number in range(count):
        node = {"id": f"p{number}", "type": "pitch-shift", "settings": {"quality": "fast"},
                "parameters": {"semitones": 1 if number % 2 else -1}}
        if variants != "none":
            variant = {"bypass": True} if number % 2 or variants == "bypass" else {"settings": {"quality": "live"}}
            node["when-late"] = {"rank": count - number, **variant}
        nodes.append(node)
    return {"version": 1, "name": "when-late", "inputs": {},
            "outputs": {"out": {"channels": CHANNELS}},
            "nodes": nodes}


def node_count(machine: Machine, folder: Path, load: float) -> int:
    """Returns the number of pitch shifters with about the wanted load."""
    file = folder / "one.json"
    file.write_text(json.dumps(pipeline(2, "none")))
    found = loads(machine.play(file, 5, 0, 0))
    return max(2, min(64, round(2 * load / min(found))))


def check(machine: Machine, folder: Path, options: argparse.Namespace) -> list[str]:
    """Plays without and with variants; prints the course, and returns the failures."""
    failures = []
    count = node_count(machine, folder, options.load)
    file = folder / "chain.json"
    file.write_text(json.dumps(pipeline(count, "none")))
    plain = late_per_second(machine.play(file, BEFORE_SECONDS, options.seconds, 2))
    end = BEFORE_SECONDS + options.seconds
    without = [late for seconds, late in plain if end - 4 <= seconds <= end]
    print(f"{machine.burden.name}, {count} pitch shifters, {machine.frames} frames. Without \"when-late\", late cycles "
          f"in the last seconds of the burden: {without}", flush=True)
    if sum(without) < LEAST_LATE:
        failures.append("without \"when-late\" too few cycles were late; use a larger --share or --load")
    file.write_text(json.dumps(pipeline(count, options.variants)))
    events = machine.play(file, BEFORE_SECONDS, options.seconds, options.calm, options.returns)
    late = late_per_second(events)
    beginning = beginning_of(events)
    print_course(events, late, beginning)
    if not beginning:
        failures.append("the black box contains no late cycle")
    elif isinstance(machine.burden, Sibling) and beginning.together > LATE_BEFORE_HALT + 1:
        # A node whose variant is not ready yet gives way one cycle later.
        failures.append(f"{beginning.together} cycles were late within the second before the first node gave way")
    last = [each for seconds, each in late if end - 4 <= seconds <= end]
    if 10 * sum(last) > sum(without):
        failures.append(f"cycles remained late: {last}")
    return failures + order_failures(events, count)


def print_course(events: Events, late: list[tuple[float, int]], beginning: Beginning | None) -> None:
    """Prints when nodes gave way and returned, the late cycles, and the load."""
    for kind, title in (("reduced", "gave way"), ("restored", "returned")):
        found = [f"{event['node']} at {seconds:.2f} s" for seconds, event in events if event.get("event") == kind]
        print(f"{title}: {', '.join(found)}")
    print("late cycles per second: " + " ".join(str(each) for _, each in late))
    print(beginning or "")
    print("load in %: " + " ".join(f"{100 * each:.0f}" for each in loads(events)), flush=True)


def order_failures(events: Events, count: int) -> list[str]:
    """Returns what is wrong with the order in which nodes gave way and returned."""
    waiting, given, returned = [f"p{number}" for number in range(count)], [], 0
    for seconds, event in events:
        kind, node = event.get("event"), event.get("node")
        if kind == "reduced":
            if not waiting or node != waiting.pop():
                return [f"{node} gave way at {seconds:.2f} s, out of order"]
            given.append(node)
        elif kind == "restored":
            if not given or node != given.pop():
                return [f"{node} returned at {seconds:.2f} s, out of order"]
            waiting.append(node)
            returned += 1
    return [] if returned else ["no node gave way and returned"]


def failures_with(kind: type, given: dict) -> list[str]:
    """Checks with one burden; returns the failures, each with the name of the burden."""
    options = argparse.Namespace(**{**kind.usual, **given})
    try:
        burden = kind(options)
    except OSError as reason:
        print(f"when-late: SKIPPED the quota: {reason}", flush=True)
        return []
    machine = Machine(options.program, burden, options.frames)
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_noise(Path(folder) / "noise.wav")
            return [f"{burden.name}: {each}" for each in check(machine, Path(folder), options)]
    finally:
        machine.end()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--burdens", default="sibling,quota")
    parser.add_argument("--frames", type=int)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--share", type=float)
    parser.add_argument("--load", type=float)
    parser.add_argument("--priority", type=int, default=80)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--calm", type=float, default=45)
    parser.add_argument("--returns", type=int)
    parser.add_argument("--variants", choices=["mixed", "bypass"], default="mixed")
    options = parser.parse_args()
    given = {name: value for name, value in vars(options).items() if value is not None}
    kinds = {"sibling": Sibling, "quota": Quota}
    names = options.burdens.split(",")
    if not kinds.keys() >= set(names):
        parser.error("--burdens are sibling, quota, or both with a comma")
    failures = [each for name in names for each in failures_with(kinds[name], given)]
    for failure in failures:
        print(f"failed: {failure}")
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Slows a machine down while a pipeline plays, and shows that its nodes give way until no cycle is late.

usage: when-late.py [--program PROGRAM] [--frames 256] [--core 0] [--share 0.5] [--load 0.55] [--priority 80]
                    [--seconds 12] [--calm 45] [--variants mixed|bypass]

It starts a JACK server with the dummy driver. Server, program and a busy process share one core of the machine; only
the thread that decides may use the others, as in any program. The busy process has a higher real-time priority, so it
takes its share of the core at any moment, as a slower processor would. The pipeline has as many pitch shifters as needed
for the load, which process noise. Each has a cheaper variant, in an order that is not that of the file: half of them a
bypass, half of them other settings. With --variants bypass, all of them are bypasses.

The black box of the program shows each late cycle with its frame. The script prints how many there are until the first
node gives way, and in the second that begins with the first one; an xrun that no cycle of the program has caused is in
neither figure. The script exits with status 1 if

- without "when-late" no cycle is late under the burden, because then nothing is shown;
- nodes do not give way in the order of their ranks, or do not return in reverse order when the burden has ended;
- the last four seconds of the burden have more than a tenth of the late cycles that they have without "when-late";
- the black box was not kept, or contains no late cycle.

It needs the permission for real-time priority; --priority 0 does without, and is then disturbed by other programs.
"""

from __future__ import annotations

import argparse
import array
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
#: With many channels, a node costs as much as a plugin that musicians think of first when a machine is too slow.
CHANNELS = 16
BUSY = """
import sys, time
share, seconds = float(sys.argv[1]), float(sys.argv[2])
end = time.perf_counter() + seconds
while time.perf_counter() < end:
    start = time.perf_counter()
    while time.perf_counter() < start + 0.0005 * share: pass
    time.sleep(0.0005 * (1 - share))
"""


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


class Machine:
    """A JACK server with the dummy driver, on one core."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.name = f"late-{os.getpid()}"
        real_time = ["-R", "-P", str(options.priority - 10)] if options.priority else ["-r"]
        self.server = subprocess.Popen(
            self.pinned(["jackd", "-n", self.name, *real_time, "-d", "dummy", "-r", str(RATE), "-p",
                         str(options.frames)]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def pinned(self, call: list[str]) -> list[str]:
        return ["taskset", "-c", str(self.options.core), *call]

    def end(self) -> None:
        self.server.terminate()
        self.server.wait()

    def pin_audio_thread(self, process: int) -> None:
        """Moves the threads with real-time priority to the core: the callback and JACK's own."""
        for thread in os.listdir(f"/proc/{process}/task"):
            if os.sched_getscheduler(int(thread)) in (os.SCHED_FIFO, os.SCHED_RR) or not self.options.priority:
                os.sched_setaffinity(int(thread), {self.options.core})

    def busy(self, seconds: float) -> subprocess.Popen:
        """Starts the busy process."""
        call = [sys.executable, "-c", BUSY, str(self.options.share), str(seconds)]
        if self.options.priority:
            call = ["chrt", "-f", str(self.options.priority), *call]
        return subprocess.Popen(self.pinned(call))

    def play(self, file: Path, before: float, burden: float, after: float) -> list[tuple[float, dict]]:
        """Plays a pipeline, with the burden in between; returns the events with their times in seconds.

        The black box is kept in the folder of the file two seconds after the burden.
        """
        port = free_port()
        call = [self.options.program, "run", str(file), "--server", self.name, "--json", "--no-start-server",
                "--no-watch", "--no-watchdog", "--duration", str(before + burden + after), "--osc", str(port)]
        environment = dict(os.environ, XDG_STATE_HOME=str(file.parent))
        program = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=environment)
        events: list[tuple[float, dict]] = []
        begun = threading.Event()

        def read() -> None:
            start = 0.0
            for line in program.stdout:
                event = json.loads(line)
                if event.get("event") == "started":
                    start = time.monotonic()
                    begun.set()
                events.append((time.monotonic() - start if start else 0, event))
            begun.set()

        reader = threading.Thread(target=read)
        reader.start()
        begun.wait(30)
        self.pin_audio_thread(program.pid)
        if burden:
            time.sleep(before)
            self.busy(burden).wait()
            time.sleep(min(2, after / 2))
            subprocess.run([self.options.program, "ctl", "--port", str(port), "keep"], env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        program.wait(timeout=before + burden + after + 60)
        reader.join()
        return events


def loads(events: list[tuple[float, dict]]) -> list[float]:
    return [event["load_mean"] for _, event in events if event.get("event") == "status"][1:]


def late_per_second(events: list[tuple[float, dict]]) -> list[tuple[float, int]]:
    """Returns the late cycles of each second: overruns or xruns, of which one can cause the other."""
    found, former = [], None
    for seconds, event in events:
        if event.get("event") != "status":
            continue
        counts = (event["late_cycles"], event["xruns"])
        if former:
            found.append((seconds, max(now - then for now, then in zip(counts, former))))
        former = counts
    return found


def free_port() -> int:
    """Returns a UDP port that no program uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def first_second(events: list[tuple[float, dict]]) -> str:
    """Returns a sentence about the first late cycles in the black box that was kept on request; "" without one."""
    boxes = [event["box"] for _, event in events if event.get("event") == "box_kept" and event["reason"] == "on request"]
    if not boxes:
        return ""
    late = [each["endFrame"] for each in json.loads((Path(boxes[-1]) / "cycles.json").read_text())["late"]]
    commands = [each["command"] for each in json.loads((Path(boxes[-1]) / "events.json").read_text())["commands"]]
    # A cycle can be late at the start, when the memory is cold; the burden begins later.
    late = [frame for frame in late if frame > 2 * RATE]
    if not late:
        return ""
    changes = [each["frame"] for each in commands
               if each["frame"] >= late[0] and (each["kind"] == 10 or each["kind"] == 22 and each["second"])]
    before = sum(frame <= changes[0] for frame in late) if changes else len(late)
    within = sum(frame < late[0] + RATE for frame in late)
    return f"late cycles until the first change: {before}, in the first second: {within}, in all: {len(late)}"


def node_count(machine: Machine, folder: Path) -> int:
    """Returns the number of pitch shifters with about the wanted load."""
    file = folder / "one.json"
    file.write_text(json.dumps(pipeline(2, "none")))
    found = loads(machine.play(file, 5, 0, 0))
    return max(2, min(64, round(2 * machine.options.load / min(found))))


def check(machine: Machine, folder: Path) -> list[str]:
    """Plays without and with variants; prints the course, and returns the failures."""
    options, failures = machine.options, []
    count = node_count(machine, folder)
    file = folder / "chain.json"
    file.write_text(json.dumps(pipeline(count, "none")))
    plain = late_per_second(machine.play(file, 4, options.seconds, 2))
    end = 4 + options.seconds
    without = [late for seconds, late in plain if end - 4 <= seconds <= end]
    print(f"{count} pitch shifters, {options.frames} frames. Without \"when-late\", late cycles in the last seconds "
          f"of the burden: {without}", flush=True)
    if not sum(without):
        failures.append("without \"when-late\" no cycle was late; use a larger --share or --load")
    file.write_text(json.dumps(pipeline(count, options.variants)))
    events = machine.play(file, 4, options.seconds, options.calm)
    late = late_per_second(events)
    reduced = [(seconds, event["node"]) for seconds, event in events if event.get("event") == "reduced"]
    restored = [(seconds, event["node"]) for seconds, event in events if event.get("event") == "restored"]
    print("gave way: " + ", ".join(f"{node} at {seconds:.2f} s" for seconds, node in reduced))
    print("returned: " + ", ".join(f"{node} at {seconds:.2f} s" for seconds, node in restored))
    print("late cycles per second: " + " ".join(str(each) for _, each in late))
    beginning = first_second(events)
    print(beginning)
    if not beginning:
        failures.append("the black box contains no late cycle")
    print("load in %: " + " ".join(f"{100 * each:.0f}" for each in loads(events)))
    last = [each for seconds, each in late if end - 4 <= seconds <= end]
    if 10 * sum(last) > sum(without):
        failures.append(f"cycles remained late: {last}")
    return failures + order_failures(events, count)


def order_failures(events: list[tuple[float, dict]], count: int) -> list[str]:
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


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--frames", type=int, default=256)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--load", type=float, default=0.55)
    parser.add_argument("--priority", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--calm", type=float, default=45)
    parser.add_argument("--variants", choices=["mixed", "bypass"], default="mixed")
    options = parser.parse_args()
    machine = Machine(options)
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_noise(Path(folder) / "noise.wav")
            failures = check(machine, Path(folder))
    finally:
        machine.end()
    for failure in failures:
        print(f"failed: {failure}")
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

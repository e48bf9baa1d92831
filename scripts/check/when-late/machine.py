"""A machine for one program: a JACK server with the dummy driver, and a burden that makes it slower for a while."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

RATE = 48_000
#: The events of a program, each with its time in seconds after the start.
Events = list[tuple[float, dict]]


class Machine:
    """A JACK server with the dummy driver, and a burden."""

    def __init__(self, program: str, burden, frames: int) -> None:
        self.program, self.burden, self.frames = program, burden, frames
        self.name = f"late-{os.getpid()}-{frames}"
        real_time = ["-R", "-P", str(burden.priority - 10)] if burden.priority else ["-r"]
        call = ["jackd", "-n", self.name, *real_time, "-d", "dummy", "-r", str(RATE), "-p", str(frames)]
        self.server = subprocess.Popen(burden.server_call(call), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.server.terminate()
        self.server.wait()
        self.burden.end()

    def play(self, file: Path, before: float, burden: float, after: float, returns: int | None = None) -> Events:
        """Plays a pipeline, with the burden in between; returns the events.

        The black box is kept in the folder of the file two seconds after the burden. With `returns`, the program ends
        earlier if so many nodes have returned after the burden.
        """
        port = free_port()
        call = [self.program, "run", str(file), "--server", self.name, "--json", "--no-start-server",
                "--no-watch", "--no-watchdog", "--duration", str(before + burden + after), "--osc", str(port)]
        environment = dict(os.environ, XDG_STATE_HOME=str(file.parent))
        program = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=environment)
        events: Events = []
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
        self.burden.receive(program.pid)
        if burden:
            time.sleep(before)
            self.burden.last(burden)
            returned = count("restored", events)
            time.sleep(min(2, after / 2))
            subprocess.run([self.program, "ctl", "--port", str(port), "keep"], env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while returns and program.poll() is None:
                if count("restored", events) >= returned + returns:
                    program.send_signal(signal.SIGINT)
                    break
                time.sleep(0.1)
        program.wait(timeout=before + burden + after + 60)
        reader.join()
        return events


def count(kind: str, events: Events) -> int:
    return sum(event.get("event") == kind for _, event in events)


def loads(events: Events) -> list[float]:
    return [event["load_mean"] for _, event in events if event.get("event") == "status"][1:]


def late_per_second(events: Events) -> list[tuple[float, int]]:
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


@dataclasses.dataclass
class Beginning:
    """The frames at which the late cycles of a box end, and that of the first change of a node since the first one."""

    late: list[int]
    change: int | None

    @property
    def together(self) -> int:
        """The late cycles within the second before the first change; earlier ones are no reason for it."""
        end = self.late[-1] if self.change is None else self.change
        return sum(end - RATE < frame <= end for frame in self.late)

    def __str__(self) -> str:
        before = sum(self.change is None or frame <= self.change for frame in self.late)
        within = sum(frame < self.late[0] + RATE for frame in self.late)
        return f"late cycles until the first change: {before}, in the first second: {within}, in all: {len(self.late)}"


def beginning_of(events: Events) -> Beginning | None:
    """Returns the late cycles in the black box that was kept on request; None without a box or a late cycle."""
    kept = [event for _, event in events if event.get("event") == "box_kept"]
    boxes = [event["box"] for event in kept if event["reason"] == "on request"]
    if not boxes:
        return None
    late = [each["endFrame"] for each in json.loads((Path(boxes[-1]) / "cycles.json").read_text())["late"]]
    commands = [each["command"] for each in json.loads((Path(boxes[-1]) / "events.json").read_text())["commands"]]
    # A cycle can be late at the start, when the memory is cold; the burden begins later.
    late = [frame for frame in late if frame > 2 * RATE]
    if not late:
        return None
    changes = [each["frame"] for each in commands
               if each["frame"] >= late[0] and (each["kind"] == 10 or each["kind"] == 22 and each["second"])]
    return Beginning(late, min(changes, default=None))


def free_port() -> int:
    """Returns a UDP port that no program uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

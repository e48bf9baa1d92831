"""Two ways to make a machine slower for a while: a busy process on the same core, and a quota of processor time.

A burden has a name, its usual options, and the priority of the busy process, which is 0 if the audio has no real-time
priority.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

BUSY = """
import sys, time
share, seconds = float(sys.argv[1]), float(sys.argv[2])
end = time.perf_counter() + seconds
while time.perf_counter() < end:
    start = time.perf_counter()
    while time.perf_counter() < start + 0.0005 * share: pass
    time.sleep(0.0005 * (1 - share))
"""
#: The kernel measures processor time at its ticks, which are up to 4 ms apart on usual machines.
PERIOD_MICROSECONDS = 4000


class Sibling:
    """A busy process with a higher real-time priority takes its share of the core at any moment."""

    name = "a busy process"
    usual = {"frames": 256, "share": 0.5, "load": 0.55, "seconds": 12}

    def __init__(self, options: argparse.Namespace) -> None:
        self.core, self.share, self.priority = options.core, options.share, options.priority

    def server_call(self, call: list[str]) -> list[str]:
        """Returns the call that starts a server on this machine."""
        return ["taskset", "-c", str(self.core), *call]

    def receive(self, process: int) -> None:
        """Moves the threads with real-time priority to the core: the callback and JACK's own."""
        for thread in threads(process):
            if os.sched_getscheduler(thread) in (os.SCHED_FIFO, os.SCHED_RR) or not self.priority:
                os.sched_setaffinity(thread, {self.core})

    def last(self, seconds: float) -> None:
        """Makes the machine slower for a time, and returns then."""
        call = ["taskset", "-c", str(self.core), sys.executable, "-c", BUSY, str(self.share), str(seconds)]
        if self.priority:
            call = ["chrt", "-f", str(self.priority), *call]
        subprocess.run(call, check=True)

    def end(self) -> None:
        pass


class Quota:
    """The kernel lets the program run for a share of each short period, as a container with a limit does.

    The limit does not apply to threads with real-time priority, so there are none. The server is outside of the limit.
    With a load below half of the period, no node gives way because other programs make the server late. The time ends
    before a node may return.
    """

    name, priority = "a quota", 0
    usual = {"frames": 1024, "share": 0.65, "load": 0.45, "seconds": 9}

    def __init__(self, options: argparse.Namespace) -> None:
        """Makes a group of processes; throws an OSError if this machine does not permit it."""
        self.quota = round((1 - options.share) * PERIOD_MICROSECONDS)
        self.group = Group(f"when-late-{os.getpid()}")
        try:
            self.group.limit(self.quota, PERIOD_MICROSECONDS)
            self.group.free()
        except OSError:
            self.end()
            raise

    def server_call(self, call: list[str]) -> list[str]:
        return call

    def receive(self, process: int) -> None:
        self.group.receive(process)

    def last(self, seconds: float) -> None:
        self.group.limit(self.quota, PERIOD_MICROSECONDS)
        time.sleep(seconds)
        self.group.free()

    def end(self) -> None:
        self.group.remove()


class Group:
    """A new control group of Linux for processor time, of version 1 or 2."""

    def __init__(self, name: str) -> None:
        refusals = []
        for parent, self.version in parents():
            self.folder, self.enabled = parent / name, None
            try:
                if self.version == 2:
                    self._enable(parent / "cgroup.subtree_control")
                self.folder.mkdir()
                break
            except OSError as refusal:
                refusals.append(refusal)
                self._disable()
        else:
            raise refusals[0] if refusals else OSError("there are no control groups for processor time")
        # Other programs on the core disturb the group less.
        weight = {1: ("cpu.shares", 100_000), 2: ("cpu.weight", 10_000)}[self.version]
        self._write(*weight)

    def receive(self, process: int) -> None:
        self._write("cgroup.procs", process)

    def limit(self, quota: int, period: int) -> None:
        """Lets the group run for a quota of each period, both in microseconds."""
        if self.version == 2:
            self._write("cpu.max", f"{quota} {period}")
        else:
            self._write("cpu.cfs_period_us", period)
            self._write("cpu.cfs_quota_us", quota)

    def free(self) -> None:
        if self.version == 2:
            self._write("cpu.max", "max")
        else:
            self._write("cpu.cfs_quota_us", -1)

    def remove(self) -> None:
        """Ends what still runs in the group after an error, and removes it."""
        end = time.monotonic() + 5
        while self.folder.exists() and time.monotonic() < end:
            for process in (self.folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
            # The group is busy until the kernel has removed the processes.
            with contextlib.suppress(OSError):
                self.folder.rmdir()
            time.sleep(0.02)
        self._disable()

    def _enable(self, control: Path) -> None:
        """Lets the groups below a group have limits; version 2 refuses that for most groups with processes."""
        if "cpu" not in control.read_text().split():
            control.write_text("+cpu")
            self.enabled = control

    def _disable(self) -> None:
        """Lets the groups below a group be as before."""
        if self.enabled:
            self.enabled.write_text("-cpu")

    def _write(self, name: str, value: object) -> None:
        (self.folder / name).write_text(str(value))


def parents():
    """Yields the groups that may have a new one, each with its version: that of this process, and those above it."""
    paths = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0" or "cpu" in controllers.split(","):
            paths[2 if number == "0" else 1] = path.lstrip("/")
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options = line.split()[:4]
        version = {"cgroup": 1, "cgroup2": 2}.get(kind)
        if version not in paths or version == 1 and "cpu" not in options.split(","):
            continue
        mount = Path(mount)
        if version == 2 and "cpu" not in (mount / "cgroup.controllers").read_text().split():
            continue
        # In a container, the path can be that outside of it.
        own = mount / paths[version] if (mount / paths[version]).is_dir() else mount
        yield from ((folder, version) for folder in (own, *own.parents) if folder.is_relative_to(mount))


def threads(process: int) -> list[int]:
    return [int(thread) for thread in os.listdir(f"/proc/{process}/task")]

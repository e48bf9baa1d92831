"""Plays the night of pipelines/night.json and checks it: see scripts/endurance/gig.sh."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from acts import Night
from audience import RATE, Audience
from night import Server
from show import ANSWER_SECONDS, Show

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
BUILD = os.path.join(ROOT, ".build")
FRAMES = 128


class Venue:
    """The server, a copy of the files, and the programs."""

    def __init__(self, folder):
        self.folder, self.state = folder, os.path.join(folder, "state")
        self.pipelines = os.path.join(folder, "pipelines")
        shutil.copytree(os.path.join(ROOT, "pipelines"), self.pipelines)
        self.programs = os.path.join(BUILD, "release")
        self.processes, self.sounds, self.shows = [], [], 0
        self.server = Server(f"stompline-gig-{os.getpid()}", os.path.join(BUILD, "gig-jackd.log"), frames=FRAMES)

    def file(self, name):
        return os.path.join(self.pipelines, name)

    def open_audience(self, report):
        path = os.path.join(BUILD, f"gig-{len(self.sounds) + 1}.f32")
        audience = Audience(os.path.join(self.programs, "gig-partner"), self.server.name, path, report)
        self.processes.append(audience.process)
        self.sounds.append(audience)
        return audience

    def open_show(self, *options):
        self.shows += 1
        environment = dict(os.environ, XDG_STATE_HOME=self.state, XDG_CACHE_HOME=self.folder)
        # A program that joins too early finds no server, and ends.
        for _ in range(100):
            show = Show(os.path.join(self.programs, "stompline"), self.file("night.json"), self.server.name, environment,
                        os.path.join(BUILD, f"gig-{self.shows}.log"), options)
            if show.waits("started"):
                self.processes.append(show.process)
                return show
            show.kill()
            time.sleep(0.1)
        raise SystemExit(f"gig: the program does not start; its output is in {show.log}")

    def are_connected(self, cables):
        """Waits until ports are connected; returns whether they are."""
        return self._until(lambda: set(cables) <= self._cables())

    def is_gone(self, client):
        """Waits until a client has no ports; returns whether that is so."""
        return self._until(lambda: not any(line.startswith(f"{client}:") for line in self.server.connections().splitlines()))

    def _cables(self):
        """Returns all connections as pairs of ports, each in both directions."""
        found, port = set(), ""
        for line in self.server.connections().splitlines():
            if line.startswith(" "):
                found.add((port, line.strip()))
            else:
                port = line.strip()
        return found

    def _until(self, condition):
        end = time.monotonic() + ANSWER_SECONDS
        while not (is_met := condition()) and time.monotonic() < end:
            time.sleep(0.1)
        return is_met

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.server.end()


def main():
    # If this script is terminated, it also ends the programs that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("gig: ended"))
    folder = tempfile.mkdtemp(prefix="stompline-gig-")
    venue = Venue(folder)
    try:
        night = Night(venue)
        night.play()
    finally:
        venue.end()
    seconds = sum(audience.heard for audience in venue.sounds) / RATE
    print(f"gig: {seconds:.0f} s of sound heard, {len(night.faults)} faults")
    if night.faults:
        print(f"gig: sound (three channels of 32-bit floats) and logs: {BUILD}/gig-*, files: {folder}")
        return 1
    for audience in venue.sounds:
        os.remove(audience.path)
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

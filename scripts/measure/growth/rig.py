"""A JACK server, a partner that plays and listens, and the program under test, for scale.py."""
import array
import contextlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts/endurance/soak"))
from osc import message  # noqa: E402 (the path is set above)

RATE = 48_000
CHANNELS = 3
# Loud enough to measure a level in every few frames.
TONE = 0.5
# A level has changed if it differs by more than this from the level before.
NOTICED = 0.02


class Server:
    """A JACK server with the dummy driver."""

    def __init__(self, period):
        self.name = f"stompline-scale-{os.getpid()}"
        self.process = subprocess.Popen(
            ["jackd", "-n", self.name, "-p", "4096", "-d", "dummy", "-r", str(RATE), "-p", str(period)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "20"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Partner:
    """Plays a tone, and records what the program makes of it. Times are frames of the recording."""

    def __init__(self, program, server, path):
        self.path = path
        self.process = subprocess.Popen([program, server, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit("scale.py: the partner cannot join the server")
        self.ask("connect", "hands:tone", "ears:phones")
        self.ask("tone", TONE)
        self.ask("hear", RATE // 2)

    def ask(self, *words):
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        return self.process.stdout.readline().strip()

    def now(self):
        """The number of frames so far."""
        return int(self.ask("drain"))

    def levels(self, first):
        """The levels of the program's output from a frame on, each with its frame.

        A level is the ratio to the tone, where the tone is not close to zero.
        """
        self.ask("drain")
        with open(self.path, "rb") as file:
            file.seek(first * CHANNELS * 4)
            sound = array.array("f", file.read())
        for frame in range(len(sound) // CHANNELS):
            left, tone = sound[frame * CHANNELS], sound[frame * CHANNELS + 2]
            if abs(tone) > 0.2 * TONE:
                yield first + frame, left / tone

    def change(self, since, level, seconds=20):
        """Waits until the level is another one; returns the seconds from a frame to the first change, or None."""
        end = since + round(seconds * RATE)
        first = since
        while first < end:
            last = first
            for frame, heard in self.levels(first):
                if abs(heard - level) > NOTICED:
                    return (frame - since) / RATE
                last = frame + 1
            first = last
            if self.ask("hear", RATE // 20) == "none":
                raise SystemExit("scale.py: no more frames come from the server")
        return None

    def level(self):
        """The level now, after it has been steady for a fifth of a second."""
        former = None
        for _ in range(100):
            first = self.now()
            self.ask("hear", RATE // 10)
            present = [heard for _, heard in self.levels(first)]
            middle = sorted(present)[len(present) // 2]
            if max(present) - min(present) < NOTICED / 4 and former is not None and abs(middle - former) < NOTICED / 4:
                return middle
            former = middle
        raise SystemExit("scale.py: the level does not become steady")

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


class Session:
    """A program that plays a file."""

    def __init__(self, program, path, server, *options):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.osc = free.getsockname()[1]
        self.process = subprocess.Popen(
            [program, "run", path, "--json", "--no-start-server", "--server", server, "--osc", str(self.osc), "--http", "0",
             *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = self.tag = self.audio = None

    def wait(self):
        """Waits until the session runs; returns the seconds from exec to its first cycle."""
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "http_started":
                self.port = int(event["url"].rstrip("/").rsplit(":", 1)[1])
            if event["event"] == "started":
                # The pipe must not fill up.
                subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=subprocess.DEVNULL)
                return event["startup_seconds"]
        raise SystemExit(f"scale.py: the program ends with status {self.process.wait()}")

    def tell(self, path, *values):
        self.socket.sendto(message(path, *values), ("127.0.0.1", self.osc))

    def request(self, path, body=None, method="GET", **headers):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/{path}", data=body, method=method,
            headers={name.replace("_", "-"): value for name, value in headers.items()})
        return urllib.request.urlopen(request, timeout=60)

    def read_tag(self):
        """Reads the tag of the first file, which an edit needs."""
        with self.request("files/1") as answer:
            self.tag = answer.headers["ETag"]

    def patch(self, operations):
        """Edits the first file, as the page does."""
        self.request("files/1", json.dumps(operations).encode(), "PATCH",
                     Content_Type="application/json-patch+json", If_Match=self.tag)

    def memory(self):
        """The private memory of the process, in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return 1024 * int(re.search(r"RssAnon:\s+(\d+)", file.read()).group(1))

    def threads(self):
        """The processor time of each thread, in seconds."""
        times = {}
        folder = f"/proc/{self.process.pid}/task"
        for thread in os.listdir(folder):
            with contextlib.suppress(OSError), open(f"{folder}/{thread}/schedstat", encoding="utf-8") as file:
                times[thread] = int(file.read().split()[0]) / 1e9
        return times

    def find_audio(self):
        """Finds the audio thread: the one that works while nothing changes. Returns its share of a processor."""
        before, began = self.threads(), time.monotonic()
        time.sleep(0.5)
        spent = {thread: seconds - before.get(thread, 0) for thread, seconds in self.threads().items()}
        self.audio = max(spent, key=spent.get)
        return spent[self.audio] / (time.monotonic() - began)

    def cpu(self):
        """The processor time of all threads but the audio thread, in seconds."""
        return sum(seconds for thread, seconds in self.threads().items() if thread != self.audio)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)


def processor_seconds(call):
    """Runs a program; returns the processor time that it needs, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

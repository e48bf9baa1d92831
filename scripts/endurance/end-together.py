#!/usr/bin/env python3
"""Ends many instances of the program at the same moment, repeatedly, on its own JACK servers.

usage: end-together.py PROGRAM [--instances N] [--rounds N] [--ports N] [--session]

Each round starts a server with the dummy driver and N instances on it, waits until all of them
have described their ports, and ends them together: by SIGTERM, or with --session by a session
manager that ends them like NSM. Then every instance must have exited with status 0 or, if it
gave up waiting for a slow server, 69; jack_lsp must answer, a new instance must play on the same
server, and jackd must exit on SIGTERM. Exit status 1 if any round fails.
"""
import argparse
import glob
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

START_SECONDS = 60
END_SECONDS = 40
ANSWER_SECONDS = 20
# Rounds that take longer than this are not expected: the states of all threads are noted.
LONG_SECONDS = 5

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class SessionManager:
    """The part of an NSM server that an instance needs to join a session."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.url = f"osc.udp://127.0.0.1:{self.socket.getsockname()[1]}/"
        self.joined = 0

    def serve(self, count, pipeline, seconds):
        """Answers announcements until `count` instances have opened their part of the session."""
        opened, end = 0, time.monotonic() + seconds
        while opened < count and time.monotonic() < end:
            if not select.select([self.socket], [], [], 0.5)[0]:
                continue
            message, client = self.socket.recvfrom(65536)
            path, arguments = decoded(message)
            if path == "/nsm/server/announce":
                self.joined += 1
                self.send(client, "/reply", "/nsm/server/announce", "welcome", "end-together", ":server-control:")
                part = os.path.join(self.folder, f"part{self.joined}")
                with open(part + ".json", "w") as file:
                    file.write(pipeline)
                self.send(client, "/nsm/client/open", part, f"Part {self.joined}", f"part.{self.joined}")
            elif path == "/reply" and arguments[:1] == ["/nsm/client/open"]:
                opened += 1
        return opened == count

    def send(self, client, path, *texts):
        parts = [padded(path), padded("," + "s" * len(texts))] + [padded(text) for text in texts]
        self.socket.sendto(b"".join(parts), client)


def padded(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def decoded(message):
    """Returns the path and the arguments of an OSC message; only strings and integers are read."""
    def text(place):
        end = message.index(b"\0", place)
        return message[place:end].decode(), (end + 4) // 4 * 4

    path, place = text(0)
    types, place = text(place)
    arguments = []
    for kind in types[1:]:
        if kind == "s":
            value, place = text(place)
        else:
            value, place = struct.unpack(">i", message[place:place + 4])[0], place + 4
        arguments.append(value)
    return path, arguments


def pipeline(ports):
    half = max(1, ports // 2)
    return json.dumps({
        "version": 1, "name": "Voice",
        "inputs": {"mic": {"channels": half}}, "outputs": {"main": {"channels": half}},
        "nodes": [{"id": "level", "type": "gain"}]})


def answers(command):
    try:
        return subprocess.run(command, timeout=ANSWER_SECONDS, **QUIET).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def read_until(process, word, seconds):
    """Returns whether standard output contains the word in time."""
    text, end = b"", time.monotonic() + seconds
    descriptor = process.stdout.fileno()
    while time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            data = os.read(descriptor, 65536)
            text += data
            if word in text:
                return True
            if not data:
                return False
    return False


def thread_states(process):
    """Returns where each thread of a process waits in the kernel, one line per thread."""
    lines = []
    for task in sorted(glob.glob(f"/proc/{process.pid}/task/*")):
        try:
            parts = [open(f"{task}/{name}").read().strip() for name in ("comm", "wchan", "syscall")]
        except OSError:
            continue
        lines.append(f"    {process.args[0].split('/')[-1]} {process.pid}: " + ", ".join(parts))
    return lines


class Round:
    def __init__(self, options, folder):
        self.options = options
        self.server = f"end-together-{os.getpid()}"
        self.folder = folder
        self.file = os.path.join(folder, "voice.json")
        with open(self.file, "w") as file:
            file.write(pipeline(options.ports))
        self.words = os.path.join(folder, "words")
        self.faults = []
        self.states = []
        self.gave_up = 0

    def run(self):
        """Returns the errors, and the duration of the end in seconds."""
        jackd = subprocess.Popen(
            ["jackd", "-n", self.server, "-d", "dummy", "-r", "48000", "-p", "256"], **QUIET)
        instances = []
        seconds = 0
        try:
            if not wait_for(lambda: answers(["jack_lsp", "-s", self.server]), START_SECONDS):
                return ["jackd did not start"], 0
            instances = self.start()
            seconds = self.end(instances, jackd)
            if jackd.poll() is not None:
                self.faults.append(f"jackd ended with {jackd.returncode}")
            elif not answers(["jack_lsp", "-s", self.server]):
                self.faults.append("jack_lsp got no answer")
                self.states += thread_states(jackd)
            elif subprocess.call(
                    [self.options.program, "run", self.file, "--server", self.server,
                     "--no-start-server", "--duration", "0.2"], timeout=ANSWER_SECONDS, **QUIET) != 0:
                self.faults.append("a new instance did not play")
        except subprocess.TimeoutExpired:
            self.faults.append("a new instance did not end")
        finally:
            jackd.terminate()
            if not wait_for(lambda: jackd.poll() is not None, ANSWER_SECONDS):
                self.faults.append("jackd did not end on SIGTERM")
                self.states += thread_states(jackd)
            for process in instances + [jackd]:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            if self.faults or self.gave_up:
                print("\n".join(self.states))
        return self.faults, seconds

    def start(self):
        manager = SessionManager(self.folder) if self.options.session else None
        environment = dict(os.environ, JACK_DEFAULT_SERVER=self.server)
        command = [self.options.program, "run", "--json", "--no-start-server"]
        if manager:
            environment["NSM_URL"] = manager.url
        else:
            command.append(self.file)
        with open(self.words, "w") as words:
            instances = [
                subprocess.Popen(
                    command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=words)
                for _ in range(self.options.instances)
            ]
        if manager and not manager.serve(len(instances), pipeline(self.options.ports), START_SECONDS):
            self.faults.append("not all instances joined the session")
        for instance in instances:
            # The ports are described before the first status.
            if not read_until(instance, b'"event": "status"', START_SECONDS):
                self.faults.append("an instance did not play")
                break
        # With many instances the last ones may still be waiting to write.
        time.sleep(1)
        return instances

    def end(self, instances, jackd):
        start = time.monotonic()
        for instance in instances:
            instance.send_signal(signal.SIGTERM)
        def have_ended():
            return all(instance.poll() is not None for instance in instances)

        if not wait_for(have_ended, LONG_SECONDS):
            for process in [jackd] + instances:
                self.states += thread_states(process)
            wait_for(have_ended, END_SECONDS - LONG_SECONDS)
        seconds = time.monotonic() - start
        statuses = [instance.poll() for instance in instances]
        if left := statuses.count(None):
            self.faults.append(f"{left} of {len(instances)} did not end")
        with open(self.words) as words:
            said = ", ".join(sorted({line.strip() for line in words if "answer" in line}))
        # On a busy machine one may give up waiting for a server that is only slow; that harms nobody.
        self.gave_up = statuses.count(69)
        if self.gave_up:
            print(f"    {self.gave_up} of {len(instances)} stopped waiting for jackd: {said}")
        if bad := [status for status in statuses if status not in (0, 69, None)]:
            self.faults.append(f"{len(bad)} of {len(instances)} ended with {sorted(set(bad))}: {said}")
        return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--ports", type=int, default=4, help="of each instance")
    parser.add_argument("--session", action="store_true", help="under a session manager")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    failed = 0
    for number in range(1, options.rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            faults, seconds = Round(options, folder).run()
        print(f"round {number}: {'; '.join(faults) or 'good'} ({seconds:.1f} s)", flush=True)
        failed += bool(faults)
    print(f"{failed} of {options.rounds} rounds failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

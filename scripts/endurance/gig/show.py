"""The program under test, with all of its answers."""
import json
import os
import socket
import struct
import subprocess
import threading
import time

from night import free_port, padded

# A limit for programs that hang; no test depends on how fast an answer comes.
ANSWER_SECONDS = 30


class Show:
    """`stompline run` with OSC, its events, its standard error, and `stompline ctl`."""

    def __init__(self, program, path, server, environment, log, options=()):
        self.program, self.port = program, free_port()
        self.events, self.condition = [], threading.Condition()
        self.log = log
        self.process = subprocess.Popen(
            [program, "run", path, "--name", "gig", "--server", server, "--no-start-server", "--osc", str(self.port), "--json",
             *options],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(log, "w"), text=True)
        threading.Thread(target=self._read, daemon=True).start()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(ANSWER_SECONDS)

    def _read(self):
        for line in self.process.stdout:
            with self.condition:
                self.events.append(json.loads(line))
                self.condition.notify_all()
        self.process.wait()
        with self.condition:
            self.condition.notify_all()

    # Events.

    def now(self):
        """Returns the number of events so far, for `waits`."""
        with self.condition:
            return len(self.events)

    def waits(self, name, after=0, /, seconds=ANSWER_SECONDS, **members):
        """Waits for an event with these members after the first `after` events; returns it, or None."""
        def found():
            return next((event for event in self.events[after:]
                         if event["event"] == name and all(event.get(key) == value for key, value in members.items())), None)
        with self.condition:
            self.condition.wait_for(lambda: found() or self.process.poll() is not None, seconds)
            return found()

    def says(self, text, after=""):
        """Waits until standard error contains a text after its beginning `after`; returns whether it does."""
        return self._until(lambda: text in self.errors()[len(after):])

    def errors(self):
        with open(self.log) as file:
            return file.read()

    # Requests.

    def ctl(self, *words):
        """Returns the exit status of `stompline ctl` and its output, including standard error."""
        asked = subprocess.run([self.program, "ctl", "--port", str(self.port), *map(str, words)],
                               capture_output=True, text=True, timeout=2 * ANSWER_SECONDS)
        return asked.returncode, (asked.stdout + asked.stderr).strip()

    def holds(self, address, value):
        """Waits until `ctl` prints a value; returns whether it does."""
        return self._until(lambda: self.ctl(address)[1] == value)

    def is_near(self, address, number):
        """Waits until `ctl` prints a number within a hundredth; returns whether it does."""
        def is_there():
            try:
                return abs(float(self.ctl(address)[1]) - number) < 0.01
            except ValueError:
                return False
        return self._until(is_there)

    def _until(self, condition):
        end = time.monotonic() + ANSWER_SECONDS
        while not (is_met := condition()) and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.05)
        return is_met

    def osc(self, path, *values):
        """Sends numbers or nothing to an OSC path."""
        types = "," + "f" * len(values)
        data = padded(path) + padded(types) + b"".join(struct.pack(">f", value) for value in values)
        self.socket.sendto(data, ("127.0.0.1", self.port))

    def osc_answer(self):
        """Returns the next OSC message: its path and its values. None if none comes."""
        try:
            data = self.socket.recv(8192)
        except TimeoutError:
            return None
        path, data = _text(data)
        types, data = _text(data)
        values = []
        for kind in types[1:]:
            if kind in "fi":
                values.append(struct.unpack(">" + kind, data[:4])[0])
                data = data[4:]
            elif kind == "s":
                text, data = _text(data)
                values.append(text)
            else:
                values.append(kind == "T")
        return path, values

    # The end.

    def kill(self):
        self.process.kill()
        self.process.wait()


def _text(data):
    """Returns an OSC string at the start of some bytes, and the rest."""
    end = data.index(0)
    return data[:end].decode(), data[(end // 4 + 1) * 4:]


def state_text(folder):
    """Returns the text of all saved states of runs in a state folder."""
    folder = os.path.join(folder, "stompline", "resume")
    texts = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.endswith(".json"):
            with open(os.path.join(folder, name)) as file:
                texts.append(file.read())
    return "\n".join(texts)

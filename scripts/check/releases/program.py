"""Runs the program: its commands, a JACK server for them, and sessions whose events can be awaited."""

import itertools
import json
import os
import select
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
WAIT_SECONDS = 60
#: Certificates that a session makes for itself are not checked.
UNCHECKED = ssl._create_unverified_context()


class Program:
    """The program, with an empty state. Without a server in the arguments, its commands see none."""

    def __init__(self, path, state):
        self.path = path
        # Nothing of the user's account is read or written.
        self.environment = {**os.environ, "HOME": state, "XDG_STATE_HOME": state, "XDG_CACHE_HOME": state,
                            "JACK_NO_START_SERVER": "1", "JACK_DEFAULT_SERVER": "stompline-none"}

    def ask(self, folder, *words):
        """Runs a command in a folder to its end; returns its result."""
        return subprocess.run([self.path, *map(str, words)], cwd=folder, capture_output=True, text=True,
                              env=self.environment)

    def json(self, folder, *words):
        """Runs a command in a folder; returns what it prints as JSON. Its exit status may be any."""
        result = self.ask(folder, *words)
        try:
            return json.loads(result.stdout)
        except json.JSONDecodeError:
            raise SystemExit(f"releases: {' '.join(map(str, words))} printed no JSON: {result.stderr[:400]}")


class Server:
    """A JACK server with the dummy driver and without real-time priority, for a `with`."""

    def __init__(self, part):
        self.name = f"stompline-releases-{os.getpid()}-{part}"

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        """Starts the server; a busy machine can end it at once, for example if too many servers start and end."""
        for _ in range(3):
            self.process = subprocess.Popen(
                ["jackd", "-n", self.name, "-r", "-d", "dummy", "-r", "48000", "-p", "256"], **QUIET)
            subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "20"], **QUIET)
            if self.process.poll() is None:
                return
        raise SystemExit(f"releases: the JACK server {self.name} ends at once")

    def end(self):
        self.process.terminate()
        self.process.wait()

    def tool(self, *words):
        """Runs a tool of JACK on this server."""
        subprocess.run(words, env={**os.environ, "JACK_DEFAULT_SERVER": self.name}, timeout=30, **QUIET)


class Session:
    """A session on a server, for a `with`. It has the events so far, and the names of those that were awaited."""

    def __init__(self, program, folder, server, file, *options, http="0"):
        self.program, self.folder, self.port = program, folder, free_port()
        self.events, self.awaited = [], set()
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [program.path, "run", file, "--json", "--server", server.name, "--no-start-server",
             "--osc", str(self.port), "--http", http, *options],
            cwd=folder, env=program.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self):
        self.wait("started")
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """Ends the session as Ctrl-C does."""
        self.process.terminate()
        self._reader.join(WAIT_SECONDS)
        self.process.wait(WAIT_SECONDS)

    def wait(self, event, count=1, **members):
        """Waits until there are some events of a name, with some members; returns the last one."""
        return self._wait(event, lambda each: members.items() <= each.items(), count, members or "")

    def wait_for_box(self, kind):
        """Waits until a box with a kind of reason is kept; returns its event."""
        return self._wait("box_kept", lambda each: each["box"].endswith(f"-{kind}.stompbox"), 1, kind)

    def _wait(self, event, fits, count, description):
        end = time.monotonic() + WAIT_SECONDS
        self.awaited.add(event)
        with self._changed:
            while True:
                found = [each for each in self.events if each["event"] == event and fits(each)]
                if len(found) >= count:
                    return found[-1]
                if time.monotonic() > end or not self._changed.wait(end - time.monotonic()):
                    raise SystemExit(f"releases: there was no event {event} {description} of {self.process.args[2]}")

    def ctl(self, *words):
        """Runs `ctl --json`; returns its answer, or null without one."""
        answer = self.program.ask(self.folder, "ctl", "--port", self.port, "--json", *words).stdout
        return json.loads(answer) if answer else None

    def http(self, method, path, body=None, **headers):
        """Sends a request; returns the body of the answer with its status."""
        request = urllib.request.Request(self.url + path, method=method, data=body.encode() if body else None,
                                         headers={name.replace("_", "-"): text for name, text in headers.items()})
        try:
            with urllib.request.urlopen(request, timeout=90, context=UNCHECKED) as answer:
                return {"status": {str(answer.status): 0}, "body": json.load(answer)}
        except urllib.error.HTTPError as refused:
            return {"status": {str(refused.code): 0}, "body": json.load(refused)}

    def text(self, path):
        """Returns the text of an answer over HTTP."""
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return answer.read().decode()

    @property
    def url(self):
        """The URL of the page, for this machine."""
        parts = urllib.parse.urlsplit(self.wait("http_started")["url"])
        return f"{parts.scheme}://127.0.0.1:{parts.port}/"

    def watched(self, address, *values):
        """Returns what `ctl --watch --json` prints about a change of a value."""
        call = [self.program.path, "ctl", "--port", str(self.port), "--json", "--watch", address]
        watcher = subprocess.Popen(call, env=self.program.environment, stdout=subprocess.PIPE, text=True)
        try:
            # The changes before the first answer to the watcher are not printed.
            for value in itertools.cycle(values):
                self.ctl(address, value)
                if select.select([watcher.stdout], [], [], 0.2)[0]:
                    return json.loads(watcher.stdout.readline())
        finally:
            watcher.terminate()
            watcher.communicate()

    def _read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            with self._changed:
                self.events.append(event)
                self._changed.notify_all()


def free_port():
    """Returns a UDP port that no program uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def state_folder():
    """Returns a new folder for the state of a program, which ends as a context."""
    return tempfile.TemporaryDirectory(prefix="stompline-state-")

"""A session manager that sends invalid messages to an instance that it has started, to test the NSM client."""
import glob
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time

from night import padded

PATHS = ["/reply", "/error", "/nsm/server/announce", "/nsm/client/open", "/nsm/client/save", "/nsm/client/session_is_loaded",
         "/nsm/client/show_optional_gui", "/nsm/client/hide_optional_gui", "/nsm/client/label", "/nsm/client/nothing", ""]
# Only unwritable paths, or paths in the run's own folder, because the instance may run as root.
TEXTS = ["", "/proc/", "/proc/1/part", "/dev/full/part", "a" * 5000, "\x1b[2J\n", "../part", "é" * 40, "/nsm/server/announce",
         "/nsm/client/open"]
START_SECONDS, END_SECONDS = 60, 30


def message(path, arguments):
    types = "," + "".join("s" if isinstance(argument, str) else "i" for argument in arguments)
    data = b"".join(padded(argument) if isinstance(argument, str) else struct.pack(">i", argument) for argument in arguments)
    return padded(path) + padded(types) + data


class WildManager:
    """Starts an instance, opens a session, sends invalid messages, saves, and ends the instance."""

    def __init__(self, program, server, folder, chance):
        self.program, self.server, self.folder, self.chance = program, server, folder, chance

    def run(self):
        """Returns the errors of the instance."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as self.socket:
            self.socket.bind(("127.0.0.1", 0))
            environment = dict(os.environ, NSM_URL=f"osc.udp://127.0.0.1:{self.socket.getsockname()[1]}/",
                               XDG_STATE_HOME=self.folder, XDG_CACHE_HOME=self.folder)
            with tempfile.TemporaryFile() as messages:
                process = subprocess.Popen(
                    [self.program, "run", "--json", "--no-start-server", "--server", self.server], env=environment,
                    cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages)
                try:
                    errors = self._annoy(process)
                finally:
                    if process.poll() is None:
                        process.kill()
                        process.wait()
                messages.seek(0)
                last = messages.read().decode(errors="replace").splitlines()[-3:]
                return [f"{error}; its last messages: {last}" for error in errors]

    def _annoy(self, process):
        client = self._wait_for(b"/nsm/server/announce", START_SECONDS)
        if not client:
            return ["an instance under a session manager did not announce itself"]
        self._send(client, "/reply", "/nsm/server/announce", "welcome", "chaos", ":server-control:")
        self._send(client, "/nsm/client/open", os.path.join(self.folder, "part"), "Part", "part.1")
        opened = self._wait_for(b"/nsm/client/open", START_SECONDS)
        for _ in range(200):
            self.socket.sendto(self._nonsense(), client)
        if process.poll() is not None:
            return [f"an instance under a session manager ended after invalid messages, with status {process.returncode}"]
        process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return ["an instance under a session manager does not end"]
        if not opened:
            return ["an instance under a session manager did not open its session"]
        if status != 0:
            return [f"an instance under a session manager ended with status {status}"]
        left = glob.glob(f"/dev/shm/stompline-{process.pid}-*")
        return [f"an instance under a session manager leaves {left[0]}"] if left else []

    def _send(self, client, path, *arguments):
        self.socket.sendto(message(path, arguments), client)

    def _wait_for(self, word, seconds):
        """Returns the sender of the next message that contains a word; None if no such message arrives in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.socket], [], [], 0.5)[0]:
                data, client = self.socket.recvfrom(65536)
                if word in data:
                    return client
        return None

    def _nonsense(self):
        arguments = [self.chance.choice(TEXTS + [0, -1, 2**31 - 1]) for _ in range(self.chance.choice([0, 1, 2, 3, 3, 5]))]
        data = bytearray(message(self.chance.choice(PATHS), arguments))
        if self.chance.random() < 0.3:
            for _ in range(self.chance.randint(1, 6)):
                data[self.chance.randrange(len(data))] = self.chance.randrange(256)
        return bytes(data[:8000])

"""The programs of a soak: a JACK server, the program, and other JACK clients."""
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time


class Server:
    """A JACK server with its own name, which waits for its clients.

    A step in the sound is then caused by a client. The server waits for ten times its timeout,
    here 5 s. The default is 20 periods: 26 ms, which another program may take. It also waits for
    a client that was killed. An asynchronous server does not wait, and reports clients that
    overran.
    """

    def __init__(self, name, log, is_async=False, frames=64):
        self.name, self.frames = name, frames
        self.mode = [] if is_async else ["-S", "-t", "500"]
        self.log = open(log, "w+")
        # The memory that the client library has not freed after the ends of servers.
        self.kept_kib = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["jackd", *self.mode, "-n", self.name, "-d", "dummy", "-r", "48000", "-p", str(self.frames)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def blames(self, client):
        """Returns how often the server reported that a client did not finish in time.

        Other xruns are late wakeups of the server, or caused by all clients together.
        """
        self.log.flush()
        with open(self.log.name) as file:
            return len(re.findall(rf"XRun: client (?:= )?{client} ", file.read()))

    def last_lines(self, count=20):
        """Returns the end of the server's output."""
        self.log.flush()
        with open(self.log.name) as file:
            return "".join(file.readlines()[-count:])

    def connections(self):
        return subprocess.run(["jack_lsp", "-s", self.name, "-c"], capture_output=True, text=True).stdout

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Partner:
    """The other JACK clients.

    An answer of None means that they hang or have gone with the server. The suffix is appended
    to the names of the clients, so that a server can have several sets of them.
    """

    def __init__(self, program, server, seed, suffix=""):
        for _ in range(50):
            self.process = subprocess.Popen([program, server, str(seed), suffix], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, bufsize=1)
            if self._line() == "ready":
                return
            self.end()
            time.sleep(0.1)
        raise SystemExit("soak: no client can be had on the server")

    def _line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], 10)
        return self.process.stdout.readline().strip() if ready else None

    def ask(self, *words):
        try:
            self.process.stdin.write("\t".join(map(str, words)) + "\n")
            return self._line()
        except (BrokenPipeError, ValueError):
            return None

    def leave(self):
        """Makes its clients leave the server properly."""
        self.process.stdin.close()
        self.process.wait(20)

    def end(self):
        self.process.kill()
        self.process.wait()


class Program:
    """The program under test, with its output."""

    def __init__(self, command, environment, log):
        self.events, self.statuses, self.port, self.http_port = {}, [], None, None
        self.log = open(log, "w")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.log, text=True)
        threading.Thread(target=self._read, daemon=True).start()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)

    def _read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            name = event["event"]
            if name == "http_started":
                self.http_port = int(event["url"].rstrip("/").rpartition(":")[2])
            self.events[name] = self.events.get(name, 0) + 1
            if name == "status":
                self.statuses.append(event)
            if name != "status" or event["load_worst"] > 1:
                self.log.write(f"{time.time():.1f} {line}")
                self.log.flush()

    def wait_for(self, name, count=1, seconds=20):
        end = time.time() + seconds
        while self.events.get(name, 0) < count:
            if time.time() > end or self.process.poll() is not None:
                return False
            time.sleep(0.02)
        return True

    def tell(self, path, *values):
        """Sends an OSC message, and discards the answers."""
        types, data = ",", b""
        for value in values:
            if isinstance(value, bool):
                types += "T" if value else "F"
            elif isinstance(value, int):
                types, data = types + "i", data + struct.pack(">i", value)
            elif isinstance(value, float):
                types, data = types + "f", data + struct.pack(">f", value)
            else:
                types, data = types + "s", data + padded(value)
        self.socket.sendto(padded(path) + padded(types) + data, ("127.0.0.1", self.port))
        try:
            while self.socket.recv(8192):
                pass
        except BlockingIOError:
            pass

    def dump(self):
        """Returns the program's whole state as text."""
        self.tell("/dump")
        time.sleep(0.5)
        lines = []
        try:
            while answer := self.socket.recv(8192):
                lines.append(repr(answer))
        except BlockingIOError:
            return "\n".join(lines)

    def threads(self):
        """Returns the position of each thread as text, with gdb if it is installed."""
        process = str(self.process.pid)
        if shutil.which("gdb"):
            asked = subprocess.run(["gdb", "-batch", "-p", process, "-ex", "thread apply all backtrace 30"],
                                   capture_output=True, text=True)
            return asked.stdout
        lines = []
        for thread in sorted(os.listdir(f"/proc/{process}/task")):
            facts = []
            for fact in ("comm", "stat", "wchan", "syscall"):
                try:
                    with open(f"/proc/{process}/task/{thread}/{fact}") as file:
                        facts.append(file.read().strip())
                except OSError:
                    facts.append("?")
            lines.append(" | ".join([thread] + facts))
        return "\n".join(lines)

    def audio_thread(self):
        """Returns data about the thread that runs the callback, or None if there is none.

        The data are its number, its page faults, its involuntary context switches, and the
        seconds in which it was ready and waited for a processor.
        """
        tasks = f"/proc/{self.process.pid}/task"
        for thread in os.listdir(tasks):
            try:
                with open(f"{tasks}/{thread}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[38]) != os.SCHED_FIFO:
                    continue
                with open(f"{tasks}/{thread}/schedstat") as file:
                    waited = int(file.read().split()[1]) / 1e9
                with open(f"{tasks}/{thread}/status") as file:
                    interrupted = int(file.read().rpartition("nonvoluntary_ctxt_switches:")[2])
            except (OSError, ValueError):
                continue
            return thread, int(fields[7]) + int(fields[9]), interrupted, waited
        return None

    def resident(self):
        """Returns the memory in KiB and the number of threads, or None after the program's exit."""
        figures = {}
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                key, _, value = line.partition(":")
                figures[key] = value.split()
        if "VmRSS" not in figures:
            return None
        return int(figures["VmRSS"][0]), int(figures["Threads"][0])


def padded(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

"""The machines on which the commands of a page run, apart from everything else on this machine."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "endurance/soak"))
from pipewire import configuration  # noqa: E402

# Limits for programs that hang; no check depends on how fast something is.
BLOCK_SECONDS = 120
LIVE_SECONDS = 30
#: Says that this process is in its own namespaces.
INSIDE = "STOMPLINE_CHECK_INSIDE"
#: The name of the user of the pages, and the addresses and names of the two machines.
USER = "musician"
ADDRESSES = {"desk": ("10.0.0.1", "192.168.1.2"), "stage": ("10.0.0.2", "192.168.1.3")}
#: The reload that a changed file causes, in the lines of `run`.
RELOADED = "reloaded after an edit"


class Failure(Exception):
    """A step that failed: a sentence."""


def enter():
    """Starts the script again in namespaces of its own: files of /etc, shared memory, processes and network.

    No command can then disturb other programs, and all of them have ended at the end. It needs root or user namespaces.
    """
    if os.environ.get(INSIDE):
        return _prepare()
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    os.environ[INSIDE] = "yes"
    os.execvp("unshare", ["unshare", *user, "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
                          sys.executable, *sys.argv])


def _call(*words):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _prepare():
    own = Path("/dev/shm/etc")
    _call("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
    # A user without root cannot read every file of /etc, and no page needs these.
    subprocess.run(["cp", "-a", "/etc", str(own)], stderr=subprocess.DEVNULL)
    with (own / "hosts").open("a") as hosts:
        for name, addresses in ADDRESSES.items():
            hosts.write(f"{addresses[0]} {name}\n")
    _call("mount", "--bind", str(own), "/etc")
    subprocess.run(["useradd", "--no-create-home", USER], check=True, stderr=subprocess.DEVNULL)
    _call("ip", "link", "set", "lo", "up")


class Machine:
    """A machine of a page: a network, shared memory, a sound server, and the programs that play."""

    def __init__(self, name, home):
        self.name, self.home = name, home
        self.inside, self.environment = [], {}
        self.server, self.pipewire, self.session, self.others, self.file = None, None, None, [], None
        self.log = home / f".live-{name}.log"

    def words(self, *words):
        return [*self.inside, *words]

    def popen(self, words, **how):
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **how}
        # A shell that runs this check in the background lets it ignore Ctrl-C, and programs inherit that.
        return subprocess.Popen(self.words(*words), env=self.environment, start_new_session=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **how)

    def quiet(self, *words):
        """Runs a command; returns its status."""
        return subprocess.run(self.words(*words), env=self.environment, stdin=subprocess.DEVNULL, timeout=BLOCK_SECONDS,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def need_server(self):
        """Starts a JACK server with the dummy driver, unless one runs."""
        if self.server:
            return
        self.server = self.popen(["jackd", "-S", "-t", "100", "-d", "dummy", "-r", "48000", "-p", "256"])
        self.wait(lambda: self.quiet("jack_lsp") == 0, "the JACK server does not start")

    def need_pipewire(self):
        """Starts a PipeWire, which `pw-jack` finds, unless one runs."""
        if self.pipewire:
            return
        file = self.home / ".pipewire.conf"
        file.write_text(configuration("pipewire-0", frames=256))
        self.pipewire = self.popen(["pipewire", "-c", str(file)])
        self.wait(lambda: self.quiet("pw-jack", "jack_lsp") == 0, "PipeWire does not start")

    def start(self, text, folder):
        """Starts the programs of a live block; the session that played ends before."""
        if self.plays(text):
            self.stop()
        jack = ["pw-jack"] if "pw-jack" in text else []
        if not jack and "stompline run" in text:
            self.need_server()
        before = self.ports(jack)
        is_one = len(text.strip().splitlines()) == 1 and "|" not in text
        with open(self.log, "w") as log:
            live = self.popen(["sh", "-euc", f"exec {text}" if is_one else text], cwd=folder, stdout=log, stderr=log)
        if not self.plays(text):
            self.others.append((live, text))
            # A program that is wrong ends at once; one that is right may take any time.
            time.sleep(1)
            if live.poll() not in (None, 0):
                raise Failure(f"status {live.returncode}\n{text}\n{self.text()}")
            return
        self.session = live
        self.file = next((folder / word for word in text.split() if word.endswith(".json")), None)
        self.wait(lambda: self.ports(jack) - before, f"no ports appear after {text}")
        if re.search(r"--osc[ =]", text):
            self.wait(lambda: self.quiet("stompline", "ctl", "tempo") == 0, f"no answer from {text}")
            self._wait_for_reports()
        if "--http" in text:
            self.wait(lambda: "http" in self.text(), f"no URL from {text}")

    @staticmethod
    def plays(text):
        """Returns whether a block starts a session."""
        return "stompline run" in text

    def ports(self, jack=()):
        done = subprocess.run(self.words(*jack, "jack_lsp"), env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=BLOCK_SECONDS)
        return {line for line in done.stdout.splitlines() if not line.startswith("system:")}

    def _wait_for_reports(self):
        """Waits until no more addresses appear: a report has one when its node has run, long before a reader types."""
        counts = []
        while len(counts) < 3 or len(set(counts[-3:])) > 1:
            listed = subprocess.run(self.words("stompline", "ctl"), env=self.environment, stdin=subprocess.DEVNULL,
                                    capture_output=True, timeout=BLOCK_SECONDS).stdout
            counts.append(listed.count(b"\n"))
            time.sleep(0.1)

    def stop(self):
        """Ends the session as Ctrl-C does."""
        if not self.session:
            return
        # Programs that watch the session end before it: without it they have no answer, and fail.
        watchers = [each for each in self.others if "stompline ctl" in each[1]]
        self.others = [each for each in self.others if each not in watchers]
        for watcher, text in watchers:
            self._interrupt(watcher, text)
        live, self.session = self.session, None
        self._interrupt(live, self.file)

    def _interrupt(self, live, what):
        # The whole group gets the signal, as from a terminal.
        if live.poll() is None:
            os.killpg(live.pid, signal.SIGINT)
        try:
            status = live.wait(LIVE_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill(live)
            status = "none: it hangs"
        # The shell and programs without a handler end by the signal.
        if status not in (0, -signal.SIGINT, 128 + signal.SIGINT):
            raise Failure(f"{what} ended with status {status}\n{self.text()}")

    def end(self):
        """Ends the session and the other programs as Ctrl-C does."""
        self.stop()
        others, self.others = self.others, []
        for live, text in others:
            self._interrupt(live, text)

    @staticmethod
    def _kill(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def leave(self):
        """Ends everything at once."""
        for process in [self.session, *(live for live, _ in self.others), self.server, self.pipewire]:
            if process:
                self._kill(process)

    def text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def wait(self, condition, fault):
        end = time.monotonic() + LIVE_SECONDS
        while not (value := condition()):
            if time.monotonic() > end or (self.session and self.session.poll() is not None):
                raise Failure(f"{fault}\n{self.text()}")
            time.sleep(0.05)
        return value


class SecondMachine(Machine):
    """A machine at the other end of a cable, with the same home folder."""

    def __init__(self, name, home):
        super().__init__(name, home)
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /dev/shm && echo && exec sleep infinity"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        holder = str(self.holder.pid)
        self.inside = ["nsenter", "--target", holder, "--net", "--mount", "--wd=."]
        here, there = (f"cable{random.randrange(10**6)}{end}" for end in "ab")
        _call("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", holder)
        for end, machine, inside in ((here, "desk", []), (there, "stage", self.inside)):
            for address in ADDRESSES[machine]:
                _call(*inside, "ip", "address", "add", f"{address}/24", "dev", end)
            _call(*inside, "ip", "link", "set", "lo", "up")
            _call(*inside, "ip", "link", "set", end, "up")

    def leave(self):
        super().leave()
        self.holder.kill()
        self.holder.wait()

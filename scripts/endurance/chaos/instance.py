"""One of the two instances: the program, its songs, its JACK neighbours, and their measurements."""
import os
import resource
import signal
import time

from night import Partner, Program, free_port
from nonsense import Nonsense
from songs import ChaosSetlist
from tour import Tour

# The sine moves by 0.0108 per sample at most; the rest is for crossfades to a delayed copy of it.
STEP = 0.03
# The server's sample rate.
RATE = 48000


class Instance:
    """Plays a setlist on a server, and records its state."""

    def __init__(self, name, programs, folder, takes, server, stream, chance):
        self.name, self.programs, self.server, self.chance = name, programs, server, chance
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder)
        self.setlist = ChaosSetlist(self.folder, chance, f"partner-{name}", f"ear-{name}", name, stream)
        nodes = [node["id"] for node in self.setlist.songs[self.setlist.names[0]]["nodes"]]
        self.nonsense = Nonsense(chance, nodes)
        self.faults, self.largest_step, self.looks, self.heard = [], 0, 0, 0
        self.takes = takes
        self.partner = self._partner()

    def start(self, log, permissions, environment):
        self.port = free_port()
        self.permissions, self.environment = permissions, environment
        return self._play(log)

    def _play(self, log, *more):
        self.program = Program(
            [os.path.join(self.programs, "stompline"), "run", self.setlist.path, "--name", self.name, "--server", self.server.name,
             "--no-start-server", "--osc", str(self.port), "--http", "0", "--json", "--takes", self.takes, *self.permissions, *more],
            self.environment, log)
        self.program.port = self.port
        self.tour = Tour(self.chance, self.program, lambda: self.partner)
        return self.program.wait_for("started", seconds=60)

    def play_again(self, log):
        """Starts the killed program again where it was; returns its tour, or None."""
        return self.tour if self._play(log, "--resume") else None

    @property
    def process(self):
        return self.program.process

    def tell(self, *message):
        self.program.tell(*message)

    def _partner(self):
        return Partner(os.path.join(self.programs, "soak-partner"), self.server.name, self.chance.randrange(1 << 30), f"-{self.name}")

    def replace_partner(self):
        self.partner.end()
        self.partner = self._partner()
        self.partner.ask("figures")

    def look(self, amid):
        """Checks the signal since the last check: no step above the limit, and no NaN (an infinite
        step)."""
        answer = self.partner.ask("figures")
        self.looks += 1
        if not answer:
            return
        step, peak = map(float, answer.split()[:2])
        self.heard += peak > 0.001
        self.largest_step = max(self.largest_step, step)
        if step > STEP:
            self.faults.append(f"{self.name}: a step of {step:.3f} in the sound, after {amid}")
            age = int(answer.split()[4]) / RATE
            self.program.log.write(f"{time.time():.1f} STEP {step}, {age:.2f} s ago; the server's last lines:\n"
                                   f"{self.server.last_lines()}\n")

    def is_heard(self):
        """Discards earlier measurements, and returns whether the sine is audible."""
        answer = self.partner.ask("figures")
        return bool(answer) and float(answer.split()[1]) > 0.01

    def children(self):
        """Returns the ids of the program's child processes."""
        children = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                children.append(int(entry))
        return children

    def descriptors(self):
        """Returns the target of each descriptor of the program, without numbers that vary."""
        leads = []
        folder = f"/proc/{self.process.pid}/fd"
        for entry in os.listdir(folder):
            try:
                leads.append(os.readlink(os.path.join(folder, entry)))
            except OSError:
                continue
        return sorted(leads)

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def limit(self, kind, value):
        """Lowers a limit of the program; returns the previous limit."""
        before = resource.prlimit(self.process.pid, kind)
        resource.prlimit(self.process.pid, kind, (value, before[1]))
        return before

    def virtual_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")

    def end(self):
        """Asks the program to stop; `wait` returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

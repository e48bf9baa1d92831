"""Detects leaks of descriptors and threads at run time, and of processes and takes at the end."""
import collections
import os
import re
import subprocess
import time

# Threads of the pool end after some time without work; a leak grows with each disturbance.
MORE_DESCRIPTORS, MORE_THREADS = 4, 8
# Within this time, tails have rung out and a child that is being replaced has gone.
SETTLING_SECONDS = 20
# The server must end within this time after its clients have left.
SERVER_SECONDS = 5


class Remains:
    """Compares the end with the start; the run has its own namespaces, so other programs do not
    count."""

    def __init__(self, stage):
        self.stage = stage
        self.before, self.after = {}, {}

    def note_start(self):
        self.before = {instance.name: self._look(instance) for instance in self.stage.instances}

    def _look(self, instance):
        return instance.descriptors(), instance.threads(), len(instance.children())

    def of_running(self):
        """Returns leaks of the running programs after all disturbances; waits for late clean-up."""
        end = time.time() + SETTLING_SECONDS
        while (faults := self._more_than_before()) and time.time() < end:
            time.sleep(1)
        return faults

    def _more_than_before(self):
        faults = []
        for instance in self.stage.instances:
            (descriptors, threads, children) = self.after[instance.name] = self._look(instance)
            (descriptors_before, threads_before, children_before) = self.before[instance.name]
            if len(descriptors) > len(descriptors_before) + MORE_DESCRIPTORS:
                more = collections.Counter(map(kind, descriptors)) - collections.Counter(map(kind, descriptors_before))
                faults.append(f"{instance.name}: {len(descriptors)} descriptors, {len(descriptors_before)} at the start; more: {dict(more)}")
            if threads > threads_before + MORE_THREADS:
                faults.append(f"{instance.name}: {threads} threads, {threads_before} at the start")
            if children > children_before:
                faults.append(f"{instance.name}: {children} child processes, {children_before} at the start: "
                              + "; ".join(map(describe, instance.children())))
        return faults

    def of_ended(self):
        """Returns leaks after both programs have ended."""
        return self._of_other_clients() + self._of_processes() + self._of_takes() + self._of_server()

    def _of_other_clients(self):
        """Checks that existing clients continue, and that a new client can connect."""
        faults = []
        for instance in self.stage.instances:
            first = instance.partner.ask("figures")
            time.sleep(0.3)
            second = instance.partner.ask("figures")
            if not first or not second or float(second.split()[2]) <= float(first.split()[2]):
                faults.append(f"the other clients of {instance.name} no longer get cycles")
        try:
            listed = subprocess.run(["jack_lsp", "-s", self.stage.server.name, "-p"], capture_output=True, text=True, timeout=15)
        except subprocess.TimeoutExpired:
            return faults + ["jack_lsp hangs"]
        for instance in self.stage.instances:
            if f"ear-{instance.name}:clean" not in listed.stdout:
                faults.append(f"a new client does not see the ports of ear-{instance.name}")
            if re.search(rf"^{instance.name}:", listed.stdout, re.M):
                faults.append(f"the server still has ports of {instance.name}")
        return faults

    def _of_processes(self):
        """Checks that no process is left; all processes in this namespace belong to the run."""
        known = {os.getpid(), 1, self.stage.server.process.pid, self.stage.radio.process.pid}
        known |= {instance.partner.process.pid for instance in self.stage.instances}
        left = []
        for _ in range(20):
            left = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and int(entry) not in known]
            left = [process for process in left if command(process)]
            if not left:
                return []
            time.sleep(0.1)
        return [f"a process is left: {command(process)}" for process in left]

    def _of_takes(self):
        for name in sorted(os.listdir(self.stage.takes)):
            if name != "filler":
                self.stage.read_take(os.path.join(self.stage.takes, name))
        return [f"a take cannot be read: {take}" for take in self.stage.unreadable]

    def _of_server(self):
        """Checks that the server ends on request, and that only JACK's files remain in shared
        memory."""
        for instance in self.stage.instances:
            try:
                instance.partner.leave()
            except subprocess.TimeoutExpired:
                return [f"the neighbours of {instance.name} cannot leave the server"]
        self.stage.server.process.terminate()
        try:
            self.stage.server.process.wait(SERVER_SECONDS)
        except subprocess.TimeoutExpired:
            return ["the server does not end"]
        # Each program's lock file remains: a program that removed it might lock another file than
        # the next one.
        left = [name for name in os.listdir("/dev/shm") if not re.fullmatch(r"jack.*|stompline-\d+\.lock", name)]
        return [f"shared memory is left: {', '.join(left)}"] if left else []

    def text(self):
        """Returns the counts before and after as readable text."""
        return "; ".join(
            f"{name}: {len(before[0])} to {len(after[0])} descriptors, {before[1]} to {after[1]} threads"
            for name, before in self.before.items() if (after := self.after.get(name)))


def kind(lead):
    """Returns the target of a descriptor, without numbers."""
    return re.sub(r"\d+", "N", lead)


def describe(process):
    """The command line of a process, its state, its age, and the system call that it waits in."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{process}/wchan") as file:
            waits_in = file.read()
        with open("/proc/uptime") as file:
            age = float(file.read().split()[0]) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return "one that is gone"
    return f"{command(process)[:60]} (state {fields[0]}, {age:.0f} s old, waits in {waits_in})"


def command(process):
    """Returns the command line of a process; empty if it is gone."""
    try:
        with open(f"/proc/{process}/cmdline") as file:
            return file.read().replace("\0", " ").strip()
    except OSError:
        return ""

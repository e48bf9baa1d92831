"""The environment of the two instances: the server, the radio station, the disk for takes."""
import os
import shutil
import subprocess
import sys
import time

from instance import Instance
from night import Server, free_port

TAKES_BYTES = 24 << 20


class Radio:
    """A web server with a sound file."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "http.server", str(self.port), "--bind", "127.0.0.1", "--directory", self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        self.process.kill()
        self.process.wait()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/organ.flac"


class Stage:
    """Sets up the environment, maintains it, and tears it down."""

    def __init__(self, root, folder, chance):
        self.chance, self.build = chance, os.path.join(root, ".build")
        self.programs = os.path.join(self.build, "release")
        self.unreadable, self.takes_read = [], 0
        # A disk that is small enough to be full at times.
        self.takes = os.path.join(folder, "takes")
        os.makedirs(self.takes)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={TAKES_BYTES}", "takes", self.takes], check=True)
        self.radio = Radio(os.path.join(root, "pipelines", "sounds"))
        self.server = Server(f"stompline-chaos-{os.getpid()}", os.path.join(self.build, "chaos-jackd.log"))
        self.instances = [Instance(name, self.programs, folder, self.takes, self.server, self.radio.address, chance)
                          for name in ("left", "right")]
        for instance in self.instances:
            self._make_tune(root, instance.folder)

    def _make_tune(self, root, folder):
        """Creates a file that only a child process can decode."""
        subprocess.run(["ffmpeg", "-v", "error", "-i", os.path.join(root, "pipelines/sounds/organ.flac"), "-c:a", "aac",
                        os.path.join(folder, "tune.m4a")], check=True, stdin=subprocess.DEVNULL)

    def start(self, permissions, environment):
        for instance in self.instances:
            log = os.path.join(self.build, f"chaos-{instance.name}.log")
            if not instance.start(log, permissions, environment):
                raise SystemExit(f"chaos: {instance.name} did not start; its output is in {log}")

    def replace_server(self, how):
        """Ends the server and starts another; both instances must reconnect to it."""
        before = {instance: instance.program.events.get("server_back", 0) for instance in self.instances}
        self.server.end(how)
        for instance in self.instances:
            instance.partner.end()
        time.sleep(self.chance.uniform(0.1, 1))
        self.server.start()
        for instance in self.instances:
            instance.replace_partner()
            if not instance.program.wait_for("server_back", before[instance] + 1, seconds=60):
                instance.faults.append(f"{instance.name}: it did not join a server again")
                instance.program.log.write(f"NOT BACK\n{instance.program.threads()}\n")
            # The signal of the first cycles is not caused by a disturbance.
            time.sleep(1)
            instance.partner.ask("figures")

    def clear_takes(self):
        """Reads the takes and removes them to free space on the disk."""
        written = {path for instance in self.instances if instance.process.poll() is None
                   for path in instance.descriptors()}
        for name in sorted(os.listdir(self.takes)):
            path = os.path.join(self.takes, name)
            if os.path.realpath(path) not in written:
                self.read_take(path)
                os.remove(path)

    def read_take(self, path):
        """Decodes a take completely; an error makes it unreadable."""
        self.takes_read += 1
        if os.path.getsize(path) == 0:
            self.unreadable.append(f"{os.path.basename(path)} is empty")
            return
        read = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        if read.returncode != 0:
            self.unreadable.append(f"{os.path.basename(path)}: {read.stderr.strip()[:200]}")
            shutil.copy(path, self.build)

    def end(self):
        for instance in self.instances:
            if hasattr(instance, "program"):
                instance.kill()
            instance.partner.end()
        self.server.end()
        self.radio.end()
        subprocess.run(["umount", "--lazy", self.takes], check=False)

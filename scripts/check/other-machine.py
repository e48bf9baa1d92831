#!/usr/bin/python3
"""Uses the page from another machine, and attacks it, while the program plays.

usage: other-machine.py PROGRAM

The other machine is a network namespace, so this needs root. A JACK server with the dummy driver is
started under its own name. The sound must not be disturbed more often during the attack than
before it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60
#: The length of each of the two measurements in seconds.
MEASURED = 10
#: What the other machine sends: slow headers on 200 connections, and as many requests and codes as
#: it can.
ATTACK = """
import random, socket, sys, time
host, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
random.seed(7)
end = time.monotonic() + seconds
slow, sent = [], 0
def connect():
    made = socket.create_connection((host, port), 5)
    made.settimeout(0.2)
    return made
for _ in range(200):
    slow.append(connect())
while time.monotonic() < end:
    for each in slow:
        try: each.send(b"G")
        except OSError: pass
    for _ in range(20):
        try:
            each = connect()
            body = b'{"code": "%06d"}' % random.randrange(10 ** 6)
            each.send(b"POST /api/pair HTTP/1.1\\r\\nHost: %s:%d\\r\\nContent-Length: %d\\r\\n\\r\\n%s"
                      % (host.encode(), port, len(body), body))
            each.recv(1000)
            each.close()
            each = connect()
            each.send(random.randbytes(random.randrange(2000)) + b"\\r\\n\\r\\n")
            each.recv(1000)
            each.close()
            sent += 2
        except OSError: pass
print(sent)
"""


class Machines:
    """This machine and another one, connected by a cable."""

    def __init__(self):
        number = os.getpid() % 250
        self.name = f"stompline-{os.getpid()}"
        self.here, self.there = f"10.213.{number}.1", f"10.213.{number}.2"
        cable = [f"st{os.getpid()}a"[:15], f"st{os.getpid()}b"[:15]]
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", cable[0], "type", "veth", "peer", "name", cable[1], "netns",
            self.name)
        run("ip", "addr", "add", f"{self.here}/30", "dev", cable[0])
        run("ip", "link", "set", cable[0], "up")
        run("ip", "-n", self.name, "addr", "add", f"{self.there}/30", "dev", cable[1])
        run("ip", "-n", self.name, "link", "set", cable[1], "up")

    def there_run(self, *words):
        return run("ip", "netns", "exec", self.name, *words)

    def end(self):
        # The cable ends with the namespace.
        run("ip", "netns", "delete", self.name)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def until(fact, what):
    end = time.monotonic() + PATIENCE
    while not (value := fact()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return value


class Program:
    """A JACK server, and the program that plays on it."""

    def __init__(self, program):
        self.folder = Path(tempfile.mkdtemp(prefix="stompline-machine-"))
        self.environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"))
        self.program, self.server = str(Path(program).resolve()), f"stompline-m-{os.getpid()}"
        self.jack = subprocess.Popen(
            ["jackd", "-n", self.server, "-d", "dummy", "-r", "48000", "-p", "256"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process, self.events = None, []
        for _ in range(100):
            self.start()
            if until(lambda: self.found("http_started") or self.process.poll() is not None,
                     "the program does not start") is not True:
                return
            time.sleep(0.2)

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "run", str(ROOT / "pipelines" / "clean-vocal.json"), "--server",
             self.server, "--no-start-server", "--http", "0.0.0.0:0", "--json"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        threading.Thread(target=self.read, args=[self.process.stdout], daemon=True).start()

    def read(self, stream):
        for line in stream:
            self.events.append(json.loads(line))

    def found(self, name):
        return [event for event in list(self.events) if event["event"] == name]

    def disturbances(self):
        """The xruns and late cycles so far."""
        status = until(lambda: self.found("status"), "there is no status")[-1]
        return status["xruns"] + status["late_cycles"]

    def remotes(self, *words):
        return subprocess.run([self.program, "remotes", *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)

    def end(self):
        for process in [self.process, self.jack]:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        shutil.rmtree(self.folder)


def check(program, machines):
    port = int(program.found("http_started")[0]["url"].rstrip("/").rsplit(":", 1)[1])
    base = f"http://{machines.here}:{port}"

    def curl(path, *options):
        words = machines.there_run("curl", "-s", "-m", "20", "-w", "\n%{http_code}", *options,
                                   base + path)
        body, _, status = words.rpartition("\n")
        return int(status), body

    def pair(code, name="other"):
        body = json.dumps({"code": code, "name": name, "script": True})
        return curl("/api/pair", "-d", body)

    assert curl("/")[0] == 200
    for path in ["/api/values", "/api/state", "/metrics", "/api/files/1", "/api/live"]:
        assert curl(path)[0] == 401, path
    assert curl("/api/actions/panic", "-X", "POST")[0] == 401
    assert curl("/", "-H", "Host: evil.example")[0] == 421
    assert curl("/api/pair", "-H", "Origin: http://evil.example", "-d", "{}")[0] == 403
    code = until(lambda: program.found("http_code"), "there is no code")[-1]["code"]
    assert pair("000000" if code != "000000" else "111111")[0] == 403
    status, body = pair(code)
    assert status == 200, body
    key = ["-H", f"Authorization: Bearer {json.loads(body)['key']}"]
    assert pair(code)[0] == 403
    assert curl("/api/values", *key)[0] == 200
    assert curl("/api/values/mute", *key, "-X", "PUT", "-d", "false")[0] == 200
    assert curl("/api/actions/save", *key, "-X", "POST")[0] == 403
    listed = json.loads(program.remotes("--json").stdout)
    assert [(each["name"], each["role"]) for each in listed] == [("other", "play")], listed
    # The own address of this machine needs no key.
    assert run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", base + "/metrics") == "200"
    # A code of another process of the user, with another role.
    made = json.loads(program.remotes("--pair", "--role", "look", "--json").stdout)
    until(lambda: pair(made["code"], "screen")[0] == 200, "the code of remotes does not pair")
    assert program.remotes("--change", "other", "--role", "look").returncode == 0
    until(lambda: curl("/api/values/mute", *key, "-X", "PUT", "-d", "false")[0] == 403,
          "the new role does not apply")
    assert program.remotes("--revoke", "other").returncode == 0
    until(lambda: curl("/api/values", *key)[0] == 401, "the revoked key still works")
    return port


def main():
    if len(sys.argv) != 2 or os.geteuid() != 0:
        sys.exit("usage, as root: other-machine.py PROGRAM")
    machines = Machines()
    try:
        program = Program(sys.argv[1])
        try:
            port = check(program, machines)
            before = program.disturbances()
            time.sleep(MEASURED)
            quiet = program.disturbances() - before
            before = program.disturbances()
            sent = int(machines.there_run("python3", "-c", ATTACK, machines.here, str(port),
                                          str(MEASURED)))
            time.sleep(1.5)
            attacked = program.disturbances() - before
            assert program.process.poll() is None
            assert sent > 100, sent
            refused = {event["reason"] for event in program.found("http_refused")}
            assert {"no_key", "wrong_code", "too_many"} <= refused, refused
            print(f"other-machine: {sent} requests of the attack were refused; "
                  f"xruns and late cycles in {MEASURED} s: {quiet} before it, {attacked} during it")
            # Other programs on the machine disturb both measurements.
            assert attacked <= max(2 * quiet, quiet + 5)
        finally:
            program.end()
    finally:
        machines.end()


if __name__ == "__main__":
    main()

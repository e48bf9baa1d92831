#!/usr/bin/env python3
"""Follows the pages of docs/tutorials and docs/how-to step by step, and fails if a step fails.

usage: tutorials.py [PROGRAM [PAGE...]]     PROGRAM: the built stompline (default:
.build/release/stompline); default: all pages

Each page starts in an empty home folder, in which `stompline` is a copy of the project with its
pipelines. The blocks of a page are done in order:

- ```json NAME    is saved as the file NAME. If the running pipeline is NAME, it must be reloaded.
- ```sh run       is run; its exit status must be 0. The next block begins in its last folder.
- ```sh live      is started on a JACK server with the dummy driver, and must answer `stompline ctl`.
                  It ends before the next such block or at the end of the page, as by Ctrl-C, with
                  status 0.
- ```sh needs X   is only read, because it needs X, which the machine that runs the checks lacks. Its options are
                  checked by docs.py.

Each `sh` block must be one of these three. Other blocks are only read. All programs use the OSC port 9000 and the TCP
port 8080 in the text, and free ports here.
"""

import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^( *)```(.*)$")
# The folders of the pages.
FOLDERS = ("docs/tutorials", "docs/how-to")
# Limits for programs that hang; no check depends on how fast something is.
BLOCK_SECONDS = 120
LIVE_SECONDS = 30
RELOADED = "reloaded after an edit"


class Failure(Exception):
    """A step that failed: a sentence."""


def blocks(page):
    """Yields the words after the fence, the first line number and the text of each block."""
    words, first, lines, indent = None, 0, [], 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and words is None:
            words, first, lines, indent = fence[2].split(), number + 1, [], len(fence[1])
        elif fence:
            yield words, first, "\n".join(lines) + "\n"
            words = None
        elif words is not None:
            lines.append(line[indent:])
    if words is not None:
        raise Failure(f"the block at line {first - 1} does not end")


def free_port(kind=socket.SOCK_DGRAM):
    """Returns a free port, below those that the system gives to other programs meanwhile."""
    while True:
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("0.0.0.0", random.randrange(20_000, 30_000)))
            except OSError:
                continue
            return probe.getsockname()[1]


class Desk:
    """A musician's computer: a home folder, a JACK server, and the program that runs live."""

    def __init__(self, home, program):
        self.home, self.port, self.page_port = home, free_port(), free_port(socket.SOCK_STREAM)
        self.folder = home
        self.log = home / ".live.log"
        self.live, self.file, self.server = None, None, None
        (home / "stompline").mkdir()
        shutil.copytree(ROOT / "pipelines", home / "stompline/pipelines")
        (home / ".bin").mkdir()
        self._wrap(program)
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("XDG_")},
            "HOME": str(home), "PATH": f"{home / '.bin'}:{os.environ['PATH']}",
            # jack_lsp crashes if the name has 24 characters.
            "JACK_DEFAULT_SERVER": f"tutorial-{os.getpid()}", "JACK_NO_START_SERVER": "1",
        }

    def _wrap(self, program):
        """Makes a command `stompline` that replaces the ports 9000 and 8080 by free ones."""
        wrapper = self.home / ".bin/stompline"
        wrapper.write_text(f"""#!/bin/sh
if [ "$1" = ctl ]; then
    shift
    exec {shlex.quote(str(program))} ctl --port {self.port} "$@"
fi
for word; do
    shift
    case $word in
    9000) word={self.port} ;;
    8080) word={self.page_port} ;;
    0.0.0.0:8080) word=0.0.0.0:{self.page_port} ;;
    esac
    set -- "$@" "$word"
done
exec {shlex.quote(str(program))} "$@"
""")
        wrapper.chmod(0o755)

    def save(self, name, text):
        try:
            json.loads(text)
        except ValueError as fault:
            raise Failure(f"{name} is not JSON: {fault}") from fault
        before = self._log_text().count(RELOADED)
        (self.folder / name).write_text(text)
        if self.live and self.file == self.folder / name:
            self._wait(lambda: self._log_text().count(RELOADED) > before, f"{name} is not reloaded")

    def run(self, block):
        last = self.home / ".folder"
        result = subprocess.run(
            ["sh", "-euc", f"{block}\npwd >{shlex.quote(str(last))}"], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=BLOCK_SECONDS)
        if result.returncode != 0:
            raise Failure(f"status {result.returncode}\n{block}{result.stdout}{result.stderr}")
        self.folder = Path(last.read_text().strip())

    def start(self, block):
        self.stop()
        if not self.server:
            self._start_server()
        words = [re.sub("^~(?=/)", str(self.home), word) for word in shlex.split(block)]
        if words[:2] != ["stompline", "run"] or "9000" not in words:
            raise Failure(f"a live block must be one call of stompline run with --osc 9000: {block}")
        self.file = self.folder / words[2]
        with open(self.log, "w") as log:
            self.live = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                         stdout=log, stderr=log)
        self._wait(lambda: self._ctl("tempo") == 0, f"no answer from {block}")
        self._wait_for_reports()

    def _wait_for_reports(self):
        """Waits until no more addresses appear: the reports of a node have one when it has run, long before a reader types."""
        counts = []
        while len(counts) < 4 or len(set(counts[-4:])) > 1:
            listed = subprocess.run(["stompline", "ctl"], env=self.environment, stdin=subprocess.DEVNULL,
                                    capture_output=True, timeout=BLOCK_SECONDS).stdout
            counts.append(listed.count(b"\n"))
            time.sleep(0.2)

    def stop(self):
        """Ends the live program as Ctrl-C does."""
        if not self.live:
            return
        live, self.live = self.live, None
        live.send_signal(signal.SIGINT)
        try:
            status = live.wait(LIVE_SECONDS)
        except subprocess.TimeoutExpired:
            live.kill()
            live.wait()
            status = "none: it hangs"
        if status != 0:
            raise Failure(f"{self.file} ended with status {status}\n{self._log_text()}")

    def leave(self):
        if self.live:
            self.live.kill()
            self.live.wait()
        if self.server:
            self.server.terminate()
            self.server.wait()

    def _start_server(self):
        name = self.environment["JACK_DEFAULT_SERVER"]
        self.server = subprocess.Popen(
            ["jackd", "-S", "-t", "500", "-n", name, "-d", "dummy", "-r", "48000", "-p", "256"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._wait(lambda: self._quiet(["jack_lsp", "-s", name]) == 0, "the JACK server does not start")

    def _ctl(self, *words):
        return self._quiet(["stompline", "ctl", *words])

    def _quiet(self, words):
        return subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=BLOCK_SECONDS).returncode

    def _log_text(self):
        return self.log.read_text() if self.log.exists() else ""

    def _wait(self, condition, fault):
        end = time.monotonic() + LIVE_SECONDS
        while not condition():
            if time.monotonic() > end or (self.live and self.live.poll() is not None):
                raise Failure(f"{fault}\n{self._log_text()}")
            time.sleep(0.05)


def follow(page, program):
    """Does the steps of a page; returns their number and a fault, or None."""
    count, line = 0, 1
    with tempfile.TemporaryDirectory(prefix="stompline-tutorial-") as name:
        desk = Desk(Path(name), program)
        try:
            for words, line, text in blocks(page):
                if words[:1] == ["json"] and len(words) == 2:
                    desk.save(words[1], text)
                elif words == ["sh", "run"]:
                    desk.run(text)
                elif words == ["sh", "live"]:
                    desk.start(text)
                elif words[:1] == ["sh"] and words[1:2] != ["needs"]:
                    raise Failure("a block of commands must be run, live, or say what it needs")
                else:
                    continue
                count += 1
            desk.stop()
        except (Failure, subprocess.TimeoutExpired) as fault:
            return count, f"{page.relative_to(ROOT)}:{line}: {fault}"
        finally:
            desk.leave()
    return count, None


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/stompline").resolve()
    if not program.exists():
        sys.exit(f"tutorials: {program} does not exist; build it first")
    pages = [Path(page).resolve() for page in sys.argv[2:]] or [
        page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md"))]
    total, faults = 0, []
    for page in pages:
        count, fault = follow(page, program)
        total += count
        if fault:
            faults.append(fault)
            print(f"tutorials: {fault}", file=sys.stderr)
    if total == 0:
        sys.exit("tutorials: no page has a step")
    print(f"tutorials: {total} steps in {len(pages)} pages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

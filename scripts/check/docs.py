#!/usr/bin/env python3
"""Follows every page of the documentation step by step, and fails if a command fails.

usage: docs.py [PROGRAM [PAGE...]]     PROGRAM: the built stompline (default:
.build/release/stompline); default: all pages

The blocks of a page are done in order. A page in docs/tutorials and docs/how-to starts in an empty home folder, in
which `stompline` has the pipelines of the project. All others start in a folder like a checkout of the project, with
sounds and songs of a user (commands/places.py).

- ```json NAME    is saved as the file NAME. If the running pipeline is NAME, it must be reloaded.
- ```sh run       is run; its exit status must be 0. The next block begins in its last folder. `sh` means the same, so
                  that no block can be forgotten.
- ```sh live      is started: `stompline run` on a JACK server with the dummy driver, or on a PipeWire after `pw-jack`,
                  and must make its ports. It ends before the next one or at the end of the page, as by Ctrl-C.
                  Another program runs until the end of the page.
- ```sh run on NAME and ```sh live on NAME do so on another machine with a cable to this one.
- ```sh ci        is not run here, because another step of .ci/run runs these commands, which is checked.
- ```sh needs X   is only read, because it needs X, which the machine of the checks lacks. Its syntax, and the commands,
                  options, targets and scripts that it names are checked.
- ```text         directly after a block that runs must appear in its output, with any numbers; `…` stands for anything.
                  ```text example does not.

The commands run as root of namespaces of their own, with the ports in the text. Without names of pages, two processes
share them, each in its own namespaces. Every link from a page to a project
file must have an existing target, and every option that a text names must exist, except on pages about the past.
"""

import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import shutil
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent / "commands"))

import parsed  # noqa: E402
import places  # noqa: E402
from blocks import ROOT, Mark, blocks, name_of, pages  # noqa: E402
from machines import BLOCK_SECONDS, LIVE_SECONDS, RELOADED, USER, Failure, Machine, SecondMachine, enter  # noqa: E402

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
#: The folders whose pages begin in an empty home folder.
HOMES = (ROOT / "docs/tutorials", ROOT / "docs/how-to")
#: The number of processes that share all pages: most blocks wait for a program.
SHARES = 2


class Page:
    """A page that is followed: its folder, its machines, and what has happened."""

    def __init__(self, page, home, program):
        self.name, self.home, self.done = name_of(page), home, set()
        self.environment = self._environment(program)
        self.machines = {}
        if page.parent in HOMES:
            self.folder = home
            (home / "stompline").mkdir()
            shutil.copytree(ROOT / "pipelines", home / "stompline/pipelines")
        else:
            self.folder = home / "checkout"
            self.folder.mkdir()
            places.prepare(self.folder)
        # A refused request is a failure.
        (home / ".curlrc").write_text('fail\nsilent\nshow-error\nnoproxy = "*"\n')

    def _environment(self, program):
        tools = self.home / ".bin"
        tools.mkdir()
        (tools / "stompline").symlink_to(program)
        if not shutil.which("sudo"):
            # The commands run as root already.
            (tools / "sudo").write_text('#!/bin/sh\nexec "$@"\n')
            (tools / "sudo").chmod(0o755)
        runtime = self.home / ".runtime"
        runtime.mkdir(mode=0o700)
        return {
            **{key: value for key, value in os.environ.items() if not key.startswith("XDG_")},
            "HOME": str(self.home), "PATH": f"{tools}:{os.environ['PATH']}", "USER": USER,
            "XDG_RUNTIME_DIR": str(runtime), "JACK_NO_START_SERVER": "1",
        }

    def machine(self, name):
        """Returns the machine with a name: `desk` is this one, all others are the second one."""
        key = "desk" if name == "desk" else "stage"
        if key not in self.machines:
            self.machines[key] = (Machine if key == "desk" else SecondMachine)(key, self.home)
            self.machines[key].environment = self.environment
        return self.machines[key]

    def save(self, name, text):
        try:
            json.loads(text)
        except ValueError as fault:
            raise Failure(f"{name} is not JSON: {fault}") from fault
        reloaded = {each: each.text().count(RELOADED) for each in self.machines.values()
                    if each.session and each.file == self.folder / name}
        (self.folder / name).write_text(text + "\n")
        for machine, before in reloaded.items():
            machine.wait(lambda: machine.text().count(RELOADED) > before, f"{name} is not reloaded")

    def start(self, machine, text):
        if "pw-jack" in text:
            self.machine(machine).need_pipewire()
        self.machine(machine).start(text, self.folder)

    def output(self, name, text):
        """Runs commands on a machine; returns their output."""
        machine = self.machine(name)
        if "pw-jack" in text:
            machine.need_pipewire()
        if "jack_" in text or re.search(r"^stompline (ports|measure|new)", text):
            machine.need_server()
        # A build in another folder would build everything again.
        folder = ROOT if text.startswith("make ") else self.folder
        last = self.home / ".folder"
        # Programs in the background may keep the output open, so it is a file.
        with tempfile.TemporaryFile() as file:
            block = f"{text}\npwd >{shlex.quote(str(last))}"
            shell = machine.popen(["sh", "-euc", block], cwd=folder, stdout=file, stderr=file)
            try:
                status = shell.wait(BLOCK_SECONDS)
            except subprocess.TimeoutExpired:
                Machine._kill(shell)
                status = f"none: it does not end within {BLOCK_SECONDS} s"
            file.seek(0)
            output = file.read().decode(errors="replace")
        if status == 1 and text.startswith(places.EXAMINING):
            return output
        if status != 0:
            raise Failure(f"status {status}\n{text}\n{output}")
        if folder != ROOT:
            self.folder = Path(last.read_text().strip())
        return output

    def follow(self, page):
        """Does the steps of the page; returns the numbers of steps of each kind, and a fault, or None."""
        counts, line, shown = collections.Counter(), 1, None
        try:
            for words, line, text in blocks(page):
                mark = Mark.of(words)
                if words[:1] == ["json"] and len(words) == 2:
                    self.save(words[1], text)
                    counts["json"] += 1
                elif words == ["text"] and shown:
                    self._compare(text, shown)
                    counts["text"] += 1
                    shown = None
                elif mark and mark.how in ("run", "live"):
                    text = places.before(self, self.name, mark.machine, text)
                    shown = self._do(mark, text)
                    counts[mark.how] += 1
                else:
                    if mark:
                        counts[mark.how, mark.reason] += 1
                    shown = None
            for machine in self.machines.values():
                machine.end()
        except (Failure, subprocess.TimeoutExpired) as fault:
            return counts, f"{self.name}:{line}: {fault}"
        finally:
            for machine in reversed(self.machines.values()):
                machine.leave()
        return counts, None

    def _do(self, mark, text):
        """Does a block; returns a function that returns its output so far."""
        if mark.how == "live":
            self.start(mark.machine, text)
            return self.machine(mark.machine).text
        output = self.output(mark.machine, text)
        places.after(self, text, output)
        return lambda: output

    @staticmethod
    def _compare(text, shown):
        """Fails if a text is not in an output, in which numbers and the ends of lines may differ."""
        parts = re.split(r"(\s+|…|-?\d+(?:[.,:]\d+)*)", text.strip())
        wanted = "".join(r"\s+" if part.isspace() else ".*?" if part == "…" else
                         r"-?\d+(?:[.,:]\d+)*" if re.fullmatch(r"-?\d+(?:[.,:]\d+)*", part) else re.escape(part)
                         for part in parts if part)
        if not re.search(wanted, shown(), re.DOTALL):
            raise Failure(f"the text is not in the output:\n{text}\n--- output\n{shown()}")


def broken_links(page):
    for target in LINK.findall(page.read_text()):
        if not target.startswith(("http:", "https:")) and not (page.parent / target).exists():
            yield f"{name_of(page)}: the link {target} leads nowhere"


def summary(counts):
    """Returns a sentence with the numbers of blocks."""
    ran = counts["run"] + counts["live"]
    parts = [f"{ran} blocks of commands ran ({counts['live']} of them live)", f"{counts['json']} files were saved",
             f"{counts['text']} texts were compared", f"{counts['ci', '']} blocks are run by other steps of CI"]
    reasons = sorted((key[1], number) for key, number in counts.items() if key[0] == "needs")
    parts.append(f"{sum(number for _, number in reasons)} were parsed only: "
                 + ", ".join(f"{number} needs {reason}" for reason, number in reasons))
    return "; ".join(parts)


def follow_all(program):
    """Follows all pages in several processes; returns the status of the first one that failed."""
    shares = [subprocess.Popen([sys.executable, __file__, str(program), *map(str, list(pages())[share::SHARES])])
              for share in range(SHARES)]
    try:
        return next(filter(None, [share.wait() for share in shares]), 0)
    finally:
        for share in shares:
            share.kill()


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/stompline").resolve()
    if not program.exists():
        sys.exit(f"docs: {program} does not exist; build it first")
    if not sys.argv[2:]:
        return follow_all(program)
    enter()
    counts, faults, options = collections.Counter(), [], parsed.options_of(program)
    for page in [Path(page).resolve() for page in sys.argv[2:]]:
        found = [*broken_links(page), *parsed.unknown_options(page, options), *parsed.faults_of_page(page, options)]
        if any(Mark.of(words) for words, _, _ in blocks(page)):
            with tempfile.TemporaryDirectory(prefix="stompline-page-") as name:
                number, fault = Page(page, Path(name), program).follow(page)
            counts += number
            found += [fault] if fault else []
        for fault in found:
            print(f"docs: {fault}", file=sys.stderr, flush=True)
        faults += found
    if not counts:
        sys.exit("docs: no page has a block")
    print(f"docs: {summary(counts)}; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

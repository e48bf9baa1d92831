#!/usr/bin/env python3
"""Runs the commands in the documentation in a scratch folder, and fails if one of them fails.

usage: docs.py [PROGRAM]          PROGRAM: the built stompline (default:
.build/release/stompline)

A fenced block with the info string `sh run` is run; other blocks are not. All blocks of a page
run in one scratch folder, in order, with `stompline` in the PATH, the shipped pipelines in
pipelines/, and sound in voice.wav, guitar.wav (mono) and music.wav (stereo). Every link from a
page to a project file must have an existing target. The blocks of docs/tutorials and docs/how-to
are run by tutorials.py instead.

Of `sh` blocks that are not run, every `stompline` command must exist with all of its options. So must every option
that a text names, except on pages about the past.
"""

import json
import math
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^( *)```(.*)$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
SECONDS_A_BLOCK = 120
#: Options of other programs, which texts name.
OTHER_OPTIONS = {"--async", "--cacert", "--pages", "--pipewire", "--seeds", "--slow"}
#: Pages that state what was so at a time.
PAST = ("CHANGELOG.md", "docs/decisions/", "docs/measurements/")
#: The folders whose blocks tutorials.py runs.
FOLLOWED = (ROOT / "docs/tutorials", ROOT / "docs/how-to")


def pages():
    """The pages at the root of the project, and all pages in docs/."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page):
    """Returns the words after the fence, the first line number and the text of each block."""
    block, first, indent, words = None, 0, 0, []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and block is None:
            block, first, indent = [], number + 1, len(fence[1])
            words = fence[2].split()
        elif fence:
            yield words, first, "\n".join(block)
            block = None
        elif block is not None:
            block.append(line[indent:])
    if block is not None:
        sys.exit(f"{page.relative_to(ROOT)}:{first - 1}: a block that does not end")


def write_tone(path, channels, seconds=1.5, rate=48_000):
    """Writes a decaying chord as test sound."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        frames = bytearray()
        for frame in range(int(seconds * rate)):
            time = frame / rate
            tone = sum(math.sin(2 * math.pi * hertz * time) for hertz in (220, 277.2, 329.6))
            frames += struct.pack("<h", int(6000 * tone / 3 * math.exp(-2 * time))) * channels
        sound.writeframes(bytes(frames))


def prepare(folder, program):
    shutil.copytree(ROOT / "pipelines", folder / "pipelines")
    for name, channels in [("voice.wav", 1), ("guitar.wav", 1), ("music.wav", 2)]:
        write_tone(folder / name, channels)
    (folder / "bin").mkdir()
    (folder / "bin" / "stompline").symlink_to(program)


def run(page, folder):
    """Runs a page's blocks; returns their number and the errors."""
    environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    count, faults = 0, []
    for words, line, block in blocks(page):
        if words != ["sh", "run"]:
            continue
        count += 1
        result = subprocess.run(
            ["sh", "-euc", block], cwd=folder, env=environment, capture_output=True, text=True,
            timeout=SECONDS_A_BLOCK)
        if result.returncode != 0:
            faults.append(
                f"{page.relative_to(ROOT)}:{line}: status {result.returncode}\n{block}\n{result.stderr}")
    return count, faults


def broken_links(page):
    for target in LINK.findall(page.read_text()):
        if not target.startswith(("http:", "https:")) and not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: the link {target} leads nowhere"


def options_of(program):
    """Returns the names of the options of each command, by its words."""
    root = json.loads(subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True,
                                     text=True).stdout)["command"]
    found = {(): {"--help", "--version", "--verbose"}}

    def add(command, words):
        names = {"-" * (1 if name["kind"] == "short" else 2) + name["name"]
                 for argument in command.get("arguments", []) for name in argument.get("names", [])}
        found[words] = names | found.get(words, set())
        for each in command.get("subcommands", []):
            add(each, (*words, each["commandName"]))

    add(root, ())
    return found


def unknown_words(page, options):
    """Yields a line for each command or option in a block that is not run and that the program does not have."""
    for words, line, block in blocks(page):
        if words[:1] != ["sh"] or words[1:] == ["run"]:
            continue
        for call in re.findall(r"(?m)(?:^|[|&(;] *|pw-jack )stompline ([^\n|&;)]*)", block.replace("\\\n", " ")):
            try:
                given = shlex.split(call, comments=True)
            except ValueError:
                continue
            command = ()
            while given and (*command, given[0]) in options:
                command = (*command, given.pop(0))
            if not command and given and not given[0].startswith("-") and given[0].isalpha() and given[0].islower():
                yield f"{page.relative_to(ROOT)}:{line}: there is no command {given[0]}"
            name_of_command = " ".join(["stompline", *command])
            for option in given:
                name = option.partition("=")[0]
                if name.startswith("--") and name not in options[command]:
                    yield f"{page.relative_to(ROOT)}:{line}: {name_of_command} has no option {name}"


def unknown_options(page, options):
    """Yields a line for each option in the text of a page that no command has."""
    name = str(page.relative_to(ROOT))
    if name.startswith(PAST):
        return
    known = set().union(*options.values()) | OTHER_OPTIONS
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text())
    for option in re.findall(r"`(?:[a-z]+ ){0,2}(--[a-z][a-z-]+)", text):
        if option not in known:
            yield f"{name}: no command has the option {option}"


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release/stompline").resolve()
    if not program.exists():
        sys.exit(f"check-docs: {program} does not exist; build it first")
    faults, count, options = [], 0, options_of(program)
    for page in pages():
        faults += [*broken_links(page), *unknown_words(page, options), *unknown_options(page, options)]
        if page.parent in FOLLOWED:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder, program)
            blocks, found = run(page, folder)
        count += blocks
        faults += found
    for fault in faults:
        print(f"check-docs: {fault}", file=sys.stderr)
    if count == 0:
        sys.exit("check-docs: no page has a block to run")
    print(f"check-docs: {count} blocks ran, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

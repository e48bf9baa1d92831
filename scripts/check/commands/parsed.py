"""Checks of commands that are not run: their syntax, options, targets and files must exist."""

import json
import re
import shlex
import subprocess
from pathlib import Path

from blocks import ROOT, Mark, blocks, name_of

#: Options of other programs, which texts name.
OTHER_OPTIONS = {"--allow-skip", "--async", "--cacert", "--pages", "--pipewire", "--seeds", "--slow"}
#: Pages that state what was so at a time.
PAST = ("CHANGELOG.md", "docs/decisions/", "docs/measurements/")
#: What .ci/run and its part .ci/quiet-checks run, also through the targets of the Makefile and by making a release.
CI = "".join((ROOT / name).read_text() for name in (".ci/run", ".ci/quiet-checks", "scripts/package/release.sh"))
CI += subprocess.run(
    ["make", "--dry-run", "--no-print-directory", *re.findall(r"^make ([\w-]+)", CI, re.MULTILINE)], cwd=ROOT,
    check=True, capture_output=True, text=True).stdout


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


def unknown_options(page, options):
    """Yields a line for each option in the text of a page that no command has."""
    name = name_of(page)
    if name.startswith(PAST):
        return
    known = set().union(*options.values()) | OTHER_OPTIONS
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text())
    for option in re.findall(r"`(?:[a-z]+ ){0,2}(--[a-z][a-z-]+)", text):
        if option not in known:
            yield f"{name}: no command has the option {option}"


def faults_of_page(page, options):
    """Yields a line for each fault in the blocks of a page that are not run, and for each mark that has no meaning."""
    for words, line, block in blocks(page):
        mark = Mark.of(words)
        if not mark:
            continue
        found = [mark.fault] if mark.fault else [] if mark.how in ("run", "live") else faults(block, mark, options)
        yield from (f"{name_of(page)}:{line}: {each}" for each in found)


def faults(block, mark, options):
    """Yields the faults of a block that is not run."""
    parsed = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True)
    if parsed.returncode != 0:
        yield parsed.stderr.strip()
        return
    for words in commands(block):
        if words[0] == "sudo":
            words = words[1:]
        if words[0] == "pw-jack":
            words = words[1:]
        if words[0].endswith("stompline"):
            yield from faults_of_program(words[1:], options)
        elif words[0] == "make":
            yield from faults_of_make(words[1:], mark)
        elif words[0] == "swift":
            yield from faults_of_swift(words, mark)
        elif words[0].startswith("scripts/"):
            yield from faults_of_script(words, mark)
        elif mark.how == "ci":
            yield f"{words[0]} is not a command of .ci/run"


def commands(block):
    """Yields the words of each command of a block, without assignments of variables."""
    lines = re.sub(r"\$\(([^)]*)\)", r"; \1 ;", block.replace("\\\n", " "))
    for line in lines.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()<>")
        lexer.whitespace_split = True
        words = []
        for word in [*lexer, ";"]:
            if not set(word) <= set(";&|()"):
                words.append(word)
                continue
            while words and re.fullmatch(r"\w+=.*", words[0]):
                words = words[1:]
            if words:
                yield words
            words = []


def faults_of_program(given, options):
    """Yields the commands and options that the program does not have."""
    command = ()
    while given and (*command, given[0]) in options:
        command, given = (*command, given[0]), given[1:]
    if not command and given and not given[0].startswith("-"):
        yield f"there is no command {given[0]}"
    for option in given:
        name = option.partition("=")[0]
        if name.startswith("--") and name not in options[command]:
            yield f"{' '.join(['stompline', *command])} has no option {name}"


def faults_of_make(given, mark):
    """Yields the targets that the Makefile does not have, or that .ci/run does not make."""
    planned = subprocess.run(["make", "--dry-run", "--no-print-directory", *given], cwd=ROOT, capture_output=True,
                             text=True)
    if planned.returncode != 0:
        yield planned.stderr.strip()
        return
    targets = [each for each in given if "=" not in each]
    # The commands of the target itself come last.
    last = next((word for word in reversed(planned.stdout.split()) if word.startswith("scripts/")), None)
    if mark.how == "ci" and not all(f"make {each}" in CI for each in targets) and (last is None or last not in CI):
        yield f"no step of .ci/run makes {' '.join(targets)}"


def faults_of_swift(words, mark):
    names = [word for before, word in zip(words, words[1:]) if before == "--product"]
    if words[1] == "run":
        names.append(words[-1])
    package = (ROOT / "Package.swift").read_text()
    for name in names:
        if f'"{name}"' not in package:
            yield f"Package.swift has no product {name}"
    if mark.how == "ci" and " ".join(words) not in CI + (ROOT / "Makefile").read_text():
        yield f"no step of .ci/run builds with {' '.join(words)}"


def faults_of_script(words, mark):
    path = ROOT / words[0]
    if not path.exists():
        yield f"{words[0]} does not exist"
        return
    # A script passes options on to the programs in the folder with its name.
    files = [path, *path.with_suffix("").glob("*.py"), *path.with_suffix("").glob("*.sh")]
    text = "".join(each.read_text() for each in files)
    for word in words[1:]:
        name = word.partition("=")[0]
        if name.startswith("--") and name not in text:
            yield f"{words[0]} has no option {name}"
    if mark.how == "ci" and words[0] not in CI:
        yield f"no step of .ci/run runs {words[0]}"

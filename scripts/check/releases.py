#!/usr/bin/python3
"""Checks that the files and the machine output of former releases remain valid.

usage: releases.py [PROGRAM]             PROGRAM: the built stompline (default: .build/release/stompline)
       releases.py --record VERSION [PROGRAM]
       releases.py --compare VERSION [PROGRAM]

`--record` writes a release into Tests/Releases, and replaces a former record of this version:

  pipelines/        the shipped pipelines and setlists
  format/           files with every key of the format
  effects.json      the names and ranges of effects, parameters and settings
  output.shape      the members of the machine output and of the answers over HTTP, with their types; those of events
                    that a check cannot cause are under `event-members`, without types
  http.schema.json  the schema of the WebSocket protocol

`--compare` makes a record in a temporary folder, and fails if it differs in any part from that of this version.

The check fails if a file is no longer valid, if a name, a choice or a part of a range is gone, if a member is gone
or has another type, or if an answer violates the schema of a former release. It plays on own JACK servers.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parent / "releases"))
from effects import narrowed, ranges  # noqa: E402
from output import Output  # noqa: E402
from shapes import missing  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
RELEASES = ROOT / "Tests/Releases"
FORMAT = ROOT / "Tests/PipelinesTests/Valid"


def main():
    words = sys.argv[1:]
    record = compared = None
    if words[:1] == ["--record"] and len(words) > 1:
        record, words = words[1], words[2:]
    if words[:1] == ["--compare"] and len(words) > 1:
        compared, words = words[1], words[2:]
    if len(words) > 1 or words[:1] == ["--help"]:
        sys.exit(__doc__)
    program = os.path.abspath(words[0] if words else ROOT / ".build/release/stompline")
    if compared:
        sys.exit(compare(RELEASES / compared, program))
    if record:
        add(RELEASES / record, program)
    releases = sorted(each for each in RELEASES.iterdir() if each.is_dir())
    if not releases:
        sys.exit("releases: the collection is empty")
    failures = [f"{release.name}: {each}" for release in releases for each in broken(release, program)]
    for failure in failures:
        print(f"releases: {failure}", file=sys.stderr)
    names = ", ".join(each.name for each in releases)
    print(f"releases: {names} checked, {len(failures)} failures")
    sys.exit(1 if failures else 0)


def add(folder, program):
    """Writes a release into the collection."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pipelines").mkdir(parents=True)
    (folder / "format").mkdir()
    for file in sorted((ROOT / "pipelines").glob("*.json")):
        shutil.copyfile(file, folder / "pipelines" / file.name)
    for file in sorted(FORMAT.glob("*.json")):
        shutil.copyfile(file, folder / "format" / file.name)
    shutil.copyfile(ROOT / "docs/http.schema.json", folder / "http.schema.json")
    with scratch(folder) as pipelines:
        output = Output(program, Path(pipelines))
        (folder / "effects.json").write_text(json.dumps(ranges(output.effects), indent=1) + "\n")
        (folder / "output.shape").write_text("".join(f"{line}\n" for line in sorted(output.shape())))


def compare(folder, program):
    """Reports the parts of a record that differ from a new one; returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="stompline-record-") as scratch:
        new = Path(scratch) / folder.name
        add(new, program)
        old_files, new_files = contents(folder), contents(new)
    names = sorted(name for name in old_files | new_files if old_files.get(name) != new_files.get(name))
    for name in names:
        print(f"releases: {folder.name}: {name} {difference(name, old_files, new_files)}", file=sys.stderr)
        if name == "output.shape" and name in old_files:
            print_lines(old_files[name].decode().splitlines(), new_files[name].decode().splitlines())
    if names:
        print(f"releases: run 'scripts/check/releases.py --record {folder.name}'", file=sys.stderr)
    return 1 if names else 0


def contents(folder):
    """Returns the contents of all files of a record, by their paths in it."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def difference(name, old, new):
    """Says how a part of a record differs."""
    if name not in old:
        return "is missing"
    return "differs" if name in new else "is no part of the record"


def print_lines(old, new):
    """Prints the lines that only one of two sets of lines has."""
    for mark, lines in (("-", set(old) - set(new)), ("+", set(new) - set(old))):
        for line in sorted(lines):
            print(f"    {mark} {line}", file=sys.stderr)


def broken(folder, program):
    """Yields the reasons why a release does not remain valid."""
    with scratch(folder) as pipelines:
        output = Output(program, Path(pipelines))
        yield from output.invalid_files()
        yield from invalid_documents(folder, output)
        if (folder / "effects.json").exists():
            yield from narrowed(json.loads((folder / "effects.json").read_text()), ranges(output.effects))
        if (folder / "output.shape").exists():
            yield from missing((folder / "output.shape").read_text().splitlines(), output.shape())
        if (folder / "http.schema.json").exists():
            yield from invalid_snapshot(json.loads((folder / "http.schema.json").read_text()), output)


def scratch(folder):
    """Returns a folder that has the pipelines of a release next to the shipped sounds, and ends as a context."""
    scratch = tempfile.TemporaryDirectory(prefix="stompline-release-")
    shutil.copytree(folder / "pipelines", scratch.name, dirs_exist_ok=True)
    shutil.copytree(ROOT / "pipelines/sounds", Path(scratch.name) / "sounds")
    return scratch


def invalid_documents(folder, output):
    """Checks the files of a release with the present schemas, which also know the plugins of no machine."""
    for file in sorted([*folder.glob("pipelines/*.json"), *folder.glob("format/*.json")]):
        document = json.loads(file.read_text())
        schema = output.setlist_schema if "songs" in document else output.pipeline_schema
        for error in jsonschema.Draft7Validator(schema).iter_errors(document):
            yield f"{file.parent.name}/{file.name} is not valid by the schema: {error.json_path}: {error.message[:200]}"


def invalid_snapshot(schema, output):
    """Checks the present snapshot of a session with the schema of a release."""
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/snapshot", "$defs": schema["$defs"]})
    for error in validator.iter_errors(output.snapshot):
        yield f"the snapshot violates http.schema.json: {error.json_path}: {error.message[:200]}"


if __name__ == "__main__":
    main()

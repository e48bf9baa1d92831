#!/usr/bin/env python3
"""Writes the reference of the manual, docs/reference, from the output of the program.

usage: reference.py [--check] [PROGRAM]     PROGRAM: the built stompline (default:
.build/release/stompline)

With --check, writes nothing: fails if a page in docs/reference differs from the output of the program, if
`stompline check` finds an error in a node of a page, or if docs/pipeline-format.md or the README lack an effect, a
parameter, a setting, a report or a key, or state another range or default.
"""

import json
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "scripts/build/reference"), str(ROOT / "scripts/package")]

import commands  # noqa: E402
import effects  # noqa: E402
import guide  # noqa: E402
import keys  # noqa: E402
import tables  # noqa: E402

FOLDER = ROOT / "docs/reference"
#: The first line of each page.
MARK = "<!-- Made by scripts/build/reference.py from the output of the program; changes of this file are lost. -->\n"


class Program:
    """The built program."""

    def __init__(self, path):
        self._path = path

    def text(self, *words):
        return subprocess.run([self._path, *words], check=True, capture_output=True, text=True).stdout

    def json(self, *words):
        return json.loads(self.text(*words))


def pages(program):
    """Returns the text of each page, by its path in the folder."""
    described = program.json("effects", "--json")
    nodes = {each["type"]: effects.node_to_paste(program.text("effects", each["type"])) for each in described}
    result = {f"effects/{each['type']}.md": effects.page(each, nodes[each["type"]]) for each in described}
    result["effects.md"] = effects.index(described)
    result["pipeline.md"] = keys.pipeline_page(program.json("schema"))
    result["setlist.md"] = keys.setlist_page(program.json("schema", "--setlist"))
    result["commands.md"] = commands.page(program.json("--experimental-dump-help")["command"])
    result["addresses.md"] = tables.addresses(program.json("reference", "addresses", "--json"))
    result["osc.md"] = tables.messages(program.json("reference", "osc", "--json"))
    result["http.md"] = tables.http(program.json("reference", "http", "--json"))
    result["events.md"] = tables.events(program.json("reference", "events", "--json"))
    result["error-codes.md"] = tables.error_codes(program.json("reference", "error-codes", "--json"))
    result["exit-codes.md"] = tables.exit_codes(program.json("reference", "exit-codes", "--json"))
    result["README.md"] = tables.INDEX
    return {name: MARK + "\n" + text for name, text in result.items()}, nodes


def differences(made):
    """Yields a line for each page that is missing, too many, or different."""
    present = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.md")}
    for name in sorted(present | set(made)):
        if name not in made:
            yield f"docs/reference/{name}: the program makes no such page"
        elif name not in present:
            yield f"docs/reference/{name} is missing"
        elif (FOLDER / name).read_text() != made[name]:
            yield f"docs/reference/{name} differs from the output of the program"


def invalid_nodes(program_path, nodes):
    """Yields a line for each node of a page that `stompline check` refuses."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with wave.open(str(folder / "sound.wav"), "wb") as sound:
            sound.setparams((1, 2, 48_000, 0, "NONE", ""))
            sound.writeframes(bytes(9600))
        for kind, node in nodes.items():
            inputs = '"inputs": { "a": {}, "b": {}, "keys": { "kind": "midi" } }'
            (folder / f"{kind}.json").write_text(f'{{ "version": 1, {inputs}, "nodes": [ {node} ] }}')
        files = [f"{kind}.json" for kind in nodes]
        result = subprocess.run([program_path, "check", *files], cwd=folder, capture_output=True, text=True)
        if result.returncode != 0:
            yield f"a node to paste is not valid:\n{result.stderr}"


def explanation_faults(program):
    """Yields a line for each fault in the pages that explain the effects and the keys."""
    described = program.json("effects", "--json")
    schemas = [program.json("schema"), program.json("schema", "--setlist")]
    page = ROOT / "docs/pipeline-format.md"
    yield from (f"docs/pipeline-format.md: {line}" for line in guide.faults(page.read_text(), described, schemas))
    readme = (ROOT / "README.md").read_text()
    for each in described:
        if f"\n| `{each['type']}` |" not in readme:
            yield f"README.md: the table of effects lacks `{each['type']}`"


def write(made):
    for path in FOLDER.rglob("*.md"):
        if str(path.relative_to(FOLDER)) not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text)


def main():
    words = sys.argv[1:]
    is_check = "--check" in words
    paths = [word for word in words if word != "--check"]
    path = Path(paths[0] if paths else ROOT / ".build/release/stompline").resolve()
    if not path.exists():
        sys.exit(f"reference: {path} does not exist; build it first")
    made, nodes = pages(Program(path))
    if not is_check:
        write(made)
        print(f"reference: {len(made)} pages")
        return 0
    faults = [*differences(made), *invalid_nodes(path, nodes), *explanation_faults(Program(path))]
    for fault in faults:
        print(f"reference: {fault}", file=sys.stderr)
    if faults:
        print("reference: scripts/build/reference.py writes the pages", file=sys.stderr)
    print(f"reference: {len(made)} pages, {len(nodes)} nodes, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

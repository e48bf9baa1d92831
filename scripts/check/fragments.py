#!/usr/bin/python3
"""Checks the JSON in the documentation with the JSON Schemas of the program (python3-jsonschema).

usage: fragments.py [PROGRAM]     PROGRAM: the built stompline (default: .build/release/stompline)

A block `json` is a file, a node, a list of nodes or bindings, or some keys of a pipeline or a setlist. References to nodes
are not followed, because most blocks are parts of a file. docs/http.md shows messages of another protocol, which the
tests of the page check.
"""

import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

sys.path.append(str(Path(__file__).resolve().parent / "commands"))

import blocks  # noqa: E402
from jsonschema import Draft7Validator  # noqa: E402

OTHER = blocks.ROOT / "docs/http.md"


def parsed(text):
    """Returns the value of a block, to which braces or brackets are added if it needs them; None if it has no value."""
    for before, after in (("", ""), ("{", "}"), ("[", "]")):
        try:
            return json.loads(before + text + after)
        except ValueError:
            continue
    return None


def schemas_for(value, pipeline, setlist):
    """Returns the schemas of which one must accept the value."""
    parts = {"definitions": pipeline["definitions"]}
    node, binding = ({"$ref": f"#/definitions/{name}"} for name in ("node", "binding"))
    if isinstance(value, list):
        return [{"items": {"anyOf": [node, binding]}, **parts}]
    if "version" in value:
        return [setlist if "setlist" in value else pipeline]
    if "type" in value and "id" in value:
        return [{**node, **parts}]
    return [{"properties": each["properties"], "additionalProperties": False, "definitions": each["definitions"]}
            for each in (pipeline, setlist)]


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else blocks.ROOT / ".build/release/stompline").resolve()
    pipeline, setlist = (json.loads(subprocess.run([program, "schema", *more], check=True, capture_output=True, text=True).stdout)
                         for more in ([], ["--setlist"]))
    count, faults = 0, []
    for page in blocks.pages():
        for words, line, text in blocks.blocks(page):
            if words[:1] != ["json"] or page == OTHER:
                continue
            count += 1
            place = f"{page.relative_to(blocks.ROOT)}:{line}"
            value = parsed(text)
            if value is None:
                faults.append(f"{place}: this is not JSON")
                continue
            errors = [list(Draft7Validator(each).iter_errors(value)) for each in schemas_for(value, pipeline, setlist)]
            if all(errors):
                faults.append(f"{place}: {min(errors, key=len)[0].message}")
    for fault in faults:
        print(f"fragments: {fault}", file=sys.stderr)
    print(f"fragments: {count} blocks, {len(faults)} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

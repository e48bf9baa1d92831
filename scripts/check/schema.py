#!/usr/bin/python3
"""Checks pipeline files with a JSON Schema and an independent validator (python3-jsonschema).

schema.py SCHEMA VALID BROKEN [SETLISTS]: every file in the folder VALID must be valid by SCHEMA. Each
file in the folder BROKEN must have the verdict in BROKEN/schema.txt. Each line there is `VERDICT
PREFIX REASON`, and the longest matching prefix of a file's name applies. Verdicts:

  fails       not valid by the schema
  passes      has an error that a schema cannot express
  unparsable  not JSON
  lenient     JSON only for this parser, which accepts more than RFC 8259

Setlists in VALID must be valid by the schema SETLISTS; without it, they are ignored. Exit status 0 if all verdicts are as expected, else
1.
"""

import json
import pathlib
import sys

import jsonschema


def parsed(path):
    """Returns the file's value and whether it parsed.

    A byte order mark or bytes that are not UTF-8 do not parse.
    """
    try:
        return json.loads(path.read_bytes().decode("utf-8")), True
    except (ValueError, RecursionError):
        return None, False


def is_setlist(value):
    return isinstance(value, dict) and ("setlist" in value or "songs" in value)


def expectations(folder):
    lines = (folder / "schema.txt").read_text().splitlines()
    fields = [line.split(None, 2) for line in lines if line.strip() and not line.startswith("#")]
    return {prefix: verdict for verdict, prefix, _ in fields}


def expected(name, verdicts):
    prefixes = [prefix for prefix in verdicts if name.startswith(prefix)]
    return verdicts[max(prefixes, key=len)] if prefixes else "fails"


def verdict(path, validator):
    value, is_json = parsed(path)
    if not is_json:
        return "unparsable"
    return "passes" if validator.is_valid(value) else "fails"


def check_valid(folder, validator, setlists):
    """Yields the errors in the files that should be valid, one line each."""
    for path in sorted(folder.glob("*.json")):
        value, is_json = parsed(path)
        used = setlists if is_json and is_setlist(value) else validator
        if used is None:
            continue
        if not is_json:
            yield f"{path}: is no JSON"
            continue
        for error in used.iter_errors(value):
            yield f"{path}: {error.json_path}: {error.message[:200]}"


def check_broken(folder, validator):
    """Yields the broken files whose verdict differs from the expected one, one line each."""
    verdicts = expectations(folder)
    for path in sorted(folder.glob("*.json")):
        value, is_json = parsed(path)
        if is_json and is_setlist(value):
            continue
        wanted, found = expected(path.stem, verdicts), verdict(path, validator)
        if wanted == "lenient" and found != "unparsable":
            continue
        if wanted != found:
            yield f"{path}: {found}, expected {wanted}"


def loaded(name):
    schema = json.loads(pathlib.Path(name).read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def main(arguments):
    if len(arguments) not in (3, 4):
        sys.exit("usage: schema.py SCHEMA VALID BROKEN [SETLISTS]")
    validator, *others = (loaded(name) for name in arguments[:1] + arguments[3:])
    valid, broken = (pathlib.Path(name) for name in arguments[1:3])
    if not list(valid.glob("*.json")) or not list(broken.glob("*.json")):
        sys.exit("schema.py: a folder has no *.json")
    faults = list(check_valid(valid, validator, others[0] if others else None)) + list(check_broken(broken, validator))
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Shapes of JSON: the path of each member with the types of its values."""

TYPES = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}

#: Objects whose members have any names: reports of a session, which come one after the other; parameters of a plugin.
MAPS = ("/reports", "plugin/node/parameters")
#: Members that are null on some machines or in some runs, with their other type. Each shape with such a member has both
#: types, so it does not depend on the machine. A program must expect both.
NULLABLE = {
    "bench/cores/counts[]/measured_ns": "number",
    "doctor/wakeups/priority": "number",
    "prove/findings[]/place/scene": "string",
    "replay/equal_from_seconds": "number",
    "replay-of-other-sound/equal_from_seconds": "number",
    "replay/late[]/node": "string",
    "run/history[]/redo": "string",
    "run/history[]/undo": "string",
    "run/http_code[]/limit": "string",
    "run/xruns[]/longest_ms": "number",
}


def shape(value, path):
    """Returns the lines `PATH TYPE` of a value and of all values in it. The items of an array have one path."""
    lines = {f"{path} {TYPES[type(value)]}"}
    if path in NULLABLE:
        lines |= {f"{path} null", f"{path} {NULLABLE[path]}"}
    if isinstance(value, dict):
        is_map = path.endswith(MAPS)
        for key, each in value.items():
            lines |= shape(each, f"{path}/*" if is_map else f"{path}/{key.replace(' ', '_')}")
    elif isinstance(value, list):
        for each in value:
            lines |= shape(each, f"{path}[]")
    return lines


def missing(former, present):
    """Yields the members of a former shape that the present one lacks, and those that have another type.

    Members of a list or map that is empty today, or of an object that is null today, cannot be compared.
    """
    former, present = types(former), types(present)
    for path in sorted(former):
        if path not in present:
            if not is_hidden(path, present):
                yield f"{path} is gone"
            continue
        added = present[path] - former[path] - {"null"}
        if added and former[path] != {"null"}:
            yield f"{path} is {' or '.join(sorted(present[path]))}, not {' or '.join(sorted(former[path]))}"
        if "null" in present[path] and "null" not in former[path]:
            yield f"{path} can be null"


def types(lines):
    """Returns the types of each path."""
    found = {}
    for line in lines:
        path, _, kind = line.rpartition(" ")
        found.setdefault(path, set()).add(kind)
    return found


def is_hidden(path, present):
    """Returns whether a value above a path is null, an empty list or an empty map, so that nothing can be said."""
    while path:
        if path.endswith("[]"):
            path = path[:-2]
            if path in present:
                return "array" in present[path] or "null" in present[path]
        else:
            path, _, name = path.rpartition("/")
            if path in present:
                return name == "*" or "null" in present[path]
    return False

"""Compares docs/pipeline-format.md, which explains the effects and keys, with the program."""

import re

NUMBER = r"−?\d[\d\u00a0\u202f ]*(?:\.\d+)?"
RANGE = re.compile(f"({NUMBER})…({NUMBER})")


def faults(text, effects, schemas):
    """Yields a line for each name that the page lacks, and for each range and default that is not the program's."""
    page = text.partition("\n## The built-in effects\n")[2].partition("\n## ")[0]
    sections = {name: body for name, body in re.findall(r"(?ms)^### `([\w-]+)`\n(.*?)(?=^### |\Z)", page)}
    for effect in effects:
        section = sections.pop(effect["type"], None)
        if section is None:
            yield f"there is no section `{effect['type']}`"
            continue
        entries = {each["name"]: each for each in effect["parameters"] + effect["settings"]}
        entries |= {f"STRIP.{each['name']}": each for each in effect["strip_parameters"]}
        yield from (f"{effect['type']}: {line}" for line in section_faults(section, entries, effect["reports"]))
    yield from (f"the program has no effect `{name}`" for name in sections)
    for key in sorted(set().union(*map(keys, schemas))):
        if f"`{key}`" not in text and f'"{key}"' not in text:
            yield f"the key `{key}` is missing"


def section_faults(section, entries, reports):
    explained = section
    # Voices of `harmony` differ by the number at the end only.
    names = {name: re.sub(r"-[2-4]$", "-1", name) for name in [*entries, *(each["name"] for each in reports)]}
    for name, shown in names.items():
        if f"`{shown}`" not in explained and not re.search(rf"`{re.escape(name)}`", explained):
            yield f"`{name}` is missing"
    heads = []
    for line in section.splitlines():
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not heads:
            heads = cells
            continue
        for name in re.findall(r"`([\w.-]+)`", cells[0]):
            if name not in entries:
                yield f"the program has no `{name}`"
                continue
            yield from row_faults(name, entries[name], heads, cells)


def row_faults(name, entry, heads, cells):
    if entry.get("minimum") is not None and entry["kind"] != "toggle":
        if found := RANGE.search(cells[1]):
            limits = number(found[1]), number(found[2])
            if limits != (entry["minimum"], entry["maximum"]):
                yield f"`{name}` has the range {entry['minimum']}…{entry['maximum']}, not {found[0]}"
    if "default" in heads and isinstance(entry["default"], (int, float, str)) and not isinstance(entry["default"], bool):
        cell = cells[heads.index("default")].strip("`")
        shown = number(cell) if re.fullmatch(NUMBER, cell) else cell if re.fullmatch(r"[A-Za-z-]+", cell) else None
        if shown is not None and shown != entry["default"]:
            yield f"`{name}` has the default {entry['default']}, not {cell}"


def number(text):
    return float(re.sub(r"[\s\u00a0\u202f]", "", text.replace("−", "-")))


def keys(schema):
    """Returns the names of all keys in a schema, except those of effects."""
    result = set()
    for name, each in schema.get("definitions", {}).items():
        if not name.startswith("node-") or name == "node-lv2":
            result |= keys_of(each)
    return result | keys_of({name: each for name, each in schema.items() if name != "definitions"})


def keys_of(schema):
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties")
    result = set(properties) if isinstance(properties, dict) else set()
    return result.union(*(keys_of(each) for each in schema.values()))

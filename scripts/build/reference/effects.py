"""The pages of the built-in effects."""

import textwrap

from texts import code, interval, number, table


def node_to_paste(page):
    """Returns the node at the end of the text that `stompline effects TYPE` prints."""
    _, mark, node = page.partition('To paste into "nodes":\n')
    if not mark:
        raise ValueError("the page of an effect has no node to paste")
    return textwrap.dedent(node.strip("\n").rstrip())


def index(effects):
    rows = [(f"[`{each['type']}`](effects/{each['type']}.md)", each["category"], each["summary"]) for each in effects]
    return f"""# Effects

These are the types of nodes that are built in. Each page lists all parameters with range, default and unit. The type
`lv2` is any [LV2 plugin](../plugins.md); `stompline plugin NAME` prints its parameters.

{table(["type", "kind", "what it does"], rows)}

`stompline effects TYPE` prints a page in the terminal, and `stompline effects --json` prints all of them for scripts:

```sh run
stompline effects filter
stompline effects --json
```

[Keys of a node](pipeline.md#a-node) lists what every node has, such as `bypass` and `mix`.
"""


def page(effect, node):
    name = effect["type"]
    parts = [f"# `{name}`", effect["summary"],
             f"[The pipeline format](../../pipeline-format.md#{name}) explains it. [All effects](../effects.md)."]
    if effect["parameters"]:
        parts += ["## Parameters",
                  f"They can change while the node runs, at the address `ID.NAME`, such as `{name}.{effect['parameters'][0]['name']}`.",
                  described(effect["parameters"])]
    if effect["strip_parameters"]:
        parts += ["## Parameters of each strip",
                  "A strip has the name of its signal: `ID.STRIP.NAME`.",
                  described(effect["strip_parameters"])]
    if effect["settings"]:
        parts += ["## Settings", "They are fixed while the node runs.", described(effect["settings"])]
    if effect["reports"]:
        rows = [(code(each["name"]), each["label"], each["unit"]) for each in effect["reports"]]
        parts += ["## Reports", "They can be read at the address `ID.NAME`, or `ID.reports.NAME`.",
                  table(["report", "meaning", "unit"], rows)]
    parts += ["## A node to paste", f"```json\n{node}\n```"]
    return "\n\n".join(parts) + "\n"


def described(entries):
    rows = [(code(each["name"]), values(each), default(each), each["summary"] or each.get("label", ""))
            for each in entries]
    return table(["name", "values", "default", "what it does"], rows)


def values(entry):
    """Returns the allowed values of a parameter or a setting."""
    kind = entry["kind"]
    if kind == "choice":
        return ", ".join(code(value_text(each)) for each in entry["choices"]) + unit(entry)
    if kind == "toggle":
        return "on or off"
    if entry.get("minimum") is not None:
        whole = ", whole" if kind == "integer" else ""
        return interval(entry["minimum"], entry["maximum"]) + unit(entry) + whole
    return {"text": "a text", "path": "a path", "url": "an address", "paths": "paths"}[kind]


def default(entry):
    value = entry["default"]
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (int, float)):
        return number(value)
    return code(value) if value else ""


def unit(entry):
    return f" {entry['unit']}" if entry["unit"] else ""


def value_text(value):
    return number(value) if isinstance(value, (int, float)) else value

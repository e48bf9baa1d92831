"""The pages of the keys of pipelines and setlists, from the JSON Schemas."""

import re

from texts import code, interval, number, table

#: The heading and the first words of each object in a pipeline, by its place.
PIPELINE = {
    "": ("The file", "The keys of the file."),
    "inputs.*": ("An input", "The keys of each entry of `inputs`."),
    "outputs.*": ("An output", "The keys of each entry of `outputs`."),
    "node": ("A node", "The keys of each entry of `nodes`, for all types."),
    "node.when-late": ("A cheaper variant", "What a node plays while the machine is too slow, in `when-late`: either"
                       " `settings` or `bypass`. [How nodes give way](../on-stage.md#when-the-machine-is-too-slow)."),
    "node-lv2": ("An LV2 plugin", "Keys that only nodes of the type `lv2` have, except `events`, which `tune` and"
                 " `harmony` have too."),
    "scenes.*": ("A scene", "The keys of each entry of `scenes`. All other keys are addresses, such as `verb.mix`, with"
                 " a value: a number, `true`, `false` or a text."),
    "scenes.*.then": ("What follows a scene", "The keys of `then` in a scene: `scene`, and one of `after` and `at`."),
    "binding": ("A binding", "The keys of each entry of `midi`."),
    "binding.to[]": ("An address of a binding", "The keys of each entry of `to`, if it is a list."),
    "binding.when-held": None,
    "message": ("A message", "The keys of each MIDI message in `send`: one of `program`, `cc`, `note` and `sysex`, with"
                " the keys that belong to it."),
    "bridges[]": ("A bridge", "The keys of each entry of `bridges`."),
    "signal": ("A signal", "An entry of `from` is the name of a signal, or an object with these keys."),
}
SETLIST = {
    "": ("The file", "The keys of the file. Nodes in `before` and `after` have the keys of"
         " [nodes of a pipeline](pipeline.md#a-node), and bindings in `midi` those of"
         " [its bindings](pipeline.md#a-binding)."),
    "songs[]": ("A song", "The keys of each entry of `songs`."),
    "inputs.*": ("An input", "The keys of each entry of `inputs`."),
    "outputs.*": ("An output", "The keys of each entry of `outputs`."),
    "bridges[]": ("A bridge", "The keys of each entry of `bridges`."),
}


def pipeline_page(schema):
    return Page(schema, PIPELINE, {}).text(
        "Keys of a pipeline",
        "These are all keys of a pipeline file, with their values and defaults. [The pipeline format](../pipeline-format.md)\n"
        "explains them with examples. The page is made from the JSON Schema that `stompline schema` prints for editors:\n\n"
        "```sh run\nstompline schema > pipeline.schema.json\n```")


def setlist_page(schema):
    links = {"node": "pipeline.md#a-node", "binding": "pipeline.md#a-binding", "message": "pipeline.md#a-message",
             "signal": "pipeline.md#a-signal"}
    return Page(schema, SETLIST, links).text(
        "Keys of a setlist",
        "These are all keys of a setlist file, with their values and defaults.\n"
        "[The pipeline format](../pipeline-format.md#setlists) explains them with examples. The page is made from the JSON\n"
        "Schema that `stompline schema --setlist` prints for editors:\n\n"
        "```sh run\nstompline schema --setlist > setlist.schema.json\n```")


class Page:
    """A page of keys. It fails if the schema contains an object without a heading here."""

    def __init__(self, schema, headings, links):
        self._schema, self._headings, self._links = schema, headings, links
        self._tables = {}
        self._add("", schema)
        for name in ("message", "binding"):
            if name not in links:
                self._add(name, schema["definitions"][name])
        if "node" not in links:
            self._add_nodes()

    def text(self, title, words):
        order = list(self._headings)
        parts = [f"# {title}", words]
        for place in sorted(self._tables, key=order.index):
            heading, about = self._headings[place]
            parts += [f"## {heading}", about, self._tables[place]]
        return "\n\n".join(parts) + "\n"

    def _add_nodes(self):
        """Adds the keys that all types of nodes have, and those of plugins."""
        kinds = {name: each for name, each in self._schema["definitions"].items() if name.startswith("node-")}
        plugin = kinds["node-lv2"]
        common = [key for key in plugin["properties"] if all(key in each["properties"] for each in kinds.values())]
        shared = {key: plugin["properties"][key] for key in common}
        types = self._schema["definitions"]["node"]["properties"]["type"]
        shared["type"] = {**types, "description": shared["type"]["description"]}
        for key, about in (("parameters", "Values that can change while the node runs; see [effects](effects.md)."),
                           ("settings", "Values that are fixed while the node runs; see [effects](effects.md).")):
            shared[key] = {"description": about, "type": "object", "default": {}}
        late = shared["when-late"]
        settings = {"description": "Settings of the type that replace those of the node.", "type": "object"}
        shared["when-late"] = {**late, "properties": {**late["properties"], "settings": settings}}
        self._add("node", {"properties": shared, "required": ["id", "type"]})
        others = {key: each for key, each in plugin["properties"].items() if key not in common}
        self._add("node-lv2", {"properties": others, "required": ["uri"]})

    def _add(self, place, schema):
        required = schema.get("required", [])
        rows = []
        for name, each in schema["properties"].items():
            inner = f"{place}.{name}" if place else name
            default = "required" if name in required else self._default(each)
            about, unit = without_unit(each.get("description", ""))
            rows.append((code(name), self._value(each, inner) + unit, default, about))
        if place not in self._headings:
            raise ValueError(f"the place \"{place}\" of the schema has no heading in scripts/build/reference/keys.py")
        self._tables[place] = table(["key", "value", "default", "meaning"], rows)

    def _link(self, place, words):
        heading = self._headings[place][0]
        return f"[{words}](#{heading.lower().replace(' ', '-')})"

    def _value(self, schema, place):
        """Returns the allowed values of a key."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            words = {"node": "a node", "binding": "a binding", "message": "a message"}[name]
            return f"[{words}]({self._links[name]})" if name in self._links else self._link(name, words)
        if "const" in schema:
            return code(schema["const"])
        if "enum" in schema:
            return ", ".join(code(each) for each in schema["enum"])
        if "anyOf" in schema:
            return " or ".join(dict.fromkeys(self._value(each, place) for each in schema["anyOf"]))
        kind = schema.get("type")
        if isinstance(kind, list):
            return "a number, true, false or a text"
        if kind == "boolean":
            return "true or false"
        if kind in ("integer", "number"):
            return self._range(schema) + (", whole" if kind == "integer" else "")
        if kind == "string":
            return "a text"
        if kind == "array":
            most = schema.get("maxItems")
            least = schema.get("minItems")
            count = f"{most} entries" if most == least else f"at most {most} entries"
            return f"a list of {count}, each {self._value(schema['items'], place + '[]')}"
        return self._object(schema, place)

    def _range(self, schema):
        if schema.get("minimum") in (None, -1e9) and schema.get("maximum") in (None, 1e9):
            return "a number"
        return interval(schema["minimum"], schema["maximum"])

    def _object(self, schema, place):
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if properties and list(properties) == ["signal", "align"]:
            if "signal" in self._links:
                return f"[a signal]({self._links['signal']})"
            self._add("signal", schema)
            return self._link("signal", "a signal")
        if properties:
            self._add(place, schema)
            return self._link(place, self._headings[place][0].lower())
        if isinstance(others, dict):
            return f"entries by name, each {self._value(others, place + '.*')}"
        return "an object"

    def _default(self, schema):
        value = schema.get("default")
        if value is None or value == "":
            return ""
        if value in ([], {}):
            return "none"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return number(value)
        return code(value) if isinstance(value, str) else code(", ".join(value))


def without_unit(text):
    """Returns the description of a key without the unit at its end, and the unit after a space."""
    found = re.fullmatch(r"(.*) \(([^ ()]{1,6})\)", text)
    return (found[1], f" {found[2]}") if found else (text, "")

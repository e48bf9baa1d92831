"""Files of the fake session: their texts, JSON Patch, the history, references and the palette."""

import copy
import hashlib
import json
from urllib.parse import parse_qsl, unquote, urlsplit

from fake_session import FakeSession, Song, parameter

SOURCES = {"player"}
TYPES = [
    {"type": name, "plugin": False, "label": name.capitalize(), "summary": summary,
     "category": category, "author": "", "inputs": None, "outputs": None,
     "source": name in SOURCES, "mixer": name == "mixer",
     "required": ["file"] if name in ["player", "recorder"] else [], "problem": None,
     "crashed": None}
    for name, category, summary in [
        ("gain", "Level", "Changes the level."), ("filter", "Filter", "One filter."),
        ("delay", "Delay", "Echoes."), ("mixer", "Mixer", "Sums signals."),
        ("player", "Player", "Plays a file."), ("recorder", "Recorder", "Records takes.")]
] + [
    {"type": f"urn:{name}", "plugin": True, "label": label, "summary": "", "category": category,
     "author": "Somebody", "inputs": inputs, "outputs": 2, "source": inputs == 0, "mixer": False,
     "required": [], "problem": problem, "crashed": crashed}
    for name, label, category, inputs, problem, crashed in [
        ("warm", "Warm Tube", "Distortion", 2, None, None),
        ("duck", "Ducker", "Compressor", 3, None, None),
        ("odd", "Odd One", "Utility", 2, "it needs urn:feature", None),
        ("bomb", "Time Bomb", "Delay", 2, None, "an earlier run ended inside it, in its run")]
]
PARAMETERS = {
    "gain": {"gain": (-120, 24, 0)}, "delay": {"time": (0, 10, 0.25), "feedback": (0, 0.99, 0.3)},
    "filter": {"frequency": (10, 20000, 1000), "gain": (-36, 36, 0)}, "mixer": {"gain": (-120, 24, 0)},
}


def setting(name, kind, minimum=None, maximum=None, choices=None, default=None, unit=""):
    return {"name": name, "summary": f"The {name}.", "kind": kind, "unit": unit,
            "minimum": minimum, "maximum": maximum, "choices": choices, "default": default}


SETTINGS = {"delay": [
    setting("maximum", "number", 0.001, 60, unit="s"), setting("taps", "integer", 1, 8, default=1),
    setting("tape", "choice", choices=["new", "worn"], default="new"), setting("sync", "toggle"),
    setting("title", "text"), setting("noise", "path")]}


def about(name):
    """Everything about a type."""
    ports = lambda names: [{"symbol": each, "label": each, "optional": each.startswith("side"),
                            "control_voltage": False} for each in names]
    plugin = next((each for each in TYPES if each["type"] == name and each["plugin"]), None)
    return {"type": name, "label": name, "summary": "",
            "inputs": ports(["in_l", "in_r", "side"][:plugin["inputs"]]) if plugin else None,
            "outputs": ports(["out_l", "out_r"]) if plugin else None,
            "parameters": [{"name": each, "label": each, "summary": "", "kind": "linear",
                            "unit": "", "minimum": low, "maximum": high, "default": value,
                            "choices": None}
                           for each, (low, high, value) in PARAMETERS.get(name, {}).items()],
            "settings": SETTINGS.get(name, []), "receives_events": False}


# JSON Patch


def walk(root, path):
    """Returns the container of a place, and the key or index."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]
    for token in tokens[:-1]:
        root = root[int(token)] if isinstance(root, list) else root[token]
    last = tokens[-1]
    if isinstance(root, list):
        last = len(root) if last == "-" else int(last)
    return root, last


def put(root, path, value):
    place, key = walk(root, path)
    if isinstance(place, list):
        assert 0 <= key <= len(place), path
        place.insert(key, value)
    else:
        place[key] = value


def patched(root, operations):
    """Applies a patch; raises an error if that is not possible."""
    root = copy.deepcopy(root)
    for each in operations:
        kind, path = each["op"], each["path"]
        if kind == "add":
            put(root, path, each["value"])
            continue
        source, key = walk(root, each.get("from", path))
        value = source[key]
        if kind == "copy":
            put(root, path, copy.deepcopy(value))
        elif kind == "replace":
            source[key] = each["value"]
        elif kind == "rename":
            items = [(each["to"] if name == key else name, value) for name, value in source.items()]
            source.clear()
            source.update(items)
        else:
            assert kind in ["remove", "move"], kind
            del source[key]
            if kind == "move":
                put(root, path, value)
    return root


# References


def references(root, query):
    """The operations for all references, in the order of the server: values, removals, keys."""
    values, removals, keys = [], [], []
    pairs = parse_qsl(query)
    while pairs:
        kind, old = pairs.pop(0)
        new = pairs.pop(0)[1] if kind.startswith("rename") else None
        what = kind.split("-")[1]
        start = old + "." if what in ["node", "strip"] else None

        def is_name(text):
            return text == old or (what in ["node", "signal"] and text.startswith(old + ":"))

        def visit(value, path, outer):
            if isinstance(value, dict):
                for key in list(value):
                    place = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
                    whole = f"{outer}.{key}" if what == "strip" else key
                    # The strips of a mixer stay when a node is removed; they have their own changes.
                    isKept = what == "node" and not new and "/parameters/" in place
                    if (start and whole.startswith(start) and not isKept) or (
                            what in ["address", "scene"] and key == old) or (
                            what == "signal" and place in [f"/inputs/{old}", f"/outputs/{old}"]):
                        to = new if what in ["scene", "signal"] else new and key.replace(
                            old.split(".")[-1] if outer else old, new, 1)
                        if what == "strip" and not outer:
                            to = new and key.replace(old, old.split(".")[0] + "." + new, 1)
                        (keys if new else removals).append(
                            {"op": "rename", "path": place, "to": to} if new
                            else {"op": "remove", "path": place})
                    else:
                        visit(value[key], place, value.get("id", outer))
            elif isinstance(value, list):
                for index in reversed(range(len(value))):
                    visit(value[index], f"{path}/{index}", outer)
            elif isinstance(value, str) and path != "/name":
                isMidi = path.startswith("/midi/")
                refers = is_name(value) or (start and value.startswith(start))
                if not refers or (what in ["scene", "song"] and not isMidi and path != "/scene"):
                    return
                if new:
                    values.append({"op": "replace", "path": path,
                                   "value": new + value[len(old):]})
                elif isMidi:
                    removals.append({"op": "remove", "path": "/".join(path.split("/")[:3])})
                elif path == "/scene":
                    removals.append({"op": "remove", "path": path})

        visit(root, "", "")
    return values + removals + sorted(keys, key=lambda each: -each["path"].count("/"))


# A song from its file


def fed(index, node, nodes, inputs):
    """The names of the signals that feed a node."""
    source = node.get("ports", node.get("from"))
    if source is None:
        if node["type"] in SOURCES:
            return []
        source = nodes[index - 1]["id"] if index else next(iter(inputs))
    entries = source.values() if isinstance(source, dict) else \
        source if isinstance(source, list) else [source]
    return list(dict.fromkeys((each if isinstance(each, str) else each["signal"]).split(":")[0]
                              for each in entries))


def song_of(root, name, path):
    """Returns the song that a file describes; raises an error with a sentence for a wrong file."""
    song = Song(name, scenes=list(root.get("scenes", {})))
    song.path = path
    inputs, nodes = root.get("inputs", {"in": {"channels": 2}}), root.get("nodes", [])
    known = [*inputs, *(node["id"] for node in nodes)]
    outputs = root.get("outputs", {"out": {"channels": 2}})
    assert len({*known, *outputs}) == len(known) + len(outputs), "a name is used twice"
    for each, value in inputs.items():
        song.input(each, value.get("channels", 1))
    for index, node in enumerate(nodes):
        sources = fed(index, node, nodes, inputs)
        for source in sources:
            assert source in known, f'there is no node or input "{source}"'
        kind = node.get("uri", node["type"])
        if kind in ["filter", "delay"]:
            getattr(song, kind)(node["id"], "", **node.get("parameters", {}))
            song.nodes[-1]["from"] = sources
            continue
        song.node(node["id"], kind, plugin="uri" in node, strips=[], **{"from": sources})
        for each_name, (low, high, default) in PARAMETERS.get(kind, {}).items():
            address = f"{node['id']}.{each_name}"
            song.parameters.append(parameter(address, low=low, high=high, default=default))
            song.values[address] = node.get("parameters", {}).get(each_name, default)
    for each, value in outputs.items():
        song.output(each, value.get("channels", 1))
        last = [nodes[-1]["id"]] if nodes else list(inputs)[:1]
        sources = fed(0, value, [], inputs) if "from" in value else last
        for source in sources:
            assert source in known, f'there is no node or input "{source}"'
            song.wire(each, source)
    for scene in root.get("scenes", {}).values():
        for address in scene:
            assert address.split(".")[0] in known, f'there is no node for "{address}"'
    return song


class FileSession(FakeSession):
    """A fake session whose songs come from files: `{name: content}`, and perhaps a setlist."""

    def __init__(self, files, folder, setlist=None):
        self.files = {f"/songs/{name}.json": json.dumps(root) for name, root in files.items()}
        self.setlist = "/songs/night.json" if setlist else None
        if setlist:
            self.files = {self.setlist: json.dumps(setlist), **self.files}
        self.undos, self.redos, self.edits = [], [], []
        super().__init__(self.songs_of_files(), folder, is_setlist=setlist is not None)

    def songs_of_files(self):
        if not self.setlist:
            return [song_of(json.loads(text), path[7:-5], path)
                    for path, text in self.files.items()]
        songs = []
        for entry in json.loads(self.files[self.setlist])["songs"]:
            path = f"/songs/{entry['pipeline']}"
            assert path in self.files, f"cannot read '{entry['pipeline']}'"
            song = song_of(json.loads(self.files[path]), entry.get("name", path[7:-5]), path)
            song.notes, song.color = entry.get("notes", ""), entry.get("color", "")
            song.gain = entry.get("gain", 0)
            songs.append(song)
        return songs

    def root(self, name):
        return json.loads(self.files[f"/songs/{name}.json"])

    def tag(self, path):
        return hashlib.sha1((path + self.files[path]).encode()).hexdigest()[:12]

    @property
    def file_parts(self):
        names = {path: [song.name for song in self.songs if song.path == path]
                 for path in self.files}
        return {
            "files": [{"number": number + 1, "file": path, "setlist": path == self.setlist,
                       "songs": names[path], "tag": self.tag(path)}
                      for number, path in enumerate(self.files)],
            "history": {"undo": self.undos[-1][0] if self.undos else None,
                        "redo": self.redos[-1][0] if self.redos else None}}

    def snapshot(self):
        snapshot = {**super().snapshot(), **self.file_parts}
        snapshot["pipeline"] = {**snapshot["pipeline"], "file": self.song.path}
        return snapshot

    def write(self, path, text):
        """Writes a file as an editor does."""
        with self.lock:
            self.files[path] = text
            self.reload()

    def reload(self):
        name = self.song.name
        self.songs = self.songs_of_files()
        self.current = next((n for n, song in enumerate(self.songs) if song.name == name), 0)
        self.revision += 1
        self.broadcast(self.snapshot())

    def answer(self, client, message):
        if message["request"] == "edit":
            answer = self.edit(message)
        elif message["request"] == "perform" and message["action"] in ["undo", "redo"]:
            answer = self.step(message["action"])
        else:
            return super().answer(client, message)
        client.send({"type": "answer", "id": message["id"], "revision": self.revision, **answer})

    def edit(self, message):
        path = message["file"]
        if message["tag"] != self.tag(path):
            return {"answer": "conflict", "message": "it has changed", "tag": self.tag(path)}
        old = self.files[path]
        # Tests wait for the file, and then read the edit.
        self.edits.append(message)
        try:
            self.files[path] = json.dumps(patched(json.loads(old), message["operations"]))
            self.songs_of_files()
        except (AssertionError, KeyError, IndexError) as error:
            self.files[path] = old
            self.edits.pop()
            return {"answer": "refused", "message": str(error), "suggestion": None,
                    "diagnostics": [{"file": path, "line": 3, "column": 5,
                                     "pointer": "/nodes/1/from", "code": "reference",
                                     "message": str(error), "suggestion": None}]}
        self.undos.append((message["name"], path, old))
        self.redos = []
        self.reload()
        return {"answer": "edited", "kind": "edited", "file": path, "text": "done",
                "tag": self.tag(path)}

    def step(self, action):
        source, goal = (self.undos, self.redos) if action == "undo" else (self.redos, self.undos)
        name, path, text = source.pop()
        goal.append((name, path, self.files[path]))
        self.files[path] = text
        self.reload()
        return {"answer": "edited", "kind": "undone" if action == "undo" else "redone",
                "file": path, "text": "done", "tag": self.tag(path)}

    def serve(self, handler):
        target = urlsplit(handler.path)
        parts = target.path.split("/")[2:]
        if target.path == "/api/palette":
            return self.send_json(handler, {"types": TYPES, "error": None})
        if target.path.startswith("/api/palette/"):
            return self.send_json(handler, about(unquote(target.path[len("/api/palette/"):])))
        if target.path.startswith("/api/files/"):
            with self.lock:
                path = list(self.files)[int(parts[1]) - 1]
                text, tag = self.files[path], self.tag(path)
            if len(parts) == 3:
                return self.send_json(handler, {
                    "tag": tag, "operations": references(json.loads(text), target.query)})
            self.text_gate.wait()
            self.send_text(handler, text, tag)
            self.text_count += 1
            return None
        return super().serve(handler)

    def send_json(self, handler, value):
        self.send_text(handler, json.dumps(value), None)

    @staticmethod
    def send_text(handler, text, tag):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json; charset=utf-8")
        handler.send_header("Content-Length", str(len(text.encode())))
        if tag:
            handler.send_header("ETag", f'"{tag}"')
        handler.end_headers()
        handler.wfile.write(text.encode())


def pedalboard():
    """A chain with parallel paths, a mixer, scenes and controls."""
    return {
        "version": 1, "inputs": {"mic": {}, "line": {"channels": 2}},
        "nodes": [
            {"id": "tone", "type": "filter", "parameters": {"frequency": 200}},
            {"id": "echo", "type": "delay"},
            {"id": "side", "type": "gain", "from": "tone"},
            {"id": "desk", "type": "mixer", "from": ["echo", "side"],
             "parameters": {"echo.gain": -3}},
        ],
        "outputs": {"main": {"channels": 2}},
        "scenes": {"verse": {"echo.feedback": 0.2}, "solo": {"echo.feedback": 0.6}},
        "midi": [{"cc": 11, "to": "echo.feedback"}, {"cc": 12, "to": "tone.gain"},
                 {"program": 1, "scene": "solo"}],
    }


def setlist():
    return {"version": 1, "setlist": "Night", "songs": [
        {"name": "Opener", "pipeline": "a.json", "notes": "Capo 2"},
        {"name": "Ballad", "pipeline": "b.json", "color": "#3366ff"},
        {"name": "Encore", "pipeline": "a.json"}],
        "midi": [{"program": 5, "song": "Ballad"}]}

"""A setlist of songs on disk that are edited at random, as an editor saves them.

Every song has a clean path of gains of at most 0 dB, which a sine passes without a step whatever
happens, and a rough path of effects and plugins, which noise passes.
"""
import copy
import json
import os
import shutil

import show_song

BUILT_IN = [
    {"type": "filter", "parameters": {"shape": "lowpass", "frequency": 4000}},
    {"type": "filter", "parameters": {"shape": "peak", "frequency": 900, "gain": 4}},
    {"type": "delay", "parameters": {"time": 0.05, "feedback": 0.7}, "settings": {"maximum": 0.2}},
    {"type": "frequency-shift", "parameters": {"shift": 40}},
    {"type": "pitch-shift", "parameters": {"semitones": 3}},
]
PLUGINS = [
    {"type": "lv2", "uri": uri}
    for uri in (
        "urn:zamaudio:ZamCompX2",
        "urn:zamaudio:ZamTube",
        "urn:zamaudio:ZamEQ2",
        "http://drobilla.net/plugins/mda/Overdrive",
        "http://drobilla.net/plugins/mda/Leslie",
        "http://drobilla.net/plugins/mda/Stereo",
        "http://plugin.org.uk/swh-plugins/valve",
        "http://lv2plug.in/plugins/eg-amp",
        "http://drobilla.net/plugins/mda/Ambience",
    )
]
# In one song only, and never removed from it: each isolated plugin takes half a megabyte while its
# song is prepared. A varying number of them would dominate the memory figures.
ISOLATED = {"type": "lv2", "uri": "http://drobilla.net/plugins/mda/Combo", "isolate": True}
# In one song only, for the same reason: a player whose list is edited while it plays, and a looper.
SOUNDS = ["organ.flac", "bass.flac", "bells.wav", "click.flac"]
TUNE = {"id": "tune", "type": "player", "settings": {"files": SOUNDS[:2], "channels": 2}, "parameters": {"loop": True, "gain": -20}}
LOOP = {"id": "loop", "type": "looper", "from": "rough", "settings": {"maximum": 5, "quantize": "beat"},
        "parameters": {"dry": -120, "feedback": 0.8}}
PEDALS = [
    {"cc": 1, "to": "clean.gain", "range": [-10, 0]},
    {"cc": 2, "to": "level.mute", "mode": "toggle"},
    {"cc": 3, "to": "clean.mix", "takeover": "pickup"},
    {"cc": 4, "to": "level.gain", "mode": "relative", "range": [-20, 0]},
    {"cc": 5, "to": "level.bypass", "mode": "momentary"},
    {"program": 0, "scene": "soft"},
    {"program": 1, "scene": "loud"},
    {"program": 2, "action": "next-scene"},
    {"note": 60, "action": "tap-tempo"},
    {"note": 61, "action": "previous-scene"},
    {"note": 62, "action": "next-song"},
    {"note": 63, "action": "previous-song"},
]
# Bindings of the song with the looper.
LOOP_PEDALS = [
    {"cc": 6, "to": "loop.pedal", "mode": "momentary"},
    {"cc": 7, "to": "loop.undo", "mode": "momentary"},
    {"cc": 8, "to": "tune.next", "mode": "momentary"},
]


# What the setlist has around all songs: a gain before them and one after them in the clean path, echoes after them in the rough
# path, and a signal that goes around them. Without it, songs change in parallel; within it, by a splice.
OUTER = {
    "inputs": {"tone": {"connect": ["partner:sine"], "songs": "pad"},
               "pedals": {"kind": "midi", "connect": ["partner:notes"]}},
    "before": [{"id": "pad", "type": "gain", "from": "tone"}],
    "after": [{"id": "master", "type": "gain", "from": "dry"},
              {"id": "room", "type": "delay", "from": "main", "parameters": {"time": 0.05, "feedback": 0.5}, "settings": {"maximum": 0.2}},
              {"id": "around", "type": "gain", "from": "tone"}],
    "outputs": {"dry": {"from": "master", "connect": ["ear:clean"]},
                "main": {"channels": 2, "from": "room", "connect": ["ear:rough"]},
                "around-out": {"from": "around"}},
}
# Moved by the tour only; the random messages have other numbers.
OUTER_PEDAL = {"cc": 27, "port": "pedals", "to": "master.gain", "range": [-4, 0]}


class Setlist:
    """The files and their changes."""

    #: Nodes that no edit removes.
    KEPT = {"clean", "level", "tune", "loop"} | {node["id"] for node in show_song.nodes()}

    def __init__(self, folder, random, songs=4):
        self.folder, self.random = folder, random
        self.path = os.path.join(folder, "night.json")
        self.names = [f"Song {number}" for number in range(1, songs + 1)]
        self.songs = {name: self._song(name) for name in self.names}
        self._insert(self.songs[self.names[0]], ISOLATED)
        self._add_sounds(self.songs[self.names[1]])
        # The last song, with every feature; `tour.py` drives it.
        self.names.append(show_song.NAME)
        self.songs[show_song.NAME] = self._show()
        for name in self.names:
            self._save(self._file(name), self.songs[name])
        self.order, self.outer, self.has_outer = list(self.names), self._outer(), True
        self.save_list()

    def _outer(self):
        """Returns what the setlist has around all songs."""
        return copy.deepcopy(OUTER)

    def _file(self, name):
        return os.path.join(self.folder, name.replace(" ", "-").lower() + ".json")

    def _list(self):
        text = {"version": 1, "setlist": "Night",
                "songs": [self._entry(name) for name in self.order],
                "midi": [{"program": 3, "song": self.order[0]}, {"program": 4, "action": "panic"}]}
        if self.has_outer:
            text |= self.outer
            text["midi"].append(OUTER_PEDAL)
        return text

    def outer_nodes(self):
        """Returns the nodes of the setlist itself, which it may have at the moment or not."""
        return self.outer["before"] + self.outer["after"]

    def save_list(self):
        """Saves the setlist without its songs."""
        self._save(self.path, self._list())

    def _entry(self, name):
        file = os.path.basename(self._file(name))
        return show_song.entry(file) if name == show_song.NAME else {"name": name, "pipeline": file}

    def _show(self):
        """Returns the song with every feature, and copies its sounds."""
        self._copy(show_song.SOUNDS)
        return copy.deepcopy(show_song.song())

    def _copy(self, sounds):
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "pipelines", "sounds")
        for name in sounds:
            shutil.copy(os.path.join(folder, name), self.folder)

    def _song(self, name):
        # A permanent gain, others that come and go, and the rough path.
        nodes = [{"id": "clean", "type": "gain", "from": "tone", "parameters": {"gain": -3}},
                 {"id": "level", "type": "gain", "from": "rough", "parameters": {"gain": -12}}]
        song = {"version": 1, "name": name, "tail": self.random.choice([0, 0.5, 2]),
                "inputs": {"tone": {"connect": ["partner:sine"]},
                           "rough": {"channels": 2, "connect": ["partner:noise"]},
                           "pedals": {"kind": "midi", "connect": ["partner:notes"]}},
                "outputs": {"dry": {"from": "clean", "connect": ["ear:clean"]},
                            "main": {"channels": 2, "from": "level", "connect": ["ear:rough"]}},
                "nodes": nodes,
                "scenes": {"soft": {"clean.gain": -10, "level.gain": -30}, "loud": {"clean.gain": 0, "level.gain": -6}},
                "midi": PEDALS}
        for _ in range(3):
            self._insert(song)
        return song

    def _add_sounds(self, song):
        """Adds the player and the looper, each with its own output, and copies the player's files."""
        self._copy(SOUNDS)
        song["nodes"] += [copy.deepcopy(TUNE), copy.deepcopy(LOOP)]
        song["outputs"]["music"] = {"channels": 2, "from": "tune"}
        song["outputs"]["loops"] = {"channels": 2, "from": "loop"}
        song["midi"] = PEDALS + LOOP_PEDALS

    # The edits. The nodes form two chains, and each node is fed by the one named in its "from".

    def _insert(self, song, kind=None):
        taken = {node["id"] for node in song["nodes"]}
        id = next(f"n{number}" for number in range(99) if f"n{number}" not in taken)
        if not kind and self.random.random() < 0.3:
            node = {"id": id, "type": "gain", "from": "tone", "parameters": {"gain": self.random.randint(-6, 0)}}
            path = "dry"
        else:
            node = {"id": id, "from": "rough", **copy.deepcopy(kind or self.random.choice(BUILT_IN + PLUGINS))}
            path = "main"
        behind = self.random.choice([None] + self._chain(song, path))
        node["from"] = behind["id"] if behind else "tone" if path == "dry" else "rough"
        for other in self._chain(song, path):
            if other["from"] == node["from"]:
                other["from"] = id
                break
        else:
            song["outputs"][path]["from"] = id
        song["nodes"].append(node)

    def _chain(self, song, path):
        nodes = {node["id"]: node for node in song["nodes"]}
        chain, place = [], song["outputs"][path]["from"]
        while place in nodes:
            chain.append(nodes[place])
            place = nodes[place]["from"]
        return chain

    def _remove(self, song):
        loose = [node for node in song["nodes"] if node["id"] not in self.KEPT and "isolate" not in node and "from" in node]
        if not loose:
            return self._insert(song)
        gone = self.random.choice(loose)
        song["nodes"].remove(gone)
        for fed in song["nodes"] + list(song["outputs"].values()):
            if fed.get("from") == gone["id"]:
                fed["from"] = gone["from"]

    def _swap(self, song):
        """Swaps two nodes of a path."""
        chain = self._chain(song, self.random.choice(["dry", "main"]))
        if len(chain) < 2:
            return self._insert(song)
        one, other = self.random.sample(chain, 2)
        names = {one["id"]: other["id"], other["id"]: one["id"]}
        one["from"], other["from"] = other["from"], one["from"]
        for fed in song["nodes"] + list(song["outputs"].values()):
            # The mixer of the show has a list, which contains none of these nodes.
            if isinstance(fed.get("from"), str) and fed["from"] in names:
                fed["from"] = names[fed["from"]]

    def _retune(self, song):
        for node in song["nodes"]:
            if node["type"] == "gain":
                node.setdefault("parameters", {})["gain"] = self.random.randint(-6, 0)
            node["bypass"] = self.random.random() < 0.2

    def _retail(self, song):
        song["tail"] = self.random.choice([0, 0.5, 2])
        song["tempo"] = self.random.randint(60, 200)

    def _relist(self, song):
        """Changes the list of the player: its files, their number, their order and their levels."""
        tune = next(node for node in song["nodes"] if node["id"] == "tune")
        files = self.random.choices(SOUNDS, k=self.random.randint(1, 5))
        tune["settings"]["files"] = [
            name if self.random.random() < 0.7 else {"file": name, "gain": self.random.randint(-6, 0)} for name in files]

    def relist(self):
        """Edits the list of the player, and saves its song."""
        name = self.names[1]
        self._relist(self.songs[name])
        self._save(self._file(name), self.songs[name])

    def edit(self):
        """Edits a song in one of many ways, and saves it."""
        name = self.random.choice(self.names)
        song = self.songs[name]
        if sum(node["id"] not in self.KEPT for node in song["nodes"]) > 6:
            change = self._remove
        else:
            change = self.random.choice([self._insert, self._insert, self._remove, self._swap, self._retune, self._retail])
        change(song)
        self._save(self._file(name), song)

    def rearrange(self):
        """Changes the songs and their order, and what is around them; the show and at least one other song remain."""
        others = [name for name in self.names if name != show_song.NAME]
        self.order = self.random.sample(others, self.random.randint(1, len(others)))
        self.order.insert(self.random.randint(0, len(self.order)), show_song.NAME)
        self.has_outer = self.random.random() < 0.6
        self.save_list()

    def restore(self):
        """Saves the list and the show in their initial state."""
        self.order, self.has_outer = list(self.names), True
        self.songs[show_song.NAME] = self._show()
        for name in self.names:
            self._save(self._file(name), self.songs[name])
        self.save_list()

    def spoil(self):
        """Saves half a song, as on a full disk."""
        name = self.random.choice(self.names)
        text = json.dumps(self.songs[name])
        with open(self._file(name), "w") as file:
            file.write(text[: len(text) // 2])

    def _save(self, path, value):
        text = json.dumps(value, indent=2)
        if self.random.random() < 0.5:
            with open(path, "w") as file:
                file.write(text)
        else:
            with open(path + "~", "w") as file:
                file.write(text)
            os.replace(path + "~", path)

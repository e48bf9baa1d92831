"""The setlist of the chaos run: the soak's songs, with more components that can fail."""
import copy
import json
import os

from setlist import Setlist

# A plugin that does not change the clean path at its defaults: if its process is killed, the sine
# must not show it.
GUEST = {"id": "guest", "type": "lv2", "uri": "http://lv2plug.in/plugins/eg-amp", "isolate": True}
# 600 delays of 60 s need 6.9 GB per channel at 48 kHz.
HOG_NODES = 600


class ChaosSetlist(Setlist):
    """Songs with an isolated plugin in the clean path, recorders, and players with children."""

    KEPT = Setlist.KEPT | {"guest", "tape", "radio", "video"}

    def __init__(self, folder, chance, partner, ear, client, stream):
        self.partner, self.ear, self.client, self.stream = partner, ear, client, stream
        super().__init__(folder, chance, songs=3)
        self.originals = copy.deepcopy(self.songs)

    def _song(self, name):
        song = super()._song(name)
        nodes = song["nodes"]
        nodes.append({**GUEST, "from": song["outputs"]["dry"]["from"]})
        song["outputs"]["dry"]["from"] = "guest"
        kind = ["wav", "flac", "ogg"][self.names.index(name) % 3]
        nodes.append({"id": "tape", "type": "recorder", "from": "clean", "parameters": {"recording": False},
                      "settings": {"file": f"{self.client}-%H%M%S.{kind}", "pre-roll": 0.5, "keep-free": 2}})
        nodes.append({"id": "radio", "type": "player", "settings": {"url": self.stream, "channels": 1},
                      "parameters": {"loop": True, "gain": -20}})
        nodes.append({"id": "video", "type": "player", "settings": {"file": "tune.m4a", "channels": 1},
                      "parameters": {"loop": True, "gain": -20}})
        for node in ("tape", "radio", "video"):
            song["outputs"][f"{node}-out"] = {"from": node}
        return self._with_partners(song)

    def _show(self):
        """Returns the soak's song with every feature, with the guest in its clean path."""
        song = super()._show()
        song["nodes"].append({**GUEST, "from": song["outputs"]["dry"]["from"]})
        song["outputs"]["dry"]["from"] = "guest"
        return self._with_partners(song)

    def _list(self):
        return self._with_partners(super()._list())

    def _outer(self):
        """Returns what the soak has around all songs, with an isolated plugin in the clean path."""
        outer = super()._outer()
        outer["after"].insert(0, {**GUEST, "id": "usher", "from": "dry"})
        outer["after"][1]["from"] = "usher"
        return outer

    def _with_partners(self, song):
        text = json.dumps(song).replace('"partner:', f'"{self.partner}:').replace('"ear:', f'"{self.ear}:')
        return json.loads(text)

    def _swap(self, song):
        """Swaps two nodes like the soak does; the recorder keeps its position."""
        tape = next((node for node in song["nodes"] if node["id"] == "tape"), {})
        tapped = tape.get("from")
        super()._swap(song)
        if tapped:
            tape["from"] = tapped

    def _retune(self, song):
        for node in song["nodes"]:
            if node["type"] == "gain":
                node.setdefault("parameters", {})["gain"] = self.random.randint(-6, 0)
            if node["id"] not in ("radio", "video"):
                node["bypass"] = self.random.random() < 0.2

    def mutate(self):
        """Saves a song with a few bytes changed so that it is not valid JSON; returns its text."""
        path = self._file(self.random.choice(self.names))
        data = bytearray(json.dumps(self.songs[self.random.choice(self.names)], indent=1).encode())
        while True:
            for _ in range(self.random.randint(1, 8)):
                place = self.random.randrange(len(data))
                self.random.choice([self._flip, self._cut, self._repeat])(data, place)
            try:
                json.loads(data)
            except (ValueError, RecursionError):
                break
        with open(path, "wb") as file:
            file.write(data)

    def _flip(self, data, place):
        data[place] = self.random.randrange(256)

    def _cut(self, data, place):
        del data[place:place + self.random.randint(1, 40)]
        data += b" " * 40

    def _repeat(self, data, place):
        data[place:place] = data[place:place + self.random.randint(1, 200)] * self.random.randint(1, 4)

    def misuse(self):
        """Saves valid JSON that is not a valid song."""
        name = self.random.choice(self.names)
        song = copy.deepcopy(self.songs[name])
        node = self.random.choice(song["nodes"])
        change = self.random.choice([
            {"from": "nobody"}, {"type": "nothing"}, {"id": "clean"}, {"settings": {"maximum": -1}}, {"from": node["id"]},
            {"parameters": {"gain": "loud"}}, {"uri": "http://example.org/missing", "type": "lv2"}, {"bypass": 7}])
        node.update(change)
        self._save(self._file(name), song)

    def overload(self):
        """Saves a song that needs more memory than any machine has."""
        name = self.random.choice(self.names)
        song = copy.deepcopy(self.songs[name])
        for number in range(HOG_NODES):
            song["nodes"].append({"id": f"hog{number}", "type": "delay", "from": "tone", "settings": {"maximum": 60}})
            song["outputs"][f"hog{number}"] = {"from": f"hog{number}"}
        self._save(self._file(name), song)

    def delete(self):
        """Removes a song's file; the next edit writes it again."""
        try:
            os.remove(self._file(self.random.choice(self.names)))
        except FileNotFoundError:
            pass

    def restore(self):
        """Saves the setlist and all songs in their initial state."""
        self.songs = copy.deepcopy(self.originals)
        self.order, self.has_outer = list(self.names), True
        for name in self.names:
            self._save(self._file(name), self.songs[name])
        self._save(self.path, self._list())

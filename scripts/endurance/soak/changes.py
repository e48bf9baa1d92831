"""The events of a long session, at random and much faster."""
import signal
import time

BLOCKS = [64, 128, 32, 256, 64, 1024, 64, 17]
SAVING = [("/save",), ("/save/scene",), ("/save/scene", "soft"), ("/undo",), ("/compare",), ("/compare",)]
LOOPING = ["record", "overdub", "play", "stop", "multiply", "insert", "undo", "redo", "clear"]


def loop_command(chance):
    """Returns a message for the looper; other songs refuse it."""
    return chance.choice(
        [(f"/loop/{action}", True) for action in LOOPING]
        + [("/loop/pedal", True), ("/loop/pedal", False), ("/loop/mute", chance.random() < 0.5), ("/loop/reverse", chance.random() < 0.5),
           ("/loop/speed", chance.choice(["half", "normal", "double"])), ("/tune/next", True), ("/tune/position", chance.uniform(0, 8))])


class Changes:
    def __init__(self, chance, setlist, program, partner, server, only, tour=None):
        self.tour = tour
        self.chance, self.setlist, self.program, self.partner, self.server = chance, setlist, program, partner, server
        self.counts, self.recent = {}, []
        self.connected = True
        self.kinds = [
            (60, self.value), (8, self.scene), (8, self.song), (1, self.songs), (3, self.mute), (3, self.gain),
            (2, self.tempo), (2, self.tap), (0.5, self.panic), (1, self.tuner), (0.3, self.learn), (0.5, self.nonsense),
            (6, self.edit), (0.7, self.spoil), (0.7, self.rearrange), (3, self.connections), (2, self.block),
            (0.2, self.freewheel), (1, self.save), (1, self.relist), (6, self.loop), (2, self.feature),
        ]
        if only:
            self.kinds = [(weight, kind) for weight, kind in self.kinds if kind.__name__ in only.split(",")]

    def make_one(self):
        weights, kinds = zip(*self.kinds)
        kind = self.chance.choices(kinds, weights)[0]
        self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
        self.recent.append(kind.__name__)
        kind()
        time.sleep(self.chance.uniform(0, 0.03))

    # Over OSC.

    def value(self):
        song = self.setlist.songs[self.chance.choice(self.setlist.names)]
        # The player and looper nodes of the show belong to the tour.
        outer = self.setlist.outer_nodes()
        node = self.chance.choice([node for node in song["nodes"] + outer if node["type"] not in ("player", "looper")])["id"]
        # The level of a signal that is only attenuated stays at or below 0 dB.
        name = self.chance.choice(["bypass", "mix", "gain", "mute", "frequency", "semitones", "feedback", "time", "shift"])
        path = f"/{node}/{name}"
        if name in ("bypass", "mute"):
            return self.program.tell(path, self.chance.random() < 0.1)
        ranges = {"mix": (0, 1), "gain": (-10, 0), "frequency": (50, 9000), "semitones": (-12, 12), "feedback": (0, 0.9),
                  "time": (0, 0.2), "shift": (-500, 500)}
        self.program.tell(path, float(self.chance.uniform(*ranges[name])))

    def scene(self):
        self.program.tell(*self.chance.choice([("/scene", "soft"), ("/scene", "loud"), ("/next-scene",), ("/scene", 2)]))

    def song(self):
        self.program.tell(*self.chance.choice(
            [("/next-song",), ("/previous-song",), ("/song", self.chance.choice(self.setlist.names))]))

    def songs(self):
        """Changes songs as fast as possible."""
        for _ in range(100):
            self.song()

    def mute(self):
        self.program.tell("/mute", self.chance.random() < 0.1)

    def unmute(self):
        """Undoes everything that may silence the clean path."""
        self.program.tell("/mute", False)
        self.program.tell("/gain", 0.0)
        outer = self.setlist.outer_nodes()
        for node in {node["id"] for song in self.setlist.songs.values() for node in song["nodes"] + outer if node["type"] == "gain"}:
            self.program.tell(f"/{node}/mute", False)
        # These gains and the gains of the songs together could make the sine too quiet.
        for node in outer:
            self.program.tell(f"/{node['id']}/gain", 0.0)

    def gain(self):
        self.program.tell("/gain", float(self.chance.choice([0, -3, -6, 0])))

    def tempo(self):
        self.program.tell("/tempo", float(self.chance.uniform(40, 300)))

    def tap(self):
        self.program.tell("/tap")

    def panic(self):
        self.program.tell("/panic")

    def tuner(self):
        self.program.tell("/tuner", self.chance.choice(["tone", "rough:2", ""]))

    def learn(self):
        self.program.tell("/learn", self.chance.choice(["clean.mix", "level.mute", ""]))

    def save(self):
        self.program.tell(*self.chance.choice(SAVING))

    def feature(self):
        """Drives one feature of the tour; other changes of the last moments may prevent its effect."""
        self.tour.one()

    def loop(self):
        self.program.tell(*loop_command(self.chance))

    def nonsense(self):
        self.program.tell(*self.chance.choice(
            [("/song", 99), ("/clean/gain", "loud"), ("/nobody/mix", 1.0), ("/subscribe",), ("/dump",), ("/meters",),
             ("/clean/gain", float("nan")), ("/*/mix", 0.5)]))

    # On disk.

    def edit(self):
        self.setlist.edit()

    def relist(self):
        self.setlist.relist()

    def spoil(self):
        self.setlist.spoil()

    def rearrange(self):
        self.setlist.rearrange()

    # In JACK. The connections that are checked for steps remain.

    def connections(self):
        self.connected = not self.connected
        verb = "connect" if self.connected else "disconnect"
        self.partner.ask(verb, "partner:noise", "soak:rough_1")
        self.partner.ask(verb, "soak:main_1", "ear:rough")
        self.partner.ask(verb, "soak:feedback", "ear:lights")

    def block(self):
        self.partner.ask("block", self.chance.choice(BLOCKS))

    def freewheel(self):
        self.partner.ask("freewheel", 1)
        time.sleep(self.chance.uniform(0.05, 0.2))
        self.partner.ask("freewheel", 0)

    def replace_server(self, partner):
        """Ends the server and starts another; returns the new partner."""
        self.counts["server"] = self.counts.get("server", 0) + 1
        self.server.end(self.chance.choice([signal.SIGTERM, signal.SIGKILL]))
        self.partner.end()
        before = self.program.events.get("server_back", 0)
        time.sleep(self.chance.uniform(0.1, 1))
        self.server.frames = self.chance.choice([64, 64, 128])
        self.server.start()
        new = partner()
        if not self.program.wait_for("server_back", before + 1):
            self.program.log.write(f"NOT BACK\n{self.program.threads()}\n")
        # Its connections are restored by the rules in the files.
        time.sleep(2)
        self.connected = True
        new.ask("figures")
        return new

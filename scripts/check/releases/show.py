"""A small show in which as much as possible happens that programs read: events, answers of `ctl`, and a replay.

The show has files, servers and sessions of its own, so it does not depend on the shipped pipelines. Everything in it is
caused, and awaited. An event that can only happen by chance is in no shape; the reference has its members.
"""

import array
import contextlib
import json
import os
import signal
import tempfile
import wave
from pathlib import Path

from program import Server, Session
from shapes import shape

#: A plugin of the packages that the build needs; its trial finds calls of malloc.
PLUGIN = "http://calf.sourceforge.net/plugins/Compressor"
#: The pipeline sends messages to itself, because a pedal is pressed in it.
ONE = {
    "version": 1, "name": "One",
    "inputs": {"pedals": {"kind": "midi", "connect": ["show:pads"]}},
    "outputs": {"main": {}, "pads": {"kind": "midi"}},
    "nodes": [
        {"id": "tone", "type": "player", "settings": {"file": "tone.wav"}},
        {"id": "level", "type": "gain", "parameters": {"gain": 12}},
        {"id": "tape", "type": "recorder", "settings": {"file": "tape.wav"}, "parameters": {"recording": True}},
    ],
    "scenes": {
        "plain": {"number": 1, "text": "The first cue", "then": {"scene": "soft", "after": 60}},
        "soft": {"level.gain": -6},
        "learn": {"send": [{"port": "pads", "program": 12}]},
        "save": {"send": [{"port": "pads", "program": 6}]},
    },
    "midi": [{"program": 6, "action": "save"}],
}
FILES = {
    "one.json": ONE,
    "broken.json": {"version": 1, "nodes": [{"id": "a", "type": "gian"}]},
    "two.json": {"version": 1, "name": "Two", "outputs": {"main": {"channels": 2}},
                 "nodes": [{"id": "noise", "type": "player", "settings": {"file": "tone.wav", "channels": 2}},
                           {"id": "glue", "type": "lv2", "uri": PLUGIN, "isolate": True}]},
    "show.json": {"version": 1, "setlist": "Show",
                  "songs": [{"pipeline": "one.json"}, {"name": "Missing", "pipeline": "missing.json"},
                            {"pipeline": "two.json"}, {"name": "Broken", "pipeline": "broken.json"}]},
    # Without a plugin, whose trial takes seconds.
    "proved.json": {"version": 1, "setlist": "Proved",
                    "songs": [{"pipeline": "one.json"}, {"name": "Missing", "pipeline": "missing.json"},
                              {"pipeline": "paths.json"}, {"name": "Broken", "pipeline": "broken.json"}]},
    "loop.json": {"version": 1, "name": "loop", "inputs": {"in": {}}, "outputs": {"out": {}}, "nodes": []},
    "duo.json": {"version": 1, "inputs": {"far": {"connect": ["loop:out"]}},
                 "outputs": {"send": {"connect": ["loop:in"]}}, "nodes": []},
    "paths.json": {"version": 1, "inputs": {"mic": {}}, "outputs": {"main": {"from": "both"}, "late": {"from": "high"}},
                   "nodes": [{"id": "high", "type": "pitch-shift", "from": "mic", "parameters": {"semitones": 7}},
                             {"id": "both", "type": "mixer", "from": ["mic", {"signal": "high", "align": False}]}]},
}


def write_files(folder):
    """Writes the files of the show into a folder."""
    for name, content in FILES.items():
        (folder / name).write_text(json.dumps(content, indent=2))
    with wave.open(str(folder / "tone.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(48_000)
        sound.writeframes(array.array("h", [20_000, -20_000] * 4_800).tobytes())


class Show:
    """Plays a show in a folder, on a server of its own; has the events of all its sessions and all other output."""

    def __init__(self, program, folder, server):
        self.program, self.folder, self.server = program, folder, server
        self.events, self.parts = [], {}

    def play(self):
        self.parts["check-of-connections"] = self.program.json(
            self.folder, "check", "--json", "--server", self.server.name, "duo.json")
        with self.session("show.json", "--name", "show", "--timebase", "if-free", "--bridge", "sleep 600",
                          "--bridge", "false", "--bridge", "/nowhere") as show:
            self.values(show)
            self.edits(show)
            with self.session("loop.json", "--name", "show", "--follow", f"osc://127.0.0.1:{show.port}",
                              "--http-tls", "self-made", http="0.0.0.0:0") as other:
                self.codes(other)
                other.wait("name_taken")
                other.wait("follow", state="connected")
                self.songs(show)
                other.wait("follow", state="refused")
        with self.session("loop.json", "--name", "loop"):
            self.parts["measure"] = self.program.json(
                self.folder, "measure", "--json", "--server", self.server.name, "duo.json")
        self.overload()

    @contextlib.contextmanager
    def session(self, *options, **more):
        with Session(self.program, self.folder, self.server, *options, **more) as session:
            yield session
        # Others, such as an xrun while the session starts, happen by chance.
        self.events += [each for each in session.events if each["event"] in session.awaited | {"ended"}]

    def values(self, show):
        """Reads and changes values."""
        for event in ("problems", "connections", "timebase", "take_started", "source_ended", "status"):
            show.wait(event)
        for state in ("started", "ended", "impossible"):
            show.wait("bridge", state=state)
        self.parts |= {
            "ctl": show.ctl(), "ctl-value": show.ctl("level.gain"), "ctl-set": show.ctl("level.gain", "6"),
            "ctl-fade": show.ctl("level.gain", "3", "--over", "0.1"), "ctl-scene": show.ctl("scene", "plain"),
            "ctl-cue": show.ctl("go"), "ctl-tap": show.ctl("tap"), "ctl-keep": show.ctl("keep"),
            "ctl-watch": show.watched("mute", "true", "false"),
        }
        show.wait("box_kept")
        show.wait("scene")
        show.wait("cue", 3)
        show.ctl("tape.take", "true")
        show.wait("take_finished")
        show.wait("take_clipped")
        show.http("GET", "api/values", Host="elsewhere")
        show.wait("http_refused")

    def edits(self, show):
        """Edits the file of the song in each way."""
        show.ctl("learn", "level.gain")
        show.ctl("scene", "learn")
        show.wait("learned")
        show.ctl("level.gain", "-3")
        self.parts |= {"ctl-save": show.ctl("save"), "ctl-undo": show.ctl("undo"), "ctl-redo": show.ctl("redo"),
                       "ctl-save-scene": show.ctl("save", "scene", "soft")}
        show.ctl("scene", "save")
        show.wait("save_refused")
        show.ctl("level.gain", "-9")
        self.parts["ctl-compare"] = show.ctl("compare")
        show.ctl("compare")
        file = next(each for each in show.http("GET", "api/files")["body"] if each["file"].endswith("one.json"))
        patch = [{"op": "add", "path": "/nodes/-", "value": {"id": "more", "type": "gain"}}]
        self.parts["http/edit"] = show.http(
            "PATCH", f"api/files/{file['number']}?name=more", json.dumps(patch), If_Match=f'"{file["tag"]}"',
            Content_Type="application/json-patch+json")
        for name, count in (("saved", 2), ("undone", 1), ("redone", 1), ("compared", 2), ("edited", 1),
                            ("history", 4), ("reloaded", 1)):
            show.wait(name, count)
        show.ctl("panic")
        show.wait("panic")
        show.wait_for_box("panic")

    def songs(self, show):
        """Skips a song, loses a plugin and the server, and changes the format."""
        self.parts["ctl-song"] = show.ctl("next-song")
        show.wait("song_skipped")
        show.wait("song", name="Two")
        self.lose_plugin(show)
        show.ctl("keep")
        self.replay_spoilt(Path(show.wait("box_kept", 2, reason="on request")["box"]))
        self.server.tool("jack_bufsize", "512")
        show.wait("format_changed")
        self.server.tool("jack_freewheel", "y")
        show.wait("freewheel", on=True)
        self.server.tool("jack_freewheel", "n")
        show.wait("freewheel", on=False)
        self.server.end()
        show.wait("server_lost")
        self.server.start()
        show.wait("server_back")

    def lose_plugin(self, show):
        """Lets the process of a plugin hang for a moment, and ends it; the program starts it again."""
        process = plugin_process(show)
        os.kill(process, signal.SIGSTOP)
        show.wait("plugin_away")
        os.kill(process, signal.SIGCONT)
        os.kill(process, signal.SIGKILL)
        show.wait("plugin_lost")
        show.wait("plugin_back")
        show.wait_for_box("plugin")

    def replay_spoilt(self, box):
        """Replays a box with other checksums, so that the sound differs and the plugin is a suspect."""
        file = box / "cycles.json"
        cycles = json.loads(file.read_text())
        cycles["checksums"] = ["1" * len(each) for each in cycles["checksums"]]
        file.write_text(json.dumps(cycles))
        spoilt = self.program.json(self.folder, "replay", "--json", box)
        # A cycle can be late by chance.
        self.parts["replay-of-other-sound"] = {**spoilt, "late": []}

    def codes(self, session):
        """Makes codes without and with a limit. A pairing itself needs another machine."""
        session.wait("http_started")
        session.wait("http_code")
        call = ("remotes", "--pair", "--json")
        self.parts["remotes-pair"] = [self.program.json(self.folder, *call),
                                      self.program.json(self.folder, *call, "--limit", "out")]

    def overload(self):
        """Plays more nodes than a period has time for, so that one gives way; replays what happened."""
        node = {"type": "pitch-shift", "settings": {"quality": "fast"}, "when-late": {"bypass": True}}
        source = {"id": "noise", "type": "player", "settings": {"file": "tone.wav", "channels": 16},
                  "parameters": {"loop": True}}
        heavy = {"version": 1, "outputs": {"main": {"channels": 16}}, "nodes": [source]}
        file = self.folder / "heavy.json"

        def write(count):
            heavy["nodes"][1:] = [{"id": f"n{each}", **node} for each in range(count)]
            file.write_text(json.dumps(heavy))

        write(1)
        cost = self.program.json(self.folder, "bench", "--json", "--seconds", "0.1", file.name)["total"]
        write(min(300, 1 + int(4e9 / 48_000 / cost["median_ns_per_frame"])))
        with self.session(file.name, "--name", self.server.name) as session:
            for event in ("name_changed", "overrun", "xruns", "reduced"):
                session.wait(event)
            session.wait_for_box("late")
            self.server.tool("jack_freewheel", "y")
            session.wait("restored")
            self.server.tool("jack_freewheel", "n")
            session.ctl("keep")
            box = session.wait("box_kept", reason="on request")["box"]
        self.parts["replay"] = self.program.json(self.folder, "replay", "--json", box)
        self.parts["replay-list"] = self.program.json(self.folder, "replay", "--json")


def plugin_process(session):
    """Returns the process of the isolated plugin of a session."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = file.read_bytes().split(b"\0")
            if b"plugin-host" in words and str(session.process.pid).encode() in words:
                return int(file.parent.name)
    raise SystemExit("releases: the plugin has no process")


def show_shape(program):
    """Returns the shape of everything that programs read of a show."""
    with tempfile.TemporaryDirectory(prefix="stompline-show-") as scratch, Server("show") as server:
        folder = Path(scratch)
        write_files(folder)
        show = Show(program, folder, server)
        show.play()
    for name in {each["event"] for each in show.events}:
        show.parts[f"run/{name}"] = [each for each in show.events if each["event"] == name]
    return set().union(*(shape(value, name) for name, value in show.parts.items()))

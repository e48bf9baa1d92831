"""A tour of all features of the stage, with real MIDI and OSC, which checks the effect of each.

`complete` drives every feature until its effect is observed; `one` drives a random one among other changes, which may prevent its
effect. A feature without any observed effect is a fault.
"""
import os
import pty
import select
import subprocess
import tempfile
import threading
import time

import show_song
from osc import Asker

ATTEMPTS = 4
# The transport belongs to the server, which several tours may share.
TRANSPORT = threading.Lock()
HEARD = ["note offs", "notes", "controllers", "programs", "exclusives", "ticks", "starts"]


class Tour:
    def __init__(self, chance, program, partner, each=lambda: None):
        """`partner` returns the current partner; `each` is called after each feature in a calm session."""
        self.chance, self.program, self.partner, self.each = chance, program, partner, each
        self.asker = Asker(program.port)
        self.log = program.log
        self.driven, self.seen = {}, {}
        self.features = [
            self.over, self.curve, self.fade_by_osc, self.fade_all, self.stop_all, self.swell_out, self.then_after, self.then_at_end,
            self.go, self.back, self.guard, self.taper, self.short_press, self.long_press, self.double_press, self.cycle, self.values,
            self.wrap, self.cue_pad, self.bend, self.pressure, self.key_pressure, self.several_addresses, self.send_by_scene,
            self.send_by_song, self.clock_in, self.clock_out, self.settings_by_scene, self.song_keys, self.looper, self.save_and_undo,
            self.compare, self.outer_value, self.outer_over_songs,
        ]

    # The tour.

    def complete(self, wanted=None):
        """Drives the features in a calm session until each has been seen."""
        self._ask_partner("random", 0)
        for message in [("/learn", ""), ("/mute", False), ("/gain", 0.0)]:
            self.asker.tell(*message)
        for feature in self.features:
            name = feature.__name__
            if wanted and name not in wanted:
                continue
            for _ in range(ATTEMPTS):
                is_seen = self._drive(feature, calm=True)
                self.each()
                if is_seen:
                    break
        self._ask_partner("random", 1)

    def complete_unseen(self):
        """Drives the features that have not been seen yet."""
        if unseen := self.unseen():
            self.complete(unseen)

    def one(self):
        """Drives a random feature in the current song, whatever it is."""
        self._drive(self.chance.choice(self.features), calm=False)

    def unseen(self):
        return [feature.__name__ for feature in self.features if not self.seen.get(feature.__name__)]

    def faults(self):
        return [f"{name}: its effect was never seen in {self.driven.get(name, 0)} attempts" for name in self.unseen()]

    def text(self):
        return ", ".join(f"{self.seen.get(feature.__name__, 0)}/{self.driven.get(feature.__name__, 0)} {feature.__name__}"
                         for feature in self.features)

    def _drive(self, feature, calm):
        name = feature.__name__
        self.log.write(f"{time.time():.1f} TOUR {name}\n")
        if calm and not self._is_in_show():
            return False
        if not calm:
            self.asker.tell("/song", show_song.NAME)
        self.driven[name] = self.driven.get(name, 0) + 1
        is_seen = bool(feature())
        self.seen[name] = self.seen.get(name, 0) + is_seen
        self.log.write(f"{time.time():.1f} TOUR {name} {'seen' if is_seen else 'NOT SEEN'}\n")
        return is_seen

    def _is_in_show(self):
        end = time.time() + 20
        while time.time() < end:
            if self.asker.ask("/song") == show_song.NAME:
                # The values from which the features start.
                for message in [("/scene", "dawn"), ("/shape/mute", False), ("/shape/gain", 0.0), ("/clean/gain", -3.0), ("/clean/mute", False),
                                ("/master/gain", 0.0), ("/master/mute", False)]:
                    self.asker.tell(*message)
                time.sleep(0.15)
                return True
            self.asker.tell("/song", show_song.NAME)
            time.sleep(0.3)
        return False

    # Means.

    def _ask_partner(self, *words):
        return self.partner().ask(*words)

    def _midi(self, *data):
        self._ask_partner("midi", *(f"{byte:02X}" for byte in data))

    def _press(self, control, seconds=0.05):
        self._midi(0xB0, control, 127)
        time.sleep(seconds)
        self._midi(0xB0, control, 0)

    def _key(self, note):
        self._midi(0x90, note, 100)
        time.sleep(0.05)
        self._midi(0x80, note, 0)

    def _waits(self, condition, seconds=3):
        """Returns whether a condition holds within a time."""
        end = time.time() + seconds
        while not condition():
            if time.time() > end:
                return False
            time.sleep(0.03)
        return True

    def _is(self, path, *values):
        answer = self.asker.ask(path)
        return any(abs(answer - value) < 0.01 if isinstance(value, float) and isinstance(answer, float) else answer == value
                   for value in values)

    def _becomes(self, path, value, seconds=3):
        return self._waits(lambda: self._is(path, value), seconds)

    def _events(self, name):
        return self.program.events.get(name, 0)

    def _follows(self, event, act, seconds=3):
        """Returns whether an event follows an act."""
        before = self._events(event)
        act()
        return self._waits(lambda: self._events(event) > before, seconds)

    def _moves_to(self, path, goal, act):
        """Returns whether a value is between its start and its goal for a while, and then at the goal."""
        start = self.asker.ask(path)
        if start is None:
            return False
        act()
        between = lambda: min(start, goal) + 0.2 < (self.asker.ask(path) or 0.0) < max(start, goal) - 0.2
        return self._waits(between) and self._becomes(path, goal)

    def _heard(self):
        answer = self._ask_partner("heard")
        return dict(zip(HEARD, map(int, answer.split()))) if answer else {}

    def _hears(self, kinds, act, seconds=3):
        """Returns whether messages of all these kinds follow an act."""
        before = self._heard()
        act()
        return self._waits(lambda: all(self._heard().get(kind, 0) > before.get(kind, 0) for kind in kinds), seconds)

    # The features.

    def over(self):
        return self._moves_to("/shape/gain", -24.0, lambda: self.asker.tell("/scene", "dusk"))

    def curve(self):
        self.asker.tell("/shape/gain", 0.0)
        time.sleep(0.1)
        return self._moves_to("/shape/gain", -12.0, lambda: self.asker.tell("/scene", "night"))

    def fade_by_osc(self):
        return self._moves_to("/shape/gain", -20.0, lambda: self.asker.tell("/shape/gain", -20.0, 0.8))

    def _start_bed(self):
        self.asker.tell("/bed/playing", True)
        return self._becomes("/bed/reports/playing", True)

    def fade_all(self):
        if not self._start_bed():
            return False
        self.asker.tell("/fade-all", 0.5)
        return self._becomes("/bed/playing", False)

    def stop_all(self):
        if not self._start_bed():
            return False
        self._press(26)
        return self._becomes("/bed/playing", False)

    def swell_out(self):
        if not self._start_bed():
            return False
        self.asker.tell("/bed/playing", False)
        # Without the fade-out, the position would stay where it is.
        time.sleep(0.3)
        positions = [self.asker.ask("/bed/reports/position")]
        for pause in (0.4, 1.5, 0.4):
            time.sleep(pause)
            positions.append(self.asker.ask("/bed/reports/position"))
        return None not in positions and positions[0] != positions[1] and positions[2] == positions[3]

    def then_after(self):
        self.asker.tell("/scene", "dusk")
        return self._becomes("/scene", "dusk") and self._becomes("/scene", "night")

    def then_at_end(self):
        self.asker.tell("/scene", "ring")
        return self._becomes("/scene", "rung", 5)

    def go(self):
        self._press(20)
        return self._becomes("/scene", "dusk")

    def back(self):
        self.asker.tell("/scene", "rung")
        if not self._becomes("/scene", "rung"):
            return False
        self._press(21)
        return self._waits(lambda: self._is("/scene", "ring", "rung")) and self._events("cue") > 0

    def guard(self):
        time.sleep(1.6)
        before = self.asker.ask("/shape/mute")
        self._press(22)
        self._press(22)
        time.sleep(0.2)
        # Without the guard, the second press would undo the first one.
        return before is not None and self._is("/shape/mute", not before)

    def taper(self):
        self._midi(0xB0, 23, 64)
        if not self._waits(lambda: -26 < (self.asker.ask("/shape/gain") or 0) < -22):
            return False
        self._midi(0xB0, 23, 127)
        return self._becomes("/shape/gain", 0.0)

    def short_press(self):
        self._press(24)
        return self._becomes("/scene", "by short")

    def long_press(self):
        self._press(24, 0.6)
        return self._becomes("/scene", "by long")

    def double_press(self):
        self._press(24, 0.03)
        self._press(24, 0.03)
        return self._becomes("/scene", "by double")

    def cycle(self):
        for scene in ("one", "other", "one"):
            self._key(30)
            if not self._becomes("/scene", scene):
                return False
        return True

    def values(self):
        found = set()
        for _ in range(3):
            before = self.asker.ask("/shape/gain")
            self._key(31)
            self._waits(lambda: self.asker.ask("/shape/gain") != before, 1)
            found.add(self.asker.ask("/shape/gain"))
        return found == {-3.0, -6.0, -9.0}

    def wrap(self):
        self.asker.tell("/scene", "last")
        if not self._becomes("/scene", "last"):
            return False
        self._key(32)
        return self._becomes("/scene", "dawn")

    def cue_pad(self):
        self._key(33)
        return self._waits(lambda: (self.asker.ask("/fx/voices") or 0) > 0)

    def bend(self):
        self._midi(0xE0, 0x7F, 0x7F)
        if not self._becomes("/bent/gain", 0.0):
            return False
        self._midi(0xE0, 0, 0)
        return self._becomes("/bent/gain", -12.0)

    def pressure(self):
        self._midi(0xD0, 127)
        if not self._becomes("/bent/mix", 1.0):
            return False
        self._midi(0xD0, 0)
        return self._becomes("/bent/mix", 0.0)

    def key_pressure(self):
        self._midi(0xA0, 40, 0)
        if not self._becomes("/level/mix", 0.0):
            return False
        self._midi(0xA0, 40, 127)
        return self._becomes("/level/mix", 1.0)

    def several_addresses(self):
        self._key(34)
        return self._waits(lambda: self._is("/bent/gain", -4.0, -8.0) and self._is("/shape/gain", -15.0, -18.0))

    def send_by_scene(self):
        kinds = ["programs", "controllers", "notes", "note offs", "exclusives"]
        return self._hears(kinds, lambda: self.asker.tell("/scene", "messages"))

    def send_by_song(self):
        self.asker.tell("/song", 1)
        if not self._waits(lambda: not self._is("/song", show_song.NAME)):
            return False
        return self._hears(["programs", "controllers"], lambda: self.asker.tell("/song", show_song.NAME), 10)

    def clock_in(self):
        self._ask_partner("clock", 133)
        try:
            return self._waits(lambda: abs((self.asker.ask("/tempo") or 0) - 133) < 1, 8)
        finally:
            self._ask_partner("clock", 0)

    def clock_out(self):
        with TRANSPORT:
            try:
                return self._hears(["ticks"], lambda: self._ask_partner("transport", 1))
            finally:
                self._ask_partner("transport", 0)
                # The last ticks must not count for the next tour.
                time.sleep(0.2)

    def settings_by_scene(self):
        for scene, file in (("bells", "bells.wav"), ("bell", "doorbell.flac")):
            self.asker.tell("/scene", scene)
            if not self._waits(lambda: (self.asker.ask("/pick/file") or "").endswith("/" + file), 6):
                return False
        return True

    def song_keys(self):
        """The tempo, the notes and the color of the song in the setlist."""
        self.asker.tell("/song", 1)
        if not self._waits(lambda: not self._is("/song", show_song.NAME)):
            return False
        self.asker.tell("/song", show_song.NAME)
        return (self._becomes("/song", show_song.NAME, 10) and self._becomes("/tempo", float(show_song.TEMPO))
                and self._becomes("/notes", "Every feature") and self._becomes("/color", "#ff8800"))

    def looper(self):
        """A loop that is recorded, overdubbed, undone, redone, stopped and cleared."""
        self.asker.tell("/loop/clear", True)
        steps = [("record", 1.0), ("play", 2.0), ("overdub", 3.0), ("play", 2.0), ("undo", 2.0), ("redo", 2.0), ("stop", 6.0), ("clear", 0.0)]
        for step, state in steps:
            self.asker.tell(f"/loop/{step}", True)
            if not self._becomes("/loop/state", state):
                return False
            time.sleep(0.2)
        return True

    def save_and_undo(self):
        self.asker.tell("/bent/gain", -7.5)
        if not self._becomes("/bent/gain", -7.5):
            return False
        return self._follows("saved", lambda: self.asker.tell("/save")) and self._follows("undone", lambda: self._key(36))

    def compare(self):
        self.asker.tell("/bent/gain", -8.5)
        if not self._becomes("/bent/gain", -8.5):
            return False
        for _ in range(2):
            if not self._follows("compared", lambda: self._key(37)):
                return False
        return self._becomes("/bent/gain", -8.5)

    def outer_value(self):
        """A node of the setlist moves by the setlist's own pedal and by OSC."""
        self._midi(0xB0, 27, 0)
        if not self._becomes("/master/gain", -4.0):
            return False
        self.asker.tell("/master/gain", -1.5)
        if not self._becomes("/master/gain", -1.5):
            return False
        self._midi(0xB0, 27, 127)
        return self._becomes("/master/gain", 0.0)

    def outer_over_songs(self):
        """A value of the setlist stays when the song changes, and its pedal acts in every song."""
        self.asker.tell("/master/gain", -2.5)
        self.asker.tell("/song", 1)
        if not (self._waits(lambda: self.asker.ask("/song") not in (None, show_song.NAME)) and self._is("/master/gain", -2.5)):
            return False
        self._midi(0xB0, 27, 0)
        if not self._becomes("/master/gain", -4.0):
            return False
        self.asker.tell("/song", show_song.NAME)
        return self._becomes("/song", show_song.NAME, 10) and self._is("/master/gain", -4.0)


def keys_act(command, environment, server, folder):
    """Returns whether computer keys act in a program at a terminal: a key is typed, and a value follows."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=folder, delete=False) as file:
        file.write('{"version": 1, "name": "Keys", "nodes": [{"id": "a", "type": "gain"}], '
                   '"midi": [{"key": "g", "to": "a.gain", "values": [-3, -6]}]}')
    own, other = pty.openpty()
    from night import free_port
    port = free_port()
    process = subprocess.Popen([*command, "run", file.name, "--name", "keys", "--server", server, "--no-start-server", "--no-connect",
                                "--osc", str(port)], env={**environment, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
                               stdin=other, stdout=other, stderr=other, start_new_session=True)
    os.close(other)
    asker = Asker(port)
    try:
        end = time.time() + 30
        while time.time() < end and process.poll() is None:
            # The view writes continuously, and must not wait for its reader.
            while select.select([own], [], [], 0)[0]:
                try:
                    if not os.read(own, 65536):
                        break
                except OSError:
                    break
            os.write(own, b"g")
            time.sleep(0.3)
            if asker.ask("/a/gain", 0.5) in (-3.0, -6.0):
                return True
        return False
    finally:
        asker.close()
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(own)
        os.remove(file.name)


def resumes(start, end_hard, show):
    """Returns whether a program that is killed continues where it was.

    `show` is the tour of the running program, `end_hard` kills it, and `start` starts it again with `--resume` and returns the
    new tour, or None.
    """
    # Random messages would change song and scene.
    show._ask_partner("random", 0)
    if not show._is_in_show():
        return False
    show.asker.tell("/scene", "night")
    show.asker.tell("/bent/gain", -5.25)
    show.asker.tell("/master/gain", -3.25)
    if not (show._becomes("/bent/gain", -5.25) and show._becomes("/master/gain", -3.25) and show._becomes("/scene", "night")):
        return False
    # The state is written at most every few seconds.
    time.sleep(4)
    end_hard()
    again = start()
    continues = bool(again) and again._becomes("/song", show_song.NAME, 10) and again._becomes("/scene", "night") \
        and again._becomes("/bent/gain", -5.25) and again._becomes("/master/gain", -3.25)
    # The server waits seconds for the killed program, and meanwhile answers nobody.
    time.sleep(10)
    return continues

"""The night: one function for each rig and each accident, in order."""
import json
import math
import os
import shutil
import signal
import subprocess
import time

import numpy as np
from audience import LEFT, PHONES, RATE, RIGHT, SILENCE, level, peak, power, quietest
from show import ANSWER_SECONDS, state_text

# The switches of night.json.
NEXT_SONG, PREVIOUS_SONG, NEXT_SCENE, MUTE, GO, BACK, TALK = 20, 21, 22, 24, 25, 26, 29
# The house pedal and the knob for the bass of the room act in all songs; the positions of the pedal.
HOUSE, BASS = 16, 17
LOUD, SOFTER = 127, 117
# The level of the house in the headphones, in the songs with headphones.
IN_PHONES = 10 ** (-3 / 20)
TONE = 220.0
# The third of the vocal rig: four semitones, six cents lower.
THIRD = TONE * 2 ** (3.94 / 12)
# The voice and the connections of the musician and the audience.
CABLES = [("hands:tone", "gig:mic"), ("hands:tone", "gig:guitar"), ("hands:tone", "gig:talkback"), ("hands:pedals", "gig:pedals"),
          ("gig:main_1", "ears:left"), ("gig:main_2", "ears:right"), ("gig:phones_1", "ears:phones")]
# Events that must not occur in this night.
UNWANTED = {"non_finite", "song_skipped", "save_refused", "port_refused", "plugin_lost", "plugin_stuck"}


class Night:
    """The state of the night: the program, the audience, the server, the files and the faults."""

    def __init__(self, venue):
        self.venue, self.faults, self.act = venue, [], ""
        self.pedal = LOUD
        self.show = venue.open_show()
        self.audience = venue.open_audience(self.report)

    def report(self, fault):
        self.faults.append(f"{self.act}: {fault}")
        print(f"gig: FAULT: {self.act}: {fault}", flush=True)

    def expect(self, is_met, fault):
        if not is_met:
            self.report(fault)

    def play(self):
        acts = [self.doors, self.voice, self.guitar, self.tracks, self.theatre, self.lost_server, self.loops, self.lost_program,
                self.curtain]
        for act in acts:
            self.act = act.__name__.replace("_", " ")
            print(f"gig: {self.act}", flush=True)
            act()
            if self.show.process.poll() is not None and act != self.curtain:
                self.report(f"the program ended with status {self.show.process.returncode}")
                return

    # The actions of a musician, each with the expected answer.

    def press_for(self, control, event, **members):
        """Presses a switch; the event must follow."""
        before = self.show.now()
        self.audience.press(control)
        self.expect(self.show.waits(event, before, **members), f"switch {control} was not answered by {event} {members}")

    def press_until(self, control, address, value):
        """Presses a switch; a value must follow."""
        self.audience.press(control)
        self.expect(self.show.holds(address, value), f"after switch {control}, {address} is not {value}")

    def program(self, number, scene):
        """Selects a scene by a program."""
        before = self.show.now()
        self.audience.send(0xC0, number)
        self.expect(self.show.waits("scene", before, name=scene), f"program {number} was not answered by the scene {scene}")

    def ask(self, answer, *words):
        """Asks `ctl`; its output must begin with the answer."""
        status, text = self.show.ctl(*words)
        self.expect(status == 0 and text.startswith(answer), f"ctl {words} ended with {status}: {text!r}, not {answer!r}")

    def move_house(self, position):
        """Moves the pedal of the house, whose gain must follow; the same change must be heard."""
        before = level(self.audience.hear_next(1), TONE)
        # The pedal acts when it passes its value.
        for place in (self.pedal, position):
            self.audience.send(0xB0, HOUSE, place)
        change = share(position) / share(self.pedal)
        self.pedal = position
        self.expect_house()
        self.settle()
        heard = level(self.audience.hear_next(1), TONE) / before
        self.expect(abs(heard / change - 1) < 0.01, f"the pedal of the house makes {heard:.3f} of the level, not {change:.3f}")

    def expect_house(self):
        """The house must have the gain of its pedal."""
        decibels = 20 * math.log10(share(self.pedal))
        self.expect(self.show.is_near("master.gain", decibels), f"the gain of the house is not {decibels:.2f} dB")

    def expect_talkback(self, sound, is_open=True, house=0.0):
        """The talkback must be in the headphones, or must not; without the house, which is there at a level."""
        talk = np.array(sound, dtype=float)
        talk[:, PHONES] -= house * talk[:, LEFT]
        heard = level(talk, TONE, PHONES)
        self.expect(heard > 0.1 if is_open else heard < 1e-3,
                    f"the talkback is {'open' if is_open else 'closed'}, and {heard:.4f} of it is heard")

    def expect_silence(self):
        sound = self.audience.hear_next(0.5)
        self.expect(max(peak(sound, channel) for channel in (LEFT, RIGHT, PHONES)) < SILENCE, "it is not silent")

    def settle(self):
        """Listens until a change of a value is over."""
        self.audience.hear(0.3)

    def save_file(self, name, text):
        """Saves a song like an editor: under another name, then renamed."""
        path = self.venue.file(name)
        with open(path + "~", "w") as file:
            file.write(text)
        os.replace(path + "~", path)

    # The acts.

    def doors(self):
        """The program starts, and its cables are plugged in while nothing sounds."""
        self.expect(self.show.waits("started"), "the program does not start")
        for source, target in CABLES:
            self.audience.connect(source, target)
        self.expect(self.venue.are_connected(CABLES + [("system:capture_1", "gig:mic"), ("gig:main_1", "system:playback_1")]),
                    "the connections are not complete")
        self.expect(not any(event["event"] == "problems" for event in self.show.events), "the night has problems")
        self.ask("Voice", "song")
        self.expect_silence()

    def voice(self):
        """Scenes and switches by pedals, values by ctl and OSC, and saving."""
        self.audience.tone(0.25)
        self.settle()
        sound = self.audience.hear_next(1)
        self.expect(level(sound, TONE) > 0.1 and level(sound, TONE, RIGHT) > 0.1, "the voice is not heard")
        self.expect(level(sound, THIRD) < 0.01, "the harmonies are heard in the verse")
        self.expect_talkback(sound, is_open=False)
        self.press_until(TALK, "talk.mute", "false")
        self.settle()
        self.expect_talkback(self.audience.hear_next(1))
        self.press_for(NEXT_SCENE, "scene", name="chorus")
        self.settle()
        self.expect(level(self.audience.hear_next(1), THIRD) > 0.03, "the harmonies are not heard in the chorus")
        self.press_until(80, "choir.mute", "true")
        self.settle()
        before = self.audience.hear_next(1)
        self.expect(level(before, THIRD) < 0.01, "the harmonies are heard though they are off")

        self.ask("-12", "volume.gain", -12)
        self.settle()
        after = level(self.audience.hear_next(1), TONE) / level(before, TONE)
        self.expect(abs(after / 0.2512 - 1) < 0.02, f"at -12 dB the voice has {after:.3f} of its level")
        paths = [self.venue.file(name) for name in ("rig-vocal.json", "night.json")]
        texts = [text_of(path) for path in paths]
        self.ask("saved 3 values", "save")
        saved, night = (json.loads(text_of(path)) for path in paths)
        volume = next(node for node in saved["nodes"] if node["id"] == "volume")
        self.expect(volume.get("parameters", {}).get("gain") == -12, "the saved file has another volume")
        self.expect(saved["scenes"]["chorus"]["choir.mute"] is True, "the saved scene has another choir")
        talk = next(node for node in night["after"] if node["id"] == "talk")
        self.expect(talk["parameters"]["mute"] is False, "the saved setlist has another talkback")
        self.ask("restored", "undo")
        self.expect([text_of(path) for path in paths] == texts, "after undo the files differ")
        self.expect(abs(level(self.audience.hear_next(1), TONE) / level(before, TONE) / 0.2512 - 1) < 0.02, "undo was heard")

        self.show.osc("/volume/gain", -6.0)
        self.show.osc("/volume/gain")
        self.expect(self.show.osc_answer() == ("/volume/gain", [-6.0]), "OSC does not answer with the new value")
        self.show.osc("/nobody/gain", 1.0)
        answer = self.show.osc_answer()
        self.expect(answer and answer[0] == "/error", f"OSC does not refuse an unknown address: {answer}")
        self.move_house(SOFTER)

    def guitar(self):
        """A song is edited while it plays, broken, left and called again, and repaired."""
        self.press_for(NEXT_SONG, "song", number=2, name="Guitar")
        self.settle()
        sound = self.audience.hear_next(1)
        self.expect(level(sound, TONE) > 0.1, "the guitar is not heard")
        # The nodes of the setlist keep their values from song to song.
        self.expect_talkback(sound)
        self.expect_house()
        self.move_house(LOUD)
        flat = level(self.audience.hear_next(1), TONE)
        self.audience.send(0xB0, BASS, 0)
        self.expect(self.show.holds("low.gain", "-12"), "the knob does not lower the bass")
        self.settle()
        self.expect(level(self.audience.hear_next(1), TONE) < 0.9 * flat, "less bass is not heard")
        self.ask("0", "low.gain", 0)
        self.settle()
        self.program(2, "solo")
        self.settle()
        self.expect(power(self.audience.hear_next(1)) > 0.1, "the solo is not heard")
        self.program(0, "clean")
        # The echo of the solo rings out.
        self.audience.hear(3)
        before = level(self.audience.hear_next(1), TONE)

        text = text_of(self.venue.file("rig-guitar.json"))
        node = '{ "id": "level", "type": "gain" }'
        self.expect(node in text, "the guitar rig has another level")
        edited = text.replace(node, '{ "id": "trim", "type": "gain", "parameters": { "gain": -6.0206 } },\n    ' + node)
        at = self.show.now()
        self.save_file("rig-guitar.json", edited)
        self.expect(self.show.waits("reloaded", at), "the edit is not applied")
        self.settle()
        half = level(self.audience.hear_next(1), TONE)
        self.expect(abs(half / before - 0.5) < 0.01, f"the inserted node makes {half / before:.3f} of the level")

        before_break = self.show.errors()
        self.save_file("rig-guitar.json", edited[:len(edited) // 2])
        self.expect(self.show.says("rig-guitar.json:", after=before_break), "the broken file is not reported")
        self.ask("Guitar", "song")
        self.press_for(NEXT_SONG, "song", number=3, name="Tracks")
        self.press_for(PREVIOUS_SONG, "song", number=2, name="Guitar")
        self.settle()
        broken = level(self.audience.hear_next(1), TONE)
        self.expect(abs(broken / before - 0.5) < 0.01, f"with a broken file the song has {broken / before:.3f} of its level")
        at = self.show.now()
        self.save_file("rig-guitar.json", text)
        self.expect(self.show.waits("reloaded", at), "the repaired file is not applied")
        self.settle()
        repaired = level(self.audience.hear_next(1), TONE)
        self.expect(abs(repaired / before - 1) < 0.01, f"the repaired song has {repaired / before:.3f} of its level")

        self.press_until(MUTE, "mute", "true")
        self.settle()
        self.expect_silence()
        self.press_until(MUTE, "mute", "false")
        self.settle()
        self.expect(level(self.audience.hear_next(1), TONE) > 0.1, "the guitar is not heard after the mute")

    def tracks(self):
        """Backing tracks for the house, and a click for the headphones only."""
        self.audience.tone(0)
        self.settle()
        self.press_for(NEXT_SONG, "song", number=3, name="Tracks")
        self.audience.hear(1)
        self.expect_silence()
        self.audience.tone(0.25)
        self.settle()
        self.expect_talkback(self.audience.hear_next(1), house=IN_PHONES)
        self.audience.tone(0)
        self.settle()
        self.expect_silence()
        self.press_for(80, "scene", name="play")
        self.settle()
        sound = self.audience.hear_next(2)
        loud = power(sound)
        self.expect(loud > 0.03, "the tracks are not heard")
        # The headphones have the house at -3 dB, and the click.
        click = sound[:, PHONES].astype(float) - IN_PHONES * sound[:, LEFT]
        self.expect(abs(click).max() > 0.03, "the click is not in the headphones")
        for position in (127, 64):
            self.audience.send(0xB0, 11, position)
        self.settle()
        self.expect(power(self.audience.hear_next(2)) < 0.2 * loud, "the pedal does not lower the tracks")
        self.audience.send(0xB0, 11, 127)
        self.press_for(82, "scene", name="break")
        self.settle()
        self.expect(power(self.audience.hear_next(1)) > 0.005, "bass and bells are not heard in the break")
        self.press_for(81, "scene", name="stop")
        # The tracks swell out over a second.
        self.audience.hear(1.2)
        self.expect_silence()
        self.press_for(80, "scene", name="play")
        self.audience.hear(1)
        self.audience.press(84)
        # Count from the press, not from the answer.
        self.expect(power(self.audience.hear_next(0.5)) > 0.3 * loud, "the tracks end at once instead of fading out")
        self.expect(self.show.holds("organ.playing", "false"), "after switch 84, organ.playing is not false")
        # The fade takes five seconds.
        self.audience.hear(5)
        self.expect_silence()

    def theatre(self):
        """Cues by a switch and by pads, and an edited list of music that plays."""
        self.press_for(NEXT_SONG, "song", number=4, name="Play")
        self.audience.hear(1.5)
        self.expect(power(self.audience.hear_next(1)) > 0.03, "the music is not heard")
        text = text_of(self.venue.file("rig-theatre.json"))
        last = '"sounds/bells.wav"]'
        self.expect(last in text, "the theatre rig has another list")
        at = self.show.now()
        self.audience.hear(0)
        shutil.copy(self.venue.file("sounds/organ.flac"), self.venue.file("sounds/encore.flac"))
        self.save_file("rig-theatre.json", text.replace(last, '"sounds/bells.wav", "sounds/encore.flac"]'))
        self.expect(self.show.waits("reloaded", at), "the edited list is not applied")
        # A player that starts again swells from silence over a second.
        music = self.audience.hear(1)
        self.expect(quietest(music) > 0.01, "the music was interrupted by the edited list")
        self.audience.drain()
        at = self.show.now()
        self.press_for(GO, "scene", name="rain")
        # A second press within the guard of the switch does nothing; otherwise it would call the next cue.
        self.audience.press(GO)
        # After the press, the music falls by 54 dB in four seconds, and the rain swells.
        fade = self.audience.hear(2.5)
        self.expect(power(fade[RATE // 4:RATE * 3 // 4]) > 0.1 * power(music), "the music stops instead of fading")
        self.expect(power(fade[-RATE // 2:]) < 0.4 * power(music), "the music does not fade")
        self.expect(not self.show.waits("scene", at, seconds=0, name="only rain"), "the guard of the switch let a second press through")
        rain = power(self.audience.hear_next(1))
        self.expect(rain > 0.005, "the rain is not heard")
        self.audience.send(0x90, 48, 100)
        self.expect(power(self.audience.hear_next(1)) > 1.4 * rain, "the pad does not play the thunder")
        self.audience.send(0x90, 50, 100)
        self.audience.hear(0.1)
        self.expect(level(self.audience.hear_next(0.5), 660, RIGHT) > 0.01, "the pad does not play the doorbell")
        self.expect(self.show.waits("scene", at, name="only rain"), "the cue after the rain did not follow by itself")
        self.ask("false", "music.playing")
        self.ask("-60", "sounds.music.gain")
        self.press_for(BACK, "scene", name="rain")
        self.ask("2 It begins to rain", "cue")
        self.ask("2.5 The music has ended", "next-cue")
        self.press_for(GO, "scene", name="only rain")

    def lost_server(self):
        """The JACK server is killed, and another one started: everything returns by itself."""
        self.ask("-3", "level.gain", -3)
        self.audience.tone(0.25)
        self.settle()
        self.move_house(SOFTER)
        before = level(self.audience.hear_next(1), TONE)
        self.audience.drain()
        at = self.show.now()
        self.venue.server.end(signal.SIGKILL)
        # The last cycle may be incomplete.
        self.audience.drain(is_checked=False)
        self.audience.end()
        self.expect(self.show.waits("server_lost", at), "the lost server is not reported")
        self.venue.server.start()
        self.audience = self.venue.open_audience(self.report)
        self.expect(self.show.waits("server_back", at, seconds=2 * ANSWER_SECONDS), "the program does not return to the server")
        self.expect(self.venue.are_connected(CABLES), "the connections made by hand do not return")
        # The rain was heard from the middle of a wave when its cable came back.
        self.audience.drain(is_checked=False)
        self.audience.tone(0.25)
        self.settle()
        sound = self.audience.hear_next(1)
        after = level(sound, TONE)
        self.expect(abs(after / before - 1) < 0.05, f"after the return the voice has {after / before:.3f} of its level")
        self.expect_talkback(sound)
        self.expect_house()
        self.move_house(LOUD)
        self.ask("Play", "song")
        self.ask("only rain", "scene")
        self.ask("-3", "level.gain")
        self.press_for(NEXT_SCENE, "scene", name="storm")
        self.audience.tone(0)
        self.audience.hear(0.5)

    def loops(self):
        """A loop on the bars: recorded, overdubbed, undone and redone, stopped, played and cleared by pedals."""
        self.press_for(NEXT_SONG, "song", number=5, name="Loops")
        # The thunder rings out.
        self.audience.hear(4.5)
        self.expect_silence()
        self.press_until(84, "click.playing", "true")
        sound = self.audience.hear_next(2.5)
        self.expect(peak(sound, PHONES) > 0.03, "the click is not in the headphones")
        self.expect(peak(sound) < SILENCE, "the click is heard in the house")

        self.press_until(80, "rhythm.state", "1")
        self.audience.tone(0.25)
        self.audience.hear(1)
        self.audience.tone(0)
        self.audience.hear(0.5)
        self.press_until(80, "rhythm.state", "2")
        self.audience.hear(0.3)
        length = float(self.show.ctl("rhythm.length")[1])
        self.expect(length > 0 and abs(length / 2 - round(length / 2)) < 1e-3, f"the loop has {length} s, not whole bars of 2 s")
        self.expect(peak(self.audience.hear_next(length)) > 0.05, "the loop is not heard")
        self.press_until(80, "rhythm.state", "3")
        self.audience.tone(0.2)
        self.audience.hear(0.5)
        self.audience.tone(0)
        self.audience.hear(0.5)
        self.press_until(80, "rhythm.state", "2")
        self.audience.hear(0.5)
        self.press_until(82, "rhythm.redo-layers", "1")
        # A long press of the same switch brings the overdub back, and its release does nothing.
        self.audience.send(0xB0, 82, 127)
        self.expect(self.show.holds("rhythm.redo-layers", "0"), "a long press does not bring the overdub back")
        self.audience.send(0xB0, 82, 0)
        self.settle()
        self.ask("0", "rhythm.redo-layers")
        self.press_until(82, "rhythm.redo-layers", "1")
        # Two presses within 0.35 s stop the loop at the next bar.
        self.audience.press(80)
        self.press_until(80, "rhythm.state", "6")
        self.settle()
        self.expect(peak(self.audience.hear_next(0.5)) < SILENCE, "the stopped loop is heard")
        self.press_until(80, "rhythm.state", "2")
        self.expect(peak(self.audience.hear_next(length)) > 0.05, "the loop does not play again")
        # A double press stops the loop, at the next bar, and the click.
        self.audience.press(84)
        self.press_until(84, "click.playing", "false")
        self.expect(self.show.holds("rhythm.state", "6"), "a double press does not stop the loop")
        self.settle()
        self.expect_silence()
        self.press_until(80, "rhythm.state", "2")
        self.audience.send(0xB0, 80, 127)
        self.expect(self.show.holds("rhythm.state", "0"), "the loop is not cleared by a pedal that is held")
        self.audience.send(0xB0, 80, 0)
        self.settle()
        self.expect_silence()

    def lost_program(self):
        """The program is killed and started with --resume: it continues with its song and its values."""
        self.ask("-6", "house.gain", -6)
        self.audience.tone(0.25)
        self.settle()
        self.move_house(SOFTER)
        before = level(self.audience.hear_next(1), TONE)
        self.expect(before > 0.05, "the voice is not heard")
        self.audience.tone(0)
        self.settle()
        end = time.monotonic() + ANSWER_SECONDS
        values = ['"house.gain": -6', '"master.gain": -2.8']
        while (missing := [value for value in values if value not in state_text(self.venue.state)]) and time.monotonic() < end:
            time.sleep(0.05)
        self.expect(not missing, f"the saved state lacks {missing}")
        self.audience.drain()
        self.expect_no_unwanted()
        self.show.kill()
        self.expect(self.venue.is_gone("gig"), "the server keeps the ports of the killed program")
        self.show = self.venue.open_show("--resume")
        self.expect(self.show.waits("started"), "the program does not start again")
        for source, target in CABLES:
            self.audience.connect(source, target)
        self.expect(self.venue.are_connected(CABLES), "the connections are not complete")
        self.ask("Loops", "song")
        self.ask("both", "scene")
        self.ask("-6", "house.gain")
        self.ask("false", "talk.mute")
        self.expect_house()
        self.audience.drain()
        self.audience.tone(0.25)
        self.settle()
        sound = self.audience.hear_next(1)
        after = level(sound, TONE)
        self.expect(abs(after / before - 1) < 0.02, f"after the start the voice has {after / before:.3f} of its level")
        # The headphones have the house before its pedal.
        house = IN_PHONES / share(SOFTER)
        self.expect_talkback(sound, house=house)
        self.press_until(TALK, "talk.mute", "true")
        self.settle()
        self.expect_talkback(self.audience.hear_next(1), is_open=False, house=house)
        self.move_house(LOUD)

    def curtain(self):
        """The program ends on request, with a fade."""
        self.audience.drain()
        self.expect_no_unwanted()
        self.show.process.send_signal(signal.SIGTERM)
        try:
            status = self.show.process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            status = "none: it hangs"
        self.expect(status == 0, f"it ended with status {status}")
        self.expect(self.show.waits("ended", reason="signal"), "its end is not reported")
        self.audience.hear(0.2)
        self.expect_silence()

    def expect_no_unwanted(self):
        for event in self.show.events:
            self.expect(event["event"] not in UNWANTED, f"an event that must not happen: {event}")


def share(position):
    """Returns the amplitude at a position of a volume pedal."""
    return (position / 127) ** 4


def text_of(path):
    with open(path) as file:
        return file.read()

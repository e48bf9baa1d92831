"""What is there before the commands of a page: files, sounds, and sessions that the page assumes."""

import json
import math
import re
import shlex
import shutil
import struct
import wave

from blocks import ROOT
from machines import Failure, Machine

#: The entries of the project that a page can name, in addition to `pipelines`.
PROJECT = ("Makefile", "Package.swift", "Sources", "Tests", "docs", "plugins", "scripts", ".build")


def write_tone(path, channels, seconds=1.5, rate=48_000):
    """Writes a decaying chord as test sound."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        frames = bytearray()
        for frame in range(int(seconds * rate)):
            time = frame / rate
            tone = sum(math.sin(2 * math.pi * hertz * time) for hertz in (220, 277.2, 329.6))
            frames += struct.pack("<h", int(6000 * tone / 3 * math.exp(-2 * time))) * channels
        sound.writeframes(bytes(frames))


def pedalboard(name):
    """A song with the names that the pages use: a reverb `verb`, an echo, a fader `desk`, a recorder `tape`."""
    song = json.loads((ROOT / "pipelines/parallel-reverb.json").read_text())
    song["name"] = name
    song["nodes"] += [
        {"id": "echo", "type": "delay"}, {"id": "desk", "type": "gain"},
        {"id": "tape", "type": "recorder", "settings": {"file": "takes/take.wav"}}]
    song["inputs"].update(control={"kind": "midi"}, voice={}, guitar={})
    song["nodes"].append({"id": "band", "type": "mixer", "from": ["tape", "voice", "guitar"]})
    return song


def prepare(folder):
    """Fills the folder in which the commands of a guide begin: a checkout, with sounds and songs of a user."""
    shutil.copytree(ROOT / "pipelines", folder / "pipelines")
    for name in PROJECT:
        (folder / name).symlink_to(ROOT / name)
    for name, channels in [("voice.wav", 1), ("guitar.wav", 1), ("riff.wav", 1), ("hall.wav", 2), ("music.wav", 2)]:
        write_tone(folder / name, channels)
    (folder / "rooms").mkdir()
    songs = {f"{name.lower()}.json": pedalboard(name) for name in ("Opener", "Ballad", "Finale")}
    level = {"id": "level", "type": "gain"}
    duo = {"version": 1, "inputs": {"far": {"connect": ["cable:out"]}}, "nodes": [level],
           "outputs": {"send": {"limiter": False, "connect": ["cable:in"]}}}
    cable = {"version": 1, "name": "cable", "inputs": {"in": {}}, "outputs": {"out": {"limiter": False}},
             "nodes": [level]}
    night = {"version": 1, "setlist": "Night",
             "songs": [{"name": song["name"], "pipeline": file} for file, song in songs.items()]}
    stranger = {"version": 1, "inputs": {"mic": {}}, "nodes": [level]}
    others = {"duo.json": duo, "cable.json": cable, "night.json": night, "stranger.json": stranger}
    for name, content in {**songs, **others}.items():
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")


NIGHT = "stompline run night.json --song Ballad --osc 9000 --http 8080"
CLEAN = "stompline run pipelines/clean-vocal.json"
BALLAD = "stompline run ballad.json --osc 9000 --http 8080"

#: The sessions, or other commands, that a page assumes: before the first block that begins with these words.
ASSUMED = {
    "README.md": {"jack_connect": "stompline run pipelines/voice-doubler.json --no-connect"},
    "docs/command-line.md": {
        "stompline ctl": BALLAD, "stompline remotes": f"{CLEAN} --http 0.0.0.0:8080",
        "stompline measure": "stompline run cable.json --no-connect"},
    "docs/http.md": {"curl http://127.0.0.1:8080/api/values/blend": NIGHT, "tag=": BALLAD},
    "docs/packages.md": {"mkdir": "make install-built PREFIX=$HOME/.local PROGRAM=$(command -v stompline)"},
    "docs/on-stage.md": {"stompline ctl": NIGHT, "stompline ctl learn": NIGHT},
    # A shorter night.
    "docs/prove.md": {"stompline prove": "cp night.json opener.json ballad.json finale.json pipelines"},
    "docs/remote-control.md": {"stompline ctl song": NIGHT, "oscsend": BALLAD},
    "docs/takes.md": {"stompline ctl": BALLAD},
}
#: Commands that end with 1 if they find something about the machine that runs them.
EXAMINING = ("stompline prove", "stompline doctor")
#: The ports of JACK's dummy driver.
SYSTEM = {f"system:{name}" for name in ("capture_1", "capture_2", "playback_1", "playback_2")}
#: Commands that ask in a terminal; every question gets its usual answer.
ASKING = re.compile(r"stompline new *(#.*)?")
#: The number of answers for such a command; more than any template has questions.
ANSWERS = 40


def code_of(machine):
    """Returns the code for a pairing that a session shows now."""
    found = machine.wait(lambda: re.findall(r"\b(\d{3}) ?(\d{3})\b", machine.text()), "no code for a pairing")
    return "".join(found[-1])


def pair(page, name):
    """Pairs the other machine with the session of the page; returns its key."""
    body = json.dumps({"code": code_of(page.machine("desk")), "name": name, "script": True})
    answer = page.output("phone", f"curl -sS --fail -d {json.dumps(body)} http://192.168.1.2:8080/api/pair")
    if not (found := re.search(r'"key": "([^"]+)"', answer)):
        raise Failure(f"the other machine is not paired: {answer}")
    return found[1]


def _wait_for_ports(machine, text):
    """Waits until the ports that a block connects exist; those of bridges appear when the first sound arrives."""
    ports = {word for word in shlex.split(text, comments=True) if ":" in word}
    machine.wait(lambda: ports <= machine.ports() | SYSTEM, f"no ports {', '.join(sorted(ports))}")


def before(page, name, machine, text):
    """Does what the reader of a page has done before a block on a machine; returns the block with real values."""
    for start, assumed in ASSUMED.get(name, {}).items():
        if text.startswith(start) and start not in page.done:
            page.done.add(start)
            if Machine.plays(assumed):
                page.start("desk", assumed)
            else:
                page.output("desk", assumed)
    if name == "docs/how-to/phone.md" and text.startswith("stompline remotes --pair"):
        pair(page, "Anna's phone")
    if text.startswith("jack_connect"):
        _wait_for_ports(page.machine(machine), text)
    if '"123456"' in text:
        text = text.replace("123456", code_of(page.machine("desk")))
    if ASKING.fullmatch(text):
        # `script` keeps all input that the program has not read yet in memory, so the input must end.
        text = f"yes '' | head -n {ANSWERS} | script -qec {shlex.quote(text)} /dev/null"
    return text


def after(page, text, output):
    """Keeps the values that the reader of a page reads in the output of a block."""
    if "/api/pair" in text and (found := re.search(r'"key": "([^"]+)"', output)):
        page.environment["KEY"] = found[1]

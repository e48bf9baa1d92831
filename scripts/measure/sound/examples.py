"""The listening examples: short sounds, as they are and as each engine plays them."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from . import figures as f
from . import signals as s
from .engines import FAST, ROOT, Engine
from .signals import RATE, Signal

#: One channel, or frames by two channels.
Sound = NDArray[np.float64]


@dataclass(frozen=True)
class Figure:
    """A number that belongs to an example, for every version except the source."""

    name: str
    unit: str
    measure: Callable[[Signal], float]


@dataclass(frozen=True)
class Example:
    """One sound in several versions, which all begin together; the first is "source"."""

    name: str
    title: str
    #: What to listen for.
    claim: str
    versions: dict[str, Sound]
    #: The length of the windows of the spectrograms, in frames.
    window: int = 2048
    figure: Figure | None = None
    #: The part to hear, in seconds.
    seconds: tuple[float, float] = (0.4, 6.0)


def script(name: str) -> ModuleType:
    """Loads another program of the folder above, for its signals."""
    path = Path(__file__).resolve().parent.parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def through(program: str, pipeline: Path | list[dict], x: Signal, *options: str) -> Sound:
    """Returns both channels of a pipeline's first output, for one channel of input."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "input.wav", Path(folder) / "output.wav"
        s.write(source, x)
        if isinstance(pipeline, list):
            path = Path(folder) / "pipeline.json"
            path.write_text(json.dumps({
                "version": 1, "inputs": {"in": {}}, "outputs": {"out": {"channels": 2, "limiter": False}},
                "nodes": pipeline,
            }))  # fmt: skip
            pipeline = path
        words = [program, "render", str(pipeline), "--input", str(source), "--output", str(target), *options]
        subprocess.run(words, check=True, capture_output=True)
        return s.read_all(target)


def shifted(engines: list[Engine], x: Signal, semitones: float, preserving: bool = False) -> dict[str, Sound]:
    """Returns the source, and what each engine that can shift it makes of it."""
    ours = "Stompline voice" if preserving else "Stompline live"
    results = {ours if e.name == "Stompline" else e.name: e.shifted(x, semitones, preserving) for e in engines}
    return {"source": x, **{name: y for name, y in results.items() if y is not None}}


def played(engines: list[Engine], x: Signal, semitones: float) -> dict[str, Sound]:
    """Returns the same for the engines that can play live."""
    return shifted([e for e in engines if e.name in ("Stompline", FAST, "Rubber Band R3 live", "SoundTouch")], x, semitones)


def partials(notes: list[float], semitones: float, count: int) -> list[float]:
    return [k * hertz * 2 ** (semitones / 12) for hertz in notes for k in range(1, count)]


def all_examples(engines: list[Engine], program: str) -> Iterator[Example]:
    """Makes the examples one after the other."""
    yield from instruments(engines)
    yield from mixes(engines)
    yield from voices(engines, program)
    yield from stage(program)


def instruments(engines: list[Engine]) -> Iterator[Example]:
    """Returns what a guitarist or bassist hears of a shifter that is played through."""
    strings = partials(s.STRINGS, -2, 60)
    yield Example(
        "strum-down", "A strummed chord, two semitones down",
        f"{FAST} has a latency of 12 ms. The chord must ring as clean as the source until it is gone, without a gurgle between the strings.",
        played(engines, s.strum(), -2), 4096, Figure("level between the partials, relative to them", "dB", lambda y: f.rest(y, strings)),
    )  # fmt: skip
    yield Example(
        "vibrato-down", "A bowed note with vibrato, five semitones down",
        "The vibrato must stay one smooth movement, without roughness.",
        played(engines, s.vibrato(35), -5), 2048,
        Figure("level of the partials, relative to everything else", "dB", lambda y: f.warped_purity(y, 35, 2 ** (-5 / 12))), (1, 4),
    )  # fmt: skip
    low = partials([30.87], -2, 13)
    yield Example(
        "bass-down", "The lowest string of a bass, B0, two semitones down",
        "The partials are 27 Hz apart. Their levels must stay even; otherwise the note flutters. Use headphones.",
        played(engines, s.string(30.87), -2), 8192, Figure("mean ripple of the partials", "dB", lambda y: f.ripple(y, low)), (1, 4),
    )  # fmt: skip
    guitar = s.recorded("guitar")
    if guitar is not None:
        yield Example(
            "guitar-down", "A recorded guitar, two semitones down",
            "The pick must stay short, and the chord behind it even.",
            played(engines, guitar, -2),
        )  # fmt: skip


def mixes(engines: list[Engine]) -> Iterator[Example]:
    """Returns whole mixes, shifted and stretched."""
    notes = s.CHORDS["A7 open"]
    up = partials(notes, 5, 110)
    yield Example(
        "chord-up", "A chord, five semitones up", "A steady chord must stay steady: no beating that the source does not have.",
        shifted(engines, s.chord(notes), 5), 4096, Figure("level of the partials, relative to everything else", "dB", lambda y: f.purity(y, up)), (1, 4),
    )  # fmt: skip
    yield Example(
        "bursts-up", "Castanets, five semitones up", "Each stroke must stay one stroke, and nothing may sound before it.",
        shifted(engines, s.bursts(), 5), 512, Figure("energy before the stroke, relative to all of it", "dB", lambda y: f.clicks(y).before_decibels), (0.4, 3.4),
    )  # fmt: skip
    noise = s.noise()
    yield Example(
        "noise-up", "Noise, an octave up", "Noise must stay noise, without short tones that twitter.",
        shifted(engines, noise, 12), 1024,
        Figure("excess kurtosis of its bins: 0 for noise", "", lambda y: f.spikes(y, 600, 14_000)), (1, 4),
    )  # fmt: skip
    high = s.tone(9000)
    yield Example(
        "nyquist", "A tone of 9 kHz, two octaves up",
        "36 kHz cannot be heard or stored. The right result is silence, not a tone at another frequency.",
        shifted(engines[:2], high, 24), 2048,
        Figure("level relative to the source", "dB", lambda y: float(f.decibels(np.mean(f.steady(y) ** 2) / np.mean(f.steady(high) ** 2)))), (1, 3),
    )  # fmt: skip
    drums = s.recorded("drums")
    if drums is not None:
        yield Example(
            "drums-up", "Recorded drums, five semitones up", "The strokes must stay sharp.",
            shifted(engines, drums, 5), 512, Figure("median rise of the onsets", "dB", f.onset_rise), (0.4, 5.4),
        )  # fmt: skip
        slow = {e.name: e.played(drums, 0.5) for e in engines}
        yield Example(
            "drums-slow", "Recorded drums at half speed", "The strokes must stay as short as in the source, twice as far apart.",
            {"source": drums, **{name: y for name, y in slow.items() if y is not None}}, 512, None, (0.4, 7.4),
        )  # fmt: skip


def voices(engines: list[Engine], program: str) -> Iterator[Example]:
    """Returns what a singer hears."""
    speech = s.spoken()
    if speech is not None:
        yield Example(
            "speech-up", "Speech, five semitones up, formants kept", "The same person must speak higher, not a smaller one.",
            shifted(engines, speech, 5, True), 1024,
        )  # fmt: skip
    singing = script("voice-effects")
    low = np.concatenate([np.pad(singing.vowel(np.full(RATE // 2, hertz)), (0, RATE // 2)) for hertz in (75.0, 90.0, 110.0, 82.0)])
    low = np.pad(low, (RATE // 2, RATE // 2))
    yield Example(
        "voice-starts", "Four low notes of one voice, five semitones down, formants kept",
        "Each note must begin at its new pitch. A slow follower begins at the old pitch, which sounds like a hiccup.",
        shifted(engines, low, -5, True), 2048, None, (0.4, 4.4),
    )  # fmt: skip
    x, starts, notes = singing.song(singing.VOICES["alto"])
    nodes = {"Stompline tune": singing.tune(vibrato=1)}
    if subprocess.run([program, "plugin", singing.FAT1], capture_output=True).returncode == 0:
        nodes["x42 fat1"] = singing.fat1()
    tuned = {}
    for name, chain in nodes.items():
        delay = singing.latency(lambda x, _: singing.render(program, x, chain))
        tuned[name] = np.roll(singing.render(program, x, chain), -delay)
    yield Example(
        "tune", "Singing that is up to 45 cents off, tuned to C major", "Each note must land at once and stay, without jumps or a metallic edge.",
        {"source": x, **tuned}, 2048,
        Figure("median deviation from the note", "cents", lambda y: singing.landing(y, starts, notes, 0)[1]),
    )  # fmt: skip
    melody = tuned["Stompline tune"]
    yield Example(
        "harmony", "The same singer with a third above and a sixth below, in C major",
        "The voices must know the key: thirds are major or minor as the scale has them.",
        {"source": melody, "key-harmony.json": through(program, ROOT / "pipelines/key-harmony.json", melody)},
    )  # fmt: skip


def stage(program: str) -> Iterator[Example]:
    """Returns the effects of a pedal board."""
    strum = s.strum()
    held = through(
        program, [{"id": "freeze", "type": "freeze", "parameters": {"dry": 0, "level": 0}}], strum,
        "--set", "freeze.hold=1@1.5", "--set", "freeze.hold=0@5.5", "--tail", "2",
    )  # fmt: skip
    yield Example(
        "freeze", "A strummed chord, held by a pedal from 1.5 to 5.5 s", "The pad must begin without a click, and stay even.",
        {"source": np.pad(strum, (0, 2 * RATE)), "freeze": held}, 4096, None, (0.4, 8.4),
    )  # fmt: skip
    rooms = script("feedback-guard")
    plugin = ROOT / "plugins/stompline.lv2/stompline.so"
    if not plugin.exists():
        return
    room = rooms.responses(*rooms.ROOMS[0])
    gain = rooms.stable_limit(room) * 10 ** (6 / 20)
    source = rooms.speech(8)
    yield Example(
        "feedback-guard", "A microphone that moves in a room, 6 dB above the limit of feedback",
        "Without the guard the loop howls until the amplifier clips. With it, the speech continues.",
        {
            "source": source, "no guard": rooms.loop(None, room, gain, source / gain),
            "feedback-guard": rooms.loop(rooms.Guard(plugin), room, gain, source / gain),
        },
        2048, None, (0, 8),
    )  # fmt: skip

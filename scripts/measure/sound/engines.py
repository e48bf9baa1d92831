"""The engines for shifting and stretching: this project, and the installed peers."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .signals import Signal, read, read_all, write

ROOT = Path(__file__).resolve().parent.parent.parent.parent

FAST = "Stompline fast"
#: The settings of the pitch shifter, by the name of the pipeline.
SETTINGS = {
    "music": {"mode": "music"}, "voice": {"mode": "voice"}, "fast": {"mode": "music", "quality": "fast"},
}  # fmt: skip

#: The results of the last calls, because several figures use the same sound.
latest: dict[tuple, Signal] = {}


@dataclass(frozen=True)
class Engine:
    """A way to shift and stretch; calls exchange files, because the peers are programs."""

    name: str
    #: soundstretch misreads files of floats.
    takes_floats: bool = True
    #: The command that shifts `{input}` by `{semitones}`, with formants fixed or following.
    shift: tuple[str, ...] | None = None
    preserve: tuple[str, ...] | None = None
    #: The command that plays `{input}` at `{rate}`.
    play: tuple[str, ...] | None = None

    def shifted(self, x: Signal, semitones: float, preserving: bool = False) -> Signal | None:
        return self.run(self.preserve if preserving else self.shift, x, semitones=semitones)

    def played(self, x: Signal, rate: float) -> Signal | None:
        return self.run(self.play, x, rate=rate, stretch=1 / rate, percent=100 * (rate - 1))

    def run(self, call: tuple[str, ...] | None, x: Signal, **values: float) -> Signal | None:
        if call is None:
            return None
        key = (call, x.shape, x.tobytes(), *values.values())
        if key not in latest:
            if len(latest) == 8:
                del latest[next(iter(latest))]
            latest[key] = self.render(call, x, **values)
        return latest[key]

    def render(self, call: tuple[str, ...], x: Signal, **values: float) -> Signal:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "input.wav", Path(folder) / "output.wav"
            write(source, x, self.takes_floats)
            channels = 1 if x.ndim == 1 else x.shape[1]
            for name, settings in SETTINGS.items():
                (Path(folder) / f"{name}.json").write_text(pipeline(settings, values.get("semitones", 0), channels))
            words = [w.format(input=source, output=target, folder=folder, **values) for w in call]
            subprocess.run(words, check=True, capture_output=True)
            return read(target) if channels == 1 else read_all(target)


def pipeline(settings: dict[str, str], semitones: float, channels: int) -> str:
    """Returns a pipeline with one pitch shifter."""
    node = {"id": "shift", "type": "pitch-shift", "settings": settings, "parameters": {"semitones": semitones}}
    return json.dumps({
        "version": 1, "inputs": {"in": {"channels": channels}}, "nodes": [node],
        "outputs": {"out": {"channels": channels, "limiter": False}},
    })  # fmt: skip


def ours(program: str, player: str) -> Engine:
    """Returns both modes of the pitch shifter, and the stretch engine."""
    files = ("--input", "{input}", "--output", "out={output}", "--block", "64")
    return Engine(
        "Stompline",
        shift=(program, "render", "{folder}/music.json", *files),
        preserve=(program, "render", "{folder}/voice.json", *files),
        play=(player, "{input}", "{output}", "{rate}"),
    )


def fast(program: str) -> Engine:
    """Returns the pitch shifter with the least latency."""
    files = ("--input", "{input}", "--output", "out={output}", "--block", "64")
    return Engine(FAST, shift=(program, "render", "{folder}/fast.json", *files))


def peers() -> list[Engine]:
    """Returns Rubber Band and SoundTouch, if Debian's rubberband-cli and soundstretch are
    installed."""
    found = []
    if shutil.which("rubberband-r3"):
        found.append(Engine(
            "Rubber Band R3",
            shift=("rubberband-r3", "--pitch", "{semitones}", "{input}", "{output}"),
            preserve=("rubberband-r3", "--formant", "--pitch", "{semitones}", "{input}", "{output}"),
            play=("rubberband-r3", "--time", "{stretch}", "{input}", "{output}"),
        ))  # fmt: skip
        found.append(Engine(
            "Rubber Band R3 live",
            shift=("rubberband-r3", "--realtime", "--pitch", "{semitones}", "{input}", "{output}"),
            preserve=("rubberband-r3", "--realtime", "--formant", "--pitch", "{semitones}", "{input}", "{output}"),
            play=("rubberband-r3", "--realtime", "--time", "{stretch}", "{input}", "{output}"),
        ))  # fmt: skip
    if shutil.which("soundstretch"):
        found.append(Engine(
            "SoundTouch",
            takes_floats=False,
            shift=("soundstretch", "{input}", "{output}", "-pitch={semitones}"),
            play=("soundstretch", "{input}", "{output}", "-tempo={percent}"),
        ))  # fmt: skip
    return found

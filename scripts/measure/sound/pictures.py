"""Spectrograms of the engines' outputs for one sound, side by side in one SVG."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.signal.windows import hann

from . import signals as s
from .engines import Engine
from .signals import RATE, Signal

WIDTH, HEIGHT, LOWEST, HIGHEST = 340, 200, 60.0, 16_000.0
RANGE_DECIBELS = 80
SHADES = 40
#: From silence to the loudest: black, violet, orange, white.
COLOURS = np.array([[10, 8, 24], [70, 20, 110], [200, 60, 70], [250, 170, 50], [255, 255, 240]], float)


def draw_all(engines: list[Engine], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    drums, speech = s.recorded("drums"), s.spoken()
    chord = s.chord(next(iter(s.CHORDS.values())))
    draw(folder / "chord-up.svg", "A chord, five semitones up", chord, {e.name: e.shifted(chord, 5) for e in engines}, (1, 1.6), 4096)
    if drums is not None:
        draw(folder / "drums-up.svg", "Drums, five semitones up", drums, {e.name: e.shifted(drums, 5) for e in engines}, (0.5, 1.4), 512)
        draw(folder / "drums-slow.svg", "Drums at half speed", drums, {e.name: e.played(drums, 0.5) for e in engines}, (1, 2.8), 512, 0.5)
    if speech is not None:
        voices = {e.name: e.shifted(speech, 5, True) for e in engines}
        draw(folder / "speech-up.svg", "Speech, five semitones up, formants kept", speech, voices, (0.8, 2.4), 1024)


def draw(
    path: Path, title: str, source: Signal, results: dict[str, Signal | None], seconds: tuple[float, float], window: int, rate: float = 1
) -> None:  # fmt: skip
    """Draws the source, and each engine's output at a rate, within a range of seconds."""
    panels = {"source": source, **{name: y for name, y in results.items() if y is not None}}
    columns = 3
    rows = -(-len(panels) // columns)
    size = (columns * (WIDTH + 20) + 20, rows * (HEIGHT + 44) + 40)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif">',
        f'<rect width="{size[0]}" height="{size[1]}" fill="#ffffff"/><text x="20" y="24" font-size="16" font-weight="bold">{title}</text>',
    ]
    for index, (name, y) in enumerate(panels.items()):
        left, top = 20 + index % columns * (WIDTH + 20), 58 + index // columns * (HEIGHT + 44)
        shown = (seconds[0] * rate, seconds[1] * rate) if name == "source" else seconds
        picture = base64.b64encode(png(spectrogram(y, shown, window))).decode()
        lines.append(f'<text x="{left}" y="{top - 6}" font-size="13">{name}</text>')
        lines.append(f'<image x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" href="data:image/png;base64,{picture}"/>')
        for hertz, label in ((100, "100 Hz"), (1000, "1 kHz"), (10_000, "10 kHz")):
            height = top + HEIGHT * (1 - np.log(hertz / LOWEST) / np.log(HIGHEST / LOWEST))
            lines.append(f'<text x="{left + 4}" y="{height:.0f}" font-size="9" fill="#ffffff">{label}</text>')
    path.write_text("\n".join([*lines, "</svg>"]) + "\n")


def spectrogram(x: Signal, seconds: tuple[float, float], window: int, top: float | None = None) -> NDArray[np.uint8]:
    """Returns the shades of the levels in a time range, low frequencies at the bottom.

    The frequency scale is logarithmic. The brightest shade is `top`, by default the highest level.
    """
    level = levels(x, seconds, window)
    share = np.clip((level - (level.max() if top is None else top)) / RANGE_DECIBELS + 1, 0, 1)
    return np.round(share * (SHADES - 1)).astype(np.uint8)


def levels(x: Signal, seconds: tuple[float, float], window: int) -> NDArray[np.float64]:
    """Returns the levels of a spectrogram in dB."""
    centres = np.linspace(seconds[0] * RATE, seconds[1] * RATE, WIDTH).astype(int)
    padded = np.pad(x, (window, window + int(seconds[1] * RATE)))
    frames = np.stack([padded[c + window // 2 : c + window // 2 + window] for c in centres]) * hann(window)
    power = np.abs(np.fft.rfft(frames, 8192)) ** 2
    bins = np.geomspace(HIGHEST, LOWEST, HEIGHT) / RATE * 8192
    return 10 * np.log10(power[:, np.round(bins).astype(int)].T + 1e-12)


def palette() -> bytes:
    """Returns the shades between the colours."""
    place = np.linspace(0, len(COLOURS) - 1, SHADES)
    return np.stack([np.interp(place, np.arange(len(COLOURS)), c) for c in COLOURS.T], 1).astype(np.uint8).tobytes()


def png(picture: NDArray[np.uint8]) -> bytes:
    """Returns rows and columns of shades as a PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [chunk(b"IHDR", head), chunk(b"PLTE", palette()), chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)

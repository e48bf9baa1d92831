#!/usr/bin/python3
"""Prints the purity of pitch shift and time stretch, with their targets and installed peers.

usage: quality.py [--only TITLE] [--markdown] [--pictures FOLDER] [--program PATH] [--player PATH]

Every engine processes the same sounds in the same run. Rubber Band and SoundTouch are included
if Debian's rubberband-cli and soundstretch are installed. Exit status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from sound.engines import ROOT, fast, ours, peers
from sound.pictures import draw_all
from sound.rows import PARTS, Row


def text(row: Row, value: float | None) -> str:
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.3f}" if row.unit in ("cent", "ms") and value < 0.1 else f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*PARTS, "pictures"], help="one table, or no table but the pictures")
    parser.add_argument("--markdown", action="store_true", help="a table to paste into docs/measurements/sound.md")
    parser.add_argument("--pictures", type=Path, help="also draw the spectrograms of docs/sound.md there")
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--player", default=str(ROOT / ".build/release/stretch-file"))
    options = parser.parse_args()

    engines = [ours(options.program, options.player), fast(options.program), *peers()]
    missed = rows = 0
    for title, (make_rows, judged_name) in PARTS.items():
        if options.only not in (None, title):
            continue
        judged = [e.name for e in engines].index(judged_name)
        print_head(title, [e.name for e in engines], options.markdown)
        for row in make_rows():
            values = [row.measure(engine) for engine in engines]
            if values[judged] is None:
                continue
            cells = [text(row, value) for value in values]
            if row.target:
                rows += 1
                if not row.met(values[judged]):
                    missed += 1
                    cells[judged] += " missed"
            print_cells([f"{row.figure} ({row.condition})", f"{row.target} {row.unit}", *cells], options.markdown)
    print(f"\n{rows - missed} of {rows} targets are met.")
    if options.pictures:
        draw_all(engines, options.pictures)
    return 1 if missed else 0


def print_head(title: str, names: list[str], markdown: bool) -> None:
    print(f"\n### {title}\n" if markdown else f"\n{title}")
    print_cells(["", "target", *names], markdown)
    if markdown:
        print("| --- |" + " ---: |" * (len(names) + 1))


def print_cells(cells: list[str], markdown: bool) -> None:
    if markdown:
        print("| " + " | ".join(cells) + " |", flush=True)
    else:
        print(f"{cells[0]:44}" + "".join(f"{cell:>20}" for cell in cells[1:]), flush=True)


if __name__ == "__main__":
    sys.exit(main())

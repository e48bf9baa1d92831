#!/usr/bin/env python3
"""Makes all pictures of the documentation with the program.

usage: pictures.py [--check] [PROGRAM] [GROUP…]     PROGRAM: the built stompline (default:
.build/release/stompline); GROUP: drawings, page, sound (default: all)

drawings    `stompline graph --svg` of the pipeline in the README, and of the rig of each tutorial
page        the pages of a session in a browser, by scripts/check/page.py
sound       spectrograms of the pitch shifter and the time stretch, by scripts/measure/quality.py; it needs the
            program stretch-file and the packages of `make quality`

With --check, writes nothing: fails if a page shows a picture that no group makes, if nobody shows a picture in
docs/pictures, or if a drawing differs from the one that the program makes.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURES = ROOT / "docs/pictures"
DOUBLER = ROOT / "docs/voice-doubler.svg"
PAGE = [f"board-{name}.png" for name in (
    "board-laptop", "board-phone", "connections-tablet", "edit-laptop", "edit-phone", "mixer-phone", "mixer-tablet",
    "setlist-edit-phone", "setlist-phone", "stage-landscape", "stage-laptop", "stage-light", "stage-offline",
    "stage-phone")]
SOUND = ["chord-up.svg", "drums-slow.svg", "drums-up.svg", "speech-up.svg"]
BLOCK = re.compile(r"^```json (\S+)\n(.*?)^```$", re.M | re.S)


def tutorials():
    """Yields each tutorial with the last version of the pipeline that it begins with."""
    for path in sorted((ROOT / "docs/tutorials").glob("*.md")):
        blocks = BLOCK.findall(path.read_text())
        if blocks:
            yield path.stem, [text for name, text in blocks if name == blocks[0][0]][-1]


def drawing_of(program, pipeline):
    return subprocess.run([program, "graph", pipeline, "--svg"], check=True, capture_output=True, text=True).stdout


def drawings(program):
    """Returns the text of each drawing, by its path."""
    result = {DOUBLER: drawing_of(program, ROOT / "pipelines/voice-doubler.json")}
    for name, text in tutorials():
        with tempfile.TemporaryDirectory() as folder:
            # The drawing shows only the names of the sounds, which the tutorial copies.
            for sound in re.findall(r'"type": "player", "settings": \{ "file": "([^"]+)"', text):
                shutil.copy(ROOT / "pipelines/sounds/organ.flac", Path(folder) / sound)
            pipeline = Path(folder) / f"{name}.json"
            pipeline.write_text(text)
            result[PICTURES / f"{name}.svg"] = drawing_of(program, pipeline)
    return result


def shown():
    """Yields each picture that a page shows or links to, with the page."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+\.(?:svg|png))\)", page.read_text()):
            yield (page.parent / target).resolve(), page


def faults(program):
    """Yields a line for each fault."""
    made = drawings(program)
    known = {*made, *(PICTURES / name for name in PAGE + SOUND)}
    pages = dict(shown())
    for picture, page in pages.items():
        if picture not in known:
            yield f"{page.relative_to(ROOT)}: no command makes {picture.relative_to(ROOT)}"
    for picture in sorted({*known, *PICTURES.iterdir()} - set(pages)):
        yield f"no page shows {picture.relative_to(ROOT)}"
    for path, text in made.items():
        if not path.exists() or path.read_text() != text:
            yield f"{path.relative_to(ROOT)} differs from the drawing of the program; scripts/build/pictures.py makes it"


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    groups = [word for word in words if word in ("drawings", "page", "sound")] or ["drawings", "page", "sound"]
    paths = [word for word in words if word not in ("drawings", "page", "sound")]
    program = Path(paths[0] if paths else ROOT / ".build/release/stompline").resolve()
    if not program.exists():
        sys.exit(f"pictures: {program} does not exist; build it first")
    if "--check" in sys.argv:
        found = list(faults(program))
        for line in found:
            print(f"pictures: {line}", file=sys.stderr)
        print(f"pictures: {len(found)} faults")
        return 1 if found else 0
    PICTURES.mkdir(exist_ok=True)
    if "drawings" in groups:
        for path, text in drawings(program).items():
            path.write_text(text)
    if "page" in groups:
        subprocess.run([ROOT / "scripts/check/page.py", "--program", program, "--pictures", PICTURES], check=True)
    if "sound" in groups:
        # No part of the measurement has this name, so only the pictures are made.
        subprocess.run([ROOT / "scripts/measure/quality.py", "--only", "pictures", "--program", program,
                        "--pictures", PICTURES], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

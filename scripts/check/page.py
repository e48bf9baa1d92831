#!/usr/bin/python3
"""Checks the page in a real browser, first against a fake session, then against the program.

usage: page.py [--program PROGRAM] [--pictures FOLDER | --frames] [--slow N] [NAME…]

The browser is Debian's chromium, driven by playwright; the Python packages that this needs are
installed into .build/page-tests at the first run. With --program, a JACK server with the dummy
driver is started under its own name. With --pictures, the pictures of the documentation are made
in that folder; those of the board view need --program. With --frames, the smoothness of drags is
measured. With --slow, the browser's pages are N times slower, which finds tests that do not wait.
NAME limits the run to the tests whose names contain it.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ["playwright==1.65.2", "axe-playwright-python==0.1.8", "jsonschema==4.25.1"]
FOLDER = ROOT / ".build" / "page-tests"


def prepare() -> Path:
    """Installs the packages unless these versions are installed; returns their Python."""
    python, mark = FOLDER / "bin" / "python", FOLDER / "packages.txt"
    if not mark.is_file() or mark.read_text().split() != PACKAGES:
        venv.create(FOLDER, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        *PACKAGES], check=True)
        mark.write_text("\n".join(PACKAGES) + "\n")
    return python


if __name__ == "__main__":
    program = prepare()
    main = str(Path(__file__).resolve().parent / "page" / "main.py")
    os.execv(program, [str(program), main, *sys.argv[1:]])

#!/usr/bin/env python3
"""Makes the manual as HTML, and looks at each page in Debian's chromium, on a phone and on a laptop.

usage: manual.py [--pictures FOLDER]

A page must not be wider than the screen, must load nothing from a network, and must have all of its pictures. axe-core
must find no violation on one page of each kind, in the light and in the dark look. With --pictures, pictures of these
pages are written into the folder. The Python packages are those of page.py.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = {"phone": (390, 844), "laptop": (1366, 768)}
#: One page of each kind.
KINDS = ["index.html", "docs/tutorials/vocal-rig.html", "docs/how-to/find-dropouts.html", "docs/board.html",
         "docs/reference/effects/filter.html", "docs/reference/events.html", "docs/pipeline-format.html"]


def check(folder, pictures):
    """Yields a line for each fault."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for size, (width, height) in SIZES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            fetched = []
            page.on("request", lambda request: fetched.append(request.url))
            for path in paths:
                page.goto((folder / path).as_uri())
                wide = page.evaluate("document.documentElement.scrollWidth") - width
                if wide > 0:
                    yield f"{path} is {wide} pixels wider than a {size}"
                if lost := page.evaluate("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)"):
                    yield f"{path} lacks pictures: {lost}"
                if pictures and path in KINDS:
                    page.screenshot(path=Path(pictures) / f"{path.replace('/', '-')[:-5]}-{size}.png")
            yield from (f"a page loads {url}" for url in fetched if not url.startswith("file:"))
            page.close()
        for look in ("light", "dark"):
            page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=look)
            for path in KINDS:
                page.goto((folder / path).as_uri())
                if pictures and look == "dark":
                    page.screenshot(path=Path(pictures) / f"{path.replace('/', '-')[:-5]}-dark.png")
                for fault in Axe().run(page).response["violations"]:
                    places = [node["target"] for node in fault["nodes"][:3]]
                    yield f"{path}, {look}: {fault['help']}: {places}"
        browser.close()


def main():
    pictures = sys.argv[2] if sys.argv[1:2] == ["--pictures"] else None
    with tempfile.TemporaryDirectory() as name:
        # The converter is a package of Debian, the browser's driver is not.
        subprocess.run(["/usr/bin/python3", ROOT / "scripts/package/guides.py", name], check=True)
        faults = list(check(Path(name), pictures))
    for fault in faults:
        print(f"manual: {fault}", file=sys.stderr)
    print(f"manual: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parent))
    from page import prepare

    python = prepare()
    if Path(sys.prefix) != python.parent.parent:
        os.execv(python, [str(python), str(Path(__file__).resolve()), *sys.argv[1:]])
    sys.exit(main())

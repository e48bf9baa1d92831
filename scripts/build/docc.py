#!/usr/bin/env python3
"""Makes the pages for contributors from docs/Stompline.docc and the symbols of the built modules, with docc.

usage: docc.py [FOLDER]     FOLDER: the folder to write (default: .build/docc)

The modules must be built in release mode. A link to a symbol that does not exist is an error, and so is every warning.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / ".build/release"
CATALOGUE = ROOT / "docs/Stompline.docc"


def modules():
    """Returns the modules in Sources that contain Swift and that a program imports, as Package.swift lists them."""
    package = (ROOT / "Package.swift").read_text()
    section = package[package.index("var modules: [Target]"):package.index("var programs: [Target]")]
    return re.findall(r'\bmodule\(\s*"(\w+)"', section)


def search_options():
    """Returns the options with which the compiler finds C modules."""
    options = []
    for path in sorted(BUILT.glob("*.build/module.modulemap")):
        options += ["-Xcc", f"-fmodule-map-file={path}"]
    for folder in sorted([*ROOT.glob("Sources/C*"), *ROOT.glob(".build/checkouts/*/Sources/*")]):
        if (folder / "module.modulemap").exists():
            options += ["-I", str(folder)]
        if (folder / "include").exists():
            options += ["-I", str(folder / "include")]
    return options


def main():
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/docc").resolve()
    names = modules()
    if missing := [name for name in names if not (BUILT / f"Modules/{name}.swiftmodule").exists()]:
        sys.exit(f"docc: {', '.join(missing)} are not built; run swift build -c release --product stompline")
    triple = re.search(r'"unversionedTriple"\s*:\s*"([^"]+)"',
                       subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout)[1]
    options = ["-I", str(BUILT / "Modules"), "-target", triple, *search_options()]
    with tempfile.TemporaryDirectory() as folder:
        def extract(name):
            return subprocess.run(
                ["swift-symbolgraph-extract", "-module-name", name, *options, "-minimum-access-level", "internal",
                 "-skip-inherited-docs", "-output-dir", folder], capture_output=True, text=True)

        with ThreadPoolExecutor(2) as pool:
            for name, result in zip(names, pool.map(extract, names)):
                if result.returncode != 0:
                    sys.exit(f"docc: the symbols of {name} cannot be extracted:\n{result.stderr}")
        result = subprocess.run(
            ["docc", "convert", CATALOGUE, "--additional-symbol-graph-dir", folder, "--output-dir", target,
             "--fallback-display-name", "Stompline", "--fallback-bundle-identifier", "org.stompline.source",
             "--warnings-as-errors"], capture_output=True, text=True)
    # docc reports some warnings that it does not count as errors.
    output = (result.stdout + result.stderr).strip()
    if result.returncode != 0 or re.search(r"^(warning|error):", output, re.M):
        shutil.rmtree(target, ignore_errors=True)
        sys.exit(f"docc: {output}")
    print(f"docc: {len(names)} modules: {target}; to read them: python3 -m http.server -d {target}, then open"
          " http://localhost:8000/documentation/stompline")


if __name__ == "__main__":
    main()

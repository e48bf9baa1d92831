#!/usr/bin/env python3
"""Prints figures of the source's structure, and the walks of docs/architecture.md.

usage: structure.py

The figures are the numbers of extension files, of casts of raw memory, and of files that free memory by hand. A walk is
the way of a file, a message or a frame of audio through the source. The page shows the types that the data passes
through in bold; the script counts them, and prints the target next to the number. Exit status 1 if the page names a
file or a bold type that does not exist, if `run` or `set` of a kernel lacks `@_noLocks`, which the compiler does not
require (decision 50), if docs/decisions/README.md does not list each decision, or if a merge left its marks in a file.
"""
import os
import re
import subprocess
import sys

#: The most types that each walk should pass through, by the beginning of its title.
TARGETS = {"from an edited file": 12, "from an OSC message": 10, "audio": 10}
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def swift_files():
    for folder, _, names in os.walk(os.path.join(ROOT, "Sources")):
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.join(folder, name)


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def walks(page):
    """The title of each walk, the files that it names, and the types that the data passes through."""
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        if title.startswith("Walk: "):
            files = dict.fromkeys(re.findall(r"`([\w/+]+\.swift)`", body))
            types = dict.fromkeys(re.findall(r"\*\*`(\w+)`\*\*", body))
            yield title.removeprefix("Walk: "), list(files), list(types)


def unmarked_kernels(paths, texts):
    """Functions of kernels that run on the audio thread and are not marked so."""
    found = []
    kernels = set(re.findall(r"^(?:\w+ )*struct (\w+)\s*:[^{]*\bKernel\b", "\n".join(texts), flags=re.M))
    for path, one in zip(paths, texts):
        lines, owner = one.split("\n"), None
        for index, line in enumerate(lines):
            if head := re.match(r"(?:\w+ )*(?:struct|class|enum|extension|protocol) (\w+)", line):
                owner = head.group(1)
            if owner not in kernels or not re.match(r" {4}(?:\w+ )*func (?:run|set)\(_ ", line):
                continue
            above = index - 1
            while re.match(r"\s*(?:@|//)", lines[above]) and "@_noLocks" not in lines[above]:
                above -= 1
            if "@_noLocks" not in lines[above]:
                found.append(f"{os.path.relpath(path, ROOT)}:{index + 1}: {line.strip()} lacks @_noLocks")
    return len(kernels), found


def unlisted_decisions():
    """Decisions that the list of decisions does not name."""
    folder = os.path.join(ROOT, "docs/decisions")
    listed = text(os.path.join(folder, "README.md"))
    return [f"docs/decisions/README.md does not list {name}" for name in sorted(os.listdir(folder))
            if re.match(r"\d{4}-", name) and f"({name})" not in listed]


def merge_marks():
    """Lines that a merge with conflicts has left in a file."""
    found = subprocess.run(["git", "grep", "-nIE", "^(<{7}|>{7}) "], cwd=ROOT, capture_output=True, text=True)
    return [f"{line}: a mark of a merge" for line in found.stdout.splitlines()]


def main():
    paths = list(swift_files())
    names = {os.path.basename(path) for path in paths}
    texts = [text(path) for path in paths]
    print(f"files Type+Part.swift: {sum('+' in os.path.basename(path) for path in paths)}")
    print(f"casts by assumingMemoryBound: {sum(one.count('assumingMemoryBound') for one in texts)}")
    print(f"files that call deallocate(): {sum('deallocate()' in one for one in texts)}")
    count, missing = unmarked_kernels(paths, texts)
    print(f"kernels: {count}; functions without @_noLocks: {len(missing)}")
    page = text(os.path.join(ROOT, "docs/architecture.md"))
    for file in sorted(set(re.findall(r"`((?:Sources|Tests|scripts)/[\w/+.-]+)`", page))):
        if not os.path.exists(os.path.join(ROOT, file)):
            missing.append(f"docs/architecture.md: {file} does not exist")
    declared = set(re.findall(r"^\s*(?:[\w@]+ )*(?:struct|class|enum|protocol) (\w+)", "\n".join(texts), flags=re.M))
    for title, files, types in walks(page):
        target = next(most for start, most in TARGETS.items() if title.startswith(start))
        print(f"walk {title}: {len(types)} types (target: at most {target}): {', '.join(types)}")
        missing += [f"{title}: there is no type {name}" for name in types if name not in declared]
        for file in files:
            exists = os.path.exists(os.path.join(ROOT, file)) if "/" in file else file in names
            if not exists:
                missing.append(f"{title}: {file} does not exist")
    missing += unlisted_decisions() + merge_marks()
    for line in missing:
        print("structure:", line)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

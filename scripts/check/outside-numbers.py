#!/usr/bin/python3
"""Finds arithmetic that traps on numbers from outside: conversions, sums and subscripts.

outside-numbers.py [--list] [FILE…]: checks the modules that handle data from other
programs, files and users (or only the FILEs), and prints each unreviewed spot as `FILE:LINE:
RULE: TEXT`. Exit status 0 if there is none, else 1.

Rules:

  convert     `Int(x)`, `UInt32(x)` and so on of an expression with floating-point arithmetic or a
              load from shared memory, and `Int32(x)` and narrower of anything that is not plainly
              small. They trap if the value does not fit. Write `Int(exactly:)`,
              `Int32(clamping:)`, or check the range first.
  number      arithmetic on a number that has just been read from text or converted, as in
              `Int(text).map { $0 - 1 }`. Check the range before the arithmetic.
  subscript   a subscript with arithmetic in it, or a constant subscript after a `split`, as in
              `slots[number - 1]`, `parts[0]`. Use `first`, or check `indices` first.

A spot that cannot trap is marked in one of two ways, each with its reason:

  - at the end of its line, `// checked: REASON`;
  - in scripts/check/outside-numbers.txt, by its file and text. A line there that matches no spot is also
    an error, so that a changed line is reviewed again.

--list prints all spots, reviewed or not, in the format of that file.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REVIEWED = ROOT / "scripts/check/outside-numbers.txt"
MODULES = [
    "SessionCore", "Control", "SessionTexts", "Terminal", "JackHost", "Pipelines", "OfflineHost", "BlackBox", "SoundFiles", "Players",
    "Recorders", "Loopers", "Doctor", "stompline", "LV2/Isolation", "LV2/Events", "LV2/World", "LV2/Probe", "LV2/State", "LV2/Instance",
    "LV2/Worker", "Engine/Bindings", "Engine/Live", "Engine/Ports",
]

INTEGER = r"\b(?:U?Int(?:8|16|32|64)?|UInt)\("
CONVERSION = re.compile(INTEGER)
SAFE_LABEL = re.compile(r"^\s*(?:exactly|clamping|truncatingIfNeeded|bitPattern|ascii|bigEndian|littleEndian|hexadecimal)\s*:")
NARROW = re.compile(r"\b(?:U?Int(?:8|16|32))\($")
FLOATING = re.compile(
    r"rounded|rt_round|rt_ceil|rt_floor|\bDouble\(|\bFloat\(|[sS]econds\b|[rR]ate\b|Hertz\b|load\(|1e\d|\d\.\d|\blog2?\("
    r"|[dD]ecibels|cents|share\b|[bB]eats")
# Literals, system constants, raw values and enumerated indices are small.
PLAIN = re.compile(
    r"^\s*(?:\d[\d_]*|0x[0-9a-fA-F_]+|[A-Z][A-Z0-9_]+|_[A-Z][A-Z0-9_]+|[\w.]*[rR]awValue|[\w.]*rawTarget|\$0|place|index|channel"
    r"|slot|node|count|first|start|offset|frames|[\w.]*\.count|[\w.]*pointee\.frameCount|block\.frameCount|[\w.]*Frames"
    r"|[A-Z0-9_]+\.rawValue|[A-Z][A-Z_0-9]+(?:\.rawValue)?)\s*$")
NUMBER = re.compile(
    INTEGER + r"[^()]*(?:\([^()]*\)[^()]*)*\)\)?\s*(?:[-+*]\s*[\w(]|\.(?:map|flatMap)\s*\{[^}]*\$0\s*[-+*])")
SUBSCRIPT = re.compile(r"\w[?!]?\[([^\[\]\"]*[\w)]\s[-+*]\s[^\[\]\"]*)\]")
FIXED = re.compile(r"\b(\w+)\[(\d+)\]")
SPLIT = re.compile(r"\b(?:let|var)\s+(\w+)\s*=.*\bsplit\(")


def without_strings(line):
    """Returns the line's code without comments and with the contents of plain strings blanked."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    return line.split("//", 1)[0]


def argument(code, start):
    """Returns the text between the parentheses that open before `start`."""
    depth = 1
    for end in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        if depth == 0:
            return code[start:end]
    return code[start:]


def rules(code, split_names):
    """Returns the rules that a line of code violates."""
    for match in CONVERSION.finditer(code):
        inside = argument(code, match.end())
        if SAFE_LABEL.match(inside) or not inside.strip():
            continue
        if FLOATING.search(inside):
            yield "convert"
        elif NARROW.search(code[: match.end()]) and not PLAIN.match(inside):
            yield "convert"
    if NUMBER.search(code) and not code.lstrip().startswith("case "):
        yield "number"
    for match in SUBSCRIPT.finditer(code):
        # A range of pointers or an interpolation is not a conversion.
        if "..." not in match[1] and ":" not in match[1]:
            yield "subscript"
    if any(match[1] in split_names for match in FIXED.finditer(code)):
        yield "subscript"


def spots(path):
    """Yields all spots of a file: line number, rule, text, and the reason on the same line."""
    split_names = set()
    in_text = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.count('"""') % 2:
            in_text = not in_text
            continue
        if in_text:
            continue
        code = without_strings(line)
        if re.match(r"\s*(?:(?:private|fileprivate|package|public|static|mutating|@\w+)\s+)*func ", code):
            split_names = set()
        found = SPLIT.search(code)
        if found:
            split_names.add(found[1])
        for rule in sorted(set(rules(code, split_names))):
            reason = re.search(r"//\s*checked:\s*(\S.*)$", line)
            yield number, rule, line.split("// checked:")[0].strip(), reason[1] if reason else None


def reviewed():
    """Returns the spots in the review file, (path, rule, text), each with its reason."""
    entries, reason = {}, None
    for number, line in enumerate(REVIEWED.read_text().splitlines(), 1):
        if line.startswith("# "):
            continue
        if line.startswith("== "):
            reason = line[3:].strip()
        elif line.strip():
            parts = line.split("\t")
            if len(parts) != 3 or not reason:
                sys.exit(f"{REVIEWED.name}:{number}: an entry must have a file, a rule and the text, separated by tabs, below a reason")
            entries[tuple(parts)] = reason
    return entries


def main():
    names = [name for name in sys.argv[1:] if name != "--list"]
    everything = not names
    paths = [pathlib.Path(name).resolve() for name in names] or sorted(
        path for module in MODULES for path in (ROOT / "Sources" / module).rglob("*.swift"))
    known, seen, faults = reviewed(), set(), 0
    for path in paths:
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
        for number, rule, text, reason in spots(path):
            key = (name.removeprefix("Sources/"), rule, text)
            seen.add(key)
            if "--list" in sys.argv:
                print("\t".join(key))
            elif not reason and key not in known:
                print(f"{name}:{number}: {rule}: {text}")
                faults += 1
    if "--list" in sys.argv:
        return 0
    if everything:
        for key in sorted(set(known) - seen):
            print(f"scripts/check/{REVIEWED.name}: this spot no longer exists: {key[0]}: {key[2]}")
            faults += 1
    if faults:
        print(f"{faults} spots to review: see scripts/check/outside-numbers.py --help", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    if "--help" in sys.argv:
        print(__doc__)
        sys.exit(0)
    sys.exit(main())

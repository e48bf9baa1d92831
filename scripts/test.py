#!/usr/bin/python3
"""Runs the tests, and says in few lines how that went.

usage: test.py [--filter REGEX]

All output goes to .build/tests.log; shown is what failed. Tests play live beside each other on machines that have other
things to do, so suites that failed are run once more by themselves, which is said; what fails twice has failed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / ".build/tests.log"
REPORT = ROOT / ".build/tests.xml"
#: swift-testing puts its part beside the file that is asked for.
SWIFT_REPORT = REPORT.with_name("tests-swift-testing.xml")
#: All tests take two to five minutes.
LIMIT_SECONDS = 1500
TELLING = re.compile(r"^✘|recorded an issue|unexpected signal|Fatal error|Crash|^↳|^Test run with|^✔ Test run with")


def run(filters: list[str], log: Path) -> tuple[bool, str]:
    """One run of some tests; whether all passed, and all that was printed."""
    SWIFT_REPORT.unlink(missing_ok=True)
    call = ["swift", "test", "-c", "release", "--skip-build", "--xunit-output", str(REPORT)]
    for pattern in filters:
        call += ["--filter", pattern]
    with log.open("w") as file:
        try:
            done = subprocess.run(call, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS)
            file.flush()
            # A filter that fits nothing has shown nothing.
            passed = done.returncode == 0 and "Test run with 0 tests" not in log.read_text(errors="replace")
        except subprocess.TimeoutExpired:
            file.write(f"\n✘ not over after {LIMIT_SECONDS} seconds\n")
            passed = False
    return passed, log.read_text(errors="replace")


def failed_suites() -> list[str]:
    """The suites of tests that failed, as filters; empty where the run broke off."""
    try:
        cases = ElementTree.parse(SWIFT_REPORT).getroot().iter("testcase")
    except (FileNotFoundError, ElementTree.ParseError):
        return []
    names = {case.get("classname", "") for case in cases if case.find("failure") is not None}
    # A suite within a suite is set off by another sign in filters than in the report.
    return ["^" + "[./]".join(re.escape(part) for part in name.split(".")) + "[./]" for name in sorted(names)]


def unfinished(text: str) -> list[str]:
    """The tests that began and did not end."""
    began = re.findall(r"^◇ Test (.+) started\.$", text, re.M)
    ended = set(re.findall(r"^[✔✘] Test (.+?) (?:passed|failed) after", text, re.M))
    return [name for name in began if name not in ended and not name.startswith("case passing")]


def show(text: str) -> None:
    lines = [line for line in text.splitlines() if TELLING.search(line)]
    print("\n".join(lines[-120:]), flush=True)


def main() -> int:
    filters = sys.argv[2:] if sys.argv[1:2] == ["--filter"] else []
    subprocess.run([ROOT / "scripts/clear-jack.sh"], check=True)
    passed, text = run(filters, LOG)
    show(text)
    if passed:
        return 0
    suites = failed_suites()
    if not suites:
        print(f"the run broke off; all of it is in {LOG}; not over were:")
        print("\n".join("  " + name for name in unfinished(text)[:60]))
    print("once more, by themselves:", ", ".join(suites) or "all", flush=True)
    subprocess.run([ROOT / "scripts/clear-jack.sh"], check=True)
    passed, text = run(suites or filters, LOG.with_name("tests-again.log"))
    show(text)
    if not passed:
        print("\n".join("  not over: " + name for name in unfinished(text)[:60]))
    return 0 if passed else 1


sys.exit(main())

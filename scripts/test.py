#!/usr/bin/python3
"""Runs the tests and prints a short summary.

usage: test.py [--filter REGEX]

STOMPLINE_TEST_SERVER=pipewire in the environment runs the suites that start a server on PipeWire, with its JACK library.

The whole output is in .build/tests.log; the summary shows the failures and the tests that were skipped. Tests play live
while other tests run, on machines that may be busy, so suites with failures run a second time without the others. A test
that passes only then is flaky: the summary ends with a list of these, and .build/flaky-tests.log keeps them with the
date, the commit and the first failure. A flaky test is a defect to correct. A test that fails twice has failed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / ".build/tests.log"
FLAKY_LOG = ROOT / ".build/flaky-tests.log"
REPORT = ROOT / ".build/tests.xml"
#: Swift Testing writes its report next to the file that is asked for.
SWIFT_REPORT = REPORT.with_name("tests-swift-testing.xml")
#: All tests take about ten minutes.
LIMIT_SECONDS = 1200
#: Whether the tests use PipeWire's JACK library; they start a PipeWire then.
IS_ON_PIPEWIRE = os.environ.get("STOMPLINE_TEST_SERVER") == "pipewire"
#: The suites that start a server. Tests that state a property of JACK alone have the trait `.onJack`.
PIPEWIRE_SUITES = ["JackTests/"]
IMPORTANT = re.compile(
    r"^✘|recorded an issue|unexpected signal|Fatal error|Crash|^↳|^Test run with|^✔ Test run with|^➜ .* skipped")


def run(filters: list[str], log: Path) -> tuple[bool, str]:
    """Runs some tests once; returns whether all passed, and the whole output."""
    SWIFT_REPORT.unlink(missing_ok=True)
    call = ["swift", "test", "-c", "release", "--skip-build", "--xunit-output", str(REPORT)]
    if IS_ON_PIPEWIRE:
        call = ["pw-jack", *call]
    for pattern in filters:
        call += ["--filter", pattern]
    with log.open("w") as file:
        tests = subprocess.Popen(call, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = tests.wait(LIMIT_SECONDS)
            # A filter without a matching test proves nothing.
            passed = status == 0 and "Test run with 0 tests" not in log.read_text(errors="replace")
        except subprocess.TimeoutExpired:
            stop(tests)
            with log.open("a") as end:
                end.write(f"\n✘ not finished after {LIMIT_SECONDS} seconds\n")
            passed = False
        except BaseException:
            stop(tests)
            raise
    return passed, log.read_text(errors="replace")


def stop(tests: subprocess.Popen[bytes]) -> None:
    """Ends the tests with all programs that they started."""
    os.killpg(tests.pid, signal.SIGKILL)
    tests.wait()


def failed_suites() -> list[str]:
    """The suites with failures, as filters; empty if the run was interrupted."""
    try:
        cases = ElementTree.parse(SWIFT_REPORT).getroot().iter("testcase")
    except (FileNotFoundError, ElementTree.ParseError):
        return []
    names = {case.get("classname", "") for case in cases if case.find("failure") is not None}
    # Filters separate a nested suite with another sign than the report.
    return ["^" + "[./]".join(re.escape(part) for part in name.split(".")) + "[./]" for name in sorted(names)]


def unfinished(text: str) -> list[str]:
    """The tests that started and did not end."""
    started = re.findall(r"^◇ Test (.+) started\.$", text, re.M)
    ended = set(re.findall(r"^[✔✘] Test (.+?) (?:passed|failed) after", text, re.M))
    return [name for name in started if name not in ended and not name.startswith("case passing")]


def failures(text: str) -> list[str]:
    """The failures of a run: the name of the test and its first issue."""
    found: dict[str, str] = {}
    for name, issue in re.findall(r"^✘ Test (.+?) recorded an issue (.+)$", text, re.M):
        found.setdefault(name, issue)
    for name in re.findall(r"^✘ Test (.+?) (?:with .+ )?failed after", text, re.M):
        found.setdefault(name, "failed")
    return [f"{name}: {issue}" for name, issue in found.items()]


def show(text: str) -> None:
    lines = [line for line in text.splitlines() if IMPORTANT.search(line)]
    print("\n".join(lines[-120:]), flush=True)


def show_unfinished(text: str) -> None:
    for name in unfinished(text)[:60]:
        print("  not finished:", name)


def report_flaky(text: str) -> None:
    """Prints the tests that passed only at the second run, and adds them to their log."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    flaky = failures(text) or ["the whole run was interrupted: " + ", ".join(unfinished(text)[:5])]
    with FLAKY_LOG.open("a") as log:
        for test in flaky:
            log.write(f"{time.strftime('%F %T')} {commit} {test}\n")
    print(f"\nFLAKY: {len(flaky)} failed at the first run and passed at the second:")
    for test in flaky:
        print("  " + test[:300])
    print(f"  all flaky tests so far: {FLAKY_LOG}", flush=True)


def main() -> int:
    filters = sys.argv[2:] if sys.argv[1:2] == ["--filter"] else PIPEWIRE_SUITES if IS_ON_PIPEWIRE else []
    subprocess.run([ROOT / "scripts/clear-jack.sh"], check=True)
    passed, first = run(filters, LOG)
    show(first)
    if passed:
        return 0
    suites = failed_suites()
    if not suites:
        print(f"the run was interrupted; its output is in {LOG}")
        show_unfinished(first)
    print("second run:", ", ".join(suites) or "all", flush=True)
    subprocess.run([ROOT / "scripts/clear-jack.sh"], check=True)
    passed, second = run(suites or filters, LOG.with_name("tests-again.log"))
    show(second)
    if not passed:
        show_unfinished(second)
        return 1
    report_flaky(first)
    return 0


sys.exit(main())

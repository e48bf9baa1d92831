#!/usr/bin/python3
"""Runs the tests and prints a short summary.

usage: test.py [--filter REGEX]

STOMPLINE_TEST_SERVER=pipewire in the environment runs the suites that start a server on PipeWire, with its JACK library;
the output is in .build/tests-on-pipewire.log.

The suites that start a server, those of network streams, and all others run at the same time. The whole output is in
.build/tests-with-servers.log, .build/tests-of-streams.log and .build/tests.log; the summary shows the failures and the
tests that were skipped. Tests play live while other tests run, on machines that may be busy, so suites with failures
run a second time without the others. A test that passes only then is flaky: the summary ends with a list of these, and
.build/flaky-tests.log keeps them with the date, the commit and the first failure. A flaky test is a defect to correct.
A test that fails twice has failed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / ".build/release/stomplinePackageTests.xctest"
LOG = ROOT / ".build/tests.log"
SERVER_LOG = ROOT / ".build/tests-with-servers.log"
STREAM_LOG = ROOT / ".build/tests-of-streams.log"
PIPEWIRE_LOG = ROOT / ".build/tests-on-pipewire.log"
FLAKY_LOG = ROOT / ".build/flaky-tests.log"
#: All tests take less than ten minutes.
LIMIT_SECONDS = 1200
#: Whether the tests use PipeWire's JACK library; they start a PipeWire then.
IS_ON_PIPEWIRE = os.environ.get("STOMPLINE_TEST_SERVER") == "pipewire"
#: The suites that start a server. Tests that state a property of JACK alone have the trait `.onJack`.
SERVER_SUITES = ["JackTests/"]
#: The suites of network streams run one test at a time, and in the process of all others they would be the last ones.
STREAM_SUITES = ["NetworkTests/"]
IMPORTANT = re.compile(
    r"^✘|recorded an issue|unexpected signal|Fatal error|Crash|^↳|^Test run with|^✔ Test run with|^➜ .* skipped")


def report_of(log: Path) -> Path:
    """The path of the report of a run, next to its log."""
    return log.with_suffix(".xml")


def start(selection: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Starts the tests that a selection chooses: pairs of `--filter` or `--skip` and a pattern."""
    report_of(log).unlink(missing_ok=True)
    # `swift test` would let only one of several runs begin.
    call = [str(TESTS), "--testing-library", "swift-testing", "--xunit-output", str(report_of(log)), *selection]
    if IS_ON_PIPEWIRE:
        call = ["pw-jack", *call]
    with log.open("w") as file:
        return subprocess.Popen(call, cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, stdout=file, stderr=subprocess.STDOUT,
                                start_new_session=True)


def run(selections: dict[Path, list[str]]) -> bool:
    """Runs selections of tests at the same time, each with its log; returns whether all passed."""
    runs = {log: start(selection, log) for log, selection in selections.items()}
    end, passed = time.monotonic() + LIMIT_SECONDS, True
    try:
        for log, tests in runs.items():
            try:
                status = tests.wait(max(0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                stop(tests)
                status = 1
                with log.open("a") as file:
                    file.write(f"\n✘ not finished after {LIMIT_SECONDS} seconds\n")
            # A filter without a matching test proves nothing.
            passed = passed and status == 0 and "Test run with 0 tests" not in text_of(log)
    except BaseException:
        for tests in runs.values():
            stop(tests)
        raise
    return passed


def text_of(*logs: Path) -> str:
    return "".join(log.read_text(errors="replace") for log in logs)


def stop(tests: subprocess.Popen[bytes]) -> None:
    """Ends the tests with all programs that they started."""
    os.killpg(tests.pid, signal.SIGKILL)
    tests.wait()


def failed_suites(logs: Iterable[Path]) -> list[str]:
    """The suites with failures, as filters; empty if a run was interrupted."""
    names: set[str] = set()
    for log in logs:
        try:
            cases = ElementTree.parse(report_of(log)).getroot().iter("testcase")
        except (FileNotFoundError, ElementTree.ParseError):
            return []
        names |= {case.get("classname", "") for case in cases if case.find("failure") is not None}
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


def chosen(option: str, patterns: list[str]) -> list[str]:
    """The options that choose tests by patterns."""
    return [word for pattern in patterns for word in (option, pattern)]


def main() -> int:
    log = PIPEWIRE_LOG if IS_ON_PIPEWIRE else LOG
    if sys.argv[1:2] == ["--filter"]:
        first = {log: chosen("--filter", sys.argv[2:])}
    elif IS_ON_PIPEWIRE:
        first = {log: chosen("--filter", SERVER_SUITES)}
    else:
        # The suites that start a server and those of streams mostly wait, and the others mostly calculate.
        first = {log: chosen("--skip", SERVER_SUITES + STREAM_SUITES), SERVER_LOG: chosen("--filter", SERVER_SUITES),
                 STREAM_LOG: chosen("--filter", STREAM_SUITES)}
    subprocess.run([ROOT / "scripts/clear-jack.sh"], check=True)
    passed = run(first)
    text = text_of(*first)
    show(text)
    if passed:
        return 0
    suites = failed_suites(first)
    if not suites:
        print(f"the run was interrupted; its output is in {', '.join(map(str, first))}")
        show_unfinished(text)
    print("second run:", ", ".join(suites) or "all", flush=True)
    subprocess.run([ROOT / "scripts/clear-jack.sh"], check=True)
    again = {log.with_stem(log.stem + "-again"): selection for log, selection in first.items()}
    if suites:
        again = {next(iter(again)): chosen("--filter", suites)}
    passed = run(again)
    show(text_of(*again))
    if not passed:
        show_unfinished(text_of(*again))
        return 1
    report_flaky(text)
    return 0


sys.exit(main())

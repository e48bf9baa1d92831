"""Runs the tests of the page: see scripts/check/page.py.

Without names, two processes share the tests, each with its own browser. The first one also runs those that need the
program. The output of the second one is printed after that of the first.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

import access_tests
import board_tests
import connection_tests
import connections_tests
import editing_program_tests
import editing_tests
import files_tests
import frames
import mixer_tests
import pairing_tests
import pictures
import program_file_tests
import program_tests
import setlist_tests
import stage_tests
from browser import Browser


def tests_of(*modules):
    return [(name[5:].replace("_", " "), test) for module in modules
            for name, test in vars(module).items() if name.startswith("test_")]


def part_of(index, count):
    """Returns the part of a test: the first one has all that need the program, and fewer of the others."""
    return 1 if index >= count or index % 5 < 2 else 2


def main():
    options = parse()
    if options.names or options.pictures or options.frames or options.part:
        sys.exit(0 if run(options) else 1)
    with tempfile.TemporaryFile("w+") as output:
        second = subprocess.Popen([sys.executable, __file__, "--part", "2",
                                   "--slow", str(options.slow)], stdout=output,
                                  stderr=subprocess.STDOUT)
        try:
            options.part = 1
            has_passed = run(options)
            has_passed = second.wait() == 0 and has_passed
        finally:
            second.kill()
        output.seek(0)
        print(output.read(), end="")
    sys.exit(0 if has_passed else 1)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program")
    parser.add_argument("--pictures")
    parser.add_argument("--frames", action="store_true")
    parser.add_argument("--slow", type=int, default=1, help="make the pages so many times slower")
    parser.add_argument("--part", type=int, choices=[1, 2], help="run only this part of the tests")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def run(options):
    """Runs the chosen tests, or makes the pictures; returns whether all passed."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("page: chromium is not installed; scripts/setup.sh installs it")
    tests = tests_of(stage_tests, mixer_tests, board_tests, setlist_tests, connection_tests,
                     connections_tests, files_tests, editing_tests, access_tests, pairing_tests)
    count = len(tests)
    failures = []
    with sync_playwright() as playwright:
        browser = Browser(playwright, chromium, options.slow)
        real = program_tests.Program(options.program) if options.program else None
        if options.frames:
            try:
                frames.measure(browser, real)
            finally:
                if real:
                    real.end()
            return True
        if options.pictures:
            try:
                pictures.make(browser, options.pictures)
                if real:
                    pictures.make_board(browser, options.pictures, real)
            finally:
                if real:
                    real.end()
            return True
        if real:
            tests += [(name, lambda browser, test=test: test(browser, real))
                      for name, test in tests_of(editing_program_tests, program_tests,
                                                 program_file_tests)]
        chosen = [(name, test) for index, (name, test) in enumerate(tests)
                  if (any(word in name for word in options.names) if options.names
                      else options.part in [None, part_of(index, count)])]
        try:
            for name, test in chosen:
                began = time.monotonic()
                try:
                    with browser.session():
                        test(browser)
                    print(f"ok    {name} ({time.monotonic() - began:.1f} s)", flush=True)
                except Exception:
                    failures.append(name)
                    print(f"FAIL  {name}\n{traceback.format_exc()}", flush=True)
        finally:
            if real:
                real.end()
            browser.close()
    print(f"page: {len(chosen) - len(failures)} passed, {len(failures)} failed")
    return bool(chosen) and not failures


if __name__ == "__main__":
    main()

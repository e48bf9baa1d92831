"""Runs the tests of the page: see scripts/check/page.py."""

import argparse
import shutil
import sys
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program")
    parser.add_argument("--pictures")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("page: chromium is not installed; scripts/setup.sh installs it")
    tests = tests_of(stage_tests, mixer_tests, board_tests, setlist_tests, connection_tests,
                     connections_tests, files_tests, editing_tests, access_tests, pairing_tests)
    failures = []
    with sync_playwright() as playwright:
        browser = Browser(playwright, chromium)
        real = program_tests.Program(options.program) if options.program else None
        if options.pictures:
            try:
                pictures.make(browser, options.pictures)
                if real:
                    pictures.make_board(browser, options.pictures, real)
            finally:
                if real:
                    real.end()
            return
        if real:
            tests += [(name, lambda browser, test=test: test(browser, real))
                      for name, test in tests_of(editing_program_tests, program_tests,
                                                 program_file_tests)]
        chosen = [(name, test) for name, test in tests
                  if not options.names or any(word in name for word in options.names)]
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
    sys.exit(1 if failures or not chosen else 0)


if __name__ == "__main__":
    main()

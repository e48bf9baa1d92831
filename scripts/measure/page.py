#!/usr/bin/env python3
"""Measures the server of the page: processor time with clients, memory without.

usage: page.py [--program PATH] [--clients N] [--seconds S] [--pipeline FILE] [--nodes] [--restless S]

Starts a JACK server with the dummy driver, and a pipeline with `--http 0`. First it compares the memory of the idle
program with that of a program without the server. Then N clients watch meters at 30 frames per second, and three of
them move a fader 50 times per second. The processor time is that of the thread `http`, from /proc. With `--nodes`, the
clients watch the levels of nodes too. With `--restless S`, clients then come and go for S seconds, and the memory is
printed six times.
"""
import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts/endurance/soak"))
from page_client import PageClient, drive, watching  # noqa: E402 (the path is set above)

TICKS = os.sysconf("SC_CLK_TCK")


def memory(process):
    """The resident memory of a process, in KiB."""
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))


def thread_seconds(process, name):
    """The processor time of the thread with a name, in seconds, and its scheduling policy."""
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/stat", encoding="utf-8") as file:
            text = file.read()
        fields = text[text.rindex(")") + 2:].split()
        if text[text.index("(") + 1:text.rindex(")")] == name:
            return (int(fields[11]) + int(fields[12])) / TICKS, int(fields[38])
    raise SystemExit(f"page.py: there is no thread {name}")


def start(program, pipeline, server, *options):
    """Starts a session; returns the process and the port of the page."""
    process = subprocess.Popen(
        [program, "run", pipeline, "--json", "--no-start-server", "--server", server, *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    port = None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "http_started":
            port = int(event["url"].rstrip("/").rsplit(":", 1)[1])
        if event["event"] == "started":
            break
    else:
        raise SystemExit(f"page.py: the program ends with status {process.wait()}")
    # The pipe must not fill up.
    subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
    return process, port


def end(process):
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=30)


def idle_memory(program, pipeline, server, *options):
    """The memory of a session that has played for some seconds, in KiB."""
    process, _ = start(program, pipeline, server, *options)
    time.sleep(4)
    result = memory(process.pid)
    end(process)
    return result


def come_and_go(port, process, clients, seconds, nodes):
    """Lets clients come and go, and prints the memory of the process."""
    dice = random.Random(1)
    pages = [watching(port, nodes) for _ in range(clients)]
    count, parts = clients, 6
    for part in range(parts):
        should_end = after(seconds / parts)
        while not should_end():
            drive(pages, after(dice.uniform(0.05, 0.4)))
            index = dice.randrange(len(pages))
            pages[index].socket.close()
            # Some ask for nothing, and one in three loads the files of the page.
            pages[index] = watching(port, nodes) if dice.random() < 0.8 else PageClient(port)
            if dice.random() < 0.3:
                for path in ["", "app.js", "api/state", "api/drawing"]:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=30).read()
            count += 1
        print(f"after {seconds * (part + 1) / parts:.0f} s and {count} clients: {memory(process)} KiB", flush=True)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def after(seconds):
    """Returns a function that returns whether a time is over."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/stompline"))
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pipeline", default=os.path.join(ROOT, "pipelines/clean-vocal.json"))
    parser.add_argument("--nodes", action="store_true")
    parser.add_argument("--restless", type=float, default=0)
    options = parser.parse_args()
    server = f"stompline-page-{os.getpid()}"
    jackd = subprocess.Popen(
        ["jackd", "-n", server, "-d", "dummy", "-r", "48000", "-p", "128"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        subprocess.run(["jack_wait", "-s", server, "-w", "-t", "20"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs = [
            (idle_memory(options.program, options.pipeline, server),
             idle_memory(options.program, options.pipeline, server, "--http", "0")) for _ in range(3)]
        without, with_server = min(run[0] for run in runs), min(run[1] for run in runs)
        print(f"memory without the server: {without} KiB; with it, idle: {with_server} KiB; "
              f"the server: {with_server - without} KiB")
        process, port = start(options.program, options.pipeline, server, "--http", "0")
        pages = [watching(port, options.nodes) for _ in range(options.clients)]
        drive(pages, after(2))
        for page in pages:
            page.forget()
        before, policy = thread_seconds(process.pid, "http")
        seconds = drive(pages, after(options.seconds))
        spent, _ = thread_seconds(process.pid, "http")
        delays = [delay for page in pages for delay in page.delays]
        print(f"{options.clients} clients for {seconds:.1f} s: {100 * (spent - before) / seconds:.2f} % of a core, "
              f"scheduling policy {policy} (0 is the usual one)")
        print(f"for each client and second: {sum(p.frames for p in pages) / len(pages) / seconds:.1f} frames of meters, "
              f"{sum(p.messages for p in pages) / len(pages) / seconds:.1f} messages, "
              f"{sum(p.bytes for p in pages) / len(pages) / seconds / 1000:.1f} kB")
        print(f"a move of the fader is seen after {1000 * percentile(delays, 0.5):.1f} ms at the median, "
              f"{1000 * percentile(delays, 0.99):.1f} ms at p99 ({len(delays)} sightings)")
        print(f"memory with {options.clients} clients: {memory(process.pid)} KiB")
        if options.restless:
            for page in pages:
                page.socket.close()
            come_and_go(port, process.pid, options.clients, options.restless, options.nodes)
        end(process)
    finally:
        jackd.terminate()
        jackd.wait(timeout=30)


if __name__ == "__main__":
    main()

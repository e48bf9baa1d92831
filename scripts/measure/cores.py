#!/usr/bin/python3
"""Finds how many plugins a pipeline of branches runs before the first late cycle.

usage: cores.py [--program PROGRAM] [--frames 64,128,1024] [--cores 1,2,auto] [--uri URI] [--channels 1]
                [--branches 8] [--seconds 4] [--start 16] [--step 2] [--tries 3] [--peer] [--mod-host PROGRAM]
                [--load 24] [--live 160] [--head 0] [--plan 4000] [--memory 4000] [--light] [--hand-over]

It starts a JACK server with real-time priority and the dummy driver for each block size. The server waits for its
clients in each cycle, because otherwise it does not notice every client that is late. The plugins are in
branches between an input and a mixer, whose lengths differ by at most one plugin. A number of plugins passes if one
of the tries has no late cycle and no xrun after its first second. --peer compares with one client of jalv for each
plugin, and --mod-host with a built mod-host (https://github.com/mod-audio/mod-host), which makes one client for each too.
--load prints the mean load of the quietest second and that of each core instead, which other programs disturb less.
--live prints the loads and the late cycles of so many plugins, separately for the first second, in which --cores auto
still decides. --head puts a chain of further plugins before the branches, so that these begin late in the cycle. --plan
only prints how long a random graph of so many nodes takes to plan for two cores, and --memory how much more memory it
needs there than on one core. --light only prints what a block of few and light nodes costs on one and on two cores, and
of heavier ones if every processor is busy. --hand-over only prints the costs of waking a worker and of handing tasks
over, which are constants of the engine; it builds a program for that, and needs two quiet cores.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 48_000
#: A plugin of 3.7 µs for each block of 64 frames, with two channels.
REVERB = "http://calf.sourceforge.net/plugins/Reverb"


def pipeline(options: argparse.Namespace, count: int) -> dict:
    """Returns a pipeline of branches with the given number of plugins, at least one per branch."""
    uri, branches, channels = options.uri, options.branches, options.channels
    nodes, ends, start = [], [], "in"
    for place in range(options.head):
        nodes.append({"id": f"head-{place}", "type": "lv2", "uri": uri, "from": start})
        start = f"head-{place}"
    for branch in range(min(branches, count)):
        source = start
        for place in range((count + branches - 1 - branch) // branches):
            nodes.append({"id": f"b{branch}-{place}", "type": "lv2", "uri": uri, "from": source})
            source = f"b{branch}-{place}"
        ends.append(source)
    nodes.append({"id": "sum", "type": "mixer", "from": ends})
    return {"version": 1, "name": "branches", "inputs": {"in": {"channels": channels}},
            "outputs": {"out": {"channels": 2}}, "nodes": nodes}


class Server:
    """A JACK server with the dummy driver."""

    def __init__(self, frames: int) -> None:
        self.name = f"cores-{os.getpid()}"
        self.process = subprocess.Popen(
            ["jackd", "-S", "-n", self.name, "-R", "-P", "70", "-d", "dummy", "-r", str(RATE), "-p", str(frames)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def late_cycles(program: str, path: Path, frames: int, cores: str, seconds: float) -> int:
    """Plays a pipeline on a server of its own; returns its late cycles and xruns after the first second."""
    server = Server(frames)
    try:
        return late_cycles_on(program, path, server.name, cores, seconds)
    finally:
        server.end()


def statuses(program: str, path: Path, server: str, cores: str, seconds: float) -> list[dict]:
    """Plays a pipeline on a server; returns the event of each second."""
    call = [program, "run", str(path), "--server", server, "--cores", cores, "--json", "--no-start-server",
            "--no-watch", "--no-watchdog", "--duration", str(seconds + 1)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=seconds + 60)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    found = [event for event in events if "late_cycles" in event and "load_mean" in event]
    if not found:
        print(done.stdout[-500:], done.stderr[-500:], file=sys.stderr)
    return found


def late_cycles_on(program: str, path: Path, server: str, cores: str, seconds: float) -> int:
    """Plays a pipeline on a server; returns its late cycles and xruns after the first second."""
    counts = [event["late_cycles"] + event["xruns"] for event in statuses(program, path, server, cores, seconds)]
    return counts[-1] - counts[0] if counts else 1 << 30


def seconds_on(options: argparse.Namespace, path: Path, frames: int, cores: str) -> list[dict]:
    """Plays a pipeline on a server of its own; returns the event of each second."""
    server = Server(frames)
    try:
        return statuses(options.program, path, server.name, cores, options.seconds)
    finally:
        server.end()


def label(cores: str) -> str:
    """Returns the name of a number of cores."""
    return "auto" if cores == "auto" else f"{cores} cores"


def core_loads(event: dict) -> str:
    """Returns the load of each core in a second, in brackets; an empty text on one core."""
    loads = " and ".join(f"{load:.1%}" for load in event["core_loads"])
    return f" ({loads})" if loads else ""


def print_loads(options: argparse.Namespace, frames: int, folder: Path) -> None:
    """Prints the loads of the quietest second on each number of cores."""
    path = folder / "branches.json"
    path.write_text(json.dumps(pipeline(options, options.load)))
    quietest = {}
    for cores in options.cores.split(","):
        events = seconds_on(options, path, frames, cores)
        if not events:
            sys.exit(f"cores: the pipeline has not played on {label(cores)}")
        quietest[cores] = min(events, key=lambda event: event["load_mean"])
    first = next(event["load_mean"] for event in quietest.values())
    text = ", ".join(f"{label(cores)}: {event['load_mean']:.1%}{core_loads(event)} ×{first / event['load_mean']:.2f}"
                     for cores, event in quietest.items())
    head = f"{options.head} plugins before " if options.head else ""
    print(f"{head}{options.load} plugins, {frames} frames: {text}", flush=True)


def print_live(options: argparse.Namespace, frames: int, folder: Path) -> None:
    """Prints the loads and the late cycles on each number of cores, in the first second and after it."""
    path = folder / "branches.json"
    path.write_text(json.dumps(pipeline(options, options.live)))
    for cores in options.cores.split(","):
        events = seconds_on(options, path, frames, cores)
        if len(events) < 2:
            sys.exit("cores: the pipeline has not played for two seconds")
        texts = []
        for name, part, late in (("first second", events[:1], 0), ("then", events[1:], events[0]["late_cycles"])):
            mean = sum(event["load_mean"] for event in part) / len(part)
            worst = max(event["load_worst"] for event in part)
            texts.append(f"{name}: mean {mean:.1%}{core_loads(part[-1])}, worst {worst:.1%}, "
                         f"late cycles {part[-1]['late_cycles'] - late}")
        print(f"{options.live} plugins, {frames} frames, {label(cores)}: {'; '.join(texts)}", flush=True)


def random_graph(count: int, folder: Path) -> Path:
    """Writes a random graph of gains and mixers; returns its path."""
    chance, nodes, unread = random.Random(1), [], set()
    for number in range(count - 1):
        near = [node["id"] for node in nodes[-50:]] or ["in"]
        sources = chance.sample(near, min(len(near), 3)) if number % 3 == 2 else [chance.choice(near)]
        nodes.append({"id": f"n{number}", "type": "mixer" if number % 3 == 2 else "gain", "from": sources})
        unread = unread.difference(sources) | {f"n{number}"}
    # A mixer has at most 16 strips.
    nodes.append({"id": "sum", "type": "mixer", "from": sorted(unread)[:16]})
    path = folder / "random.json"
    path.write_text(json.dumps({"version": 1, "name": "random", "inputs": {"in": {}}, "outputs": {"out": {"from": "sum"}},
                                "nodes": nodes}))
    return path


def bench(program: str, path: Path, seconds: float) -> dict:
    """Measures a pipeline on one and on two cores without JACK; returns the part of the report about cores."""
    call = [program, "bench", str(path), "--cores", "2", "--block", "64", "--seconds", str(seconds), "--json"]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)["cores"]


def print_plan(program: str, count: int, folder: Path) -> None:
    """Prints the time to plan a random graph for two cores."""
    cores = bench(program, random_graph(count, folder), 0.1)
    print(f"{count} nodes in {cores['tasks']} tasks: planned in {cores['plan_ns'] / 1e6:.1f} ms", flush=True)


def peak_bytes(program: str, path: Path, frames: int, cores: int) -> int:
    """Renders a pipeline several times; returns the smallest of the largest sizes of the program in memory."""
    call = [program, "render", str(path), "--output", str(path.with_suffix(".wav")), "--length", "0.2", "--cores",
            str(cores), "--block", str(frames)]
    sizes = []
    for _ in range(5):
        process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"cores: {' '.join(call)} ends with status {process.returncode}")
        sizes.append(usage.ru_maxrss * 1024)
    return min(sizes)


def print_memory(program: str, count: int, frames: int, folder: Path) -> None:
    """Prints how much more memory a random graph needs on two cores than on one."""
    path = random_graph(count, folder)
    one, two = (peak_bytes(program, path, frames, cores) for cores in (1, 2))
    print(f"{count} nodes, {frames} frames: {one / 1e6:.1f} MB on one core, {two / 1e6:.1f} MB on two: "
          f"{(two - one) / 1e6:.1f} MB more", flush=True)


@contextlib.contextmanager
def busy_processors() -> Iterator[None]:
    """Keeps every processor busy with a program of normal priority."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def print_light(program: str, folder: Path) -> None:
    """Prints the costs of blocks for which a second core brings nothing."""
    light = folder / "light.json"
    nodes = [{"id": name, "type": "gain", "from": "in"} for name in ("left", "right")]
    light.write_text(json.dumps({
        "version": 1, "name": "light", "inputs": {"in": {}}, "outputs": {"out": {"from": "sum"}},
        "nodes": [*nodes, {"id": "sum", "type": "mixer", "from": ["left", "right"]}]}))
    print_costs("two gains and a mixer", bench(program, light, 2))
    reverbs = folder / "reverbs.json"
    reverbs.write_text(json.dumps(pipeline(argparse.Namespace(uri=REVERB, branches=8, channels=2, head=0), 8)))
    with busy_processors():
        print_costs("8 Calf Reverb in 8 branches, every processor is busy", bench(program, reverbs, 2))


def print_costs(name: str, cores: dict) -> None:
    """Prints the measured time of a block on one and on two cores."""
    times = [f"{row['measured_ns']:.0f} ns on {row['cores']}" for row in cores["counts"] if row["measured_ns"]]
    print(f"{name}, 64 frames: {', '.join(times)} cores", flush=True)


def print_hand_over() -> None:
    """Builds the program that measures the hand-over of tasks between cores, and runs it."""
    folder = ROOT / ".build/hand-over"
    (folder / "CRealtime").mkdir(parents=True, exist_ok=True)
    header = ROOT / "Sources/CRealtime/include/CRealtime.h"
    module = f'module CRealtime {{ umbrella header "{header}" export * }}'
    (folder / "CRealtime/module.modulemap").write_text(module)
    sources = ["Sources/Engine/Cores/TaskRun.swift", "Sources/Engine/Cores/TaskBoard.swift",
               "Sources/Engine/Cores/WorkerLead.swift",
               "Sources/Engine/Steps/ActiveNodeMarker.swift", "Tests/Tools/HandOver/main.swift"]
    subprocess.run(["swiftc", "-O", "-package-name", "stompline", "-I", folder / "CRealtime", "-Xcc",
                    "-march=x86-64-v2", "-o", folder / "hand-over", *sources], check=True, cwd=ROOT)
    subprocess.run([folder / "hand-over"], check=True)


class Jalv:
    """A jalv for each plugin."""

    def __init__(self, uri: str, count: int, environment: dict[str, str]) -> None:
        self.programs = [
            subprocess.Popen(["jalv", "-n", f"jalv{number}", uri], env=environment, stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for number in range(count)]

    def end(self) -> None:
        for program in self.programs:
            program.kill()
            program.wait()


class ModHost:
    """A mod-host, which names the client of its plugin N `effect_N`."""

    def __init__(self, host: str, uri: str, count: int, environment: dict[str, str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.program = subprocess.Popen([host, "-n", "-p", str(port), "-f", str(port + 1)], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.control = self._connect(port)
        # It refuses commands unless something reads its feedback.
        self.feedback = self._connect(port + 1)
        for number in range(count):
            self.control.sendall(f"add {uri} {number}\0".encode())
            answer = self.control.recv(256).rstrip(b"\0").decode()
            if answer != f"resp {number}":
                self.end()
                sys.exit(f"cores: mod-host answers {answer!r}")

    def _connect(self, port: int) -> socket.socket:
        for _ in range(100):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=30)
            except ConnectionRefusedError:
                time.sleep(0.1)
        self.program.kill()
        sys.exit("cores: mod-host does not start")

    def end(self) -> None:
        self.program.kill()
        self.program.wait()


def peer_late_cycles(options: argparse.Namespace, peer: Callable, frames: int, count: int) -> int:
    """Runs each plugin in a client of a peer; returns the xruns that an idle client of the same server notices."""
    server = Server(frames)
    environment = dict(os.environ, JACK_DEFAULT_SERVER=server.name)
    try:
        clients = peer(count, environment)
        try:
            for _ in range(100):
                listed = subprocess.run(["jack_lsp"], env=environment, capture_output=True, text=True).stdout
                names = {line.split(":")[0] for line in listed.splitlines()}
                if sum(bool(re.fullmatch(r"(jalv|effect_)\d+", name)) for name in names) >= count:
                    break
                time.sleep(0.2)
            else:
                return 1 << 30
            time.sleep(1)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "idle.json"
                path.write_text(json.dumps({"version": 1, "name": "idle", "nodes": []}))
                return late_cycles_on(options.program, path, server.name, "1", options.seconds)
        finally:
            clients.end()
    finally:
        server.end()


def hosts(options: argparse.Namespace, frames: int, path: Path) -> dict[str, Callable[[int], int]]:
    """Returns the functions that play a number of plugins and return the late cycles, by the name of the host."""

    def ours(cores: str) -> Callable[[int], int]:
        def play(count: int) -> int:
            path.write_text(json.dumps(pipeline(options, count)))
            return late_cycles(options.program, path, frames, cores, options.seconds)
        return play

    found = {label(cores): ours(cores) for cores in options.cores.split(",")}
    if options.peer:
        found["jalv"] = lambda count: peer_late_cycles(options, lambda *how: Jalv(options.uri, *how), frames, count)
    if options.mod_host:
        found["mod-host"] = lambda count: peer_late_cycles(
            options, lambda *how: ModHost(options.mod_host, options.uri, *how), frames, count)
    return found


def passes(options: argparse.Namespace, host: str, play: Callable[[int], int], count: int) -> bool:
    """Returns whether one of several runs has no late cycle: other programs can disturb a run."""
    late: list[int] = []
    while len(late) < options.tries and 0 not in late:
        late.append(play(count))
    print(f"  {host}, {count} plugins: late {late}", file=sys.stderr, flush=True)
    return 0 in late


def most(options: argparse.Namespace, host: str, play: Callable[[int], int]) -> int:
    """Returns the largest number of plugins without a late cycle."""
    count, stride = options.start, max(options.step, options.start // 2)
    # First large steps, then the place between the last two numbers.
    while passes(options, host, play, count):
        count += stride
    low, high = max(0, count - stride), count
    while high - low > options.step:
        middle = (low + high) // (2 * options.step) * options.step
        if passes(options, host, play, middle):
            low = middle
        else:
            high = middle
    return low


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/stompline"))
    parser.add_argument("--frames", default="64,128,1024")
    parser.add_argument("--cores", default="1,2")
    parser.add_argument("--uri", default="urn:zamaudio:ZamTube")
    parser.add_argument("--branches", type=int, default=8)
    parser.add_argument("--head", type=int, default=0, help="the number of plugins before the branches")
    parser.add_argument("--channels", type=int, default=1, help="channels of the plugin")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--start", type=int, default=16, help="the number of plugins to begin with")
    parser.add_argument("--step", type=int, default=2, help="the smallest step of the number of plugins")
    parser.add_argument("--load", type=int, default=0, help="print the loads of this many plugins instead")
    parser.add_argument("--live", type=int, default=0, help="print loads and late cycles of this many plugins instead")
    parser.add_argument("--memory", type=int, default=0, help="print the memory of this many nodes instead")
    parser.add_argument("--light", action="store_true", help="print the costs of blocks that gain nothing instead")
    parser.add_argument("--plan", type=int, default=0, help="print the time to plan this many nodes instead")
    parser.add_argument("--hand-over", action="store_true", help="print the costs of the hand-over between cores")
    parser.add_argument("--peer", action="store_true", help="also each plugin in a client of jalv")
    parser.add_argument("--mod-host", help="also each plugin in a client of this mod-host")
    parser.add_argument("--tries", type=int, default=3)
    options = parser.parse_args()
    # The programs that were started must not outlive this one.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.hand_over:
        print_hand_over()
        return 0
    if options.plan:
        with tempfile.TemporaryDirectory() as folder:
            print_plan(options.program, options.plan, Path(folder))
        return 0
    if options.light:
        with tempfile.TemporaryDirectory() as folder:
            print_light(options.program, Path(folder))
        return 0
    for frames in map(int, options.frames.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            if options.memory:
                print_memory(options.program, options.memory, frames, Path(folder))
                continue
            if options.load:
                print_loads(options, frames, Path(folder))
                continue
            if options.live:
                print_live(options, frames, Path(folder))
                continue
            found = {host: most(options, host, play)
                     for host, play in hosts(options, frames, Path(folder) / "branches.json").items()}
        first = next(iter(found.values()))
        text = ", ".join(f"{host}: {count} (×{count / max(1, first):.2f})" for host, count in found.items())
        print(f"{frames} frames: {text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures how start, edits, song switches and memory grow with the size of a pipeline and of a setlist.

usage: scale.py [--program PATH] [--sizes 10,100,1000,4000] [--songs 1,10,100,500] [--shapes chain,branches,mixers]
                [--rounds N] [--period FRAMES] [--only nodes|ports|songs]

Starts a JACK server with the dummy driver, and a partner that plays a tone and records what the program makes of it.
All times to a sound are counted in recorded frames, from the last period before the request to the first frame with
another level; the lowest of all rounds counts, so that other work of the machine does not. Times of `check`, `render`
and `graph` are processor times, and so are the lines of a session with "CPU": those of all threads but the audio thread, until the change is heard. The
exponent states the growth from one size to the next: 1 is linear growth, and the last line of each table shows what n
log n gives. It is a dash if the growth is too small to measure.
"""
import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import wave

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from growth import files  # noqa: E402 (the path is set above)
from growth.rig import ROOT, Partner, Server, Session, processor_seconds  # noqa: E402

# A growth below this, in milliseconds or in a tenth of a megabyte, is less than the noise of a measurement.
SMALLEST_GROWTH = 3


def least(former, new):
    """Merges the figures of a round with those of former rounds."""
    return {name: min((value for value in (former.get(name), new.get(name)) if value is not None), default=None)
            for name in {**former, **new}}


def milliseconds(seconds):
    return None if seconds is None else seconds * 1000


def measure_session(rig, path, changes):
    """Starts a session and makes changes; returns the figures in milliseconds, and the memory in megabytes."""
    program, server, partner = rig
    before = partner.now()
    session = Session(program, path, server.name)
    try:
        started, spent = session.wait(), sum(session.threads().values())
        figures = {"first cycle": milliseconds(started), "start, CPU": milliseconds(spent),
                   "first sound": milliseconds(partner.change(before, 0))}
        level = partner.level()
        figures["memory"] = session.memory() / 1e6
        figures["audio thread, % of a processor"] = 100 * session.find_audio()
        for name, change in changes.items():
            session.read_tag()
            time.sleep(0.2)
            since = partner.now()
            spent = session.cpu()
            try:
                change(session)
            except urllib.error.HTTPError:
                # The page edits files of at most a mebibyte.
                figures[name] = None
                continue
            figures[name] = milliseconds(partner.change(since, level))
            level = partner.level()
            if not name.startswith("set"):
                figures[name + ", CPU"] = milliseconds(session.cpu() - spent)
        figures["description"] = milliseconds(answer_seconds(session, "state"))
        figures["drawing"] = milliseconds(answer_seconds(session, "drawing"))
    finally:
        session.end()
    return figures


def answer_seconds(session, path):
    before = time.monotonic()
    session.request(path).read()
    return time.monotonic() - before


def measure_file(rig, path, file):
    """Measures one pipeline once."""
    edited, address, pointer = files.edited(file)
    value = edited["nodes"][-1]["parameters"]["gain"]
    former = file["nodes"][-1].get("parameters", {}).get("gain", 0)
    files.write(path, file)
    operations = [{"op": "add", "path": pointer, "value": value}]
    figures = measure_session(rig, path, {
        "set a value": lambda session: session.tell("/" + address.replace(".", "/"), float(value)),
        "set it back": lambda session: session.tell("/" + address.replace(".", "/"), float(former)),
        "edit on the page": lambda session: session.patch(operations),
        "edit by hand": lambda session: files.write(path, file),
        "add a node": lambda session: files.write(path, files.with_node(file)),
        "remove it": lambda session: files.write(path, file),
    })
    sound = os.path.join(os.path.dirname(path), "silence.wav")
    program = rig[0]
    figures["check, CPU"] = milliseconds(processor_seconds([program, "check", path]))
    figures["graph, CPU"] = milliseconds(processor_seconds([program, "graph", path, "--svg"]))
    figures["render, CPU"] = milliseconds(processor_seconds(
        [program, "render", path, "--input", f"in={sound}", "--output", sound + ".out.wav"]))
    return figures


def measure_setlist(rig, folder, count, kilobytes):
    """Measures one setlist once."""
    path = files.setlist(folder, count, kilobytes)
    changes = {}
    if count > 1:
        changes["next song"] = lambda session: session.tell("/next-song")
        changes["far song"] = lambda session: session.tell("/song", count if count % 2 else count - 1)
    edited = files.pipeline([files.gain(f"g{j}", files.EDITED_DECIBELS if j == 0 else 0) for j in range(8)])

    def edit(session):
        # The song that plays: the only one, or the far one.
        song = 0 if count == 1 else (count if count % 2 else count - 1) - 1
        files.write(os.path.join(folder, f"song-{song}.json"), edited)

    if not kilobytes:
        changes["edit by hand"] = edit
    figures = measure_session(rig, path, changes)
    figures["check, CPU"] = milliseconds(processor_seconds([rig[0], "check", path]))
    return figures


def exponent(small, large, step):
    """The exponent of the growth between two figures, without the figure of the smallest size."""
    if None in (small, large) or small < SMALLEST_GROWTH or large <= 0:
        return "–"
    return f"{math.log(large / small) / math.log(step):.2f}"


def print_table(title, sizes, figures):
    """Prints the figures of all sizes, and the exponents of the growth."""
    print(f"\n### {title}\n")
    steps = [(a, b) for a, b in zip(sizes, sizes[1:]) if a > sizes[0] or len(sizes) == 2]
    head = ["milliseconds"] + [f"{size:,}" for size in sizes] + [f"{a:,} to {b:,}" for a, b in steps]
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for name in figures[sizes[0]] | figures[sizes[-1]]:
        values = [figures[size].get(name) for size in sizes]
        label = "memory, MB" if name == "memory" else name
        cells = ["–" if value is None else f"{value:.1f}" if value < 100 else f"{value:,.0f}" for value in values]
        base = values[0] or 0
        scale = 10 if name == "memory" else 1
        growth = {size: None if value is None else (value - base) * scale for size, value in zip(sizes, values)}
        cells += [exponent(growth[a], growth[b], b / a) for a, b in steps]
        print("| " + " | ".join([label] + cells) + " |", flush=True)
    if steps:
        cells = ["–" if a == 1 else f"{math.log(b * math.log(b) / (a * math.log(a))) / math.log(b / a):.2f}"
                 for a, b in steps]
        print("| n log n |" + " |" * len(sizes) + " " + " | ".join(cells) + " |", flush=True)


def rounds(count, measure):
    figures = {}
    for _ in range(count):
        figures = least(figures, measure())
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/stompline"))
    parser.add_argument("--partner", default=os.path.join(ROOT, ".build/release/gig-partner"))
    parser.add_argument("--sizes", default="10,100,1000,4000")
    parser.add_argument("--songs", default="1,10,100,500")
    parser.add_argument("--shapes", default="chain,branches,mixers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--period", type=int, default=128)
    parser.add_argument("--only", choices=["nodes", "ports", "songs"])
    options = parser.parse_args()
    sizes, songs = ([int(size) for size in text.split(",")] for text in (options.sizes, options.songs))
    print("load averages at the start:", *os.getloadavg())
    folder = tempfile.mkdtemp(prefix="stompline-scale-")
    server = Server(options.period)
    try:
        with wave.open(os.path.join(folder, "silence.wav"), "wb") as sound:
            sound.setparams((1, 2, 48_000, 0, "NONE", ""))
            sound.writeframes(bytes(9_600))
        partner = Partner(options.partner, server.name, os.path.join(folder, "heard.f32"))
        rig = options.program, server, partner
        if options.only in (None, "nodes"):
            for shape in options.shapes.split(","):
                figures = {}
                for size in sizes:
                    file = files.SHAPES[shape](size)
                    path = os.path.join(folder, f"{shape}-{size}.json")
                    figures[size] = rounds(options.rounds, lambda: measure_file(rig, path, file))
                print_table(f"Nodes: {shape}", sizes, figures)
        if options.only in (None, "ports"):
            figures = {}
            for channels in (1, 64):
                path = os.path.join(folder, f"wide-{channels}.json")
                figures[channels] = rounds(options.rounds, lambda: measure_file(rig, path, files.wide(channels)))
            print_table("Channels in and out of one node", [1, 64], figures)
        if options.only in (None, "songs"):
            for title, kilobytes in {"Songs of a setlist": 0, "Songs that reserve 10 MB each": 10_000}.items():
                figures = {}
                for count in songs:
                    path = os.path.join(folder, f"songs-{count}-{kilobytes}")
                    figures[count] = rounds(options.rounds, lambda: measure_setlist(rig, path, count, kilobytes))
                print_table(title, songs, figures)
        partner.end()
        print("\nload averages at the end:", *os.getloadavg())
    finally:
        server.end()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()

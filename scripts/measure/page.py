#!/usr/bin/env python3
"""Measures the server of the page: processor time with clients, memory without.

usage: page.py [--program PATH] [--clients N] [--seconds S] [--pipeline FILE]

Starts a JACK server with the dummy driver, and a pipeline with `--http 0`. First it compares the memory of the idle
program with that of a program without the server. Then N clients watch meters at 30 frames per second, and three of
them move a fader 50 times per second. The processor time is that of the thread `http`, from /proc.
"""
import argparse
import base64
import json
import os
import re
import selectors
import signal
import socket
import struct
import subprocess
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TICKS = os.sysconf("SC_CLK_TCK")


class Page:
    """A WebSocket client that counts what arrives."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            self.received += self.socket.recv(65536)
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head
        self.frames = 0
        self.messages = 0
        self.bytes = 0
        self.revision = 0
        self.id = 0
        self.delays = []
        self.waiting = {}

    def send(self, request):
        self.id += 1
        payload = json.dumps({"id": self.id, **request}).encode()
        mask = os.urandom(4)
        body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack("!BBH", 0x81, 0x80 | 126, size)
        self.socket.sendall(head + mask + body)
        return self.id

    def receive(self):
        data = self.socket.recv(1 << 20)
        assert data, "the server closed a connection"
        self.bytes += len(data)
        self.received += data
        while self.take():
            pass

    def take(self):
        data = self.received
        if len(data) < 2:
            return False
        size, start = data[1] & 127, 2
        if size == 126:
            if len(data) < 4:
                return False
            size, start = struct.unpack("!H", data[2:4])[0], 4
        elif size == 127:
            if len(data) < 10:
                return False
            size, start = struct.unpack("!Q", data[2:10])[0], 10
        if len(data) < start + size:
            return False
        payload = data[start:start + size]
        self.received = data[start + size:]
        kind = data[0] & 15
        if kind == 2:
            self.frames += 1
        elif kind == 1:
            self.messages += 1
            self.follow(json.loads(payload))
        return True

    def follow(self, message):
        self.revision = max(self.revision, message.get("revision", 0))
        for address, value in message.get("values", {}).items() if message["type"] == "values" else ():
            sent = self.waiting.pop((address, value), None)
            if sent is not None:
                self.delays.append(time.monotonic() - sent)


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


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def drive(pages, seconds):
    """Receives everything for some seconds, while three pages move a fader."""
    chosen = selectors.DefaultSelector()
    for page in pages:
        chosen.register(page.socket, selectors.EVENT_READ, page)
    begin = time.monotonic()
    step = 0
    while (now := time.monotonic()) < begin + seconds:
        if now >= begin + step / 50:
            step += 1
            for number, page in enumerate(pages[:3]):
                value = -(step % 400) / 10 - number / 100
                for other in pages:
                    other.waiting[("gain", value)] = time.monotonic()
                page.send({"request": "set", "address": "gain", "value": value, "revision": page.revision})
        for key, _ in chosen.select(timeout=0.005):
            key.data.receive()
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/stompline"))
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pipeline", default=os.path.join(ROOT, "pipelines/clean-vocal.json"))
    options = parser.parse_args()
    server = f"stompline-page-{os.getpid()}"
    jackd = subprocess.Popen(
        ["jackd", "--no-realtime", "-T", "-n", server, "-d", "dummy", "-r", "48000", "-p", "128"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    try:
        runs = [
            (idle_memory(options.program, options.pipeline, server),
             idle_memory(options.program, options.pipeline, server, "--http", "0")) for _ in range(3)]
        without, with_server = min(run[0] for run in runs), min(run[1] for run in runs)
        print(f"memory without the server: {without} KiB; with it, idle: {with_server} KiB; "
              f"the server: {with_server - without} KiB")
        process, port = start(options.program, options.pipeline, server, "--http", "0")
        pages = [Page(port) for _ in range(options.clients)]
        for page in pages:
            page.send({"request": "watch", "meters": 30})
        drive(pages[3:], 2)
        for page in pages:
            page.frames = page.messages = page.bytes = 0
            page.delays = []
        before, policy = thread_seconds(process.pid, "http")
        seconds = drive(pages, options.seconds)
        after, _ = thread_seconds(process.pid, "http")
        delays = [delay for page in pages for delay in page.delays]
        print(f"{options.clients} clients for {seconds:.1f} s: {100 * (after - before) / seconds:.2f} % of a core, "
              f"scheduling policy {policy} (0 is the usual one)")
        print(f"for each client and second: {sum(p.frames for p in pages) / len(pages) / seconds:.1f} frames of meters, "
              f"{sum(p.messages for p in pages) / len(pages) / seconds:.1f} messages, "
              f"{sum(p.bytes for p in pages) / len(pages) / seconds / 1000:.1f} kB")
        print(f"a move of the fader is seen after {1000 * percentile(delays, 0.5):.1f} ms at the median, "
              f"{1000 * percentile(delays, 0.99):.1f} ms at p99 ({len(delays)} sightings)")
        print(f"memory with {options.clients} clients: {memory(process.pid)} KiB")
        end(process)
    finally:
        jackd.terminate()
        jackd.wait(timeout=30)


if __name__ == "__main__":
    main()

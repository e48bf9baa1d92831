"""A client of the page's WebSocket protocol (docs/http.md), and a program that runs several of them.

usage: page_client.py PORT COUNT

The program runs COUNT pages until its standard input ends: all watch meters at 30 frames per second, and three of them
move the master gain 50 times per second. Then it prints what arrived, as JSON. If the server closes a page, the program
says so and opens another one.
"""
import base64
import json
import os
import selectors
import socket
import struct
import sys
import time

# The moves of a fader per second, and the number of pages that move one.
MOVES, MOVING = 50, 3


class PageClient:
    """A WebSocket client that counts what arrives."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            self.received += self._data()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode(errors="replace"))
        self.revision = 0
        self.id = 0
        # When values were sent, by address and value; and how long they took to arrive, in seconds.
        self.waiting = {}
        self.forget()

    def forget(self):
        """Sets all counts to zero."""
        self.frames = self.messages = self.bytes = 0
        self.delays = []

    def send(self, request):
        """Sends a request with the next id."""
        self.id += 1
        payload = json.dumps({"id": self.id, **request}).encode()
        mask = os.urandom(4)
        body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack("!BBH", 0x81, 0x80 | 126, size)
        self.socket.sendall(head + mask + body)

    def receive(self):
        """Reads what has arrived."""
        data = self._data()
        self.bytes += len(data)
        self.received += data
        while self._take():
            pass

    def _data(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data

    def _take(self):
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
            self._follow(json.loads(payload))
        elif kind == 9:
            # A pong: a client must mask its frames.
            self.socket.sendall(bytes([0x8A, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
        elif kind == 8:
            raise ConnectionError(f"the server closed the connection: {payload!r}")
        return True

    def _follow(self, message):
        self.revision = max(self.revision, message.get("revision", 0))
        for address, value in message.get("values", {}).items() if message["type"] == "values" else ():
            sent = self.waiting.pop((address, value), None)
            if sent is not None:
                self.delays.append(time.monotonic() - sent)


def drive(pages, should_end, on_loss=None):
    """Receives everything, while some pages move the master gain, until `should_end` returns true.

    `on_loss(page, error)` returns the page that replaces a lost one; without it, the error is raised. Returns the seconds.
    """
    chosen = selectors.DefaultSelector()
    for page in pages:
        chosen.register(page.socket, selectors.EVENT_READ, page)

    def replace(page, error):
        if not on_loss:
            raise error
        chosen.unregister(page.socket)
        page.socket.close()
        other = on_loss(page, error)
        pages[pages.index(page)] = other
        chosen.register(other.socket, selectors.EVENT_READ, other)

    begin, step = time.monotonic(), 0
    while not should_end():
        now = time.monotonic()
        if now >= begin + step / MOVES:
            step = int((now - begin) * MOVES) + 1
            for number, page in enumerate(pages[:MOVING]):
                value = -(step % 300) / 100 - number / 1000
                for other in pages:
                    other.waiting[("gain", value)] = time.monotonic()
                try:
                    page.send({"request": "set", "address": "gain", "value": value, "revision": page.revision})
                except OSError as error:
                    replace(page, error)
        for key, _ in chosen.select(timeout=0.005):
            try:
                key.data.receive()
            except OSError as error:
                replace(key.data, error)
    return time.monotonic() - begin


def watching(port, nodes=True):
    """Opens a page that watches meters, also those of nodes unless `nodes` is false."""
    page = PageClient(port)
    page.send({"request": "watch", "meters": 30, "nodes": nodes})
    return page


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    losses = []

    def again(_, error):
        losses.append(str(error))
        return watching(port)

    pages = [watching(port) for _ in range(count)]
    standard_input = selectors.DefaultSelector()
    standard_input.register(sys.stdin, selectors.EVENT_READ)
    seconds = drive(pages, lambda: bool(standard_input.select(timeout=0)), again)
    print(json.dumps({"seconds": seconds, "frames": sum(page.frames for page in pages),
                      "messages": sum(page.messages for page in pages), "losses": losses}))


if __name__ == "__main__":
    main()

"""Messages that no sane remote sends, for the OSC server and the page's server."""
import json
import os
import struct

from night import padded

INTEGERS = [0, 1, -1, 127, 128, 2**31 - 1, -2**31]
LONGS = [2**63 - 1, -2**63, 2**32, -2**32 - 1]
FLOATS = [float("nan"), float("inf"), float("-inf"), -1e308, 1e-310, -0.0, -9223372036854775808.0]
TEXTS = ["", ":", "in:", "tone:0", "tone:-9223372036854775808", "tone:99999999999999999999", "a" * 300, "\x1b[2J\n", "%n%s",
         "é" * 40, "../../etc/passwd", "1e999", "-9223372036854775808", "nan"]
WORDS = ["scene", "song", "tuner", "learn", "tempo", "mute", "tap", "next-scene", "previous-scene", "dump", "sync", "subscribe",
         "meters", "unsubscribe", "token", "error", "structure", "*", "{a,b", "[z-a]*", "", "clean/bypass", "clean/mix/x"]


class Nonsense:
    """Generates random datagrams: half of them valid OSC with wild values, the rest damaged."""

    def __init__(self, chance, nodes):
        self.chance, self.nodes = chance, nodes

    def datagram(self):
        message = self._message()
        how = self.chance.random()
        if how < 0.5:
            return message
        if how < 0.7:
            return self._bundle([self._message() for _ in range(self.chance.randint(0, 40))])
        if how < 0.8:
            return self.chance.randbytes(self.chance.randint(0, 2000))
        return self._damaged(message)

    def _message(self):
        path = "/" + self.chance.choice(WORDS)
        if self.chance.random() < 0.5:
            name = self.chance.choice(["bypass", "mix", "mute", "frequency", "position", "item", "trigger", "take", "nothing", "b*"])
            path = f"/{self.chance.choice(self.nodes)}/{name}"
        types, data = ",", b""
        for _ in range(self.chance.choice([0, 1, 1, 1, 1, 2, 5])):
            kind = self.chance.choice("ihfdsTFNIbtc")
            types += kind
            data += self._argument(kind)
        return padded(path) + padded(types) + data

    def _argument(self, kind):
        if kind in "ic":
            return struct.pack(">i", self.chance.choice(INTEGERS))
        if kind in "ht":
            return struct.pack(">q", self.chance.choice(LONGS))
        if kind == "f":
            # Values beyond the range of a float become infinite there too.
            value = self.chance.choice(FLOATS)
            return struct.pack(">f", value if abs(value) < 3e38 or value != value else float("-inf"))
        if kind == "d":
            return struct.pack(">d", self.chance.choice(FLOATS))
        if kind == "s":
            return padded(self.chance.choice(TEXTS))
        if kind == "b":
            return struct.pack(">i", self.chance.choice([0, 4, -4, 2**31 - 1])) + self.chance.randbytes(4)
        return b""

    def _bundle(self, parts):
        data = b"#bundle\0" + struct.pack(">q", self.chance.choice(LONGS + [1]))
        for part in parts:
            data += struct.pack(">i", len(part)) + part
        return data[:8000]

    def _damaged(self, message):
        data = bytearray(message)
        for _ in range(self.chance.randint(1, 6)):
            data[self.chance.randrange(len(data))] = self.chance.randrange(256)
        return bytes(data[:self.chance.randint(1, len(data))])

    # The page's server.

    def http(self):
        """Returns requests: some of them valid with wild values, the rest damaged."""
        text = b"".join(self._request() for _ in range(self.chance.randint(1, 20)))
        return text if self.chance.random() < 0.5 else self._damaged(text)

    def _request(self):
        path = self.chance.choice(["/", "/metrics", "/api/state", "/api/values/" + self._address(), "/api/actions/" + self._word(),
                                   "/api/keys/" + self._word(), "/api/files/1", "/api/drawing", "/%00", "/../../etc/passwd", "/" + "a" * self.chance.randint(0, 9000)])
        body = json.dumps(self._value()).encode()
        head = (f"{self.chance.choice(['GET', 'PUT', 'POST', 'HEAD', 'PATCH', 'DELETE', 'BREW'])} {path} HTTP/1.1\r\n"
                f"Host: {self.chance.choice(['127.0.0.1', 'localhost', 'evil.example'])}\r\n"
                f"Content-Length: {self.chance.choice([len(body), 0, 2**63, -1])}\r\n\r\n")
        return head.encode() + body

    def frames(self):
        """Returns frames of a page: some of them valid requests with wild values, the rest damaged."""
        text = b"".join(self._frame() for _ in range(self.chance.randint(1, 50)))
        return text if self.chance.random() < 0.5 else self._damaged(text)

    def _frame(self):
        request = {"id": self.chance.choice([1, 0, -1, 2**53, "x"]),
                   "request": self.chance.choice(["set", "fade", "perform", "get", "key", "snapshot", "watch", "ping", "", "nothing"]),
                   "address": self._address(), "value": self._value(), "action": self._word(), "key": self._word(),
                   "seconds": self.chance.choice([0, 5, -1, 1e300]), "meters": self.chance.choice([0, 30, -1, 10**6]),
                   "revision": self.chance.choice([0, 2**53 - 1, -1])}
        payload, mask = json.dumps(request).encode(), os.urandom(4)
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        return (bytes([self.chance.choice([0x81, 0x81, 0x81, 0x01, 0x82, 0x89, 0x8F])]) + length + mask
                + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)))

    def _address(self):
        return self.chance.choice([*WORDS, self.chance.choice(self.nodes) + ".mix", self.chance.choice(self.nodes) + ".bypass"])

    def _word(self):
        return self.chance.choice([word for word in WORDS + TEXTS if word.isprintable()] + ["tap", "next-scene", "undo"])

    def _value(self):
        return self.chance.choice([*INTEGERS, *LONGS, 0.5, 1e308, *TEXTS, True, False, None, [], {}, {"value": 1, "over": 1e9}])

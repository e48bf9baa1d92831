"""Messages that no sane remote sends, for the OSC server."""
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

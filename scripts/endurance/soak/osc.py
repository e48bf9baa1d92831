"""Questions over OSC, each with its answer."""
import select
import socket
import struct
import time

from night import padded


def message(path, *values):
    """Returns an OSC message."""
    types, data = ",", b""
    for value in values:
        if isinstance(value, bool):
            types += "T" if value else "F"
        elif isinstance(value, int):
            types, data = types + "i", data + struct.pack(">i", value)
        elif isinstance(value, float):
            types, data = types + "f", data + struct.pack(">f", value)
        else:
            types, data = types + "s", data + padded(value)
    return padded(path) + padded(types) + data


def parsed(data):
    """Returns path and values of an OSC message, or None if it is no plain message."""
    try:
        path, data = _text(data)
        types, data = _text(data)
        values = []
        for kind in types[1:]:
            if kind in "fi":
                values.append(struct.unpack(">" + kind, data[:4])[0])
                data = data[4:]
            elif kind == "s":
                text, data = _text(data)
                values.append(text)
            else:
                values.append(kind == "T")
        return path, values
    except (ValueError, struct.error, UnicodeDecodeError):
        return None


def _text(data):
    end = data.index(0)
    return data[:end].decode(), data[(end // 4 + 1) * 4:]


class Asker:
    """Asks a program for values, and tells it some."""

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)

    def tell(self, path, *values):
        self.socket.sendto(message(path, *values), self.target)

    def ask(self, path, seconds=1.0):
        """Returns the value of an address; None if there is no answer."""
        while self._receive(0):
            pass
        self.tell(path)
        end = time.time() + seconds
        while (left := end - time.time()) > 0:
            answer = self._receive(left)
            if answer and answer[0] == path and answer[1]:
                return answer[1][-1]
            if answer and answer[0] == "/error":
                return None
        return None

    def _receive(self, seconds):
        """Returns the next message within a time, or None."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        try:
            return parsed(self.socket.recv(8192)) or ("", [])
        except OSError:
            return ("", [])

    def close(self):
        self.socket.close()

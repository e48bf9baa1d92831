#!/usr/bin/python3
"""A web server for tests that misbehaves as its addresses request.

    server.py FOLDER [CERTIFICATE]

It listens on a free port of this machine only, prints the port, and runs until its standard
input ends. Each request is printed as a line: method, address, and the requested range, or "-".
The query part of an address says how the file is served:

    ranges=0      does not support range requests         length=N     announces N bytes more than exist
    cut=N         closes after N bytes of the answer      stall=N      sends nothing more after N bytes
    rate=N        sends N bytes per second                status=N     answers only with this HTTP status
    to=ADDRESS    redirects                               nolength=1   omits the length of the answer
    (the file "circle" redirects to itself)
    endless=1     sends the file again and again          icy=N        inserts titles after every N bytes
    titles=A|B    the titles in order                     times=N      misbehaves only in the first N requests
    chunked=1     chunked, with a last chunk              shoutcast=1  answers like an old SHOUTcast station
    gone=A-B      is missing in the requests A to B       user=A:B     requires a name and a password
"""

import base64
import http
import os
import socket
import ssl
import sys
import threading
import time
import urllib.parse

TYPES = {"wav": "audio/wav", "mp3": "audio/mpeg", "ogg": "audio/ogg", "flac": "audio/flac",
         "m3u8": "application/vnd.apple.mpegurl", "ts": "video/mp2t", "txt": "text/plain"}
counts, counting = {}, threading.Lock()


def wish(address):
    """Returns the file that an address names, and how to serve it this time."""
    path, _, query = address.partition("?")
    options = dict(urllib.parse.parse_qsl(query))
    with counting:
        count = counts[address] = counts.get(address, 0) + 1
    first, _, last = options.pop("gone", "0-0").partition("-")
    if int(first) <= count <= int(last):
        options["status"] = "404"
    wrong = count <= int(options.pop("times", 1 << 30))
    steady = {key: options[key] for key in options if key in ("ranges", "icy", "titles", "rate", "endless", "nolength", "chunked",
                                                     "shoutcast", "user")}
    return os.path.basename(path), options if wrong else steady


def request(connection):
    """Returns the address and the headers of a client's request."""
    lines = connection.makefile("rb")
    method, address, _ = lines.readline().decode("latin-1").split(" ")
    headers = {}
    for line in iter(lines.readline, b"\r\n"):
        if not line:
            break
        key, _, value = line.decode("latin-1").partition(":")
        headers[key.strip().lower()] = value.strip()
    return method, address, headers


class Answer:
    """The response, which may be cut, stalled or slowed down."""

    def __init__(self, connection, options):
        self.connection, self.sent = connection, 0
        self.cut = int(options.get("cut", 1 << 62))
        self.stall = int(options.get("stall", 1 << 62))
        self.rate = float(options.get("rate", 0))
        self.icy = int(options.get("icy", 0))
        self.titles = options.get("titles", "").split("|")
        self.index = 0
        self.protocol = "ICY" if "shoutcast" in options else "HTTP/1.1"
        self.chunked = "chunked" in options

    def put(self, data):
        self.connection.sendall(b"%x\r\n%b\r\n" % (len(data), data) if self.chunked else data)

    def head(self, status, headers):
        lines = [f"{self.protocol} {status} {http.HTTPStatus(status).phrase}"]
        lines += [f"{key}: {value}" for key, value in headers.items()]
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def title(self):
        text = self.titles[min(self.index, len(self.titles) - 1)]
        self.index += 1
        if self.index > len(self.titles):
            return b"\0"
        data = f"StreamTitle='{text}';".encode()
        blocks = (len(data) + 15) // 16
        return bytes([blocks]) + data.ljust(blocks * 16, b"\0")

    def send(self, data):
        """Sends data; returns False when the response is over."""
        while data:
            room = min(self.cut, self.stall) - self.sent
            if self.icy:
                room = min(room, self.icy - self.sent % self.icy)
            if self.rate:
                room = min(room, max(1, int(self.rate / 20)))
            self.put(data[:room])
            self.sent += len(data[:room])
            data = data[room:]
            if self.icy and self.sent % self.icy == 0:
                self.put(self.title())
            if self.sent >= self.cut:
                return False
            if self.sent >= self.stall:
                self.connection.recv(1)
                return False
            if self.rate:
                time.sleep(room / self.rate)
        return True


def serve(connection, folder):
    method, address, headers = request(connection)
    asked = headers.get("range", "-")
    print(method, address, asked, flush=True)
    name, options = wish(address)
    answer = Answer(connection, options)
    if "user" in options:
        wanted = "Basic " + base64.b64encode(options["user"].encode()).decode()
        if headers.get("authorization") != wanted:
            return answer.head(401, {"WWW-Authenticate": 'Basic realm="x"', "Content-Length": 0})
    if name == "circle":
        return answer.head(302, {"Location": address, "Content-Length": 0})
    if "to" in options:
        return answer.head(302, {"Location": options["to"], "Content-Length": 0})
    path = os.path.join(folder, name)
    status = int(options.get("status", 200 if os.path.exists(path) else 404))
    if status != 200:
        return answer.head(status, {"Content-Length": 0})
    with open(path, "rb") as file:
        data = file.read()
    start, fields = 0, {"Content-Type": TYPES.get(name.rpartition(".")[2], "text/html"), "Connection": "close"}
    size = len(data) + int(options.get("length", 0))
    has_length = not {"nolength", "endless", "chunked"} & set(options)
    if answer.chunked:
        fields["Transfer-Encoding"] = "chunked"
    if options.get("ranges") != "0" and has_length:
        fields["Accept-Ranges"] = "bytes"
        if asked.startswith("bytes="):
            start = int(asked[6:].partition("-")[0])
            if start >= size:
                return answer.head(416, {"Content-Range": f"bytes */{size}", "Content-Length": 0})
            status, fields["Content-Range"] = 206, f"bytes {start}-{size - 1}/{size}"
    if has_length:
        fields["Content-Length"] = size - start
    if answer.icy:
        fields.update({"icy-name": "Test radio", "icy-br": "128"})
        if headers.get("icy-metadata") == "1":
            fields["icy-metaint"] = answer.icy
        else:
            answer.icy = 0
    answer.head(status, fields)
    while is_open := answer.send(data[start:size]):
        if "endless" not in options:
            break
    if answer.chunked and is_open:
        connection.sendall(b"0\r\n\r\n")


def attend(connection, folder, context):
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        with connection:
            serve(connection, folder)
    except (OSError, ValueError):
        pass  # The client has disconnected, or does not speak HTTP.


def main():
    folder = sys.argv[1]
    context = None
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2])
    door = socket.create_server(("127.0.0.1", 0))
    print(door.getsockname()[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    while True:
        connection, _ = door.accept()
        threading.Thread(target=attend, args=(connection, folder, context), daemon=True).start()


main()

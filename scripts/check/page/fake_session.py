"""A small server that speaks the protocol of docs/http.md, with a session that tests control."""

import base64
import hashlib
import json
import math
import socket
import struct
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from fake_drawing import drawing

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
         ".webmanifest": "application/manifest+json"}


def parameter(address, kind="linear", low=None, high=None, default=0, unit="", **members):
    """Returns the description of an address that can be set."""
    node, _, rest = address.partition(".")
    strip, _, name = rest.rpartition(".")
    return {
        "address": address, "name": name or node, "node": node if rest else None,
        "strip": strip or None, "label": name or node, "summary": "", "unit": unit, "kind": kind,
        "minimum": low, "maximum": high, "default": default, "choices": None, "trigger": False,
        "transport": False, "remote": True, "gain_factor": False, "group": None, **members,
    }


class Song:
    """A song of the fake session: its part `pipeline`, its values and its reports."""

    def __init__(self, name, scenes=(), notes="", color="", cues=None):
        self.name, self.scenes, self.notes, self.color = name, list(scenes), notes, color
        self.cues = cues
        self.gain = 0
        self.inputs, self.outputs, self.nodes = [], [], []
        self.parameters = [
            parameter("tempo", low=20, high=400, default=120, unit="bpm"),
            parameter("gain", low=-120, high=24, unit="dB"),
            parameter("mute", "toggle", default=False),
        ]
        self.values, self.reports, self.described = {}, {}, []
        self.refusal = None
        if scenes:
            self.values["scene"] = scenes[0]
        if cues:
            self.values["cue"], self.values["next-cue"] = cues[0], cues[1]

    def input(self, name, channels=1):
        ports = [name] if channels == 1 else [f"{name}_{n + 1}" for n in range(channels)]
        self.inputs.append({"name": name, "kind": "audio", "channels": channels, "ports": ports,
                            "rules": self.rules(name)})
        return self

    def output(self, name, channels=2):
        ports = [f"{name}_{n + 1}" for n in range(channels)]
        self.outputs.append({"name": name, "kind": "audio", "channels": channels, "ports": ports,
                             "from": [], "rules": self.rules(name)})
        return self

    def rules(self, signal):
        return {"file": f"/songs/{self.name}.json", "connect": []}

    def wire(self, output, source):
        """Connects an output with a node."""
        for each in self.outputs:
            if each["name"] == output:
                each["from"].append(source)
        return self

    def node(self, id, type, **members):
        self.nodes.append({"id": id, "type": type, "label": type, "category": "", "summary": "",
                           "plugin": False, "stand_in": False, "remote": True, "channels": 2,
                           "from": [], "strips": [], "files": [],
                           "place": {"file": f"/songs/{self.name}.json",
                                     "pointer": f"/nodes/{len(self.nodes)}"}, **members})
        remote = members.get("remote", True)
        self.parameters += [
            parameter(f"{id}.bypass", "toggle", default=False, label="Bypass", remote=remote),
            parameter(f"{id}.mix", low=0, high=1, default=1, label="Mix", remote=remote)]
        self.values.update({f"{id}.bypass": False, f"{id}.mix": 1})
        return self

    def effect(self, id, type, parameters, reports=(), **members):
        """Adds a node with parameters: from the name to the arguments of `parameter` and the
        value. `reports` are pairs of a name and a unit."""
        self.node(id, type, **members)
        for name, (value, options) in parameters.items():
            self.parameters.append(parameter(f"{id}.{name}", **{"label": name.capitalize(),
                                                                **options}))
            self.values[f"{id}.{name}"] = value
        for name, unit in reports:
            self.described.append({
                "address": f"{id}.{name}", "name": name, "node": id, "label": name.capitalize(),
                "unit": unit, "kind": "number", "choices": None})
            self.reports[f"{id}.{name}"] = 0
        return self

    def filter(self, id, source, **values):
        shapes = ["highpass", "lowpass", "bandpass", "notch", "peak", "lowshelf", "highshelf"]
        return self.effect(id, "filter", {
            "shape": (values.get("shape", "highpass"),
                      dict(kind="choice", default="highpass", choices=shapes)),
            "frequency": (values.get("frequency", 1000),
                          dict(kind="logarithmic", low=10, high=20000, default=1000, unit="Hz")),
            "gain": (values.get("gain", 0), dict(low=-36, high=36, unit="dB")),
            "q": (values.get("q", 0.7071),
                  dict(kind="logarithmic", low=0.1, high=40, default=0.7071)),
            "order": (values.get("order", 2), dict(kind="integer", low=1, high=8, default=2)),
        }, **{"from": [source]}, label="Filter", summary="One filter of seven shapes.")

    def delay(self, id, source, **values):
        return self.effect(id, "delay", {
            "time": (values.get("time", 0.25), dict(low=0, high=10, default=0.25, unit="s")),
            "beats": (values.get("beats", 0), dict(low=0, high=16, unit="beats")),
            "feedback": (values.get("feedback", 0.3), dict(low=0, high=0.99, default=0.3)),
        }, **{"from": [source]}, label="Delay")

    def mixer(self, id, strips, **gains):
        """Adds a mixer; a strip with the name of an input has its meter."""
        meters = [meter["port"] for meter in self.meters]
        sources = [name for name in strips if name in meters
                   or any(node["id"] == name for node in self.nodes)]
        self.node(id, "mixer", **{"from": sources}, strips=[
            {"name": name, "channels": 1, "source": name,
             "meters": [meters.index(name)] if name in meters else [],
             "node_meters": [index for index, each in enumerate(self.node_meters)
                             if each["node"] == name]} for name in strips])
        self.parameters.append(parameter(f"{id}.gain", low=-120, high=24, unit="dB"))
        self.values[f"{id}.gain"] = 0
        for strip in strips:
            base = f"{id}.{strip}"
            self.parameters += [
                parameter(f"{base}.gain", low=-120, high=24, unit="dB"),
                parameter(f"{base}.pan", low=-1, high=1),
                parameter(f"{base}.mute", "toggle", default=False),
                parameter(f"{base}.solo", "toggle", default=False),
            ]
            self.values.update({f"{base}.gain": gains.get(strip, 0), f"{base}.pan": 0,
                                f"{base}.mute": False, f"{base}.solo": False})
        return self

    def player(self, id, position, duration, playing, file):
        self.node(id, "player")
        self.parameters += [parameter(f"{id}.playing", "toggle", default=True, transport=True)]
        self.values[f"{id}.playing"] = playing
        self.reports.update({
            f"{id}.reports.position": position, f"{id}.duration": duration,
            f"{id}.reports.item": 1, f"{id}.reports.playing": playing, f"{id}.voices": 1,
            f"{id}.buffering": 100, f"{id}.silent-frames": 0, f"{id}.file": file})
        return self

    def recorder(self, id, remote=True):
        self.node(id, "recorder")
        self.parameters += [
            parameter(f"{id}.recording", "toggle", default=True, transport=True, remote=remote),
            parameter(f"{id}.take", "toggle", default=False, trigger=True, remote=remote)]
        self.values.update({f"{id}.recording": False, f"{id}.take": False})
        self.reports.update({
            f"{id}.recorded": 754.2, f"{id}.peak": -3.4, f"{id}.rms": -18.0, f"{id}.takes": 2,
            f"{id}.lost-frames": 0, f"{id}.state": "idle",
            f"{id}.file": "/home/me/takes/2026-11-24 20.15.02.flac"})
        return self

    def looper(self, id, state, position, length):
        self.node(id, "looper")
        for name in ["record", "overdub", "play", "stop", "undo", "redo", "clear"]:
            self.parameters.append(parameter(f"{id}.{name}", "toggle", default=False, trigger=True,
                                             transport=True))
        self.reports.update({
            f"{id}.state": state, f"{id}.waiting": 0, f"{id}.position": position,
            f"{id}.length": length, f"{id}.cycle": 1, f"{id}.undo-layers": 2,
            f"{id}.redo-layers": 0})
        return self

    def tuner(self, id):
        self.node(id, "tuner")
        self.reports.update({f"{id}.frequency": 110.4, f"{id}.note": 45, f"{id}.cents": 6.3,
                             f"{id}.level": -20})
        return self

    @property
    def meters(self):
        return ([{"port": port, "direction": "input"} for each in self.inputs
                 for port in each["ports"]]
                + [{"port": port, "direction": "output"} for each in self.outputs
                   for port in each["ports"]])

    @property
    def node_meters(self):
        return [{"node": node["id"], "channel": channel} for node in self.nodes
                for channel in range(node["channels"])]

    @property
    def pipeline(self):
        return {"name": self.name, "summary": "", "file": f"/home/me/{self.name}.json",
                "tempo": 120, "inputs": self.inputs, "outputs": self.outputs, "nodes": self.nodes,
                "parameters": self.parameters, "reports": self.described}


class FakeSession:
    """A session with songs, its clients, and everything that they have sent."""

    def __init__(self, songs, folder, is_setlist=True):
        self.songs, self.folder, self.is_setlist = songs, Path(folder), is_setlist
        self.lock = threading.RLock()
        self.clients = []
        self.requests = []
        self.revision = 100
        self.run = "1"
        self.current = 0
        self.master = {"song": songs[0].name, "tempo": 96, "mute": False, "gain": 0, "tuner": "",
                       "learn": ""}
        self.parts = {"problems": [], "connections": None, "ports": None, "status": {
            "load_mean": 0.12, "load_worst": 0.31, "xruns": 0, "late_cycles": 0,
            "latency_frames": 0, "round_trip_frames": 590, "limiter_gain_db": 0, "nodes": []}}
        self.server_state = "running"
        self.events = []
        # What tests change: whether the session answers, and what the levels are.
        self.is_silent = False
        self.is_closed = False
        self.drawing_status = 200
        # The rights of the page; without them, the page must be paired with the code.
        self.access = {"role": "edit", "limit": None, "mixers": None, "device": None, "name": None}
        self.is_paired = True
        self.code = "123456"
        self.wrong_codes = 0
        self.pairings = []
        self.drawings = 0
        # The answer to each edit; None carries it out.
        self.edit_answer = None
        self.edit_count = 1
        # The texts of the files that play, the files in their folder, and what pages have sent.
        self.texts = {}
        self.library, self.templates, self.presets, self.uploads = [], [], [], []
        #: How many texts of files have been sent.
        self.text_count = 0
        #: Closed while texts of files are slow.
        self.text_gate = threading.Event()
        self.text_gate.set()
        self.spectrum = lambda band: -24 - 0.5 * band
        self.peak = lambda channel, now: -14 - 3 * channel + 6 * math.sin(3 * now + channel)
        self.pitch = 0.0
        self.stop = threading.Event()
        self.server = None

    # The server

    def start(self, port=0):
        session = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                session.serve(self)

            def do_POST(self):
                session.serve_access(self, "POST")

            def do_PUT(self):
                if self.path == "/api/access":
                    session.serve_access(self, "PUT")
                else:
                    session.serve_put(self)

            def do_DELETE(self):
                session.serve_access(self, "DELETE")

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            # A page opens many connections at once.
            request_queue_size = 64
            allow_reuse_address = True
            # A page that closes a connection early is no error of the test.
            def handle_error(self, request, address):
                pass

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=[0.05], daemon=True).start()
        threading.Thread(target=self.send_meters, daemon=True).start()
        return self

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def end(self):
        self.stop.set()
        self.drop()
        self.server.shutdown()
        self.server.server_close()

    def serve(self, handler):
        if handler.path == "/api/live":
            return self.serve_live(handler)
        if handler.path == "/api/access":
            return self.serve_access(handler, "GET")
        if handler.path == "/api/drawing":
            return self.serve_drawing(handler)
        if handler.path.startswith("/api/"):
            return self.serve_file_request(handler)
        path = (self.folder / (handler.path.lstrip("/") or "index.html")).resolve()
        if self.is_closed:
            # A program that has ended answers nothing.
            handler.close_connection = True
            return
        if not path.is_file() or self.folder.resolve() not in path.parents:
            handler.send_error(404)
            return
        self.send(handler, 200, TYPES[path.suffix], path.read_bytes())

    def serve_file_request(self, handler):
        target = handler.path.partition("?")[0]
        parts = [urllib.parse.unquote(part) for part in target.split("/")[2:]]
        answer = {"error": f"there is nothing at {target}", "suggestion": None}
        status = 404
        if parts[0] == "files":
            status, answer = 200, self.texts[int(parts[1])]
        elif parts[0] == "library":
            status, answer = 200, {"folder": "/songs/", "files": self.library, "truncated": False}
        elif parts[0] == "templates":
            found = [each for each in self.templates if len(parts) < 2 or each["name"] == parts[1]]
            status, answer = 200, found if len(parts) < 2 else found[0]["text"]
        elif parts[0] == "nodes":
            status, answer = 200, self.presets
        self.send(handler, status, "application/json", json.dumps(answer).encode(),
                  [("ETag", f'"{self.edit_count}-{parts[1]}"')] if parts[0] == "files" else [])

    def serve_put(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        path = urllib.parse.unquote(handler.path)
        with self.lock:
            self.uploads.append((path, dict(handler.headers), body))
            status, answer = self.upload_answer(path, handler.headers)
        self.send(handler, status, "application/json", json.dumps(answer).encode())

    def upload_answer(self, path, headers):
        """Answers a file that a page sends; tests replace it."""
        return 201, {"path": path.split("/", 4)[4], "kind": "sound", "tag": "t"}

    def serve_access(self, handler, method):
        """Answers requests for the rights of the page, and for its pairing."""
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length)
        status, answer = 200, {}
        with self.lock:
            if handler.path == "/api/pair":
                status, answer = self.pair(json.loads(body))
            elif not self.is_paired:
                status, answer = 401, {"error": "this device is not paired", "suggestion": None}
            elif method == "PUT":
                self.set_access(name=json.loads(body)["name"].strip())
            elif method == "DELETE":
                self.revoke()
            else:
                answer = self.access
        self.send(handler, status, "application/json", json.dumps(answer).encode())

    def pair(self, request):
        self.pairings.append(request)
        if self.wrong_codes >= 3:
            return 429, {"error": "too many wrong codes", "suggestion": None}
        if request["code"] != self.code:
            self.wrong_codes += 1
            return 403, {"error": "the code is wrong", "suggestion": None}
        self.is_paired = True
        self.access.update(device="1a2b3c4d", name=request["name"])
        return 200, {"device": "1a2b3c4d", "name": request["name"], "role": self.access["role"],
                     "limit": self.access["limit"]}

    def set_access(self, **members):
        """Changes the rights of the page."""
        with self.lock:
            self.access.update(members)
            self.revision += 1
            self.broadcast({"type": "part", "revision": self.revision, "name": "access",
                            "value": self.access})

    def revoke(self):
        """Ends the pairing and the connections of the page."""
        with self.lock:
            self.is_paired = False
            clients, self.clients = self.clients, []
        for client in clients:
            client.send_frame(8, struct.pack(">H", 4401))
            client.close()

    def serve_drawing(self, handler):
        with self.lock:
            self.drawings += 1
            nodes = self.parts["status"]["nodes"] if self.parts["status"] else []
            words = drawing(self.song, {node["id"]: node["latency_frames"] for node in nodes
                                        if node["latency_frames"] > 0})
        self.send(handler, self.drawing_status, "image/svg+xml", words.encode())

    @staticmethod
    def send(handler, status, kind, body, fields=()):
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Content-Security-Policy", POLICY)
        handler.send_header("X-Content-Type-Options", "nosniff")
        handler.send_header("Cache-Control", "no-cache")
        for name, value in fields:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    def serve_live(self, handler):
        if self.is_closed:
            handler.close_connection = True
            handler.connection.close()
            return
        if not self.is_paired:
            handler.send_error(401)
            return
        key = handler.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        handler.send_response(101)
        handler.send_header("Upgrade", "websocket")
        handler.send_header("Connection", "Upgrade")
        handler.send_header("Sec-WebSocket-Accept", accept)
        handler.end_headers()
        client = Client(handler.connection)
        with self.lock:
            self.clients.append(client)
            client.send(self.snapshot())
        try:
            while (message := client.receive(handler.rfile)) is not None:
                with self.lock:
                    self.requests.append(message)
                    if not self.is_silent:
                        self.answer(client, message)
        except OSError:
            pass
        with self.lock:
            if client in self.clients:
                self.clients.remove(client)
        client.close()

    # What tests do

    def drop(self):
        """Ends all connections without a goodbye, as a killed program does."""
        with self.lock:
            clients, self.clients = self.clients, []
        for client in clients:
            client.close()

    def change(self, values=None, reports=None):
        """Changes values and reports as somebody else would."""
        with self.lock:
            self.revision += 1
            for address, value in (values or {}).items():
                (self.master if address in self.master else self.song.values)[address] = value
            self.song.reports.update(reports or {})
            message = {"type": "values", "revision": self.revision}
            message.update({"values": values} if values else {})
            message.update({"reports": reports} if reports else {})
            self.broadcast(message)

    def set_part(self, name, value):
        with self.lock:
            self.revision += 1
            self.parts[name] = value
            self.broadcast({"type": "part", "revision": self.revision, "name": name,
                            "value": value})

    def set_server(self, state):
        with self.lock:
            self.server_state = state
            self.set_part("session", self.session)

    def happen(self, event, text=None):
        with self.lock:
            self.revision += 1
            entry = {"time": time.time(), "event": event, "text": text}
            self.events.append(entry)
            self.broadcast({"type": "event", "revision": self.revision, **entry})

    def begin(self, index):
        """Begins a song."""
        with self.lock:
            self.current = index
            self.revision += 1
            self.master["song"] = self.song.name
            self.broadcast(self.snapshot())

    def sent(self, request):
        """Returns what pages have sent of one kind."""
        with self.lock:
            return [each for each in self.requests if each["request"] == request]

    # The session

    @property
    def song(self):
        return self.songs[self.current]

    @property
    def values(self):
        values = {**self.master, **self.song.values}
        if any(song.notes for song in self.songs):
            values["notes"] = self.song.notes
        if any(song.color for song in self.songs):
            values["color"] = self.song.color
        return values

    @property
    def session(self):
        return {"name": "Night", "client": "Night", "server": self.server_state,
                "sample_rate": 48000, "block_frames": 128, "latency_frames": 0,
                "freewheel": False, "ended": False}

    @property
    def overview(self):
        song = self.song
        cues = [{"number": None, "text": cue, "then": False} for cue in song.cues or []]
        return {
            "name": "Night", "setlist": self.is_setlist, "song": self.current + 1,
            "songs": [{"number": n + 1, "name": each.name, "notes": each.notes,
                       "color": each.color, "gain": each.gain, "refusal": each.refusal}
                      for n, each in enumerate(self.songs)],
            "scenes": [{"name": name, "gain": 0, "cue": cues[n] if song.cues else None}
                       for n, name in enumerate(song.scenes)],
            "inputs": [{"port": port, "tuner": port} for each in song.inputs
                       for port in each["ports"]],
            "keys": ["f1"],
        }

    def snapshot(self):
        return {"type": "snapshot", "revision": self.revision, "protocol": 1, "version": "1.0",
                "run": self.run, "session": self.session, "overview": self.overview,
                "pipeline": self.song.pipeline, "meters": self.song.meters,
                "node_meters": self.song.node_meters, "files": self.file_list,
                "history": {"undo": None, "redo": None}, "access": self.access,
                "values": self.values,
                "reports": self.song.reports, "events": self.events, **self.parts}

    def answer(self, client, message):
        kind, answer = message["request"], {"answer": "done"}
        if kind == "watch":
            client.rate = message["meters"]
            client.wants_nodes = message.get("nodes", False)
            client.spectrum = message.get("spectrum")
        elif kind == "set":
            address, value = message["address"], message["value"]
            if address == "song":
                names = [song.name for song in self.songs]
                self.begin(value - 1 if isinstance(value, int) else names.index(value))
                answer = {"answer": "playing", "song": self.song.name}
            elif address == "scene" and isinstance(value, int):
                self.jump(value - 1)
            elif address == "scene" or address in self.values or any(
                    each["address"] == address for each in self.song.parameters):
                self.change({address: value})
            else:
                answer = {"answer": "refused", "message": f'there is no "{address}"',
                          "suggestion": None}
        elif kind == "connect":
            answer = self.connect(message["port"], message["other"], message["connected"])
        elif kind == "edit":
            answer = self.edit(message)
        elif kind == "perform":
            answer = self.perform(message["action"])
        client.send({"type": "answer", "id": message["id"], "revision": self.revision, **answer})

    @property
    def file_list(self):
        return [{"number": 1, "file": "/songs/night.json", "setlist": True, "songs": [],
                 "tag": "1-1"}] + [
            {"number": n + 2, "file": f"/songs/{song.name}.json", "setlist": False,
             "songs": [song.name], "tag": f"{self.edit_count}-{n + 2}"}
            for n, song in enumerate(self.songs)]

    def edit(self, message):
        """Answers an edit as the test has prepared; the file then has another tag."""
        if self.edit_answer is not None:
            return self.edit_answer
        self.edit_count += 1
        self.set_part("files", self.file_list)
        return {"answer": "edited", "kind": "edited", "file": message["file"],
                "text": f"edited {message['file']}", "tag": f"{self.edit_count}-x"}

    def connect(self, port, other, is_connected):
        """Connects two ports, or disconnects them."""
        connections = json.loads(json.dumps(self.parts["connections"]))
        for each in connections["ports"]:
            if each["port"] == port:
                others = [name for name in each["to"] if name != other]
                each["to"] = others + [other] if is_connected else others
                each["ruled"] = [rule for rule in each.get("ruled", [])
                                 if rule["port"] in each["to"]]
                each["connected"] = bool(each["to"])
        self.set_part("connections", connections)
        return {"answer": "done"}

    def perform(self, action):
        song = self.song
        names = song.scenes
        index = names.index(song.values["scene"]) if names else -1
        if action in ["next-song", "previous-song"]:
            self.begin(self.current + (1 if action == "next-song" else -1))
            return {"answer": "playing", "song": self.song.name}
        if action in ["next-scene", "previous-scene", "go", "back"]:
            index += 1 if action in ["next-scene", "go"] else -1
            if not 0 <= index < len(names):
                return {"answer": "refused", "message": "this is the last cue", "suggestion": None}
            self.jump(index)
        return {"answer": "done"}

    def jump(self, index):
        """Calls a scene of the current song."""
        song = self.song
        change = {"scene": song.scenes[index]}
        if song.cues:
            change["cue"] = song.cues[index]
            change["next-cue"] = (song.cues + [""])[index + 1]
        self.change(change)

    def broadcast(self, message):
        for client in list(self.clients):
            client.send(message)

    def send_meters(self):
        while not self.stop.wait(1 / 30):
            if self.is_silent:
                continue
            now = time.monotonic()
            ports, nodes = len(self.song.meters), len(self.song.node_meters)
            frame = (struct.pack("<BBHfHH", 1, 0, ports, self.pitch, 1200, 3100)
                     + self.levels(range(ports), now))
            # The levels of nodes continue those of ports.
            node_frame = (struct.pack("<BBH", 2, 0, nodes)
                          + self.levels(range(ports, ports + nodes), now))
            with self.lock:
                for client in list(self.clients):
                    if client.rate > 0:
                        client.send_frame(2, frame)
                        if client.wants_nodes:
                            client.send_frame(2, node_frame)
                        if client.spectrum is not None:
                            client.send_frame(2, struct.pack("<BBH", 3, 0, 96) + struct.pack(
                                "<96h", *[int(100 * self.spectrum(band)) for band in range(96)]))

    def levels(self, channels, now):
        levels = b""
        for channel in channels:
            peak = self.peak(channel, now)
            raw = [-32768 if level <= -120 else int(100 * level) for level in [peak, peak - 8]]
            levels += struct.pack("<hh", *raw)
        return levels


class Client:
    """One page."""

    def __init__(self, connection):
        self.connection = connection
        self.rate = 0
        self.wants_nodes, self.spectrum = False, None

    def send(self, message):
        self.send_frame(1, json.dumps(message).encode())

    def send_frame(self, opcode, data):
        head = bytes([0x80 | opcode])
        if len(data) < 126:
            head += bytes([len(data)])
        elif len(data) < 65536:
            head += bytes([126]) + struct.pack(">H", len(data))
        else:
            head += bytes([127]) + struct.pack(">Q", len(data))
        try:
            self.connection.sendall(head + data)
        except OSError:
            pass

    def receive(self, stream):
        """Returns the next request; `None` at the end."""
        while True:
            head = stream.read(2)
            if len(head) < 2 or head[0] & 0x0F == 8:
                return None
            length = head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", stream.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", stream.read(8))[0]
            mask = stream.read(4)
            data = bytes(byte ^ mask[n % 4] for n, byte in enumerate(stream.read(length)))
            if head[0] & 0x0F == 1:
                return json.loads(data)

    def close(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def night():
    """Returns the songs of the tests: a rig, a play with cues, and a song with almost nothing."""
    ballad = (
        Song("Harbour lights", ["verse", "chorus", "bridge"], color="#ff8800",
             notes="Capo 2\nWait for Anna's count-in")
        .input("mic").input("guitar").output("main")
        .tuner("strings").player("band", 47.3, 214.0, True, "/home/me/sounds/harbour lights.flac")
        .player("click", 0, 8, False, "/home/me/sounds/click.flac")
        .recorder("tape").looper("rhythm", 2, 3.2, 8.0)
        .mixer("desk", ["mic", "guitar", "harmonies", "echo", "band"], harmonies=-4.5, band=-6,
               echo=-120)
        .mixer("phones", ["desk", "click"], click=-9))
    play = (
        Song("The storm, act one", ["doors", "rain", "storm"],
             cues=["1 Music while the audience comes in", "2 It begins to rain, and the music fades",
                   "3 Thunder over the rain"])
        .input("mic").output("main").player("rain", 12, 63, True, "/home/me/rain.flac")
        .mixer("sounds", ["mic", "rain"]))
    return [ballad, play, Song("Encore").output("main", 1)]


def rig():
    """Returns a song with effects, a plugin that does not work, and a mixer, all in a row."""
    return (
        Song("Rig", ["clean", "lead"], color="#3366ff")
        .input("mic").input("line", 2).output("main")
        # The order of the file is not that of the signal.
        .delay("echo", "tone", time=0.4, feedback=0.5)
        .filter("tone", "mic", shape="peak", frequency=2000, gain=6)
        .effect("amp", "urn:amp", {
            "drive": (3, dict(low=0, high=10, default=5, unit="")),
            "level": (0.5, dict(low=0, high=2, default=1, gain_factor=True)),
            "character": ("warm", dict(kind="choice", default="bright",
                                       choices=["bright", "warm", "dark"])),
            "boost": (False, dict(kind="toggle", default=False)),
            "reset": (False, dict(kind="toggle", default=False, trigger=True)),
            "voices": (4, dict(kind="integer", low=1, high=16, default=4)),
        }, reports=[("reduction", "dB")], **{"from": ["echo"]}, label="Amplifier of Urn",
            plugin=True, stand_in=True)
        .effect("secret", "gain", {"gain": (-6, dict(low=-120, high=24, unit="dB", remote=False))},
                remote=False, label="Gain", **{"from": ["line"]})
        .mixer("desk", ["amp", "secret"], secret=-3)
        .wire("main", "desk"))


def chain(count):
    """Returns a song with many nodes: chains of eight filters into one mixer."""
    song = Song("Large").input("mic").output("main")
    for number in range(count):
        song.filter(f"f{number}", f"f{number - 1}" if number % 8 else "mic", frequency=500)
    ends = [f"f{number}" for number in range(7, count, 8)]
    return song.mixer("desk", ends).wire("main", "desk")

"""The machine output of the program, and the answers of a session over HTTP."""

import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from functools import cached_property

from shapes import shape

#: Tables of the reference, each with the member that names an entry.
TABLES = {"codes": ("error-codes", "code"), "addresses": ("addresses", "address"), "osc": ("osc", "path"),
          "events": ("events", "event"), "exit-codes": ("exit-codes", "status")}
#: Requests, each with a name that remains if the request changes.
REQUESTS = {
    "values": ("GET", "api/values"),
    "all-reports": ("GET", "api/reports"),
    "value": ("GET", "api/values/tempo"),
    "set": ("PUT", "api/values/gain", "-3"),
    "fade": ("PUT", "api/values/cut.frequency", '{"value": 90, "over": 0.1}'),
    "wrong-value": ("PUT", "api/values/gain", '"loud"'),
    "wrong-address": ("GET", "api/values/tempoo"),
    "pipeline": ("GET", "api/pipeline"),
    "files": ("GET", "api/files"),
    "library": ("GET", "api/library/1"),
    "templates": ("GET", "api/templates"),
    "ports": ("GET", "api/ports"),
    "connections": ("GET", "api/connections"),
    "references": ("GET", "api/files/1/references?rename-song=Voice&to=Solo"),
    "palette": ("GET", "api/palette"),
    "palette-effect": ("GET", "api/palette/gain"),
    "state": ("GET", "api/state"),
    "access": ("GET", "api/access"),
    "scene": ("PUT", "api/values/scene", '"chorus"'),
    "next-song": ("POST", "api/actions/next-song"),
    "wrong-action": ("POST", "api/actions/next-sonk"),
}
#: Events that each session has.
EVENTS = {"http_started", "started", "connections", "status", "scene", "song", "ended"}
#: The events that the state of every session lists; others, such as an xrun, happen by chance.
STATE_EVENTS = {"started"}
START_SECONDS = 60


class Output:
    """Everything that programs read, for the pipelines in a folder. Each part is made once."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    @cached_property
    def effects(self):
        return json.loads(self._ask("effects", "--json").stdout)

    @cached_property
    def pipeline_schema(self):
        return json.loads(self._ask("schema").stdout)

    @cached_property
    def setlist_schema(self):
        return json.loads(self._ask("schema", "--setlist").stdout)

    @property
    def snapshot(self):
        return self._session["http/state"]["body"]

    def invalid_files(self):
        """Yields the errors in the files that the program refuses. The plugins must be installed."""
        for result in self._checks:
            for each in result["diagnostics"]:
                yield f"{result['file']}:{each['line']} is no longer valid: {each['message']} [{each['code']}]"

    def shape(self):
        """Returns the shape of all output."""
        broken = self.folder / "broken.json"
        broken.write_text('{"version": 1, "nodes": [{"id": "a", "type": "gian"}]}')
        (self.folder / "gain.json").write_text('{"version": 1, "nodes": [{"id": "a", "type": "gain"}]}')
        refused = self._ask("check", "--json", broken.name)
        parts = {
            "check": self._checks,
            "check-of-errors": {"status": {str(refused.returncode): 0}, "output": json.loads(refused.stdout)},
            **{name: self._names(*table) for name, table in TABLES.items()},
            "effects": self.effects,
            "bench": json.loads(self._ask("bench", "--json", "--seconds", "0.1", "gain.json").stdout),
            "remotes": json.loads(self._ask("remotes", "--json").stdout),
            **self._session,
        }
        broken.unlink()
        (self.folder / "gain.json").unlink()
        return set().union(*(shape(value, name) for name, value in parts.items()))

    def _names(self, topic, member):
        """Returns an object with the names of a table's entries."""
        entries = json.loads(self._ask("reference", topic, "--json").stdout)
        return {str(each[member]): 0 for each in entries}

    @cached_property
    def _checks(self):
        names = sorted(each.name for each in self.folder.glob("*.json"))
        return json.loads(self._ask("check", "--json", *names).stdout)

    @cached_property
    def _session(self):
        """The answers and events of a session, by names; that of a setlist if there is one."""
        with tempfile.TemporaryDirectory(prefix="stompline-state-") as state:
            server = f"stompline-releases-{os.getpid()}"
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            jack = subprocess.Popen(["jackd", "-n", server, "-d", "dummy", "-r", "48000", "-p", "256"], **quiet)
            try:
                subprocess.run(["jack_wait", "-s", server, "-w", "-t", "20"], **quiet)
                ports = json.loads(self._ask("ports", "--json", "--server", server).stdout)
                return {"ports": ports, **self._played(server, state)}
            finally:
                jack.terminate()
                jack.wait()

    def _played(self, server, state):
        session = subprocess.Popen(
            [self.program, "run", "night.json", "--server", server, "--no-start-server", "--http", "0", "--json"],
            cwd=self.folder, env={**os.environ, "XDG_STATE_HOME": state, "HOME": state},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            events = self._events_until(session, "started")
            url = next(each["url"] for each in events if each["event"] == "http_started")
            answers = {f"http/{name}": answered(url, *request) for name, request in REQUESTS.items()}
            # The names of ports for people appear a moment after the ports.
            end = time.monotonic() + START_SECONDS
            while not any(each["pretty_name"] for each in answers["http/ports"]["body"]) and time.monotonic() < end:
                time.sleep(0.1)
                answers["http/ports"] = answered(url, *REQUESTS["ports"])
            state = answers["http/state"]["body"]
            state["events"] = [each for each in state["events"] if each["event"]["event"] in STATE_EVENTS]
            metrics = urllib.request.urlopen(f"{url}metrics", timeout=60).read().decode()
            answers["metrics"] = {line.split()[2]: 0 for line in metrics.splitlines() if line.startswith("# TYPE")}
            events += self._events_until(session, "song")
            events += self._events_until(session, "status")
        finally:
            session.terminate()
            rest = session.communicate()[0]
        events += [json.loads(line) for line in rest.splitlines()]
        for event in EVENTS:
            answers[f"run/{event}"] = [each for each in events if each["event"] == event]
        return answers

    def _events_until(self, session, last):
        """Reads events up to one with a name."""
        events, end = [], time.monotonic() + START_SECONDS
        for line in session.stdout:
            events.append(json.loads(line))
            if events[-1]["event"] == last or time.monotonic() > end:
                break
        return events

    def _ask(self, *words):
        """Runs a command, on no server."""
        environment = {"JACK_NO_START_SERVER": "1", "JACK_DEFAULT_SERVER": "stompline-none", **os.environ}
        with tempfile.TemporaryDirectory(prefix="stompline-state-") as state:
            return subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, text=True,
                                  env={**environment, "XDG_STATE_HOME": state})


def answered(url, method, path, body=None):
    """Returns the body of an answer with its status."""
    request = urllib.request.Request(url + path, method=method, data=body.encode() if body else None)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return {"status": {str(answer.status): 0}, "body": json.load(answer)}
    except urllib.error.HTTPError as refused:
        return {"status": {str(refused.code): 0}, "body": json.load(refused)}

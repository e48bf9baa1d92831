"""Everything that programs read of the program: its machine output, and the answers of a session over HTTP."""

import functools
import os
import time
from concurrent.futures import ThreadPoolExecutor

from commands import commands_shape
from program import Program, Server, Session, state_folder
from shapes import shape
from show import show_shape

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
#: Events that each session has; the show has more of them.
EVENTS = {"http_started", "started", "connections", "status", "scene", "song", "ended"}
#: The events that the state of every session lists; others, such as an xrun, happen by chance.
STATE_EVENTS = {"started"}


class Output:
    """Everything that programs read, for the pipelines in a folder. Each part is made once."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self._state = state_folder()
        self._program = Program(path, self._state.name)

    @functools.cached_property
    def effects(self):
        return self._program.json(self.folder, "effects", "--json")

    @functools.cached_property
    def pipeline_schema(self):
        return self._program.json(self.folder, "schema")

    @functools.cached_property
    def setlist_schema(self):
        return self._program.json(self.folder, "schema", "--setlist")

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
        parts = {"check": self._checks, **self._session}
        return own_shape(self.path).union(*(shape(value, name) for name, value in parts.items()))

    @functools.cached_property
    def _checks(self):
        names = sorted(each.name for each in self.folder.glob("*.json"))
        return self._program.json(self.folder, "check", "--json", *names)

    @functools.cached_property
    def _session(self):
        """The answers and events of a session with the setlist, by names."""
        with Server("night") as server:
            ports = self._program.json(self.folder, "ports", "--json", "--server", server.name)
            # On two cores, the status has a load for each.
            with Session(self._program, self.folder, server, "night.json", "--cores", "2") as session:
                wait_for_port_names(session)
                wait_for_core_loads(session)
                answers = {f"http/{name}": session.http(*request) for name, request in REQUESTS.items()}
                state = answers["http/state"]["body"]
                state["events"] = [each for each in state["events"] if each["event"]["event"] in STATE_EVENTS]
                lines = session.text("metrics").splitlines()
                answers["metrics"] = {line.split()[2]: 0 for line in lines if line.startswith("# TYPE")}
                session.wait("song", number=2)
                session.wait("status")
        for event in EVENTS:
            answers[f"run/{event}"] = [each for each in session.events if each["event"] == event]
        return {"ports": ports, **answers}


def wait_for_port_names(session):
    """Waits until the ports of the session have names and an order for people, which they get soon after the start."""
    for _ in range(600):
        if any(each["pretty_name"] and each["order"] is not None for each in session.http("GET", "api/ports")["body"]):
            return
        time.sleep(0.1)
    raise SystemExit("releases: the ports of the session have no names")


def wait_for_core_loads(session):
    """Waits until the status has the load of each core. A machine with one core never measures them."""
    if (os.cpu_count() or 1) < 2:
        return
    for _ in range(600):
        status = session.http("GET", "api/state")["body"].get("status") or {}
        if status.get("core_loads"):
            return
        time.sleep(0.1)
    raise SystemExit("releases: the status of the session has no loads of cores")


@functools.cache
def own_shape(path):
    """Returns the shape of the output that does not depend on the pipelines of a release. It is made once."""
    def made(part):
        with state_folder() as state:
            return part(Program(path, state))

    # Both wait most of the time.
    with ThreadPoolExecutor() as pool:
        return set().union(*pool.map(made, (commands_shape, show_shape)))

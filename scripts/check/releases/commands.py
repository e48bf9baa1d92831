"""The machine output of commands that need no session and no shipped pipeline."""

import json
import tempfile
from pathlib import Path

from shapes import shape
from show import PLUGIN, write_files

#: The tables of the reference, each with the member that names an entry.
TABLES = {"codes": ("error-codes", "code"), "addresses": ("addresses", "address"), "osc": ("osc", "path"),
          "events": ("events", "event"), "exit-codes": ("exit-codes", "status")}
#: A machine whose settings are bad, good and unknown. So the findings do not depend on the machine of the check.
MACHINE = {
    "proc/cmdline": "ro highres=off\n",
    "proc/self/limits": "Max realtime priority  95  95\n",
    "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "powersave\n",
}


def commands_shape(program):
    """Returns the shape of the output of commands."""
    with tempfile.TemporaryDirectory(prefix="stompline-commands-") as scratch:
        folder = Path(scratch)
        write_files(folder)
        parts = {**tables(program, folder), **plugins(program, folder), **machine(program, folder),
                 **pipelines(program, folder)}
    return set().union(*(shape(value, name) for name, value in parts.items()))


def tables(program, folder):
    """Returns an object with the names of a table's entries, for each table."""
    names = {part: {str(each[member]): 0 for each in program.json(folder, "reference", topic, "--json")}
             for part, (topic, member) in TABLES.items()}
    events = program.json(folder, "reference", "events", "--json")
    http = program.json(folder, "reference", "http", "--json")
    return {
        **names,
        # The tests of the program show that each event has exactly these members. An optional one counts as one that
        # can be null.
        "event-members": {event["event"]: {each["name"]: None if each["optional"] else 0 for each in event["members"]}
                          for event in events},
        # A path has an entry for each of its methods. The metrics are in the answer of a session.
        "http-names": {" ".join([each["kind"], method, each["name"]]): 0 for each in http if each["kind"] != "metric"
                       for method in each["methods"].split(", ")},
        "effects": program.json(folder, "effects", "--json"),
        "remotes": program.json(folder, "remotes", "--json"),
    }


def plugins(program, folder):
    """Returns the plugin before and after its trial: there is a verdict only then."""
    before = program.json(folder, "plugins", PLUGIN, "--json")
    after = program.json(folder, "plugins", PLUGIN, "--probe", "--json")
    return {"plugins": before + after, "plugin": program.json(folder, "plugin", PLUGIN, "--json")}


def machine(program, folder):
    """Returns the examination of a machine in a folder, with a short measurement on this one."""
    for path, text in MACHINE.items():
        file = folder / "machine" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    call = ("doctor", "--json", "--root", "machine", "--seconds")
    return {"doctor": program.json(folder, *call, 0.1), "doctor-of-settings": program.json(folder, *call, 0)}


def pipelines(program, folder):
    """Returns what commands report about small pipelines and about one with an error."""
    refused = program.ask(folder, "check", "--json", "broken.json")
    return {
        "check-of-errors": {"status": {str(refused.returncode): 0}, "output": json.loads(refused.stdout)},
        "check-of-paths": program.json(folder, "check", "--json", "paths.json"),
        "bench": program.json(folder, "bench", "--json", "--seconds", "0.1", "--cores", "2", "paths.json"),
        "prove": program.json(folder, "prove", "--json", "--frames", "1024", "--rate", "48000", "--seconds", "0.1",
                              "--passes", "1", "proved.json"),
    }

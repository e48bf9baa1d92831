#!/usr/bin/python3
"""Plays a show on two machines with a cable between them that is cut and restored.

usage: several-machines.py PROGRAM [--allow-skip]

The machines are network namespaces that this script makes and removes. It needs root or
unprivileged user namespaces. If the kernel forbids both, it fails; with --allow-skip, it says so and
checks nothing. Each machine has its own JACK server with the dummy driver, and then a PipeWire.
zita-njbridge, netjack2 and PipeWire's RTP modules carry the sound.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PATIENCE = 60
RATE = 48_000
OSC = 9000
#: The port of zita-njbridge from the first machine to the second one, and back.
THERE, BACK = 30_042, 30_043
NET = 19_000
#: The port of PipeWire's RTP.
RTP = 46_000
TOKEN = "several-machines"
#: A level that only the sound of the other machine reaches, in dBFS.
HEARD = -30


def run(*words, may_fail=False):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        assert may_fail, words
        return subprocess.CompletedProcess(words, 124, "", "no answer")
    assert may_fail or done.returncode == 0, (words, done.stdout, done.stderr)
    return done


def until(fact, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not (value := fact()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return value


class Cable:
    """Two machines, and the cable between them."""

    def __init__(self):
        number = os.getpid() % 250
        self.names = [f"stompline-{os.getpid()}-{side}" for side in "ab"]
        self.ends = [f"st{os.getpid()}{side}"[:15] for side in "ab"]
        self.addresses = [f"10.214.{number}.{host}" for host in (1, 2)]
        for name in self.names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", self.ends[0], "netns", self.names[0], "type", "veth", "peer",
            "name", self.ends[1], "netns", self.names[1])
        for name, end, address in zip(self.names, self.ends, self.addresses):
            run("ip", "-n", name, "addr", "add", f"{address}/30", "dev", end)
            run("ip", "-n", name, "link", "set", "lo", "up")
            run("ip", "-n", name, "link", "set", end, "up")
        for side in (0, 1):
            self.route(side)

    def set(self, state):
        run("ip", "-n", self.names[0], "link", "set", self.ends[0], state)
        if state == "up":
            self.route(0)

    def route(self, side):
        """Sends multicasts, with which PipeWire announces streams, through the cable.

        Linux forgets the route when the interface is down.
        """
        run("ip", "-n", self.names[side], "route", "replace", "224.0.0.0/4", "dev",
            self.ends[side])

    def end(self):
        for name in self.names:
            run("ip", "netns", "delete", name, may_fail=True)


class Machine:
    """A machine with a JACK server, and the program that plays on it."""

    def __init__(self, cable, index, program, folder):
        self.inside = ["ip", "netns", "exec", cable.names[index]]
        self.server = f"{cable.names[index]}"
        self.program, self.folder = program, folder / "ab"[index]
        self.folder.mkdir(parents=True)
        self.environment = dict(os.environ, XDG_STATE_HOME=str(self.folder),
                                STOMPLINE_OSC_TOKEN=TOKEN, JACK_NO_START_SERVER="1")
        self.processes, self.events, self.process = [], [], None
        self.start_server()
        until(self.answers, "the server does not start")

    def start_server(self):
        self.start_process("jackd", "-n", self.server, "-d", "dummy", "-r", str(RATE), "-p", "256")

    def start_process(self, *words):
        process = subprocess.Popen(
            [*self.inside, *words], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def answers(self):
        """Whether the server accepts a client."""
        return run(*self.inside, "jack_lsp", "-s", self.server, may_fail=True).returncode == 0

    def ports(self):
        done = run(*self.inside, "jack_lsp", "-s", self.server, may_fail=True)
        # A server that is busy with a new client may refuse this one.
        return done.stdout.split() if done.returncode == 0 else []

    def play(self, file, *options):
        self.errors = self.folder / "errors"
        self.process = subprocess.Popen(
            [*self.inside, self.program, "run", file, "--server", self.server, "--json", *options],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors.open("w"), text=True)
        self.processes.append(self.process)
        threading.Thread(target=self.read, args=[self.process.stdout], daemon=True).start()
        until(lambda: self.found("started"), "the program does not start")

    def read(self, stream):
        for line in stream:
            self.events.append((time.monotonic(), json.loads(line)))

    def found(self, name, **members):
        return [event for _, event in list(self.events) if event["event"] == name
                and all(event.get(key) == value for key, value in members.items())]

    def level(self, port):
        """The latest level of an output port in dBFS; of the whole last second."""
        status = self.found("status")
        return next((each["peak_db"] or -200 for each in status[-1]["outputs"]
                     if each["port"] == port), -200) if status else -200

    def ctl(self, *words):
        done = run(*self.inside, self.program, "ctl", *words, "--token", TOKEN, may_fail=True)
        return done.stdout.strip()

    def measure(self, file, *options):
        done = run(*self.inside, self.program, "measure", file, "--server", self.server, "--json",
                   *options, may_fail=True)
        # On a busy machine the bridges may lose the burst.
        return json.loads(done.stdout) if done.returncode == 0 else None

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


PIPEWIRE = """
context.properties = { PROPERTIES }
context.spa-libs = {
    audio.convert.* = audioconvert/libspa-audioconvert
    support.* = support/libspa-support
}
context.modules = [
    { name = libpipewire-module-protocol-native }
    { name = libpipewire-module-client-node }
    { name = libpipewire-module-adapter }
    MODULES
]
"""
SERVER_PROPERTIES = """
    core.daemon = true core.name = "pipewire-0" support.dbus = false
    default.clock.rate = 48000 default.clock.quantum = 256 default.clock.min-quantum = 16
"""
SERVER_MODULES = """
    { name = libpipewire-module-metadata }
    { name = libpipewire-module-spa-node-factory }
    { name = libpipewire-module-client-device }
    { name = libpipewire-module-access }
    { name = libpipewire-module-link-factory }
    { name = libpipewire-module-session-manager }
]
context.objects = [
    { factory = metadata args = { metadata.name = default } }
    { factory = spa-node-factory args = {
        factory.name = support.node.driver node.name = Dummy-Driver
        node.group = pipewire.dummy priority.driver = 20000
    } }
"""


class PipeWireMachine(Machine):
    """A machine with PipeWire and WirePlumber, on which JACK's programs use PipeWire."""

    def start_server(self):
        self.folder.chmod(0o700)
        self.environment.update(XDG_RUNTIME_DIR=str(self.folder), XDG_CONFIG_HOME=str(self.folder))
        self.inside = [*self.inside, "env", f"XDG_RUNTIME_DIR={self.folder}", "pw-jack"]
        self.server = "pipewire-0"
        self.start_process("pipewire", "-c", self.configuration(
            "server", SERVER_PROPERTIES, SERVER_MODULES))
        until(self.answers, "PipeWire does not start")
        self.start_process("dbus-run-session", "--", "wireplumber")

    def configuration(self, name, properties, modules):
        """Writes a configuration file of PipeWire; returns its path."""
        path = self.folder / f"{name}.conf"
        path.write_text(PIPEWIRE.replace("PROPERTIES", properties).replace("MODULES", modules))
        return str(path)


def write(path, content):
    path.write_text(json.dumps(content, indent=2))
    return str(path)


def songs(folder, pipeline):
    """A setlist of two songs with the same pipeline."""
    write(folder / "song.json", pipeline)
    return [{"name": name, "pipeline": "song.json"} for name in ("Opener", "Ballad")]


def write_tone(folder):
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-f", "lavfi", "-i",
                    f"sine=frequency=440:sample_rate={RATE}:duration=5", "-filter:a", "volume=4",
                    "-c:a", "pcm_s16le", str(folder / "tone.wav")], check=True)


def tone():
    """A node that plays the tone of `write_tone`."""
    return {"id": "tone", "type": "player", "settings": {"file": "tone.wav", "channels": 1},
            "parameters": {"loop": True, "playing": True}}


def first_files(machine, other):
    """The show of the first machine: a tone that a scene makes louder, sent to the other one."""
    write_tone(machine.folder)
    pipeline = {
        "version": 1, "inputs": {},
        "outputs": {"send": {"connect": ["to-stage:in_1"], "limiter": False},
                    "house": {"from": "tone", "limiter": False}},
        "nodes": [tone(),
                  {"id": "level", "type": "gain", "parameters": {"gain": -6}}],
        "scenes": {"verse": {"level.gain": -6}, "chorus": {"level.gain": 0}},
    }
    bridges = [{"program": "zita-j2n", "host": other, "port": THERE, "channels": 1,
                "name": "to-stage"},
               {"program": "zita-n2j", "port": BACK, "channels": 1, "name": "from-stage"}]
    return write(machine.folder / "show.json", {
        "version": 1, "setlist": "Show", "songs": songs(machine.folder, pipeline),
        "bridges": bridges})


def second_files(machine, other):
    """The show of the second machine: what it receives, and its own scenes of the same names."""
    pipeline = {
        "version": 1,
        "inputs": {"far": {"connect": ["from-desk:out_1"], "latency": 21.333}},
        "outputs": {"monitor": {"from": "far", "limiter": False}},
        "nodes": [{"id": "unused", "type": "gain"}],
        "scenes": {"verse": {"unused.gain": -6}, "chorus": {"unused.gain": 0}},
    }
    bridges = [{"program": "zita-n2j", "port": THERE, "channels": 1, "name": "from-desk"},
               {"program": "zita-j2n", "host": other, "port": BACK, "channels": 1,
                "name": "to-desk"}]
    return write(machine.folder / "stage.json", {
        "version": 1, "setlist": "Stage", "songs": songs(machine.folder, pipeline),
        "bridges": bridges, "follow": f"osc://{other}:{OSC}"})


def check_show(first, second, cable):
    permit = ["--allow-network", "--allow-private"]
    first.play(first_files(first, cable.addresses[1]), "--osc", f"0.0.0.0:{OSC}", *permit)
    second.play(second_files(second, cable.addresses[0]), "--osc", str(OSC), *permit)
    until(lambda: second.found("follow", state="connected"), "the second machine does not follow")
    until(lambda: second.level("monitor") > HEARD, "the sound does not arrive")
    print("several-machines: the sound arrives, and the second machine follows the first")

    def same(address):
        return first.ctl(address) == second.ctl(address) != ""
    first.ctl("song", "Ballad")
    first.ctl("scene", "chorus")
    first.ctl("tempo", "97")
    until(lambda: second.ctl("song") == "Ballad" and second.ctl("scene") == "chorus"
          and same("tempo"), "song, scene and tempo do not follow")
    first.ctl("mute", "true")
    until(lambda: same("mute"), "mute does not follow")
    first.ctl("mute", "false")
    until(lambda: same("mute"), "mute does not follow")

    before = second.process.poll()
    cable.set("down")
    until(lambda: second.found("follow", state="lost"), "the loss is not reported")
    until(lambda: second.level("monitor") < HEARD, "the sound arrives without a cable")
    first.ctl("song", "Opener")
    first.ctl("scene", "verse")
    seen = len(second.found("status"))
    until(lambda: len(second.found("status")) > seen + 2, "the second machine has stopped")
    assert before is None and second.process.poll() is None, "the second machine has ended"
    assert second.ctl("song") == "Ballad", "the second machine has changed without a cable"
    lasts = {machine: machine.found("status")[-1] for machine in (first, second)}
    assert first.level("house") > HEARD, "the first machine has no sound without a cable"
    print("several-machines: without the cable both machines continue "
          f"(xruns {lasts[first]['xruns']} and {lasts[second]['xruns']})")

    cable.set("up")
    until(lambda: len(second.found("follow", state="connected")) == 2,
          "the second machine does not follow again")
    until(lambda: second.ctl("song") == "Opener" and second.ctl("scene") == "verse",
          "the second machine does not have the state of the first one")
    until(lambda: second.level("monitor") > HEARD, "the sound does not return")
    print("several-machines: with the cable both machines have the same song, and the sound is back")


def check_restart(second):
    found = run("pgrep", "-f", f"zita-n2j.*{second.server}").stdout.split()
    bridges = [int(each) for each in found
               if Path(f"/proc/{each}/cmdline").read_bytes().startswith(b"zita-n2j\0")]
    assert len(bridges) == 1, found
    starts = len(second.found("bridge", state="started"))
    os.kill(bridges[0], signal.SIGKILL)
    until(lambda: second.found("bridge", state="ended"), "the end of a bridge is not reported")
    until(lambda: len(second.found("bridge", state="started")) > starts,
          "the bridge is not started again")
    seen = len(second.found("status"))
    until(lambda: len(second.found("status")) > seen + 2 and second.level("monitor") > HEARD,
          "the bridge is not connected again")
    print("several-machines: a killed bridge is started again and connected")


def check_freewheel(second):
    environment = dict(second.environment, JACK_DEFAULT_SERVER=second.server)
    for word in "yn":
        subprocess.run([*second.inside, "jack_freewheel", word], env=environment, check=True,
                       stdout=subprocess.DEVNULL, timeout=30)
        until(lambda: "no sound passes the bridges" in second.errors.read_text(),
              "freewheeling is not explained")
    until(lambda: second.level("monitor") > HEARD, "the sound does not return after freewheeling")
    print("several-machines: freewheeling is explained, and the sound returns after it")


def iodelay(machine, out, back):
    """The round trip of a loop in frames, by another program."""
    process = subprocess.Popen(
        [*machine.inside, "stdbuf", "-oL", "jack_iodelay"],
        env=dict(machine.environment, JACK_DEFAULT_SERVER=machine.server),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        until(lambda: "jack_delay:in" in machine.ports(), "jack_iodelay does not start")
        run(*machine.inside, "jack_connect", "-s", machine.server, "jack_delay:out", out)
        run(*machine.inside, "jack_connect", "-s", machine.server, back, "jack_delay:in")
        values = []
        for line in process.stdout:
            found = re.match(r"\s*([0-9.]+) frames", line)
            if found:
                values.append(float(found[1]))
            if len(values) == 4:
                return sorted(values)[2]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
    raise AssertionError("jack_iodelay has no result")


def check_measure(first, second):
    """`measure` agrees with jack_iodelay about the loop through both bridges."""
    run(*second.inside, "jack_connect", "-s", second.server, "from-desk:out_1", "to-desk:in_1")
    file = first.folder / "loop.json"
    write(file, {"version": 1, "inputs": {"back": {"connect": ["from-stage:out_1"]}},
                 "outputs": {"there": {"from": "back", "connect": ["to-stage:in_1"]}}})
    first.ctl("mute", "true")
    time.sleep(1)
    tries = []
    for _ in range(20):
        before = iodelay(first, "to-stage:in_1", "from-stage:out_1")
        found = until(lambda: first.measure(file, "--write"), "the loop has no result")
        after = iodelay(first, "to-stage:in_1", "from-stage:out_1")
        # A busy machine moves the bridges' buffers, so only a loop that was stable is compared.
        if abs(before - after) < 1:
            break
        tries.append(f"{before:.1f} {after:.1f}")
    else:
        raise AssertionError(f"the loop is never stable; frames before and after: {', '.join(tries)}")
    written = json.loads(file.read_text())["inputs"]["back"]["latency"]
    frames = found["round_trip_frames"]
    print(f"several-machines: the loop takes {frames} frames; jack_iodelay says {before}")
    # `measure` states whole frames.
    assert min(before, after) - 1.5 <= frames <= max(before, after) + 1.5, (before, frames, after)
    assert abs(written * RATE / 1000 - found["input_latency_frames"]) < 0.1, written


def check_netjack(first, second, cable):
    """netmanager as a bridge carries the sound to a JACK server with the driver net, and back."""
    write_tone(first.folder)
    file = write(first.folder / "net.json", {
        "version": 1, "name": "Net", "inputs": {"far": {"connect": [r"/stage(-\d+)?:from_slave_1/"]}},
        "outputs": {"send": {"from": "tone", "limiter": False, "connect": [r"/stage(-\d+)?:to_slave_1/"]},
                    "returned": {"from": "far", "limiter": False}},
        "nodes": [tone()], "bridges": [{"program": "netmanager", "port": NET}]})
    first.play(file, "--allow-network", "--allow-private", "--no-start-server")
    server = f"{second.server}-net"
    second.start_process("jackd", "-n", server, "-d", "net", "-a", cable.addresses[0], "-p",
                         str(NET), "-C", "1", "-P", "1", "-n", "stage")
    until(lambda: any(port.startswith("stage:") for port in first.ports()),
          "the server with the driver net does not arrive")

    def returns():
        """Connects the input of the other machine to its output, and returns whether the sound is heard."""
        run(*second.inside, "jack_connect", "-s", server, "system:capture_1", "system:playback_1", may_fail=True)
        return first.level("returned") > HEARD

    until(returns, "the sound does not return over netjack2")
    # After a cut of the cable, the driver net came back in some runs only.
    print("several-machines: netmanager carries the sound to a server with the driver net and back")


def check_pipewire(cable, program, folder):
    """PipeWire's RTP carries the sound there, and zita-njbridge on PipeWire carries it back."""
    machines = []
    try:
        machines += [PipeWireMachine(cable, index, program, folder) for index in (0, 1)]
        first, second = machines
        sender = first.configuration("send", "", f"""
            {{ name = libpipewire-module-rtp-sink args = {{
                destination.ip = {cable.addresses[1]} destination.port = {RTP}
                local.ifname = {cable.ends[0]} audio.channels = 2
                stream.props = {{ media.class = Audio/Sink }} }} }}""")
        receiver = second.configuration("receive", "", f"""
            {{ name = libpipewire-module-rtp-source args = {{
                local.ifname = {cable.ends[1]}
                stream.props = {{ media.class = Audio/Source }} }} }}""")
        write_tone(first.folder)
        there = write(first.folder / "show.json", {
            "version": 1, "inputs": {"back": {"connect": ["from-stage:out_1"]}},
            "outputs": {"send": {"channels": 2, "from": "tone", "limiter": False,
                                 "connect": ["/rtp-sink-.*:playback_[12]/"]},
                        "returned": {"from": "back", "limiter": False}},
            "nodes": [tone()]})
        back = write(second.folder / "stage.json", {
            "version": 1,
            "inputs": {"far": {"channels": 2, "connect": ["/PipeWire RTP.*:capture_F[LR]/"]}},
            "outputs": {"send": {"from": "far:1", "limiter": False, "connect": ["to-desk:in_1"]}},
            "nodes": []})
        first.play(there, "--bridge", f"pipewire -c {sender}",
                   "--bridge", f"zita-n2j --jname from-stage --chan 1 0.0.0.0 {BACK}")
        second.play(back, "--bridge", f"pipewire -c {receiver}", "--bridge",
                    f"zita-j2n --jname to-desk --chan 1 {cable.addresses[0]} {BACK}")
        until(lambda: first.level("returned") > HEARD, "the sound does not return over PipeWire")
        cable.set("down")
        until(lambda: first.level("returned") < HEARD, "the sound arrives without a cable")
        cable.set("up")
        until(lambda: first.level("returned") > HEARD, "the sound does not come back over PipeWire")
        print("several-machines: PipeWire's RTP and zita-njbridge carry the sound on PipeWire, "
              "also after the cable was cut")
    except BaseException:
        report(machines)
        raise
    finally:
        for machine in reversed(machines):
            machine.end()


def enter():
    """Starts the script again in a user namespace if the user is not root and the kernel permits it.

    `ip netns` writes into /run, so that is a folder of its own there.
    """
    if os.geteuid() == 0:
        return
    inside = ["unshare", "--map-root-user", "--net", "--mount", "sh", "-euc",
              'mount -t tmpfs run /run; exec "$@"', "sh"]
    if run(*inside, "true", may_fail=True).returncode == 0:
        os.execvp(inside[0], [*inside, sys.executable, *sys.argv])


def forbidden():
    """The reason why the kernel forbids network namespaces; empty if it permits them."""
    name = f"stompline-try-{os.getpid()}"
    made = run("ip", "netns", "add", name, may_fail=True)
    run("ip", "netns", "delete", name, may_fail=True)
    return "" if made.returncode == 0 else made.stderr.strip() or "ip netns add fails"


def report(machines):
    """Prints the last events and the errors of machines after a failure."""
    for machine in machines:
        events = [event for _, event in machine.events if event["event"] != "status"]
        print(machine.folder.name, *events[-12:], sep="\n  ", file=sys.stderr)
        if (machine.folder / "errors").exists():
            print((machine.folder / "errors").read_text()[-3000:], file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--allow-skip", action="store_true",
                        help="check nothing if the kernel forbids namespaces")
    options = parser.parse_args()
    missing = [each for each in ("zita-j2n", "zita-n2j", "jackd", "jack_load", "ip", "pipewire",
                                 "wireplumber", "dbus-run-session")
               if not shutil.which(each)]
    if missing:
        sys.exit(f"several-machines: {', '.join(missing)} not installed; scripts/setup.sh test")
    enter()
    if reason := forbidden():
        text = f"this kernel or user makes no network namespaces: {reason}"
        if not options.allow_skip:
            sys.exit(f"several-machines: {text}; --allow-skip checks nothing then")
        print(f"several-machines: SKIPPED, {text}")
        return
    folder = Path(tempfile.mkdtemp(prefix="stompline-machines-"))
    program = str(Path(options.program).resolve())
    cable, machines = Cable(), []
    try:
        machines = [Machine(cable, index, program, folder) for index in (0, 1)]
        first, second = machines
        check_show(first, second, cable)
        check_restart(second)
        check_freewheel(second)
        check_measure(first, second)
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(20) == 0, "the first machine does not end in order"
        first.events.clear()
        check_netjack(first, second, cable)
        while machines:
            machines.pop().end()
        check_pipewire(cable, program, folder / "pipewire")
    except BaseException:
        report(machines)
        raise
    finally:
        for machine in reversed(machines):
            machine.end()
        cable.end()
        shutil.rmtree(folder)


main()

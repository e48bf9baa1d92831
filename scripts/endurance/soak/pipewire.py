"""PipeWire as the server of the soak."""
import os
import subprocess
import tempfile

from night import Server

CONFIGURATION = """
context.properties = {{
    core.daemon = true
    core.name = "{name}"
    support.dbus = false
    default.clock.quantum = {frames}
    default.clock.min-quantum = 16
    default.clock.allowed-rates = [ 48000 ]
}}
context.spa-libs = {{
    audio.convert.* = audioconvert/libspa-audioconvert
    support.* = support/libspa-support
    test.* = waiting-driver
}}
context.modules = [
    {{ name = libpipewire-module-rt args = {{ nice.level = -11 }} flags = [ ifexists nofail ] }}
    {{ name = libpipewire-module-protocol-native }}
    {{ name = libpipewire-module-metadata }}
    {{ name = libpipewire-module-spa-node-factory }}
    {{ name = libpipewire-module-client-node }}
    {{ name = libpipewire-module-access }}
    {{ name = libpipewire-module-adapter }}
    {{ name = libpipewire-module-link-factory }}
]
context.objects = [
    {{ factory = metadata args = {{ metadata.name = default }} }}
    {{ factory = spa-node-factory args = {{
        factory.name = {driver} node.name = Dummy-Driver
        node.group = pipewire.dummy priority.driver = 20000
    }} }}
    {{ factory = adapter args = {{
        factory.name = support.null-audio-sink node.name = system media.class = Audio/Duplex
        audio.channels = 2
        adapter.auto-port-config = {{ mode = dsp monitor = true position = preserve }}
    }} }}
]
"""
#: The libraries that `pw-jack` puts in front of others.
LIBRARIES = "/usr/${LIB}/pipewire-0.3/jack"
#: The source of a driver that waits for its clients.
WAITING_DRIVER = os.path.join(os.path.dirname(__file__), "../../../Tests/JackHostTests/WaitingDriver/waiting-driver.c")


def configuration(name, frames, driver="support.node.driver"):
    """Returns the configuration of a PipeWire with a quantum, and a driver that begins its cycles."""
    return CONFIGURATION.format(name=name, frames=frames, driver=driver)


class PipeWireServer(Server):
    """A PipeWire with its own runtime folder; all programs that are started later use it.

    Its own driver waits for no client, and reports none. With `waits`, a driver of the tests waits.
    """

    def __init__(self, name, log, waits=False, frames=64):
        self.temporary = tempfile.TemporaryDirectory(prefix="stompline-pipewire-")
        self.folder = self.temporary.name
        self.driver = "test.waiting-driver" if waits else "support.node.driver"
        if waits:
            self.build_driver()
        before = os.environ.get("LD_LIBRARY_PATH")
        os.environ.update(
            XDG_RUNTIME_DIR=self.folder, XDG_CONFIG_HOME=self.folder, PIPEWIRE_REMOTE=name,
            LD_LIBRARY_PATH=LIBRARIES + (f":{before}" if before else ""))
        super().__init__(name, log, is_async=not waits, frames=frames)

    def build_driver(self):
        """Compiles the driver that waits, and lets PipeWire find it."""
        flags = subprocess.check_output(["pkg-config", "--cflags", "libspa-0.2"], text=True).split()
        subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-shared", "-fPIC", *flags, WAITING_DRIVER,
                        "-o", os.path.join(self.folder, "waiting-driver.so")], check=True)
        plugins = subprocess.check_output(["pkg-config", "--variable=plugindir", "libspa-0.2"], text=True).strip()
        os.environ["SPA_PLUGIN_DIR"] = f"{plugins}:{self.folder}"

    def start(self):
        path = os.path.join(self.folder, "pipewire.conf")
        with open(path, "w") as file:
            file.write(configuration(self.name, self.frames, self.driver))
        self.process = subprocess.Popen(["pipewire", "-c", path], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def end(self, *how):
        # Measured with a program that only opens and closes clients: PipeWire's library (0.3.65)
        # keeps 33 KiB for each port of a closed client, in groups of eight ports.
        ports = sum(line.startswith("soak:") for line in self.connections().splitlines())
        self.kept_kib += 33 * (ports + -ports % 8)
        super().end(*how)

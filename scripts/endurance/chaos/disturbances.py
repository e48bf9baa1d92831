"""All disturbances of the two instances."""
import errno
import os
import resource
import signal
import socket
import subprocess
import time

from changes import SAVING, loop_command
from manager import WildManager
from page_client import PageClient, watching

BLOCKS = [64, 128, 32, 256, 64, 1024, 64, 17]


class Disturbances:
    def __init__(self, chance, stage, only):
        self.chance, self.stage = chance, stage
        self.counts, self.recent = {}, []
        self.kinds = [
            # Normal use, so that there is activity to disturb.
            (12, self.values), (4, self.scene), (4, self.song), (1, self.panic), (3, self.take), (4, self.edit), (1, self.rearrange),
            (2, self.save), (1, self.relist), (3, self.loop), (2, self.feature),
            (1, self.page),
            # Invalid messages and files.
            (6, self.flood), (2, self.flood_page), (2, self.mutate), (1, self.misuse), (0.4, self.overload), (0.6, self.delete), (1, self.wrong_commands),
            (0.4, self.session_manager),
            # Failing components.
            (1.5, self.kill_child), (1.5, self.stop_child), (0.6, self.radio), (0.8, self.disk), (0.8, self.descriptors),
            (0.8, self.memory), (1.5, self.block), (0.5, self.freewheel), (0.6, self.stop_server), (0.5, self.replace_server),
        ]
        if only:
            self.kinds = [(weight, kind) for weight, kind in self.kinds if kind.__name__ in only.split(",")]

    def make_one(self):
        weights, kinds = zip(*self.kinds)
        kind = self.chance.choices(kinds, weights)[0]
        self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
        self.recent.append(kind.__name__)
        instance = self.chance.choice(self.stage.instances)
        instance.program.log.write(f"{time.time():.1f} DOES {kind.__name__}\n")
        kind(instance)
        time.sleep(self.chance.uniform(0, 0.1))

    # Normal use.

    def values(self, instance):
        for _ in range(self.chance.randint(1, 20)):
            node = self.chance.choice(["clean", "level", "guest", "n0", "n1", "n2", "tape", "radio", "video", "master", "usher", "room"])
            instance.tell(f"/{node}/mix", self.chance.random())
            instance.tell(f"/{node}/bypass", self.chance.random() < 0.1)

    def scene(self, instance):
        instance.tell(*self.chance.choice([("/scene", "soft"), ("/scene", "loud"), ("/next-scene",)]))

    def song(self, instance):
        for _ in range(self.chance.choice([1, 1, 1, 30])):
            instance.tell(*self.chance.choice([("/next-song",), ("/previous-song",), ("/song", self.chance.randint(1, 3))]))

    def panic(self, instance):
        instance.tell("/panic")

    def take(self, instance):
        instance.tell("/tape/recording", self.chance.random() < 0.7)
        if self.chance.random() < 0.3:
            instance.tell("/tape/take", True)
            instance.tell("/tape/take", False)

    def edit(self, instance):
        instance.setlist.edit()

    def rearrange(self, instance):
        instance.setlist.rearrange()

    def save(self, instance):
        instance.tell(*self.chance.choice(SAVING))

    def relist(self, instance):
        instance.setlist.relist()

    def loop(self, instance):
        for _ in range(self.chance.randint(1, 5)):
            instance.tell(*loop_command(self.chance))

    def feature(self, instance):
        instance.tour.one()

    def page(self, instance):
        """A page comes, watches, moves values, and leaves without a farewell."""
        page = self._open(lambda: watching(instance.program.http_port))
        for _ in range(self.chance.randint(1, 200)):
            page.send({"request": "set", "address": self.chance.choice(["gain", "clean.mix", "level.mix", "master.mix"]),
                       "value": self.chance.random(), "revision": self.chance.choice([page.revision, 0, 2**53 - 1])})
            if self.chance.random() < 0.2:
                page.receive()
        page.socket.close()

    # Invalid data.

    def flood(self, instance):
        for _ in range(self.chance.choice([100, 1000, 3000])):
            try:
                instance.program.socket.sendto(instance.nonsense.datagram(), ("127.0.0.1", instance.program.port))
            except OSError as fault:
                # A datagram may be refused if the receiver's queue is full; no other error is
                # expected.
                if fault.errno not in (errno.ECONNREFUSED, errno.EAGAIN, errno.ENOBUFS):
                    raise
        self._undo_nonsense(instance)

    def flood_page(self, instance):
        """Sends nonsense to the page's server: bytes, requests, and frames of pages."""
        for _ in range(self.chance.choice([10, 50])):
            if self.chance.random() < 0.5:
                door = socket.create_connection(("127.0.0.1", instance.program.http_port), timeout=20)
                text = instance.nonsense.http()
            else:
                door = self._open(lambda: PageClient(instance.program.http_port)).socket
                text = instance.nonsense.frames()
            try:
                door.sendall(text)
            except OSError:
                # The server may close the connection at the first wrong byte.
                pass
            door.close()
        self._undo_nonsense(instance)

    @staticmethod
    def _open(page, seconds=10):
        """Opens a page; the server refuses one while it has not noticed that many others have gone."""
        end = time.time() + seconds
        while True:
            try:
                return page()
            except ConnectionError:
                if time.time() > end:
                    raise
                time.sleep(0.1)

    def _undo_nonsense(self, instance):
        # A session muted by an invalid message would hide every later click.
        for message in [("/unsubscribe",), ("/mute", False), ("/clean/mute", False), ("/clean/mix", 1.0), ("/learn", "")]:
            instance.tell(*message)

    def mutate(self, instance):
        instance.setlist.mutate()

    def misuse(self, instance):
        instance.setlist.misuse()

    def overload(self, instance):
        instance.setlist.overload()
        time.sleep(1)

    def delete(self, instance):
        instance.setlist.delete()

    def wrong_commands(self, instance):
        words = self.chance.choice([
            ["scene", "-9223372036854775808"], ["tuner", ":"], ["tuner", "tone:-9223372036854775808"], ["song", "1e400"],
            ["clean.gain", "nan"], ["learn", ""], ["*.mix", "x"], ["scene", "\x1b[31m"]])
        subprocess.run([os.path.join(instance.programs, "stompline"), "ctl", "--port", str(instance.program.port), "--", *words],
                       capture_output=True, timeout=30)

    def session_manager(self, instance):
        """A third instance joins the server for a moment, under a session manager that sends nonsense."""
        program = os.path.join(instance.programs, "stompline")
        instance.faults += WildManager(program, self.stage.server.name, instance.folder, self.chance).run()

    # Failing components.

    def kill_child(self, instance):
        children = instance.children()
        if children:
            self._signal(self.chance.choice(children), self.chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]))

    def stop_child(self, instance):
        children = instance.children()
        if children:
            child = self.chance.choice(children)
            self._signal(child, signal.SIGSTOP)
            time.sleep(self.chance.uniform(0.05, 2))
            self._signal(child, signal.SIGCONT)

    def _signal(self, process, number):
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass

    def radio(self, _):
        """Closes the radio station for some time."""
        self.stage.radio.end()
        time.sleep(self.chance.uniform(0, 2))
        self.stage.radio.start()

    def disk(self, instance):
        """Fills the disk for some time."""
        instance.tell("/tape/recording", True)
        path = os.path.join(self.stage.takes, "filler")
        try:
            with open(path, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 16))
        except OSError as fault:
            if fault.errno != errno.ENOSPC:
                raise
        time.sleep(self.chance.uniform(0.5, 3))
        os.remove(path)
        self.stage.clear_takes()

    def descriptors(self, instance):
        """Prevents the program from opening files for some time."""
        before = instance.limit(resource.RLIMIT_NOFILE, len(instance.descriptors()) + self.chance.choice([0, 0, 1, 3]))
        try:
            for _ in range(3):
                self.chance.choice([self.edit, self.song, self.take, self.kill_child])(instance)
                time.sleep(self.chance.uniform(0, 0.5))
        finally:
            self._restore(instance, resource.RLIMIT_NOFILE, before)

    def memory(self, instance):
        """Limits the program's memory for some time."""
        room = self.chance.choice([128, 256]) << 20
        before = instance.limit(resource.RLIMIT_AS, instance.virtual_bytes() + room)
        try:
            for _ in range(2):
                self.chance.choice([self.edit, self.overload, self.song])(instance)
                time.sleep(self.chance.uniform(0.2, 0.8))
        finally:
            self._restore(instance, resource.RLIMIT_AS, before)

    def _restore(self, instance, kind, limits):
        try:
            resource.prlimit(instance.process.pid, kind, limits)
        except ProcessLookupError:
            pass

    def block(self, instance):
        instance.partner.ask("block", self.chance.choice(BLOCKS))

    def freewheel(self, instance):
        instance.partner.ask("freewheel", 1)
        time.sleep(self.chance.uniform(0.05, 0.2))
        instance.partner.ask("freewheel", 0)

    def stop_server(self, _):
        """Stops the server temporarily, as on a busy machine."""
        process = self.stage.server.process
        process.send_signal(signal.SIGSTOP)
        time.sleep(self.chance.uniform(0.05, 0.5))
        process.send_signal(signal.SIGCONT)

    def replace_server(self, _):
        self.stage.replace_server(self.chance.choice([signal.SIGTERM, signal.SIGKILL]))

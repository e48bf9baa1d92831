"""Runs a setlist with random changes of everything: see scripts/endurance/soak.sh."""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from changes import Changes
from figures import Figures
from night import Partner, Program, Server, free_port
from pages import Pages
from pipewire import PipeWireServer
from setlist import Setlist
from tour import Tour, keys_act, resumes

parser = argparse.ArgumentParser(prog="soak.sh", description=__doc__)
parser.add_argument("seconds", nargs="?", type=float, default=600, help="duration of the test (default: 600); 0: only the tour of all features")
parser.add_argument("--sanitize", action="store_true", help="under RealtimeSanitizer, which ends the program at a violation")
parser.add_argument("--seed", type=int, default=1, help="another seed makes other changes")
parser.add_argument("--server-seconds", type=float, default=60, help="approximate lifetime of a JACK server")
parser.add_argument("--async", dest="is_async", action="store_true",
                    help="on a server that waits for no client, the default of JACK: it reports which client overran; a step is judged only if no "
                         "cycle was late or left out")
parser.add_argument("--pipewire", action="store_true",
                    help="on a PipeWire of its own instead of jackd, with its JACK library; a step is judged only if no cycle was late or left out, "
                         "because PipeWire waits for no client")
parser.add_argument("--waits", action="store_true", help="with --pipewire: with a driver that waits for its clients, so that fewer cycles are left out")
parser.add_argument("--pages", type=int, default=3,
                    help="number of pages that watch meters and move the master gain, in every other ten seconds (default: 3)")
parser.add_argument("--only", default="", help="kinds of changes, separated by commas, to find the cause")
options = parser.parse_args()

# If this script is terminated, it also ends the programs that it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("soak: ended"))

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
programs = os.path.join(root, ".build", "release")
folder = tempfile.mkdtemp(prefix="stompline-soak-")
chance = random.Random(options.seed)
setlist = Setlist(folder, chance)

name, server_log = f"stompline-soak-{os.getpid()}", os.path.join(root, ".build", "soak-jackd.log")
if options.pipewire:
    options.is_async = not options.waits
    server = PipeWireServer(name, server_log, options.waits)
else:
    server = Server(name, server_log, options.is_async)
environment = dict(os.environ, XDG_STATE_HOME=folder)
if options.sanitize:
    library = subprocess.run([os.path.join(root, "scripts/sanitize/rtsan-library.sh")], capture_output=True, text=True, check=True)
    environment["LD_PRELOAD"] = library.stdout.strip()
    environment["RTSAN_OPTIONS"] = "suppressions=" + os.path.join(root, "scripts/sanitize/rtsan-suppressions.txt")

log = os.path.join(root, ".build", "soak.log")
partner = program = pages = None
figures = Figures()


def play(*more):
    """Starts the program; returns it, or None if it does not play."""
    started = Program([os.path.join(programs, "stompline"), "run", setlist.path, "--name", "soak", "--server", server.name,
                       "--no-start-server", "--osc", str(port), "--http", "0", "--json", *more], environment, log)
    started.port = port
    return started if started.wait_for("started") else None


def resume():
    """Kills the program and starts it again where it was; returns its tour, or None."""
    global program, log
    log = os.path.join(root, ".build", "soak-resumed.log")
    program = play("--resume") or program
    return Tour(chance, program, lambda: changes.partner) if program.process.poll() is None else None


try:
    partner = Partner(os.path.join(programs, "soak-partner"), server.name, options.seed)
    port = free_port()
    program = play()
    if not program:
        sys.exit(f"soak: the program did not start; its output is in {log}")
    pages = Pages(program, options.pages)
    changes = Changes(chance, setlist, program, partner, server, options.only)
    tour = changes.tour = Tour(chance, program, lambda: changes.partner, each=lambda: (pages.proceed(), figures.look(program, changes, pages.are_here)))
    time.sleep(1)
    partner.ask("figures")
    if not options.only:
        changes.recent.append("tour")
        tour.complete()
    end = time.time() + options.seconds
    next_look, next_end = 0, time.time() + options.server_seconds
    while time.time() < end and program.process.poll() is None:
        changes.make_one()
        if time.time() >= next_look:
            next_look = time.time() + 1
            figures.look(program, changes, pages.are_here)
            pages.proceed()
        if time.time() >= next_end and end - time.time() > 10:
            next_end = time.time() + options.server_seconds * chance.uniform(0.7, 1.3)
            figures.look(program, changes, pages.are_here)
            changes.partner = partner = changes.replace_server(
                lambda: Partner(os.path.join(programs, "soak-partner"), server.name, chance.randrange(1 << 30)))
            figures.resume()
    ran = program.process.poll() is None
    missed = []
    if ran and not options.only:
        setlist.restore()
        time.sleep(3)
        changes.unmute()
        changes.recent.append("the rest of the tour")
        tour.complete_unseen()
        pages.go()
        missed = tour.faults()
        binary = [os.path.join(programs, "stompline")]
        if not keys_act(binary, environment, server.name, folder):
            missed.append("keys: a computer key had no effect")
        before = program
        if not resumes(resume, lambda: (before.process.kill(), before.process.wait()), tour):
            missed.append("resume: the killed program did not continue where it was")
    if ran and program.process.poll() is None:
        program.process.send_signal(signal.SIGTERM)
    try:
        status = program.process.wait(30)
    except subprocess.TimeoutExpired:
        status = "none: it hangs"
        program.process.send_signal(signal.SIGQUIT)
    pages.go()
    faults = figures.faults(status if ran else f"{status} before the end of the test", changes, tour.program, options) + missed + pages.faults()
    figures.show(changes, tour.program)
    print(f"soak: {pages.text()}")
    print("soak: features seen of those driven:", tour.text())
finally:
    if pages and pages.are_here:
        pages.process.kill()
    if program and program.process.poll() is None:
        program.process.kill()
    if partner:
        partner.end()
    server.end()
for fault in faults:
    print("soak: FAULT:", fault)
if faults:
    print(f"soak: seed {options.seed}; output: {log}, files: {folder}")
else:
    shutil.rmtree(folder)
sys.exit(bool(faults))

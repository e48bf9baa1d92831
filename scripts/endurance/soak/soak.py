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
from setlist import Setlist

parser = argparse.ArgumentParser(prog="soak.sh", description=__doc__)
parser.add_argument("seconds", nargs="?", type=float, default=600, help="duration of the test (default: 600)")
parser.add_argument("--sanitize", action="store_true", help="under RealtimeSanitizer, which ends the program at a violation")
parser.add_argument("--seed", type=int, default=1, help="another seed makes other changes")
parser.add_argument("--server-seconds", type=float, default=60, help="approximate lifetime of a JACK server")
parser.add_argument("--async", dest="is_async", action="store_true",
                    help="on a server that waits for no client, the default of JACK: it reports which client overran; steps are not judged")
parser.add_argument("--only", default="", help="kinds of changes, separated by commas, to find the cause")
options = parser.parse_args()

# If this script is terminated, it also ends the programs that it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("soak: ended"))

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
programs = os.path.join(root, ".build", "release")
folder = tempfile.mkdtemp(prefix="stompline-soak-")
chance = random.Random(options.seed)
setlist = Setlist(folder, chance)

environment = dict(os.environ, XDG_STATE_HOME=folder)
if options.sanitize:
    library = subprocess.run([os.path.join(root, "scripts/sanitize/rtsan-library.sh")], capture_output=True, text=True, check=True)
    environment["LD_PRELOAD"] = library.stdout.strip()
    environment["RTSAN_OPTIONS"] = "suppressions=" + os.path.join(root, "scripts/sanitize/rtsan-suppressions.txt")

server = Server(f"stompline-soak-{os.getpid()}", os.path.join(root, ".build", "soak-jackd.log"), options.is_async)
log = os.path.join(root, ".build", "soak.log")
partner = program = None
figures = Figures()
try:
    partner = Partner(os.path.join(programs, "soak-partner"), server.name, options.seed)
    port = free_port()
    program = Program([os.path.join(programs, "stompline"), "run", setlist.path, "--name", "soak", "--server", server.name,
                       "--no-start-server", "--osc", str(port), "--json"], environment, log)
    program.port = port
    if not program.wait_for("started"):
        sys.exit(f"soak: the program did not start; its output is in {log}")
    changes = Changes(chance, setlist, program, partner, server, options.only)
    time.sleep(1)
    partner.ask("figures")
    end = time.time() + options.seconds
    next_look, next_end = 0, time.time() + options.server_seconds
    while time.time() < end and program.process.poll() is None:
        changes.make_one()
        if time.time() >= next_look:
            next_look = time.time() + 1
            figures.look(program, changes)
        if time.time() >= next_end and end - time.time() > 10:
            next_end = time.time() + options.server_seconds * chance.uniform(0.7, 1.3)
            figures.look(program, changes)
            changes.partner = partner = changes.replace_server(
                lambda: Partner(os.path.join(programs, "soak-partner"), server.name, chance.randrange(1 << 30)))
            figures.resume()
    ran = program.process.poll() is None
    if ran:
        program.process.send_signal(signal.SIGTERM)
    try:
        status = program.process.wait(30)
    except subprocess.TimeoutExpired:
        status = "none: it hangs"
        program.process.send_signal(signal.SIGQUIT)
    faults = figures.faults(status if ran else f"{status} before the end of the test", changes, program, options)
    figures.show(changes, program)
finally:
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

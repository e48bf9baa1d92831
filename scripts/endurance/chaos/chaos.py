"""Runs a setlist with two instances while everything around them fails: see scripts/endurance/chaos.sh."""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from disturbances import Disturbances
from remains import Remains
from stage import Stage
from tour import keys_act, resumes

parser = argparse.ArgumentParser(prog="chaos.sh", description=__doc__)
parser.add_argument("seconds", nargs="?", type=float, default=3600, help="duration of the test (default: 3600)")
parser.add_argument("--seed", type=int, default=1, help="another seed makes other disturbances")
parser.add_argument("--only", default="", help="kinds of disturbances, separated by commas, to find the cause")
options = parser.parse_args()

# If this script is terminated, it also ends the programs that it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("chaos: ended"))

root = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
folder = tempfile.mkdtemp(prefix="stompline-chaos-")
stage = None
faults = []
# The sine is silent while it is muted or a song fades. After all of that is undone, it must be
# audible again within this time.
RECOVERY_SECONDS = 15


def calm():
    """Undoes all disturbances, and waits until both instances play their first song again."""
    for instance in stage.instances:
        instance.setlist.restore()
    time.sleep(2)
    # Always in the same order, so that the same neighbouring songs are prepared.
    for number in (3, 1):
        for instance in stage.instances:
            instance.tell("/song", number)
        time.sleep(3)
    for instance in stage.instances:
        for message in [("/panic",), ("/mute", False), ("/gain", 0.0), ("/tape/recording", False), ("/clean/mix", 1.0),
                        ("/clean/mute", False), ("/guest/mix", 1.0), ("/usher/mix", 1.0), ("/master/mix", 1.0),
                        ("/master/mute", False), ("/master/gain", 0.0)]:
            instance.tell(*message)
    end = time.time() + RECOVERY_SECONDS
    waiting = list(stage.instances)
    while waiting and time.time() < end:
        time.sleep(0.5)
        waiting = [instance for instance in waiting if not instance.is_heard()]
    for instance in waiting:
        faults.append(f"{instance.name}: the sine is not heard after all disturbances were undone")
        instance.program.log.write(f"SILENCE\n{stage.server.connections()}\n{instance.program.dump()}\n")
    time.sleep(3)


def at_once(act):
    """Acts on both instances at the same time."""
    pool = ThreadPoolExecutor()
    # The list waits for both, and raises their exceptions. If this script is terminated, it does not wait.
    list(pool.map(act, stage.instances))
    pool.shutdown()


try:
    stage = Stage(root, folder, random.Random(options.seed))
    remains = Remains(stage)
    stage.start(["--allow-network", "--allow-private"], dict(os.environ, XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder))
    time.sleep(1)
    for instance in stage.instances:
        # The signal of the first cycles is not caused by a disturbance.
        instance.partner.ask("figures")
    if not options.only:
        # Once by construction; later the features are driven at random, between disturbances.
        at_once(lambda instance: instance.tour.complete())
        for instance in stage.instances:
            instance.look("the tour")
            instance.tell("/song", 1)
    calm()
    remains.note_start()
    disturbances = Disturbances(stage.chance, stage, options.only)
    end, next_look = time.time() + options.seconds, 0
    while time.time() < end and all(instance.process.poll() is None for instance in stage.instances):
        disturbances.make_one()
        if time.time() >= next_look:
            next_look = time.time() + 1
            amid, disturbances.recent = " ".join(disturbances.recent), []
            for instance in stage.instances:
                instance.look(amid)
    for instance in stage.instances:
        if instance.process.poll() is not None:
            faults.append(f"{instance.name}: it ended before the end of the test, with status {instance.process.returncode}, "
                          f"after {' '.join(disturbances.recent)}")
    if not faults:
        calm()
        faults += remains.of_running()
    if not faults and not options.only:
        at_once(lambda instance: instance.tour.complete_unseen())
        for instance in stage.instances:
            faults += [f"{instance.name}: {fault}" for fault in instance.tour.faults()]
            print(f"chaos: {instance.name}: features seen of those driven: {instance.tour.text()}")
        left = stage.instances[0]
        if not keys_act([os.path.join(left.programs, "stompline")], left.environment, stage.server.name, left.folder):
            faults.append("keys: a computer key had no effect")
        log = os.path.join(stage.build, "chaos-resumed.log")
        if not resumes(lambda: left.play_again(log), left.kill, left.tour):
            faults.append(f"{left.name}: the killed program did not continue where it was")
    # Both at the same moment.
    for instance in stage.instances:
        instance.end()
    time.sleep(6)
    for instance in stage.instances:
        # gdb stops the program for a while, so only one that is late already is looked at.
        if instance.process.poll() is None:
            instance.program.log.write(f"STILL THERE\n{instance.program.threads()}\n")
    for instance in stage.instances:
        try:
            status = instance.process.wait(30)
            if status != 0:
                faults.append(f"{instance.name}: it ended with status {status}")
        except subprocess.TimeoutExpired:
            faults.append(f"{instance.name}: it does not end")
            instance.program.log.write(f"HANGS\n{instance.program.threads()}\n")
            instance.kill()
    for instance in stage.instances:
        faults += instance.faults
    faults += remains.of_ended()
    print("chaos: disturbances:", ", ".join(f"{count} {name}" for name, count in sorted(disturbances.counts.items())))
    for instance in stage.instances:
        events = ", ".join(f"{count} {name}" for name, count in sorted(instance.program.events.items()))
        print(f"chaos: {instance.name}: largest step {instance.largest_step:.4f}; heard in {instance.heard} of {instance.looks} "
              f"checks; events: {events}")
    print(f"chaos: {stage.takes_read} takes, {len(stage.unreadable)} unreadable; {remains.text()}")
finally:
    if stage:
        stage.end()
for fault in faults:
    print("chaos: FAULT:", fault)
if faults:
    print(f"chaos: seed {options.seed}; logs: {stage.build}/chaos-*.log, files: {folder}")
else:
    shutil.rmtree(folder, ignore_errors=True)
sys.exit(bool(faults))

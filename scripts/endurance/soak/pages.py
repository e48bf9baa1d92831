"""Pages that come and go during a soak."""
import json
import os
import subprocess
import sys
import time

# The time for which the pages stay, and then stay away, in seconds.
STAY_SECONDS = 10


class Pages:
    """Clients of the page's server: they watch the meters, and some of them move the master gain.

    They are there in every other period, so that a run compares the program with and without them.
    """

    def __init__(self, program, count):
        self.program, self.count = program, count
        self.process, self.next_change = None, 0
        self.seconds, self.frames, self.messages, self.losses = 0, 0, 0, []

    @property
    def are_here(self):
        return self.process is not None

    def proceed(self):
        """Lets the pages come or go if it is time."""
        if self.count and time.time() >= self.next_change:
            self.next_change = time.time() + STAY_SECONDS
            if self.are_here:
                self.go()
            else:
                self.come()

    def come(self):
        if not self.count or self.are_here:
            return
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page_client.py")
        self.process = subprocess.Popen([sys.executable, script, str(self.program.http_port), str(self.count)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def go(self):
        if not self.are_here:
            return
        out, error = self.process.communicate(timeout=60)
        status, self.process = self.process.returncode, None
        if status != 0:
            self.losses.append(error.strip().rpartition("\n")[2] or f"status {status}")
            return
        figures = json.loads(out)
        self.seconds += figures["seconds"]
        self.frames += figures["frames"]
        self.messages += figures["messages"]
        self.losses += figures["losses"]

    def faults(self):
        faults = [f"a page was lost: {loss}" for loss in self.losses]
        if self.count and not (self.frames and self.messages):
            faults.append("no page received meters and values")
        return faults

    def text(self):
        seconds = max(self.seconds, 0.001) * max(self.count, 1)
        return (f"{self.count} pages for {self.seconds:.0f} s: each received {self.frames / seconds:.1f} frames of meters "
                f"and {self.messages / seconds:.1f} messages per second")

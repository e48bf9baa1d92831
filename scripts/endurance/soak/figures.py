"""The results of a soak."""
import os
import statistics

# A sine of 330 Hz and amplitude 0.25 moves by 0.0108 per sample at 48 kHz; others may ring out at
# the same time.
STEP = 0.03
# This is one megabyte in fifty minutes; over fewer than `MINUTES`, the median minute is not
# meaningful.
GROWTH_KIB_A_MINUTE = 20
MINUTES = 10
# One thread more than the previous maximum takes one of 150 megabytes.
RISE = 0.01
# Before this time, most samples find a new maximum of live memory.
HEAPS_FILLED_SECONDS = 500
# The longest silence from mutes and fades. After it everything is unmuted, and after the same time
# again the silence is an error.
SILENT_SECONDS = 4


class Figures:
    def __init__(self):
        self.memory, self.threads, self.schedules = [], 0, 0
        self.xruns = self.gaps = 0
        # The overruns of the program and of the bare loop at the last look.
        self.overruns = 0
        self.step, self.looks, self.heard, self.frames, self.deaf = 0, 0, 0, 0, 0
        self.steps, self.silences, self.silent = [], [], 0
        # The steps without an xrun, a cycle that was left out, an overrun or freewheeling.
        self.unexplained = []
        self.mean, self.worst = 0, 0
        self.late, self.bare_late, self.bare_before = 0, 0, 0
        # The overruns of the program and of the bare loop, and the number of looks, by whether there were pages.
        self.by_pages = {False: [0, 0, 0], True: [0, 0, 0]}
        self.seen = 0
        self.stolen = stolen_seconds()
        self.audio, self.lent = None, self.stolen
        self.faulted = 0

    def resume(self):
        """Discards the signal of the clean path received while the server was replaced."""
        self.frames = self.xruns = self.gaps = self.bare_before = 0

    def look(self, program, changes, has_pages=False):
        resident = program.resident()
        if not resident:
            return
        memory, threads = resident
        self.memory.append(memory - changes.server.kept_kib)
        program.log.write(f"{memory} KiB, {threads} threads\n")
        self.threads = max(self.threads, threads)
        for status in program.statuses[self.seen:]:
            self.schedules = max(self.schedules, status["schedules"])
            self.mean, self.worst = max(self.mean, status["load_mean"]), max(self.worst, status["load_worst"])
        self.seen = len(program.statuses)
        before = self.late, self.bare_late
        self.account(program, changes)
        self.work(program, changes)
        counts = self.by_pages[has_pages]
        counts[0] += self.late - before[0]
        counts[1] += self.bare_late - before[1]
        counts[2] += 1
        answer = changes.partner.ask("figures")
        recent, changes.recent = " ".join(changes.recent), []
        self.looks += 1
        if not answer:
            self.deaf += 1
            return
        step, peak, frames, xruns, _, gaps = map(float, answer.split())
        self.heard += peak > 0.001
        self.listen(peak > 0.001, program, changes)
        if step > STEP:
            late = [f"{count:.0f} {name}" for count, name in (
                (xruns - self.xruns, "xruns"), (gaps - self.gaps, "cycles left out"),
                (self.late + self.bare_late - self.overruns, "overruns")) if count > 0]
            text = f"{step:.3f} in second {len(self.memory)}, after {recent}"
            self.steps.append(text + (", with " + " and ".join(late) if late else ""))
            if not late and "freewheel" not in recent:
                self.unexplained.append(text)
            program.log.write(f"STEP {self.steps[-1]}\n")
        self.step, self.frames, self.xruns, self.gaps = max(self.step, step), frames, xruns, gaps
        self.overruns = self.late + self.bare_late

    def account(self, program, changes):
        """Logs the audio thread's state in a second with overruns, and counts its page faults."""
        audio, lent = program.audio_thread(), stolen_seconds()
        late = program.statuses[-1]["late_cycles"] - self.late if program.statuses else 0
        if audio and self.audio and audio[0] == self.audio[0]:
            faults, interrupted, waited = (now - before for now, before in zip(audio[1:], self.audio[1:]))
            self.faulted += faults
            if faults:
                program.log.write(f"FAULTS {faults} of {open(f'/proc/{program.process.pid}/task/{audio[0]}/comm').read().strip()} in second {len(self.memory)}, after {' '.join(changes.recent)}\n")
            if late:
                stolen = lent - self.lent
                program.log.write(f"LATE {late}: {faults} page faults, interrupted {interrupted} times, waited {1000 * waited:.2f} ms, "
                                  f"processors lent for {1000 * stolen:.0f} ms\n")
        self.late, self.audio, self.lent = self.late + late, audio, lent

    def listen(self, is_heard, program, changes):
        """Detects unintended silence.

        After some seconds everything is unmuted, and the sine must then be audible again.
        """
        self.silent = 0 if is_heard else self.silent + 1
        if self.silent == SILENT_SECONDS:
            changes.unmute()
        if self.silent == 2 * SILENT_SECONDS:
            self.silences.append(f"second {len(self.memory)}")
            program.log.write(f"SILENCE in second {len(self.memory)}\n{changes.server.connections()}\n{program.dump()}\n")

    def work(self, program, changes):
        """Counts the overruns of a bare loop with the program's load on the same server.

        They are not errors, because they depend on other work of the machine. If the program
        itself is the cause of overruns, it overruns far more often than the loop.
        """
        load = program.statuses[-1]["load_mean"] if program.statuses else 0
        late = changes.partner.ask("work", load)
        if late:
            self.bare_late += int(late) - self.bare_before
            self.bare_before = int(late)

    def lowest(self):
        """Returns the lowest sample in KiB of each whole minute in the second half."""
        later = self.memory[len(self.memory) // 2:]
        return [min(later[place:place + 60]) for place in range(0, len(later) - 59, 60)]

    def growth(self):
        """Returns the median growth in KiB per minute, between the lowest samples of each minute.

        A leak shows in every minute.
        """
        lowest = self.lowest()
        return statistics.median(after - before for before, after in zip(lowest, lowest[1:])) if lowest[1:] else 0

    def rise(self):
        """Returns the growth of the minute minimum over the second half, as a fraction."""
        lowest = self.lowest()
        return lowest[-1] / lowest[0] - 1 if lowest else 0

    def line_growth(self):
        """Returns the growth in KiB per minute over the last two thirds by least squares.

        This figure is sensitive to single steps.
        """
        samples = self.memory[len(self.memory) // 3:]
        return 60 * statistics.linear_regression(range(len(samples)), samples).slope if len(samples) > 1 else 0

    def faults(self, status, changes, program, options):
        faults = []
        if status != 0:
            kind = "a violation of real time, " if status == 43 or "43" in str(status) else ""
            faults.append(f"it ended with {kind}status {status}")
        if self.schedules > 4:
            faults.append(f"{self.schedules} schedules were alive")
        steps = self.unexplained if options.is_async or options.pipewire else self.steps
        faults += [f"a step in the sound of {step}" for step in steps]
        if not self.heard:
            faults.append("nothing was heard")
        faults += [f"unintended silence in {silence}" for silence in self.silences]
        if len(self.lowest()) > MINUTES and self.growth() > GROWTH_KIB_A_MINUTE:
            faults.append(f"it grows by {self.growth():.0f} KiB in most minutes")
        if len(self.memory) >= HEAPS_FILLED_SECONDS and self.rise() > RISE:
            faults.append(f"it has grown by {100 * self.rise():.1f} % since half the time")
        if changes.counts.get("server", 0) > program.events.get("server_back", 0):
            faults.append("it did not join a server again")
        return faults

    def show(self, changes, program):
        events = program.events
        print("soak: changes:", ", ".join(f"{count} {name}" for name, count in sorted(changes.counts.items())))
        print("soak: events:", ", ".join(f"{count} {name}" for name, count in sorted(events.items())))
        half = self.memory[len(self.memory) // 2:]
        print(f"soak: memory {half[0]} KiB after half the time, {half[-1]} at the end, {min(half)} to {max(half)} between, "
              f"{self.growth():+.0f} in the median minute, {100 * self.rise():+.1f} % in all "
              f"(by least squares over two thirds {self.line_growth():+.0f} per minute); {self.threads} threads at most")
        print(f"soak: {self.schedules} schedules alive at most; largest step {self.step:.4f} (up to {STEP}), "
              f"{len(self.steps)} larger ones, {len(self.unexplained)} of them with no cycle late or left out; "
              f"heard in {self.heard} of {self.looks} checks, {self.deaf} without an answer")
        xruns = program.statuses[-1]["xruns"] if program.statuses else 0
        causes = ", ".join(f"{changes.server.blames(client)} by {name}" for client, name in
                           (("soak", "the program"), ("bare", "a bare loop with the same load"), ("(?:partner|ear)", "the other clients")))
        print(f"soak: {xruns} xruns, caused according to JACK: {causes}; {self.late} overruns of the program, "
              f"{self.bare_late} of the bare loop; {self.faulted} page faults in the callback's thread; "
              f"load: mean {self.mean:.2f} in the worst second, worst {self.worst:.1f}; "
              f"the machine did other work for {stolen_seconds() - self.stolen:.1f} s")
        if self.by_pages[True][2]:
            texts = [f"{counts[0]} overruns of the program and {counts[1]} of the bare loop in {counts[2]} s {name} pages"
                     for counts, name in ((self.by_pages[True], "with"), (self.by_pages[False], "without"))]
            print("soak:", "; ".join(texts))


def stolen_seconds():
    """Returns the time in seconds since boot for which a virtual machine's processors served
    others."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")

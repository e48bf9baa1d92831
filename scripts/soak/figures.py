"""What a soak came to."""
import os
import statistics

# Of a sine of 330 Hz and 0.25 at 48 kHz, 0.0108 from one sample to the next; beside it others may ring out.
STEP = 0.03
# A megabyte in fifty minutes; of fewer than so many minutes the median one says little.
GROWTH_KIB_A_MINUTE = 20
MINUTES = 10
# One thread more at once than ever before takes a megabyte of 150.
RISE = 0.01
# Before, most looks find more alive at once than ever before.
HEAPS_FILLED_SECONDS = 500
# What mutes and fades may take; after it all mutes are taken away, and after as long again it is a fault.
SILENT_SECONDS = 4


class Figures:
    def __init__(self):
        self.memory, self.threads, self.schedules = [], 0, 0
        self.xruns = 0
        self.step, self.looks, self.heard, self.frames, self.deaf = 0, 0, 0, 0, 0
        self.steps, self.silences, self.silent = [], [], 0
        self.mean, self.worst = 0, 0
        self.late, self.bare_late, self.bare_before = 0, 0, 0
        self.seen = 0
        self.stolen = stolen_seconds()
        self.audio, self.lent = None, self.stolen
        self.faulted = 0

    def resume(self):
        """After another server: what was heard of the clean path meanwhile does not count."""
        self.frames = self.xruns = self.bare_before = 0

    def look(self, program, changes):
        resident = program.resident()
        if not resident:
            return
        memory, threads = resident
        self.memory.append(memory)
        program.log.write(f"{memory} KiB, {threads} threads\n")
        self.threads = max(self.threads, threads)
        for status in program.statuses[self.seen:]:
            self.schedules = max(self.schedules, status["schedules"])
            self.mean, self.worst = max(self.mean, status["load_mean"]), max(self.worst, status["load_worst"])
        self.seen = len(program.statuses)
        self.account(program)
        self.work(program, changes)
        answer = changes.partner.ask("figures")
        recent, changes.recent = " ".join(changes.recent), []
        self.looks += 1
        if not answer:
            self.deaf += 1
            return
        step, peak, frames, xruns = map(float, answer.split())
        self.heard += peak > 0.001
        self.listen(peak > 0.001, program, changes)
        if step > STEP:
            late = f", and JACK was late {xruns - self.xruns:.0f} times" if xruns > self.xruns else ""
            self.steps.append(f"{step:.3f} in second {len(self.memory)}, amid {recent}{late}")
        self.step, self.frames, self.xruns = max(self.step, step), frames, xruns

    def account(self, program):
        """What befell the audio thread in the second in which cycles were late, for the log; and its page faults."""
        audio, lent = program.audio_thread(), stolen_seconds()
        late = program.statuses[-1]["late_cycles"] - self.late if program.statuses else 0
        if audio and self.audio and audio[0] == self.audio[0]:
            faults, interrupted, waited = (now - before for now, before in zip(audio[1:], self.audio[1:]))
            self.faulted += faults
            if late:
                stolen = lent - self.lent
                program.log.write(f"LATE {late}: {faults} page faults, interrupted {interrupted} times, waited {1000 * waited:.2f} ms, "
                                  f"processors lent for {1000 * stolen:.0f} ms\n")
        self.late, self.audio, self.lent = self.late + late, audio, lent

    def listen(self, is_heard, program, changes):
        """Silence that nobody asked for is a fault: after some seconds all is unmuted, and it has to be heard again."""
        self.silent = 0 if is_heard else self.silent + 1
        if self.silent == SILENT_SECONDS:
            changes.unmute()
        if self.silent == 2 * SILENT_SECONDS:
            self.silences.append(f"second {len(self.memory)}")
            program.log.write(f"SILENCE in second {len(self.memory)}\n{changes.server.connections()}\n{program.dump()}\n")

    def work(self, program, changes):
        """A bare loop that takes as long as the program on the same server: how often is it late?

        No fault, as it depends on what else the machine has to do; a program that is late by itself is far more often.
        """
        load = program.statuses[-1]["load_mean"] if program.statuses else 0
        late = changes.partner.ask("work", load)
        if late:
            self.bare_late += int(late) - self.bare_before
            self.bare_before = int(late)

    def lowest(self):
        """KiB: the lowest look of each whole minute of the later half."""
        later = self.memory[len(self.memory) // 2:]
        return [min(later[place:place + 60]) for place in range(0, len(later) - 59, 60)]

    def growth(self):
        """KiB a minute: the median rise from one minute's lowest look to the next one's. What leaks, leaks in each."""
        lowest = self.lowest()
        return statistics.median(after - before for before, after in zip(lowest, lowest[1:])) if lowest[1:] else 0

    def rise(self):
        """The share by which the last minute's lowest look is above the later half's first."""
        lowest = self.lowest()
        return lowest[-1] / lowest[0] - 1 if lowest else 0

    def line_growth(self):
        """KiB a minute over the later two thirds by the line of least squares, in which each step counts for much."""
        samples = self.memory[len(self.memory) // 3:]
        return 60 * statistics.linear_regression(range(len(samples)), samples).slope if len(samples) > 1 else 0

    def faults(self, status, changes, program, options):
        faults = []
        if status != 0:
            kind = "a violation of real time, " if status == 43 or "43" in str(status) else ""
            faults.append(f"it ended with {kind}status {status}")
        if self.schedules > 4:
            faults.append(f"{self.schedules} schedules were alive")
        if self.steps and not options.is_async:
            faults += [f"a step in the sound of {step}" for step in self.steps]
        if not self.heard:
            faults.append("nothing was heard")
        faults += [f"silence that nobody asked for, in {silence}" for silence in self.silences]
        if len(self.lowest()) > MINUTES and self.growth() > GROWTH_KIB_A_MINUTE:
            faults.append(f"it grows by {self.growth():.0f} KiB in most minutes")
        if len(self.memory) >= HEAPS_FILLED_SECONDS and self.rise() > RISE:
            faults.append(f"it has grown by {100 * self.rise():.1f} % since half the time")
        if changes.counts.get("server", 0) > program.events.get("server_back", 0):
            faults.append("it did not come back to a server")
        return faults

    def show(self, changes, program):
        events = program.events
        print("soak: changes:", ", ".join(f"{count} {name}" for name, count in sorted(changes.counts.items())))
        print("soak: told:", ", ".join(f"{count} {name}" for name, count in sorted(events.items())))
        half = self.memory[len(self.memory) // 2:]
        print(f"soak: memory {half[0]} KiB after half the time, {half[-1]} at the end, {min(half)} to {max(half)} between, "
              f"{self.growth():+.0f} in the median minute, {100 * self.rise():+.1f} % in all "
              f"(by least squares over two thirds {self.line_growth():+.0f} a minute); {self.threads} threads at most")
        print(f"soak: {self.schedules} schedules alive at most; largest step {self.step:.4f} (up to {STEP}); "
              f"heard in {self.heard} of {self.looks} looks, {self.deaf} without an answer")
        xruns = program.statuses[-1]["xruns"] if program.statuses else 0
        blamed = ", ".join(f"{changes.server.blames(client)} on {name}" for client, name in
                           (("soak", "us"), ("bare", "a bare loop that takes as long"), ("(?:partner|ear)", "the other two")))
        print(f"soak: JACK late {xruns} times, blamed by it {blamed}; of our cycles {self.late} were, of a bare loop's that takes as long "
              f"{self.bare_late}; {self.faulted} page faults in the callback's thread; "
              f"load by the clock: mean {self.mean:.2f} in the worst second, worst {self.worst:.1f}; "
              f"the machine had other things to do for {stolen_seconds() - self.stolen:.1f} s")


def stolen_seconds():
    """For how long this machine's processors were lent to others since its start, where it is a virtual one."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")

"""The musician's hands and the audience's ears: two JACK clients in a separate process."""
import select
import subprocess
import time

import numpy as np

RATE = 48_000
CHANNELS = 3
LEFT, RIGHT, PHONES = range(CHANNELS)
# Every sound of the night moves by less than half of this from one sample to the next.
STEP = 0.08
# The sound that remains when a filter or the tail of an effect has decayed.
SILENCE = 1e-4
# Longer than the partner itself waits for frames.
ANSWER_SECONDS = 90


class Audience:
    """Plays a tone and pedals, and listens. Every frame that it hears is checked.

    The faults go to `report`, a function of a sentence.
    """

    def __init__(self, program, server, path, report):
        self.path, self.report = path, report
        self.heard, self.last = 0, None
        for _ in range(50):
            self.process = subprocess.Popen([program, server, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, bufsize=1)
            if self._line() == "ready":
                return
            self.end()
            time.sleep(0.1)
        raise SystemExit("gig: no client can join the server")

    def _line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], ANSWER_SECONDS)
        return self.process.stdout.readline().strip() if ready else None

    def _ask(self, *words):
        try:
            self.process.stdin.write("\t".join(map(str, words)) + "\n")
            return self._line()
        except (BrokenPipeError, ValueError):
            return None

    def connect(self, source, target):
        # 17, EEXIST: they are connected already.
        if self._ask("connect", source, target) not in ("0", "17"):
            self.report(f"{source} cannot be connected to {target}")

    def tone(self, level):
        self._ask("tone", level)

    def send(self, *message):
        """Sends a MIDI message."""
        if self._ask("send", *message) != "ok":
            self.report(f"the MIDI message {message} was not sent")

    def press(self, control):
        """Presses a footswitch and releases it."""
        self.send(0xB0, control, 127)
        self.send(0xB0, control, 0)

    def hear(self, seconds):
        """Listens for some seconds; returns all frames since the last call."""
        if self._ask("hear", round(seconds * RATE)) in (None, "none"):
            self.report("no more frames come from the server")
            raise SystemExit("gig: the night cannot continue")
        return self._frames(is_checked=True)

    def hear_next(self, seconds):
        """Listens from now on; returns exactly the frames of some seconds."""
        self.hear(0)
        return self.hear(seconds)[:round(seconds * RATE)]

    def drain(self, is_checked=True):
        """Returns all frames since the last call, without waiting for more."""
        self._ask("drain")
        return self._frames(is_checked)

    def _frames(self, is_checked):
        with open(self.path, "rb") as file:
            file.seek(self.heard * CHANNELS * 4)
            frames = np.frombuffer(file.read(), np.float32).reshape(-1, CHANNELS)
        if is_checked:
            self._check(frames)
        self.heard += len(frames)
        self.last = frames[-1:] if len(frames) else self.last
        return frames

    def _check(self, frames):
        """Reports samples that are not finite, and steps."""
        if not np.isfinite(frames).all():
            self.report(f"a sample is not finite, after second {self.heard / RATE:.2f} of {self.path}")
            return
        joined = frames if self.last is None else np.concatenate([self.last, frames])
        steps = np.abs(np.diff(joined, axis=0)).max(axis=1) if len(joined) > 1 else np.zeros(1)
        if steps.max() > STEP:
            second = (self.heard + int(steps.argmax())) / RATE
            self.report(f"a step of {steps.max():.3f} (at most {STEP}) in second {second:.4f} of {self.path}")

    def end(self):
        self.process.kill()
        self.process.wait()


def power(sound, channel=LEFT):
    """Returns the root mean square of a channel."""
    return float(np.sqrt(np.mean(np.square(sound[:, channel], dtype=float))))


def peak(sound, channel=LEFT):
    return float(np.abs(sound[:, channel]).max())


def level(sound, hertz, channel=LEFT):
    """Returns the amplitude of a steady sine in the sound, of at least half a second."""
    window = np.hanning(len(sound))
    spectrum = np.abs(np.fft.rfft(sound[:, channel] * window)) * 2 / window.sum()
    place = round(hertz * len(sound) / RATE)
    return float(spectrum[place - 2:place + 3].max())


def quietest(sound, seconds=0.2):
    """Returns the lowest root mean square of all parts of this length."""
    count = int(seconds * RATE)
    return min(power(sound[first:first + count]) for first in range(0, len(sound) - count + 1, count))

"""A polyphonic pitch shift with 576 frames of latency at 48 kHz, as a model for the engine in Swift.

usage: engine.py INPUT.wav OUTPUT.wav SEMITONES [--span 384]     mono, 48 kHz

    engine = FastShift(semitones)
    output = engine.hop_in(block_of_128)        # causal: the whole live part
    y = shift(x, semitones)                     # y[n + span] belongs to x[n]

Each hop: list the partials (one look) -> fit them -> move the regions of the rest -> lay down -> inverse transform and
overlap-add. README.md describes the method. The inner loops are in loops.c, which the C compiler builds at the first
use. Needs numpy and scipy.
"""
import ctypes
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.ctypeslib import ndpointer
from scipy.signal import firwin

RATE = 48_000.0
SPARE = 128  # bins kept below bin 0


def loops():
    """Builds loops.c in .build, unless it is up to date, and loads it."""
    source = Path(__file__).resolve().parent / "loops.c"
    built = source.parents[3] / ".build" / "fast-shift-loops.so"
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        built.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", "-O3", "-ffast-math", "-shared", "-fPIC", "-o", built, source, "-lm"], check=True)
    return ctypes.CDLL(str(built))


_lib = loops()
_c, _d, _i = (ndpointer(t, flags="C") for t in (np.complex128, np.float64, np.int32))
_lib.sweep.argtypes = [ctypes.c_int, ctypes.c_int, _c, _i, _c, _i, _i, _c, _c, _d, ctypes.c_int]
_lib.lay.argtypes = [ctypes.c_int, ctypes.c_int, _c, _i, _c, _c]
_lib.lobes.argtypes = [ctypes.c_int, ctypes.c_int, _c, _d, _c, _c, _d, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_double]


@dataclass(frozen=True)
class LookSetting:
    frames: int          # length of the Hann window, frames at 48 kHz
    step: int            # decimation of the signal it looks at
    top: float           # highest frequency listed, Hz
    follow: float        # share of the found frequency that a listed partial takes over
    gain: float          # frequency tracking
    slope: float         # tracking of the frequency's slope
    banned: bool         # whether its lines are dropped when they do not predict the sound
    turn: tuple          # hops of the cycle in which it is taken


@dataclass(frozen=True)
class Settings:
    size: int = 2048
    span: int = 512
    hop: int = 128
    width: int = 20      # bins of a kernel to either side
    looks: tuple = (
        LookSetting(8192, 4, 5000, 1.0, 0.0, 0.00, True, (0,)), LookSetting(4096, 2, 9000, 1.0, 0.0, 0.00, False, (1,)),
        LookSetting(2048, 2, 9000, 0.0, 0.4, 0.06, False, (2,)), LookSetting(1024, 2, 9000, 0.0, 0.6, 0.10, False, (3,)))
    cycle: int = 4       # hops of a cycle of looks
    merges: tuple = (3,) # hops of it in which the list is renewed
    floor: float = -62.0 # dB under the strongest line
    most: int = 96       # lines a look
    limit: int = 96      # partials in all
    misfit: float = -12.0   # dB: below it a line is a partial
    stays: float = -8.0     # the same for one that is near a listed partial
    clear: float = 1.5   # bins of the shorter of two windows in which only the better line stays
    distrust: float = -3.0  # dB of misfit of the prediction at which a line is dropped
    ban_hops: int = 40
    strike: float = 4.0  # growth of a region's power in one hop that is an attack
    join: float = 1e-2   # share of a tone's power below which a side lobe may join it
    astray: float = 1.5  # bins that a region's frequency may lie off its peak
    hit: float = 0.5     # misfit of the prediction from which an attack resets a partial

    @property
    def fall(self): return self.span // 2


# ---- windows and kernels --------------------------------------------------------------------------------


def windows(s: Settings):
    """Analysis window, top `fall` frames before its end; output window that makes their product a Hann over the span."""
    rise, fall = s.size - s.fall, s.fall
    a = np.concatenate([np.sin(0.5 * np.pi * (np.arange(rise) + 0.5) / rise) ** 2, np.cos(0.5 * np.pi * (np.arange(fall) + 0.5) / fall) ** 2])
    hann = np.sin(np.pi * (np.arange(s.span) + 0.5) / s.span) ** 2
    sums = sum(hann[k : k + s.hop] for k in range(0, s.span, s.hop))
    return a, hann / np.maximum(a[-s.span :], 1e-3) / np.tile(sums, s.span // s.hop)


class Kernel:
    """Transform of the analysis window about its top, 64 points a bin, read by straight lines."""
    FINE = 64

    def __init__(self, a, top, width):
        n = len(a)
        z = np.zeros(n * self.FINE); z[: n - top] = a[top:]; z[-top:] = a[:top]
        z = np.fft.fft(z)
        self.reach = (width + 3) * self.FINE
        self.table = np.concatenate([z[-self.reach :], z[: self.reach]])
        self.offsets = np.arange(-width, width + 1)

    def at(self, f):
        """First bins (spare bins counted) and rows of the kernels at `f` bins, any sign."""
        k0 = np.round(f).astype(int)
        u = (k0[:, None] + self.offsets - f[:, None]) * self.FINE + self.reach
        i = u.astype(int); g = u - i
        return np.maximum(k0 + self.offsets[0] + SPARE, 0).astype(np.int32), self.table[i] * (1 - g) + self.table[i + 1] * g


def lay(spectrum, first, rows, amounts):
    """spectrum += amount * row, for each row."""
    if len(amounts):
        _lib.lay(len(amounts), rows.shape[1], spectrum, np.ascontiguousarray(first), np.ascontiguousarray(rows), np.ascontiguousarray(amounts))


# ---- looks ------------------------------------------------------------------------------------------------


class Decimator:
    """Causal FIR and every `step`-th frame, into a history."""

    def __init__(self, step, length):
        self.step, self.h = step, firwin({2: 31, 4: 63}[step], RATE / 2 / step, fs=RATE)[::-1]
        self.past = np.zeros(len(self.h) - 1); self.history = np.zeros(length)

    def push(self, block):
        x = np.concatenate([self.past, block])
        self.past = x[-(len(self.h) - 1) :]
        new = np.array([self.h @ x[k + self.step - 1 : k + self.step - 1 + len(self.h)] for k in range(0, len(block), self.step)])
        self.history = np.concatenate([self.history[len(new) :], new])


class Look:
    """Lines of a Hann window: peaks, then lobes fitted together; the misfit tells whether a line is one steady tone."""

    def __init__(self, s: Settings, l: LookSetting):
        self.s, self.l, self.size, self.rate = s, l, l.frames // l.step, RATE / l.step
        self.window = np.hanning(self.size + 1)[:-1] * 2 / self.size
        self.bins = min(self.size // 2 + 1, int(l.top / self.rate * self.size) + 8)
        self.sign = np.where(np.arange(self.bins) % 2, -1.0, 1.0)  # phases about the window's middle: real lobes

    def lines(self, history):
        z = np.ascontiguousarray(np.fft.rfft(history[-self.size :] * self.window)[: self.bins] * self.sign)
        q = np.abs(z) ** 2
        if q.max() < 1e-12:
            return np.zeros(0), np.zeros(0), np.zeros(0)
        k = np.flatnonzero((q[2:-2] > q[1:-3]) & (q[2:-2] >= q[3:-1]) & (q[2:-2] > q.max() * 10 ** (self.s.floor / 10))) + 2
        k = np.sort(k[np.argsort(-q[k])][: self.s.most])
        below, here, above = (np.sqrt(q[k + j]) for j in (-1, 0, 1))
        side = np.maximum(below, above) / here
        off = np.clip((2 * side - 1) / (1 + side), -0.5, 0.5)  # exact for one Hann lobe
        f = np.ascontiguousarray(k + np.where(above > below, off, -off))
        c, slope, misfit = np.zeros(len(k), complex), np.zeros(len(k), complex), np.zeros(len(k))
        _lib.lobes(len(k), self.bins, z, f, c, slope, misfit, 2, 2, 5, 0.25)
        misfit[np.abs(f - k) > 1] = 1
        hz = f * self.rate / self.size
        return hz[hz < 9000], (10 * np.log10(misfit + 1e-12))[hz < 9000], np.abs(c)[hz < 9000]


# ---- the partials -----------------------------------------------------------------------------------------


@dataclass
class Partials:
    """Arrays of equal length."""
    f: np.ndarray = field(default_factory=lambda: np.zeros(0))        # Hz at the window's centroid
    v: np.ndarray = field(default_factory=lambda: np.zeros(0))        # its slope, Hz a hop
    c: np.ndarray = field(default_factory=lambda: np.zeros(0, complex))  # level and phase at the window's top
    turn: np.ndarray = field(default_factory=lambda: np.zeros(0))     # output's phase minus input's
    doubt: np.ndarray = field(default_factory=lambda: np.zeros(0))    # smoothed misfit of the prediction
    look: np.ndarray = field(default_factory=lambda: np.zeros(0, int))   # which look listed it

    def __len__(self): return len(self.f)
    def only(self, keep): return Partials(*(getattr(self, n)[keep] for n in self.__dataclass_fields__))


class FastShift:
    def __init__(self, semitones, settings=Settings()):
        s = self.s = settings
        self.ratio = 2 ** (semitones / 12)
        self.a, self.out_window = windows(s)
        away = np.arange(s.size) - (s.size - s.fall)
        self.lead = -(away * self.a**2).sum() / (self.a**2).sum() / s.hop  # hops from the squared window's centroid to its top: 2.76
        self.top, self.n, self.hz = s.size - s.fall, s.size // 2 + 1, RATE / s.size
        self.kernel = Kernel(self.a, self.top, s.width)
        self.power_of_kernel = (np.abs(self.kernel.at(np.zeros(1))[1]) ** 2).sum()
        self.decimators = {d: Decimator(d, max(l.frames // d for l in s.looks if l.step == d)) for d in {l.step for l in s.looks}}
        self.looks = [Look(s, l) for l in s.looks]
        pick = lambda name: np.array([getattr(l, name) for l in s.looks])
        self.frames, self.gain, self.slope, self.follow, self.banned = map(pick, ("frames", "gain", "slope", "follow", "banned"))
        self.frames_in, self.sums = np.zeros(s.size), np.zeros(s.span)
        self.clear()

    def clear(self):
        self.partials, self.old, self.angle_of, self.ban = Partials(), None, np.zeros(self.n), np.zeros(self.n, int)
        self.found = {}; self.turn = 0; self.attack_age = 99

    # -- one hop
    def hop_in(self, block):
        s = self.s
        block = np.where(np.isfinite(block), block, 0.0)
        self.frames_in = np.concatenate([self.frames_in[s.hop :], block])
        for d in self.decimators.values(): d.push(block)
        self.list_partials()
        windowed = self.frames_in * self.a
        X = np.fft.rfft(np.roll(windowed, -self.top))
        q = np.abs(X) ** 2 + 1e-18
        peaks = np.flatnonzero((q[2:-2] > q[1:-3]) & (q[2:-2] > q[3:-1]) & (q[2:-2] > q[:-4]) & (q[2:-2] > q[4:]) & (q[2:-2] > 1e-10 * q.max())) + 2
        if q[0] > q[1] and q[0] > q[2] and q[0] > 1e-10 * q.max(): peaks = np.concatenate([[0], peaks])
        if len(peaks) and q.max() >= 1e-12:
            rest, fit = self.fit(X)
            Y = self.lay_down(X, q, peaks, rest, fit)
            frame = np.roll(np.fft.irfft(Y, s.size), self.top)[-s.span :]
            if self.attack_age < s.size // s.hop:
                frame = quieted(frame, windowed[-s.span :], self.attack_age < s.span // s.hop)
            self.sums += frame * self.out_window
            self.old = X
        else:
            self.partials, self.old, self.angle_of = Partials(), X, np.zeros(self.n)
        out = self.sums[: s.hop].copy()
        self.sums = np.concatenate([self.sums[s.hop :], np.zeros(s.hop)])
        return out

    # -- list
    def list_partials(self):
        s = self.s
        for i, look in enumerate(self.looks):
            if self.turn in s.looks[i].turn: self.found[i] = look.lines(self.decimators[s.looks[i].step].history)
        if self.turn in s.merges and self.found: self.merge()
        self.turn = (self.turn + 1) % s.cycle

    def merge(self):
        """Of lines that contradict each other the one with the smaller misfit stays; listed partials go on."""
        s, old = self.s, self.partials
        F = np.concatenate([f for f, _, _ in self.found.values()]); M = np.concatenate([m for _, m, _ in self.found.values()])
        A = np.concatenate([a for _, _, a in self.found.values()])
        L = np.concatenate([np.full(len(f), i) for i, (f, _, _) in self.found.items()])
        known = np.abs(F[:, None] - old.f[None, :]).min(1) < 4 if len(old) else np.zeros(len(F), bool)
        ok = (M < np.where(known, s.stays, s.misfit)) & (F > 20)
        ok &= ~(self.banned[L] & (self.ban[np.minimum(np.round(F / self.hz).astype(int), self.n - 1)] > 0)) if len(F) else True
        taken = []
        for i in sorted(np.flatnonzero(ok), key=lambda i: M[i]):
            for j in taken:
                reach = s.clear if L[i] != L[j] else 0.5
                if abs(F[i] - F[j]) < reach * RATE / min(self.frames[L[i]], self.frames[L[j]]): break
            else: taken.append(i)
        taken = sorted(sorted(taken, key=lambda i: -A[i])[: s.limit], key=lambda i: F[i])
        m = len(taken)
        new = Partials(F[taken].copy(), np.zeros(m), np.zeros(m, complex), np.zeros(m), np.full(m, 0.1), L[taken].astype(int))
        used = set()
        for i in range(m):
            j = int(np.argmin(np.abs(old.f - new.f[i]))) if len(old) else -1
            w = new.look[i]
            if j >= 0 and j not in used and abs(old.f[j] - new.f[i]) < (4.0 if self.frames[w] == 8192 else 16000.0 / self.frames[w]):
                used.add(j)
                new.c[i], new.turn[i], new.doubt[i] = old.c[j], old.turn[j], old.doubt[j]
                new.f[i] = old.f[j] + self.follow[w] * (new.f[i] - old.f[j])
                new.v[i] = old.v[j] if self.slope[w] else 0.0
            else:
                new.turn[i] = self.angle_of[min(self.n - 1, int(round(new.f[i] / self.hz)))]
        self.partials = new

    # -- fit
    def fit(self, X):
        """Predicts the partials, takes them out and corrects them by one sweep. Returns the rest and what laying down needs."""
        s, p, n = self.s, self.partials, self.n
        E = np.zeros(2 * SPARE + n, complex); E[SPARE : SPARE + n] = X
        self.ban = np.maximum(self.ban - 1, 0)
        if not len(p): return X, None
        p.f = p.f + p.v
        top_f = np.maximum(p.f + self.lead * p.v, 20.0)         # at the window's top
        advance = 2 * np.pi * (top_f - 0.5 * p.v) * s.hop / RATE
        p.c = p.c * np.exp(1j * advance)
        predicted = p.c.copy()
        b = top_f / self.hz
        first, K = self.kernel.at(b)
        mirror, J = self.kernel.at(-b)
        low = b < s.width - 1                                 # those whose mirror image reaches above bin 0
        def add(amount):
            lay(E, first, K, amount); lay(E, mirror[low], J[low], np.conj(amount[low]))
        add(-p.c)
        power = lambda z: np.convolve(np.abs(z) ** 2, np.ones(7), "same")
        at = np.clip(np.round(b).astype(int), 0, n - 1)
        misfit = np.minimum(power(E[SPARE : SPARE + n])[at] / (power(X)[at] + 1e-12), 1.0)   # of the prediction
        E[:SPARE] = np.conj(E[2 * SPARE : SPARE : -1])
        inverse = 1 / (np.abs(K) ** 2).sum(1)
        _lib.sweep(len(p), K.shape[1], E, first, K, low.astype(np.int32), mirror, J, p.c, inverse, 0)
        # frequencies follow; phases are referred to the window's centroid
        off = np.angle(p.c * np.conj(predicted))
        tracked = self.gain[p.look] > 0
        p.turn = p.turn + (self.ratio - 1) * (advance + off * tracked)
        e = off / (2 * np.pi) * RATE / s.hop
        p.f = p.f + self.gain[p.look] * e
        p.v = p.v + self.slope[p.look] * e
        kick = 2 * np.pi * (self.gain[p.look] + self.lead * self.slope[p.look]) * e * self.lead * s.hop / RATE
        # lines that do not predict the sound go
        p.doubt = p.doubt + 0.15 * (misfit - p.doubt)
        bad = self.banned[p.look] & (p.doubt > 10 ** (s.distrust / 10))
        add(np.where(bad, p.c, 0)); p.c = np.where(bad, 0, p.c)
        for k in at[bad]: self.ban[max(0, k - 2) : k + 3] = s.ban_hops
        return E[SPARE : SPARE + n], (top_f, b, misfit, kick * tracked, bad)

    def joined(self, X, q, peaks, fit):
        """Side lobes (weaker, turning as fast, without a partial of their own) join the tone below or above them."""
        s = self.s
        turns = np.angle(X[peaks] * np.conj(self.old[peaks])) / (2 * np.pi)
        own = np.abs(peaks[:, None] - fit[1][None, :]).min(1) < 1.5 if fit else np.zeros(len(peaks), bool)
        kept = []
        for i in range(len(peaks)):
            if kept:
                j = kept[-1]
                apart = (turns[i] - turns[j] + 0.5) % 1.0 - 0.5
                weak, strong = (i, j) if q[peaks[i]] < q[peaks[j]] else (j, i)
                drop = q[peaks[weak]] / q[peaks[strong]]
                if not own[weak] and drop < s.join and abs(apart) * s.size / s.hop < (0.15 if drop > 1e-5 else 0.5):
                    kept[-1] = strong
                    continue
            kept.append(i)
        return peaks[kept]

    # -- regions and partials to the output's spectrum
    def lay_down(self, X, q, peaks, rest, fit):
        s, p, n, r = self.s, self.partials, self.n, self.ratio
        if s.join and self.old is not None: peaks = self.joined(X, q, peaks, fit)
        borders = np.array([0] + [x + int(np.argmin(q[x : y + 1])) for x, y in zip(peaks, peaks[1:])] + [n])
        expected = peaks * s.hop / s.size
        turned = np.angle(X[peaks] * np.conj(self.old[peaks])) / (2 * np.pi) if self.old is not None else expected % 1.0
        f = np.clip((expected + (turned - expected + 0.5) % 1.0 - 0.5) * s.size / s.hop, peaks - s.astray, peaks + s.astray)
        f[peaks == 0] = 0.0
        angles = self.angle_of[peaks] + 2 * np.pi * f * (r - 1) * s.hop / s.size
        # attacks: phases start anew at the attack's place
        struck, distance = np.zeros(len(peaks), bool), np.zeros(len(peaks))
        if self.old is not None:
            sums = np.add.reduceat(q, borders[:-1])
            struck = sums > s.strike * (np.add.reduceat(np.abs(self.old) ** 2, borders[:-1]) + 1e-12)
            self.attack_age = 0 if sums[struck].sum() > 0.1 * q.sum() else min(self.attack_age + 1, 99)
            for i in np.flatnonzero(struck):
                z = X[max(0, peaks[i] - 3) : peaks[i] + 4]
                distance[i] = np.clip(-np.angle((z[1:] * np.conj(z[:-1])).sum()) * s.size / (2 * np.pi), -s.span, s.fall)
        angles = np.where(struck, -2 * np.pi * (r - 1) * f * distance / s.size, angles)
        y = np.zeros(2 * n + 3 * SPARE, complex)
        if fit:
            top_f, b, misfit, kick, bad = fit
            region = np.clip(np.searchsorted(borders, np.round(b), side="right") - 1, 0, len(peaks) - 1)
            hit = struck[region] & (misfit > s.hit)
            p.turn = np.where(hit, -2 * np.pi * (r - 1) * top_f * distance[region] / RATE, p.turn)
            # a region turns and moves with the strongest partial near its peak
            for i in np.argsort(np.abs(p.c)):
                if abs(b[i] - peaks[region[i]]) < 1.5 and not bad[i]: angles[region[i]], f[region[i]] = p.turn[i], b[i]
        # the rest: each region turned, moved by two taps; what crosses 0 Hz is dropped
        move = f * (r - 1); whole = np.floor(move).astype(int)
        of = np.repeat(np.arange(len(peaks)), np.diff(borders))
        self.angle_of = angles[of]
        target, part, z = np.arange(n) + whole[of], (move - whole)[of], rest * np.exp(1j * angles[of])
        ok = (target >= -SPARE) & (target < n)
        np.add.at(y, target[ok] + SPARE, (z * (1 - part))[ok]); np.add.at(y, target[ok] + 1 + SPARE, (z * part)[ok])
        y[:SPARE] = 0
        rest_at_0 = y[SPARE]
        if fit:
            use = b * r < n - 2
            first, K = self.kernel.at((b * r)[use])
            lay(y, first, K, (p.c * np.exp(1j * p.turn))[use])
            p.c = p.c * np.exp(1j * kick); p.turn = p.turn + (r - 1) * kick
            self.partials = p.only(~bad)
        Y = y[SPARE : SPARE + n].copy()
        Y[1:SPARE] += np.conj(y[SPARE - 1 : 0 : -1])
        Y[0] = 2 * (Y[0] - rest_at_0).real + rest_at_0.real
        return Y


def quieted(y, x, inside, step=64, quiet=0.3):
    """The present engine's AttackEnvelope: y no louder than x ahead of an attack, at most 6 dB louder after it."""
    ex, ey = (x.reshape(-1, step) ** 2).sum(1), (y.reshape(-1, step) ** 2).sum(1)
    most = ex.max()
    if not inside or most <= 0:
        return y * np.sqrt(4 * ex.sum() / ey.sum()) if ey.sum() > 4 * ex.sum() else y
    loud = np.flatnonzero(ex >= quiet * most)
    g = np.ones(len(ex))
    for b in range(len(ex)):
        if b < loud[0] or b > loud[-1]:
            wanted = (1 if b < loud[0] else 4) * (ex[b] + 1e-9 * most)
            if wanted < ey[b]: g[b] = np.sqrt(wanted / ey[b])
    padded = np.concatenate([g[:1], g, g[-1:]])
    u = (np.arange(step // 2) + 0.5) / (step // 2)
    ramps = [np.concatenate([(1 - u) * max(h0, h1) + u * h1, (1 - u) * h1 + u * max(h1, h2)]) for h0, h1, h2 in zip(padded, padded[1:], padded[2:])]
    return y * np.concatenate(ramps)


def shift(x, semitones, **options):
    s = Settings(**options)
    e = FastShift(semitones, s)
    x = np.concatenate([x, np.zeros(s.span + (-len(x)) % s.hop)])
    y = np.concatenate([e.hop_in(x[k : k + s.hop]) for k in range(0, len(x) - s.hop + 1, s.hop)])
    # hop h's output starts with the frame that entered span - hop frames before the newest hop's first
    return np.concatenate([np.zeros(s.hop), y])


def main():
    from scipy.io import wavfile
    source, target, semitones = sys.argv[1], sys.argv[2], float(sys.argv[3])
    span = int(sys.argv[5]) if sys.argv[4:5] == ["--span"] else 512
    rate, x = wavfile.read(source)
    assert rate == RATE and x.ndim == 1, "mono, 48 kHz"
    x = x / 32_768 if x.dtype == np.int16 else x.astype(float)
    wavfile.write(target, rate, shift(x, semitones, span=span).astype(np.float32))


if __name__ == "__main__":
    main()

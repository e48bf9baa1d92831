internal import CRealtime
internal import Realtime

/// The similarity of a signal to itself a number of samples earlier, over windows that end now,
/// updated step by step.
///
/// The window of a lag is hardly longer than needed to judge it: three quarters of the lag, or some
/// steps. The products of each step are kept, so that a window of any number of steps is a sum of
/// them. A few lags per step are summed again in turn, so that rounding errors do not accumulate.
struct LagProducts: ~Copyable {
    /// The latest samples, newest first.
    private var samples: ReversedRing
    /// For each of these samples, the energy of the newer samples of its step.
    private var newerEnergies: ReversedRing
    private let ring: Buffer<Float>
    private let sums: Buffer<Float>
    /// The energies of the latest steps, newest first from `firstEnergy`: each is stored twice.
    private let stepEnergies: Buffer<Float>
    private var firstEnergy = 0
    /// The number of lags, a multiple of 16.
    let lagCount: Int
    /// The maximum length of a window, in steps.
    let windowSteps: Int
    private var newest = 0
    private var nextRenewal = 0

    init(lagCount: Int, windowSteps: Int) {
        self.lagCount = (lagCount + 15) / 16 * 16
        self.windowSteps = windowSteps
        let size = self.lagCount + (windowSteps + 2) * TrackerScale.stepSamples
        samples = ReversedRing(size: size)
        newerEnergies = ReversedRing(size: size)
        ring = Buffer(count: windowSteps * self.lagCount, repeating: 0)
        sums = Buffer(count: self.lagCount, repeating: 0)
        stepEnergies = Buffer(count: 2 * (size / TrackerScale.stepSamples), repeating: 0)
        reset()
    }

    @_noLocks
    mutating func reset() {
        samples.reset()
        newerEnergies.reset()
        ring.fill(with: 0)
        sums.fill(with: 0)
        stepEnergies.fill(with: 0)
        firstEnergy = 0
        newest = 0
        nextRenewal = 0
    }

    /// Writes which lags are summed again next: the sums of the others contain older rounding errors.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) { notes.pointee.put(nextRenewal) }

    /// Continues with noted lags.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        nextRenewal = notes.pointee.pop(from: 0, through: lagCount - 16) / 16 * 16
    }

    /// The least energy of the oldest steps of a window, relative to the mean.
    private static var filledShare: Float { @_noLocks get { 0.2 } }

    /// Returns the length of a lag's window, in steps; the same for 16 consecutive lags.
    ///
    /// Short lags have longer windows: all formants repeat themselves for some milliseconds.
    @_noLocks @inline(__always)
    func steps(lag: Int) -> Int {
        let group = lag / TrackerScale.stepSamples
        let least = group < 2 ? 7 : group < 3 ? 6 : 4
        return min(max(least, (3 * (group + 1) + 3) / 4), windowSteps)
    }

    /// The latest samples, newest first.
    var past: UnsafePointer<Float> { @_noLocks get { samples.newest } }

    /// Adds the samples of a step, newest first.
    @_noLocks
    mutating func add(_ step: UnsafePointer<Float>) {
        samples.push(step)
        newest = newest + 1 == windowSteps ? 0 : newest + 1
        pushEnergies()
        var lag = 0
        while lag < lagCount {
            multiply(lag: lag)
            lag += 16
        }
        renew()
    }

    /// Multiplies four vectors of lags at once, so that their sums stay in registers.
    @_noLocks
    private func multiply(lag: Int) {
        let now = samples.newest
        let then = UnsafeRawPointer(now + lag)
        let steps = steps(lag: lag)
        let oldest = newest - steps + (newest >= steps ? 0 : windowSteps)
        var (a, b) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        var (c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for index in 0..<TrackerScale.stepSamples {
            let earlier = then + 4 * index
            let sample = SIMD4<Float>(repeating: now[index])
            a += sample * earlier.loadUnaligned(as: SIMD4<Float>.self)
            b += sample * earlier.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
            c += sample * earlier.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self)
            d += sample * earlier.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self)
        }
        exchange(a, at: lag, oldest: oldest)
        exchange(b, at: lag + 4, oldest: oldest)
        exchange(c, at: lag + 8, oldest: oldest)
        exchange(d, at: lag + 12, oldest: oldest)
    }

    /// Replaces the products of the oldest step in the window by the products of the new step.
    @_noLocks @inline(__always)
    private func exchange(_ products: SIMD4<Float>, at lag: Int, oldest: Int) {
        let leaving = UnsafeRawPointer(ring.start + oldest * lagCount + lag)
        let kept = UnsafeMutableRawPointer(ring.start + newest * lagCount + lag)
        let sum = UnsafeMutableRawPointer(sums.start + lag)
        let change = products - leaving.loadUnaligned(as: SIMD4<Float>.self)
        sum.storeBytes(
            of: sum.loadUnaligned(as: SIMD4<Float>.self) + change, as: SIMD4<Float>.self)
        kept.storeBytes(of: products, as: SIMD4<Float>.self)
    }

    /// Sums the products of some lags again.
    @_noLocks
    private mutating func renew() {
        let steps = steps(lag: nextRenewal)
        for lag in stride(from: nextRenewal, to: nextRenewal + 16, by: 4) {
            (UnsafeMutableRawPointer(sums.start + lag)).storeBytes(
                of: correlation(lag: lag, steps: steps), as: SIMD4<Float>.self)
        }
        nextRenewal = nextRenewal + 16 == lagCount ? 0 : nextRenewal + 16
    }

    /// Returns the products of four lags, summed over the newest steps.
    @_noLocks
    func correlation(lag: Int, steps: Int) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for step in 0..<steps {
            let index = newest >= step ? newest - step : newest - step + windowSteps
            sum += UnsafeRawPointer(ring.start + index * lagCount + lag)
                .loadUnaligned(as: SIMD4<Float>.self)
        }
        return sum
    }

    /// Returns the energy of a window of `steps` steps that ended `lag` samples ago.
    @_noLocks
    func energy(lag: Int, steps: Int) -> Float {
        let from = UnsafeRawPointer(samples.newest + lag)
        var sum = SIMD4<Float>.zero
        for index in 0..<(steps * TrackerScale.stepSamples / 4) {
            let part = from.loadUnaligned(fromByteOffset: 16 * index, as: SIMD4<Float>.self)
            sum += part * part
        }
        return sum.sum()
    }

    /// Stores the energies of the newest step.
    @_noLocks
    private mutating func pushEnergies() {
        let now = samples.newest
        newerEnergies.open()
        var sum: Float = 0
        for index in 0..<TrackerScale.stepSamples {
            newerEnergies.write(sum, at: index)
            sum += now[index] * now[index]
        }
        let count = stepEnergies.count / 2
        firstEnergy = (firstEnergy == 0 ? count : firstEnergy) - 1
        stepEnergies[firstEnergy] = sum
        stepEnergies[firstEnergy + count] = sum
    }

    /// Returns whether there was already sound in the oldest steps of a lag's window.
    ///
    /// A window that is partly silent finds likeness too easily.
    @_noLocks
    func isFilled(lag: Int) -> Bool {
        let steps = steps(lag: lag)
        let energies = stepEnergies.start + firstEnergy
        var own: Float = 0
        for step in 0..<steps { own += energies[step] }
        let end = lag / TrackerScale.stepSamples + steps
        let oldest = 0.5 * (energies[end - 1] + energies[end - 2])
        return oldest * Float(steps) > LagProducts.filledShare * own
    }

    /// Writes the likeness of all lags, each over its own window: 1 where the signal repeats
    /// itself, 0 for noise.
    ///
    /// This is `2 r / (e + max(e, now))`, where `r` is the correlation, and `e` the energy before
    /// the lag. The maximum makes a sound that dies away, like the ring of a formant between two
    /// pulses of a voice, less like itself than a sound that lasts.
    @_noLocks
    func writeLikeness(to likeness: UnsafeMutablePointer<Float>) {
        for first in stride(from: 0, to: lagCount, by: 16) {
            let steps = steps(lag: first)
            let energies = stepEnergies.start + firstEnergy
            var (own, base): (Float, Float) = (1e-9, 1e-9)
            for step in 0..<steps {
                own += energies[step]
                base += energies[first / 16 + step]
            }
            let now = SIMD4<Float>(repeating: own)
            let whole = SIMD4<Float>(repeating: base)
            let entering = newerEnergies.newest + steps * TrackerScale.stepSamples
            for lag in stride(from: first, to: first + 16, by: 4) {
                let enter = UnsafeRawPointer(entering + lag).loadUnaligned(as: SIMD4<Float>.self)
                let leave = UnsafeRawPointer(newerEnergies.newest + lag)
                    .loadUnaligned(as: SIMD4<Float>.self)
                let then = whole + (enter - leave)
                let sum = UnsafeRawPointer(sums.start + lag).loadUnaligned(as: SIMD4<Float>.self)
                let larger = then.replacing(with: now, where: now .> then)
                UnsafeMutableRawPointer(likeness + lag).storeBytes(
                    of: (sum + sum) / (then + larger), as: SIMD4<Float>.self)
            }
        }
    }

    /// Returns the peak near a lag over a window of `steps` steps.
    @_noLocks
    func peak(near lag: Float, steps: Int) -> (lag: Float, height: Float) {
        let middle = min(max(Int(lag + 0.5), 3), lagCount - 6)
        let first = middle - 2
        let (low, high) = (
            correlation(lag: first, steps: steps),
            correlation(lag: first + 4, steps: steps)
        )
        let own = energy(lag: 0, steps: steps) + 1e-9
        var then = energy(lag: first, steps: steps)
        // The window moves by one sample per lag.
        let past = self.past + first
        let length = steps * TrackerScale.stepSamples
        let a = 2 * low[0] / (own + then)
        then += past[length] * past[length] - past[0] * past[0]
        let b = 2 * low[1] / (own + then)
        then += past[length + 1] * past[length + 1] - past[1] * past[1]
        let c = 2 * low[2] / (own + then)
        then += past[length + 2] * past[length + 2] - past[2] * past[2]
        let d = 2 * low[3] / (own + then)
        then += past[length + 3] * past[length + 3] - past[3] * past[3]
        let e = 2 * high[0] / (own + then)
        if c >= b && c >= d {
            let peak = Vertex(b, c, d)
            return (Float(middle) + peak.offset, peak.height)
        }
        let peak = b >= d ? Vertex(a, b, c) : Vertex(c, d, e)
        return (Float(middle + (b >= d ? -1 : 1)) + peak.offset, peak.height)
    }
}

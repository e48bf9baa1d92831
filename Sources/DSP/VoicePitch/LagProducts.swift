internal import CRealtime
internal import Realtime

/// The similarity of a signal to itself a number of samples earlier, over windows that end now,
/// updated step by step.
///
/// The products of each step are kept, so that a window of any number of steps is a sum of them.
/// For the long window, that sum is updated incrementally. A few of its lags per step are summed
/// again in turn, so that rounding errors do not accumulate.
struct LagProducts: ~Copyable {
    /// The latest samples, newest first.
    private var samples: ReversedRing
    /// The energies of the long windows that end at the latest samples, newest first.
    private var energies: ReversedRing
    private let ring: Buffer<Float>
    private let sums: Buffer<Float>
    private let stepEnergies: Buffer<Double>
    /// The number of lags, a multiple of 16.
    let lagCount: Int
    /// The length of the long window, in steps.
    let windowSteps: Int
    private var newest = 0
    private var nextRenewal = 0

    init(lagCount: Int, windowSteps: Int) {
        self.lagCount = (lagCount + 15) / 16 * 16
        self.windowSteps = windowSteps
        samples = ReversedRing(size: self.lagCount + (windowSteps + 2) * TrackerScale.stepSamples)
        energies = ReversedRing(size: self.lagCount + TrackerScale.stepSamples)
        ring = Buffer(count: windowSteps * self.lagCount, repeating: 0)
        sums = Buffer(count: self.lagCount, repeating: 0)
        stepEnergies = Buffer(count: windowSteps, repeating: 0)
        reset()
    }

    @_noLocks
    mutating func reset() {
        samples.reset()
        energies.reset()
        ring.fill(with: 0)
        sums.fill(with: 0)
        stepEnergies.fill(with: 0)
        newest = 0
        nextRenewal = 0
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
        exchange(a, at: lag)
        exchange(b, at: lag + 4)
        exchange(c, at: lag + 8)
        exchange(d, at: lag + 12)
    }

    /// Replaces the products of the oldest step in the long window by the products of the new step.
    @_noLocks @inline(__always)
    private func exchange(_ products: SIMD4<Float>, at lag: Int) {
        let kept = UnsafeMutableRawPointer(ring.start + newest * lagCount + lag)
        let sum = UnsafeMutableRawPointer(sums.start + lag)
        let change = products - kept.loadUnaligned(as: SIMD4<Float>.self)
        sum.storeBytes(
            of: sum.loadUnaligned(as: SIMD4<Float>.self) + change, as: SIMD4<Float>.self)
        kept.storeBytes(of: products, as: SIMD4<Float>.self)
    }

    /// Sums the products of some lags again.
    @_noLocks
    private mutating func renew() {
        for lag in stride(from: nextRenewal, to: nextRenewal + 16, by: 4) {
            (UnsafeMutableRawPointer(sums.start + lag)).storeBytes(
                of: correlation(lag: lag, steps: windowSteps), as: SIMD4<Float>.self)
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

    /// Adds the energies of the long windows that end at each sample of the step.
    ///
    /// Whole steps are summed again, so that rounding errors do not accumulate.
    @_noLocks
    private mutating func pushEnergies() {
        let count = TrackerScale.stepSamples
        let now = samples.newest
        let then = now + windowSteps * count
        var sum = 0.0
        stepEnergies[newest] = 0
        for step in 0..<windowSteps { sum += stepEnergies[step] }
        for index in 0..<count { sum += Double(then[index]) * Double(then[index]) }
        var own = 0.0
        energies.open()
        for index in stride(from: count - 1, through: 0, by: -1) {
            let square = Double(now[index]) * Double(now[index])
            own += square
            sum += square - Double(then[index]) * Double(then[index])
            energies.write(Float(max(0, sum)), at: index)
        }
        stepEnergies[newest] = own
    }

    /// Writes `2 r / (m + small)` of the long window for all lags: 1 where the signal repeats
    /// itself, 0 for noise.
    @_noLocks
    func writeLikeness(to likeness: UnsafeMutablePointer<Float>) {
        let energy = energies.newest
        let own = SIMD4<Float>(repeating: energy[0] + 1e-9)
        for lag in stride(from: 0, to: lagCount, by: 4) {
            let then = UnsafeRawPointer(energy + lag).loadUnaligned(as: SIMD4<Float>.self)
            let sum = UnsafeRawPointer(sums.start + lag).loadUnaligned(as: SIMD4<Float>.self)
            UnsafeMutableRawPointer(likeness + lag).storeBytes(
                of: (sum + sum) / (own + then), as: SIMD4<Float>.self)
        }
    }
}

internal import CRealtime
internal import DSP
internal import Realtime

/// A grain: a piece of the input that is played once at a time, speed and gain, under an asymmetric
/// Hann window.
struct VoiceGrain: BitwiseCopyable {
    /// The window's peak, as a whole frame and a fraction of a frame.
    let centreFrame: Int
    let centreShare: Float
    /// The first frame after the end of the grain.
    let endFrame: Int
    /// The reciprocals of the lengths of the window's halves, in frames.
    let leftSlope: Float
    let rightSlope: Float
    let gain: Float
    /// The input position at the centre's whole frame, as a frame and a fraction of a frame in
    /// units of 2^-32.
    private let sourceFrame: Int
    private let sourceShare: Int
    /// Input frames per output frame, in units of 2^-32.
    let speed: Int
    /// The interpolation weights at speed 1, for which the fraction is constant.
    let taps: LagrangeTaps
    /// The interpolator that keeps frequencies below Nyquist; `nil` unless the speed is above 1.
    private let reader: SincInterpolator?

    /// Whether the grain plays at the speed of the input.
    var isPlain: Bool { @_noLocks get { speed == 1 << 32 } }

    /// Creates a grain from its plan, with the interpolator for its speed.
    @_noLocks
    init(_ plan: GrainPlan, reader: SincInterpolator?) {
        let centre = rt_floor(plan.centre)
        let share = plan.centre - centre
        centreFrame = Int(centre)
        centreShare = Float(share)
        endFrame = Int(rt_ceil(plan.centre + plan.rightFrames))
        leftSlope = Float(1 / plan.leftFrames)
        rightSlope = Float(1 / plan.rightFrames)
        gain = Float(plan.gain)
        let source = plan.mark - share * plan.speed
        let whole = rt_floor(source)
        sourceFrame = Int(whole)
        sourceShare = Int((source - whole) * 4_294_967_296)
        speed = Int(plan.speed * 4_294_967_296)
        taps = LagrangeTaps(share: Float(source - whole))
        self.reader = reader
    }
}

/// The time, source and shape of a grain, in frames.
struct GrainPlan: BitwiseCopyable {
    /// The time of the window's peak.
    var centre: Double
    /// The input position at that time.
    var mark: Double
    var leftFrames: Double
    var rightFrames: Double
    /// Input frames per output frame.
    var speed: Double
    var gain: Double
    /// The following mark, and the share of the grain that is read from it.
    var nextMark = 0.0
    var nextShare = 0.0

    /// The largest movement of a mark within its period, in periods.
    private static var largestMove: Double { @_noLocks get { 0.08 } }

    /// The number of words of `note`.
    static var noteWords: Int { 8 }

    /// Writes the plan.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(centre)
        notes.pointee.put(mark)
        notes.pointee.put(leftFrames)
        notes.pointee.put(rightFrames)
        notes.pointee.put(speed)
        notes.pointee.put(gain)
        notes.pointee.put(nextMark)
        notes.pointee.put(nextShare)
    }

    /// Becomes a noted plan.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let most = 0x1p50
        centre = notes.pointee.popNumber(within: most)
        mark = notes.pointee.popNumber(within: most)
        // The next grain begins this much later, so it must not be 0.
        leftFrames = max(1e-3, notes.pointee.popNumber(within: 1e6))
        rightFrames = max(1e-3, notes.pointee.popNumber(within: 1e6))
        let noted = notes.pointee.popNumber(within: VoiceTarget.fastest)
        speed = max(VoiceTarget.slowest, noted)
        gain = notes.pointee.popNumber(within: 1e3)
        nextMark = notes.pointee.popNumber(within: most)
        nextShare = min(max(0, notes.pointee.popNumber(within: 1)), 1)
    }

    /// Moves the centre by the movement of the marks since the grain before, which is the latest.
    ///
    /// Marks move within their period towards the centre of the energy. Without the same movement
    /// of the grain, it would be heard as a wrong pitch.
    @_noLocks
    mutating func follow(_ before: GrainPlan, periodFrames: Double, now: Double) {
        let distance = place(periodFrames) - before.place(periodFrames)
        let move = distance - rt_round(distance / periodFrames) * periodFrames
        let limit = GrainPlan.largestMove * periodFrames
        let moved = max(centre + min(max(move, -limit), limit) / speed, now + 1)
        leftFrames = min(leftFrames, moved - now)
        centre = moved
    }

    /// Returns the mean position of the mark and the following one, which is a period later.
    @_noLocks
    private func place(_ periodFrames: Double) -> Double {
        nextShare > 0 ? mark + nextShare * (nextMark - mark - periodFrames) : mark
    }

    /// The part that is read from the mark itself.
    var own: GrainPlan {
        @_noLocks get {
            var part = self
            part.gain = gain * (1 - nextShare)
            return part
        }
    }

    /// The part that is read from the following mark.
    var next: GrainPlan {
        @_noLocks get {
            var part = self
            part.mark = nextMark
            part.gain = gain * nextShare
            return part
        }
    }

    /// Returns the least distance from the read position to the newest input: interpolation reads
    /// ahead.
    @_noLocks
    static func marginFrames(_ reader: SincInterpolator?) -> Double {
        guard let reader else { return 4 }
        return Double(reader.framesAfter + 1)
    }

    /// Shortens the half in which reading at another speed would overtake the input.
    @_noLocks
    mutating func keepCausal(_ reader: SincInterpolator?) {
        guard speed != 1 else { return }
        let reach = max(1, (centre - mark - GrainPlan.marginFrames(reader)) / abs(speed - 1))
        if speed > 1 {
            rightFrames = min(rightFrames, reach)
        } else {
            leftFrames = min(leftFrames, reach)
        }
    }
}

/// The weights of six frames for interpolation between the third and the fourth.
struct LagrangeTaps: BitwiseCopyable {
    let a: Float
    let b: Float
    let c: Float
    let d: Float
    let e: Float
    let f: Float

    /// Calculates the weights at a fraction of a frame; at 0 the result is the third frame.
    @_noLocks
    init(share x: Float) {
        let (m2, m1, p1, p2, p3) = (x + 2, x + 1, x - 1, x - 2, x - 3)
        a = -m1 * x * p1 * p2 * p3 / 120
        b = m2 * x * p1 * p2 * p3 / 24
        c = -m2 * m1 * p1 * p2 * p3 / 12
        d = m2 * m1 * x * p2 * p3 / 12
        e = -m2 * m1 * x * p1 * p3 / 24
        f = m2 * m1 * x * p1 * p2 / 120
    }
}

/// The frames of a step that are rendered together.
struct GrainChunk: BitwiseCopyable {
    let firstFrame: Int
    let count: Int
    // SAFETY: the kernel owns the memory, and uses chunks only in `run`.
    /// The sum of all terms so far, with memory for up to three frames after the last.
    let sum: UnsafeMutablePointer<Float>
}

extension VoiceGrain {
    /// Adds the grain's part in a chunk of a channel.
    ///
    /// Each frame depends only on its distance to the grain's centre, so the output is
    /// bit-identical for every division into chunks.
    @_noLocks
    func add(to chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        let count = min(chunk.count, endFrame - chunk.firstFrame)
        guard count > 0 else { return }
        if isPlain {
            addPlain(to: chunk, count: count, history: history, channel: channel)
        } else if let reader {
            addFast(reader, to: chunk, count: count, history: history, channel: channel)
        } else {
            addSlow(to: chunk, count: count, history: history, channel: channel)
        }
    }

    @_noLocks @inline(__always)
    private func window(frame: Int) -> SIMD4<Float> {
        let first = Float(frame - centreFrame)
        let distance = (SIMD4<Float>(0, 1, 2, 3) + first) - centreShare
        let slope = SIMD4(repeating: rightSlope).replacing(
            with: SIMD4(repeating: leftSlope), where: distance .< 0)
        return HannWindow.value(at: distance * slope) * gain
    }

    @_noLocks
    private func addPlain(
        to chunk: GrainChunk, count: Int, history: borrowing VoiceHistory, channel: Int
    ) {
        let frame = chunk.firstFrame - centreFrame + sourceFrame - 2
        let source = UnsafeRawPointer(history.address(channel: channel, frame: frame))
        for index in stride(from: 0, to: count, by: 4) {
            let first = source + 4 * index
            var sample = first.loadUnaligned(as: SIMD4<Float>.self) * taps.a
            sample += first.loadUnaligned(fromByteOffset: 4, as: SIMD4<Float>.self) * taps.b
            sample += first.loadUnaligned(fromByteOffset: 8, as: SIMD4<Float>.self) * taps.c
            sample += first.loadUnaligned(fromByteOffset: 12, as: SIMD4<Float>.self) * taps.d
            sample += first.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self) * taps.e
            sample += first.loadUnaligned(fromByteOffset: 20, as: SIMD4<Float>.self) * taps.f
            add(sample, to: chunk, at: index)
        }
    }

    /// Adds a grain that plays slower than the input.
    @_noLocks
    private func addSlow(
        to chunk: GrainChunk, count: Int, history: borrowing VoiceHistory, channel: Int
    ) {
        var position = sourceShare + (chunk.firstFrame - centreFrame) * speed
        for index in stride(from: 0, to: count, by: 4) {
            var samples = (Float(0), Float(0), Float(0), Float(0))
            samples.0 = sample(history, channel, position)
            samples.1 = sample(history, channel, position + speed)
            samples.2 = sample(history, channel, position + 2 * speed)
            samples.3 = sample(history, channel, position + 3 * speed)
            position += 4 * speed
            add(SIMD4(samples.0, samples.1, samples.2, samples.3), to: chunk, at: index)
        }
    }

    /// Adds a grain that plays faster than the input.
    @_noLocks
    private func addFast(
        _ reader: SincInterpolator, to chunk: GrainChunk, count: Int,
        history: borrowing VoiceHistory, channel: Int
    ) {
        var position = sourceShare + (chunk.firstFrame - centreFrame) * speed
        for index in stride(from: 0, to: count, by: 4) {
            var samples = SIMD4<Float>.zero
            for lane in 0..<4 {
                let first = sourceFrame + (position >> 32) - reader.framesBefore
                samples[lane] = reader.value(
                    history.address(channel: channel, frame: first) + reader.framesBefore,
                    fraction: Double(position & 0xffff_ffff) * (1.0 / 4_294_967_296))
                position += speed
            }
            add(samples, to: chunk, at: index)
        }
    }

    /// Adds four frames, windowed, at an index of a chunk.
    @_noLocks @inline(__always)
    private func add(_ samples: SIMD4<Float>, to chunk: GrainChunk, at index: Int) {
        let sum = UnsafeMutableRawPointer(chunk.sum)
        let before = sum.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<Float>.self)
        let after = before + samples * window(frame: chunk.firstFrame + index)
        sum.storeBytes(of: after, toByteOffset: 4 * index, as: SIMD4<Float>.self)
    }

    /// Reads between two frames with a Catmull-Rom spline.
    ///
    /// The position is in frames after `sourceFrame`, in units of 2^-32.
    @_noLocks @inline(__always)
    private func sample(_ history: borrowing VoiceHistory, _ channel: Int, _ position: Int) -> Float
    {
        let x = history.address(
            channel: channel, frame: sourceFrame + (position >> 32) - 1)
        let share = Float((position & 0xffff_ffff) >> 8) * (1.0 / 16_777_216)
        let (a, b, c, d) = (x[0], x[1], x[2], x[3])
        let cubic = share * (3 * (b - c) + d - a)
        return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + cubic))
    }
}

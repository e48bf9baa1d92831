internal import Realtime

/// Two chains of allpass sections, one per SIMD lane, whose outputs are 90 degrees apart: an
/// analytic signal.
///
/// The caller delays the input of the second lane by one frame. The state of each signal is outside
/// this type, in `memorySize` pairs of numbers.
public struct AllpassPair: ~Copyable {
    private let coefficients: Buffer<SIMD2<Double>>
    private let sectionCount: Int
    /// The time in which the slowest section falls by 120 dB, in frames.
    public let tailFrames: Int

    /// Creates a pair that is accurate from 20 Hz up to 20 Hz below Nyquist.
    ///
    /// Eight sections suppress the negative frequencies to -90 dB at 48 kHz; twelve to -137 dB
    /// there and to -124 dB at 96 kHz; sixteen to -150 dB at 192 kHz.
    ///
    /// - Parameters:
    ///   - sectionCount: The number of sections per chain, a multiple of four.
    ///   - sampleRate: Frames per second.
    public init(sectionCount: Int, sampleRate: Double) {
        self.sectionCount = sectionCount
        let design = HilbertDesign(
            count: 2 * sectionCount, edgeHertz: 20, sampleRate: sampleRate)
        coefficients = Buffer(count: sectionCount) { section in
            SIMD2(design.coefficients[2 * section], design.coefficients[2 * section + 1])
        }
        tailFrames = Int(2 * 13.8 / (1 - design.coefficients[2 * sectionCount - 1]))
    }

    /// The mean delay of a lane over all frequencies, in frames: the centre of an impulse
    /// response's energy.
    public var meanDelayFrames: Int { 2 * sectionCount }

    /// The number of pairs of numbers that one signal needs as state, all zero initially.
    public var memorySize: Int { @_noLocks get { sectionCount / 4 * AllpassPair.groupMemory } }

    /// The size of a group's state: the values one and two frames ago at the inputs of four
    /// sections and at the output.
    private static var groupMemory: Int { @_noLocks get { 10 } }

    /// Processes frames through both chains, in place.
    @_noLocks
    public func process(
        _ frames: UnsafeMutablePointer<SIMD2<Double>>, count: Int,
        memory: UnsafeMutablePointer<SIMD2<Double>>
    ) {
        for group in 0..<(sectionCount / 4) {
            processGroup(
                frames, count: count, coefficients: coefficients.start + 4 * group,
                memory: memory + AllpassPair.groupMemory * group)
        }
    }

    /// Processes four sections at once, so that their values stay in registers.
    ///
    /// A section needs its input and output of two frames ago. There are two sets of values, and
    /// each frame replaces one of them.
    @_noLocks
    private func processGroup(
        _ frames: UnsafeMutablePointer<SIMD2<Double>>, count: Int,
        coefficients: UnsafePointer<SIMD2<Double>>, memory: UnsafeMutablePointer<SIMD2<Double>>
    ) {
        var older = AllpassNodes(memory)
        var newer = AllpassNodes(memory + 5)
        var frame = 0
        while frame + 2 <= count {
            frames[frame] = older.next(frames[frame], coefficients)
            frames[frame + 1] = newer.next(frames[frame + 1], coefficients)
            frame += 2
        }
        if frame < count {
            frames[frame] = older.next(frames[frame], coefficients)
            newer.store(memory)
            older.store(memory + 5)
        } else {
            older.store(memory)
            newer.store(memory + 5)
        }
    }
}

/// The inputs of four sections and the output of the last, two frames ago.
private struct AllpassNodes: BitwiseCopyable {
    private var a, b, c, d, e: SIMD2<Double>

    @_noLocks @inline(__always)
    init(_ memory: UnsafePointer<SIMD2<Double>>) {
        a = memory[0]
        b = memory[1]
        c = memory[2]
        d = memory[3]
        e = memory[4]
    }

    @_noLocks @inline(__always)
    func store(_ memory: UnsafeMutablePointer<SIMD2<Double>>) {
        memory[0] = a
        memory[1] = b
        memory[2] = c
        memory[3] = d
        memory[4] = e
    }

    /// Processes a frame through the four sections: y[n] = c (x[n] + y[n - 2]) - x[n - 2].
    @_noLocks @inline(__always)
    mutating func next(_ x: SIMD2<Double>, _ coefficients: UnsafePointer<SIMD2<Double>>)
        -> SIMD2<Double>
    {
        let y1 = coefficients[0] * (x + b) - a
        let y2 = coefficients[1] * (y1 + c) - b
        let y3 = coefficients[2] * (y2 + d) - c
        let y4 = coefficients[3] * (y3 + e) - d
        a = x
        b = y1
        c = y2
        d = y3
        e = y4
        return y4
    }
}

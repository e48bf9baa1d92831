internal import CRealtime
internal import Processing
internal import Realtime

/// Measures peak and RMS over the current window and the one before it, so that a reader at 12 Hz
/// misses no peak.
struct MeterKernel: Kernel, ~Copyable {
    /// Peak and RMS in dB, in the order of the description.
    let levels: Buffer<Float>
    private let channelCount: Int
    private let windowFrames: Int
    private var running = LevelWindow()
    private var finished = LevelWindow()

    /// The lowest level it reports, in dB.
    private static var floorDecibels: Double { @_noLocks get { -160 } }

    init(channelCount: Int, sampleRate: Double) {
        self.channelCount = channelCount
        windowFrames = Int(sampleRate / 12)
        levels = Buffer(count: 2, repeating: Float(MeterKernel.floorDecibels))
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        var first = 0
        while first < Int(block.frameCount) {
            let count = min(Int(block.frameCount) - first, windowFrames - running.frames)
            for channel in 0..<channelCount {
                rt_copy(block.outputs[channel] + first, block.inputs[channel] + first, Int64(count))
                running.include(block.inputs[channel] + first, frameCount: count)
            }
            running.frames += count
            first += count
            report()
            if running.frames == windowFrames { startWindow() }
        }
    }

    /// Does nothing: a meter has no parameters.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {}

    @_noLocks
    mutating func reset() {
        running = LevelWindow()
        finished = LevelWindow()
        report()
    }

    @_noLocks
    private mutating func startWindow() {
        finished = running
        running = LevelWindow()
    }

    @_noLocks
    private func report() {
        let samples = Double((running.frames + finished.frames) * channelCount)
        let power = samples > 0 ? (running.squares + finished.squares) / samples : 0
        let peak = max(running.peak, finished.peak)
        levels[0] = MeterKernel.held(Decibels(amplitude: peak).value)
        levels[1] = MeterKernel.held(Decibels(amplitude: power).value / 2)
    }

    @_noLocks
    private static func held(_ decibels: Double) -> Float { Float(max(floorDecibels, decibels)) }
}

/// The measurements of one window of a meter.
private struct LevelWindow: BitwiseCopyable {
    var frames = 0
    var peak = 0.0
    /// The sum of the squares of all samples of all channels.
    var squares = 0.0

    /// Adds samples; one that is not finite counts as silence.
    @_noLocks
    mutating func include(_ samples: UnsafePointer<Float>, frameCount: Int) {
        guard rt_is_finite(samples, Int64(frameCount)) else {
            includeFinite(samples, frameCount: frameCount)
            return
        }
        let level = rt_level(samples, Int64(frameCount))
        peak = max(peak, Double(level.peak))
        squares += Double(level.squares)
    }

    @_noLocks
    private mutating func includeFinite(_ samples: UnsafePointer<Float>, frameCount: Int) {
        for frame in 0..<frameCount where samples[frame].isFinite {
            let x = Double(samples[frame])
            peak = max(peak, abs(x))
            squares += x * x
        }
    }
}

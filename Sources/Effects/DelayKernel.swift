internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Delays each channel in its own line, read at one tap, or at two during a crossfade.
struct DelayKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case time, beats, feedback

        var range: ClosedRange<Float> {
            switch self {
            case .time: 0...10
            case .beats: 0...16
            case .feedback: 0...0.99
            }
        }

        var defaultValue: Float {
            switch self {
            case .time: 0.25
            case .beats: 0
            case .feedback: 0.3
            }
        }
    }

    /// The share of the echoes in the output of the LV2 plugin, by default.
    static var pluginMix: Float { @_noLocks get { 0.35 } }
    /// The longest delay of the LV2 plugin in seconds: 16 beats at 30 beats per minute.
    static var pluginSeconds: Double { 32 }

    private let lines: DelayLines
    private let sampleRate: Double
    private let maximumSeconds: Double
    private var secondsPerBeat: Double
    private let fadeFrames: Int
    private var time: Float
    private var beats: Float
    private var feedback: Ramp
    private var tap: DelayTap
    /// The tap that fades in while `fadeFramesLeft` is above 0.
    private var nextTap: DelayTap
    private var fadeFramesLeft = 0
    /// Whether the delay changed since the latest tap was made.
    private var isStale = false

    /// Creates a kernel that rests at its parameters, with delay lines for `maximumSeconds`.
    init(
        lines: consuming DelayLines, sampleRate: Double, maximumSeconds: Double,
        secondsPerBeat: Double, time: Float, beats: Float, feedback: Float
    ) {
        self.lines = lines
        self.sampleRate = sampleRate
        self.maximumSeconds = maximumSeconds
        self.secondsPerBeat = secondsPerBeat
        fadeFrames = max(1, smoothingFrames(sampleRate: sampleRate))
        (self.time, self.beats) = (time, beats)
        self.feedback = Ramp(feedback, lengthFrames: fadeFrames)
        tap = DelayTap(frames: 1)
        nextTap = tap
        reset()
    }

    /// Returns the delay that the parameters request, in seconds.
    @_noLocks
    static func seconds(time: Float, beats: Float, secondsPerBeat: Double) -> Double {
        beats > 0 ? Double(beats) * secondsPerBeat : Double(time)
    }

    var latencyFrames: Int { 0 }

    /// The time in which the echoes fall by 120 dB.
    var tailFrames: Int? {
        let share = Double(feedback.target)
        let echoes = share > 0 ? 1 + -13.8 / rt_log(share) : 1
        return Int(echoes * delayFrames) + 2 * DelayKernel.interpolationFrames
    }

    /// The longest delay that the lines have room for, in frames.
    var maximumFrames: Int {
        Int(min(maximumSeconds * sampleRate, 1e15)) + Self.interpolationFrames
    }

    /// The frames that interpolation adds to the length of an echo.
    private static var interpolationFrames: Int { 8 }

    private var delayFrames: Double {
        @_noLocks get {
            let wanted = DelayKernel.seconds(
                time: time, beats: beats, secondsPerBeat: secondsPerBeat)
            return min(wanted, maximumSeconds) * sampleRate
        }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch Parameter(rawValue: parameter) {
        case .time:
            time = value
            isStale = true
        case .beats:
            beats = value
            isStale = true
        case .feedback: if feedback.target != value { feedback.move(to: value) }
        case nil: if parameter == RTTargetTempo.rawValue { setTempo(value) }
        }
    }

    @_noLocks
    private mutating func setTempo(_ beatsPerMinute: Float) {
        guard beatsPerMinute > 0, Double(60 / beatsPerMinute) != secondsPerBeat else { return }
        secondsPerBeat = Double(60 / beatsPerMinute)
        if beats > 0 { isStale = true }
    }

    @_noLocks
    mutating func reset() {
        feedback.snap()
        tap = DelayTap(frames: delayFrames)
        fadeFramesLeft = 0
        isStale = false
        for channel in 0..<lines.count { lines.start[channel].clear() }
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        let frameCount = Int(block.frameCount)
        var first = 0
        while first < frameCount {
            if fadeFramesLeft == 0 && isStale { startFade() }
            let room = frameCount - first
            let count = fadeFramesLeft > 0 ? min(room, fadeFramesLeft) : room
            render(block, first: first, count: count)
            first += count
            if fadeFramesLeft > 0 { advanceFade(count) }
        }
    }

    @_noLocks
    private mutating func render(_ block: RTBlock, first: Int, count: Int) {
        let start = feedback
        for channel in 0..<lines.count {
            // All channels use the same ramp.
            feedback = start
            let (input, output) = (block.inputs[channel] + first, block.outputs[channel] + first)
            if fadeFramesLeft > 0 {
                echoFading(lines.start + channel, input, output, count: count)
            } else {
                echo(lines.start + channel, input, output, count: count)
            }
        }
    }

    /// Renders the echoes of a channel with a constant delay.
    @_noLocks
    private mutating func echo(
        _ line: UnsafeMutablePointer<DelayLine>, _ input: UnsafePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        // In a local variable, the line stays in registers.
        var local = line.move()
        for frame in 0..<count {
            let delayed = local.read(tap)
            local.push(DelayKernel.finiteSum(input[frame], delayed * feedback.next()))
            output[frame] = delayed
        }
        line.initialize(to: local)
    }

    /// Renders the echoes of a channel during the crossfade to another delay.
    @_noLocks
    private mutating func echoFading(
        _ line: UnsafeMutablePointer<DelayLine>, _ input: UnsafePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        for frame in 0..<count {
            let share = smoothStep(1 - Float(fadeFramesLeft - frame) / Float(fadeFrames))
            let old = line.pointee.read(tap)
            let delayed = old + (line.pointee.read(nextTap) - old) * share
            line.pointee.push(DelayKernel.finiteSum(input[frame], delayed * feedback.next()))
            output[frame] = delayed
        }
    }

    /// Returns the sum for the line, or silence if it is not finite: otherwise every later echo
    /// would repeat it.
    @_noLocks @inline(__always)
    private static func finiteSum(_ input: Float, _ echo: Float) -> Float {
        let sum = input + echo
        return abs(sum) < 1e30 ? sum : 0
    }

    @_noLocks
    private mutating func startFade() {
        isStale = false
        nextTap = DelayTap(frames: delayFrames)
        fadeFramesLeft = fadeFrames
    }

    @_noLocks
    private mutating func advanceFade(_ count: Int) {
        fadeFramesLeft -= count
        if fadeFramesLeft == 0 { tap = nextTap }
    }
}

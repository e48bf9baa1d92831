internal import CRealtime
internal import DSP
internal import Realtime

/// A delay line a channel, read at one tap, or at two while one fades into the other.
struct DelayKernel: ~Copyable {
    private let channelCount: Int
    private let sampleRate: Double
    private let maximumSeconds: Double
    private var secondsPerBeat: Double
    private let fadeFrames: Int
    private let lines: UnsafeMutablePointer<DelayLine>
    private var time: Float
    private var beats: Float
    private var feedback: Ramp
    private var sounding: DelayTap
    /// What fades in while `fadeFramesLeft` is above 0.
    private var coming: DelayTap
    private var fadeFramesLeft = 0
    /// Whether the time moved since a tap was last made for it.
    private var isStale = false

    /// Echoes that rest at their parameters: time, beats, feedback.
    init(
        channelCount: Int, sampleRate: Double, maximumSeconds: Double, secondsPerBeat: Double,
        parameters: [Float]
    ) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.maximumSeconds = maximumSeconds
        self.secondsPerBeat = secondsPerBeat
        fadeFrames = max(1, smoothingFrames(sampleRate: sampleRate))
        (time, beats) = (parameters[0], parameters[1])
        feedback = Ramp(parameters[2], lengthFrames: fadeFrames)
        sounding = DelayTap(frames: 1)
        coming = sounding
        lines = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            (lines + channel).initialize(
                to: DelayLine(maximumFrames: Int(maximumSeconds * sampleRate) + 1))
        }
        reset()
    }

    deinit {
        for channel in 0..<channelCount { lines[channel].deallocate() }
        lines.deallocate()
    }

    /// The delay that the parameters ask for.
    @_noLocks
    static func seconds(time: Float, beats: Float, secondsPerBeat: Double) -> Double {
        beats > 0 ? Double(beats) * secondsPerBeat : Double(time)
    }

    /// How long the echoes take to fall by 120 dB.
    var tailFrames: Int {
        let share = Double(feedback.target)
        let echoes = share > 0 ? 1 + -13.8 / rt_log(share) : 1
        return Int(echoes * delayFrames) + 2 * DelayKernel.interpolationFrames
    }

    /// The longest delay there is room for.
    var mostFrames: Int { Int(maximumSeconds * sampleRate) + Self.interpolationFrames }

    /// What the interpolation between frames adds to an echo's length.
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
        switch parameter {
        case 0: time = value
        case 1: beats = value
        case 2:
            if feedback.target != value { feedback.move(to: value) }
            return
        case Int32(RTTargetTempo.rawValue):
            // Where the time is not in beats, nothing moves.
            guard value > 0, Double(60 / value) != secondsPerBeat else { return }
            secondsPerBeat = Double(60 / value)
            if beats <= 0 { return }
        default: return
        }
        isStale = true
    }

    @_noLocks
    mutating func reset() {
        feedback.snap()
        sounding = DelayTap(frames: delayFrames)
        fadeFramesLeft = 0
        isStale = false
        for channel in 0..<channelCount { lines[channel].clear() }
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
        for channel in 0..<channelCount {
            // Every channel takes the same way.
            feedback = start
            let (input, output) = (block.inputs[channel] + first, block.outputs[channel] + first)
            if fadeFramesLeft > 0 {
                echoFading(lines + channel, input, output, count: count)
            } else {
                echo(lines + channel, input, output, count: count)
            }
        }
    }

    @_noLocks
    private mutating func echo(
        _ line: UnsafeMutablePointer<DelayLine>, _ input: UnsafePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        var local = line.pointee
        for frame in 0..<count {
            let heard = local.read(sounding)
            local.push(DelayKernel.held(input[frame], plus: heard * feedback.next()))
            output[frame] = heard
        }
        line.pointee = local
    }

    @_noLocks
    private mutating func echoFading(
        _ line: UnsafeMutablePointer<DelayLine>, _ input: UnsafePointer<Float>,
        _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        for frame in 0..<count {
            let share = smoothStep(1 - Float(fadeFramesLeft - frame) / Float(fadeFrames))
            let old = line.pointee.read(sounding)
            let heard = old + (line.pointee.read(coming) - old) * share
            line.pointee.push(DelayKernel.held(input[frame], plus: heard * feedback.next()))
            output[frame] = heard
        }
    }

    /// What goes into the line: a sample that is not finite becomes silence, so that no echo keeps it.
    @_noLocks @inline(__always)
    private static func held(_ input: Float, plus echo: Float) -> Float {
        let sum = input + echo
        return abs(sum) < 1e30 ? sum : 0
    }

    @_noLocks
    private mutating func startFade() {
        isStale = false
        coming = DelayTap(frames: delayFrames)
        fadeFramesLeft = fadeFrames
    }

    @_noLocks
    private mutating func advanceFade(_ count: Int) {
        fadeFramesLeft -= count
        if fadeFramesLeft == 0 { sounding = coming }
    }
}

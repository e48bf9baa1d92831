internal import CRealtime
internal import DSP
internal import Realtime

/// The frequency shifter's kernel with LV2's ports around it, for one channel: a host has one for each of its channels.
///
/// Ports: audio in, audio out, the parameters in the order of the effect's description, `enabled`, `latency`.
struct FrequencyShiftPlugin: ~Copyable {
    private var kernel: FrequencyShiftKernel
    private var ports = ShiftPorts()
    private var shift: Float = 0
    private var feedback: Float = 0
    /// The dry signal, late by the kernel's latency, for when the host switches the plugin off.
    private var dryLine: DelayLine
    private let dryTap: DelayTap
    private let dry: UnsafeMutablePointer<Float>
    private var dryShare: Ramp
    /// Whether the next run is the first one since activation: then the controls hold at once.
    private var isFresh = true

    private static var chunkFrames: Int { @_noLocks get { 64 } }

    init(sampleRate: Double, folds: Bool) {
        kernel = FrequencyShiftKernel(
            channelCount: 1, sampleRate: sampleRate, folds: folds, shiftHertz: 0, feedback: 0)
        dryTap = DelayTap(frames: Double(kernel.latencyFrames))
        dryLine = DelayLine(maximumFrames: kernel.latencyFrames)
        dry = .allocate(capacity: FrequencyShiftPlugin.chunkFrames)
        dryShare = Ramp(0, lengthFrames: smoothingFrames(sampleRate: sampleRate))
    }

    deinit {
        dryLine.deallocate()
        dry.deallocate()
    }

    @_noLocks
    mutating func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {
        ports.connect(port, to: data)
    }

    @_noLocks
    mutating func activate() { isFresh = true }

    @_noLocks
    mutating func run(frameCount: Int) {
        let control = rt_float_control()
        rt_flush_denormals()
        readControls()
        if isFresh { begin() }
        ports.latency?.pointee = Float(kernel.latencyFrames)
        if let input = ports.input, let output = ports.output {
            var first = 0
            while first < frameCount {
                let count = min(FrequencyShiftPlugin.chunkFrames, frameCount - first)
                render(input + first, output + first, count: count)
                first += count
            }
        }
        rt_restore_float_control(control)
    }

    @_noLocks
    private mutating func readControls() {
        let wantedShift = held(
            ports.shift, from: -FrequencyShiftKernel.shiftLimitHertz,
            through: FrequencyShiftKernel.shiftLimitHertz)
        let wantedFeedback = held(
            ports.feedback, from: 0, through: FrequencyShiftKernel.feedbackLimit)
        if wantedShift != shift { kernel.set(0, to: wantedShift) }
        if wantedFeedback != feedback { kernel.set(1, to: wantedFeedback) }
        (shift, feedback) = (wantedShift, wantedFeedback)
        let wantedShare: Float = (ports.enabled?.pointee ?? 1) > 0 ? 0 : 1
        if wantedShare != dryShare.target { dryShare.move(to: wantedShare) }
    }

    @_noLocks
    private mutating func begin() {
        isFresh = false
        kernel.reset()
        dryLine.clear()
        dryShare.snap()
    }

    /// Renders a chunk; the output may be where the input is.
    @_noLocks
    private mutating func render(
        _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        for frame in 0..<count {
            dry[frame] = dryLine.read(dryTap)
            dryLine.push(input[frame])
        }
        kernel.run(channel: input, into: output, frameCount: count)
        guard !dryShare.isResting || dryShare.value > 0 else { return }
        for frame in 0..<count {
            let share = dryShare.next()
            output[frame] =
                share == 1 ? dry[frame] : output[frame] + (dry[frame] - output[frame]) * share
        }
    }
}

/// Where the host keeps the plugin's signals and controls.
struct ShiftPorts: BitwiseCopyable {
    // SAFETY: the host keeps each place alive from the port's connection to the last run.
    private(set) var input: UnsafePointer<Float>?
    private(set) var output: UnsafeMutablePointer<Float>?
    private(set) var shift: UnsafePointer<Float>?
    private(set) var feedback: UnsafePointer<Float>?
    private(set) var enabled: UnsafePointer<Float>?
    private(set) var latency: UnsafeMutablePointer<Float>?

    @_noLocks
    mutating func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {
        let control = UnsafePointer(data)
        switch port {
        case 0: input = control
        case 1: output = data
        case 2: shift = control
        case 3: feedback = control
        case 4: enabled = control
        case 5: latency = data
        default: break
        }
    }
}

/// A control's value, held in its range; what is not a number is the lowest magnitude.
@_noLocks
private func held(_ port: UnsafePointer<Float>?, from lowest: Float, through highest: Float)
    -> Float
{
    guard let value = port?.pointee, value == value else { return 0 }
    return value < lowest ? lowest : value > highest ? highest : value
}

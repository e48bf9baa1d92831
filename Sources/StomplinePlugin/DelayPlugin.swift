internal import CRealtime
internal import Processing
internal import Realtime

/// The delay, and the dry signal with the echoes, mixed as the engine mixes them for a node.
struct MixedDelayKernel: PluginKernel, ~Copyable {
    /// The parameters of the delay, then the share of the echoes.
    struct Parameter: PluginParameter {
        let rawValue: Int32

        static var allCases: [Parameter] {
            (0...DelayKernel.Parameter.feedback.rawValue + 1).map { Parameter(number: $0) }
        }

        static var mix: Int32 { @_noLocks get { DelayKernel.Parameter.feedback.rawValue + 1 } }

        private init(number: Int32) { rawValue = number }

        init?(rawValue: Int32) {
            guard rawValue >= 0, rawValue <= Parameter.mix else { return nil }
            self.rawValue = rawValue
        }

        private var ofDelay: DelayKernel.Parameter? { DelayKernel.Parameter(rawValue: rawValue) }

        var range: ClosedRange<Float> { ofDelay?.range ?? 0...1 }
        var defaultValue: Float { ofDelay?.defaultValue ?? DelayKernel.pluginMix }
    }

    private var delay: DelayKernel
    private var mix = SmoothRamp(DelayKernel.pluginMix)
    private let fadeFrames: Int32

    init(_ delay: consuming DelayKernel, sampleRate: Double) {
        self.delay = delay
        fadeFrames = Int32(smoothingFrames(sampleRate: sampleRate))
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { delay.tailFrames }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard parameter == Parameter.mix else { return delay.set(parameter, to: value) }
        if value.isFinite, value != mix.target { mix.glide(to: value, frames: fadeFrames) }
    }

    @_noLocks
    mutating func reset() {
        delay.reset()
        mix = SmoothRamp(mix.target)
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        delay.run(block)
        let block = block.pointee
        let start = mix
        for channel in 0..<Int(block.outputCount) {
            mix = start
            blend(block.inputs[channel], block.outputs[channel], count: Int(block.frameCount))
        }
    }

    @_noLocks
    private mutating func blend(
        _ dry: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        guard !mix.isResting || mix.value != 1 else { return }
        for frame in 0..<count {
            let share = mix.next()
            output[frame] =
                share == 0 ? dry[frame] : output[frame] * share + dry[frame] * (1 - share)
        }
    }
}

/// Creates an instance of the delay; `plugin_free` frees it.
///
/// - Returns: The instance, or `nil` if there is no memory.
@_cdecl("delay_make")
public func makeDelay(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer? {
    guard
        let lines = DelayLines(
            channelCount: Int(channelCount), sampleRate: sampleRate,
            maximumSeconds: DelayKernel.pluginSeconds)
    else { return nil }
    let kernel = DelayKernel(
        lines: lines, sampleRate: sampleRate, maximumSeconds: DelayKernel.pluginSeconds,
        secondsPerBeat: 0.5, time: DelayKernel.Parameter.time.defaultValue,
        beats: DelayKernel.Parameter.beats.defaultValue,
        feedback: DelayKernel.Parameter.feedback.defaultValue)
    return startPlugin(
        EffectPlugin(
            MixedDelayKernel(kernel, sampleRate: sampleRate), channelCount: Int(channelCount),
            sampleRate: sampleRate, receivesEvents: true))
}

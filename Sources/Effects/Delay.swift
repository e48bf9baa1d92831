internal import Processing

/// `delay`: echoes.
enum Delay {
    static let effect = Effect(
        description: description, memoryBytes: memoryBytes, makeProcessor: makeProcessor)

    static let description = NodeDescription(
        name: "delay", label: "Delay",
        summary:
            "Outputs only the echoes; the node's `mix` adds the dry signal. A new time is crossfaded, so the pitch does not glide.",
        parameters: DelayKernel.Parameter.descriptions,
        settings: [
            SettingDescription(
                "maximum",
                summary:
                    "The longest time that memory is reserved for: 0.19 MB per second and channel at 48 kHz. Longer times are limited to it, except the time at load, which always fits. By default all values of `time` and `beats` fit.",
                unit: .seconds, kind: .number(0.001...60))
        ], category: "Delay")

    /// Returns the longest delay that memory is reserved for, in seconds.
    private static func maximumSeconds(_ request: ProcessorRequest) -> Double {
        let secondsPerBeat = 60 / request.tempo
        let initial = DelayKernel.seconds(
            time: request[DelayKernel.Parameter.time], beats: request[DelayKernel.Parameter.beats],
            secondsPerBeat: secondsPerBeat)
        let longest = max(
            Double(DelayKernel.Parameter.time.range.upperBound),
            Double(DelayKernel.Parameter.beats.range.upperBound) * secondsPerBeat)
        return max(request.settings["maximum"]?.number ?? longest, initial)
    }

    @Sendable
    private static func memoryBytes(_ request: ProcessorRequest) -> Int {
        DelayLines.byteCount(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            maximumSeconds: maximumSeconds(request)
        ).addingClamped(MemoryLayout<DelayKernel>.stride)
    }

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) throws(PluginError) -> Processor {
        let maximumSeconds = maximumSeconds(request)
        guard
            let lines = DelayLines(
                channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
                maximumSeconds: maximumSeconds)
        else { throw .noMemory(forBytes: memoryBytes(request)) }
        let kernel = DelayKernel(
            lines: lines, sampleRate: request.format.sampleRate, maximumSeconds: maximumSeconds,
            secondsPerBeat: 60 / request.tempo, time: request[DelayKernel.Parameter.time],
            beats: request[DelayKernel.Parameter.beats],
            feedback: request[DelayKernel.Parameter.feedback])
        let gapFrames = kernel.maximumFrames
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels,
            gapFrames: gapFrames, followsTempo: true)
    }
}

extension DelayKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .time:
            ParameterDescription(
                "time", label: "Time",
                summary: "The time from the signal to its first echo, at least one frame.",
                unit: .seconds, range: range, default: defaultValue)
        case .beats:
            ParameterDescription(
                "beats", label: "Beats",
                summary:
                    "The time in beats of the pipeline's tempo; above 0 it replaces `time`.",
                unit: .beats, range: range, default: defaultValue)
        case .feedback:
            ParameterDescription(
                "feedback", label: "Feedback",
                summary: "The level of each echo relative to the one before.", range: range,
                default: defaultValue)
        }
    }
}

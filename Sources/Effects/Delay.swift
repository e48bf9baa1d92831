internal import Processing

/// `delay`: echoes.
enum Delay {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    private static let longestTime: Float = 10
    private static let mostBeats: Float = 16

    static let description = NodeDescription(
        name: "delay", label: "Delay",
        summary:
            "Gives echoes alone; the node's `mix` lays them over the dry signal. A new time is crossfaded to, so that nothing changes pitch.",
        parameters: [
            ParameterDescription(
                "time", label: "Time",
                summary: "From the signal to its first echo, at least one frame.",
                unit: .seconds, range: 0...longestTime, default: 0.25),
            ParameterDescription(
                "beats", label: "Beats",
                summary:
                    "The time in beats of the pipeline's tempo; above 0 it stands in for `time`.",
                unit: .beats, range: 0...mostBeats, default: 0),
            ParameterDescription(
                "feedback", label: "Feedback",
                summary: "Level of each echo against the one before.",
                range: 0...0.99, default: 0.3),
        ],
        settings: [
            SettingDescription(
                "maximum",
                summary:
                    "The longest time there is room for, to save memory: 0.19 MB a second and channel at 48 kHz. A time beyond it is held there, save the one at load, which always fits. Without it, all of `time` and `beats` fits.",
                unit: .seconds, kind: .number(0.001...60))
        ], category: "Delay")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let secondsPerBeat = 60 / request.tempo
        let initial = DelayKernel.seconds(
            time: request.parameters[0], beats: request.parameters[1],
            secondsPerBeat: secondsPerBeat)
        let longest = max(Double(longestTime), Double(mostBeats) * secondsPerBeat)
        let kernel = DelayKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            maximumSeconds: max(request.settings["maximum"]?.number ?? longest, initial),
            secondsPerBeat: secondsPerBeat, parameters: request.parameters)
        let (tailFrames, gapFrames) = (kernel.tailFrames, kernel.mostFrames)
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: DelayKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: DelayKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: DelayKernel.self).pointee.reset() },
            free: { freeKernel($0, as: DelayKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            latencyFrames: 0, tailFrames: tailFrames, gapFrames: gapFrames, isSplittable: true,
            followsTempo: true)
    }
}

internal import Processing

/// `time-stretch`: plays what comes in slower, faster or frozen, without changing its pitch.
enum TimeStretch {
    static let effect = Effect(description: description, makeProcessor: makeProcessor)

    private static let defaultBufferSeconds = 10.0

    static let description = NodeDescription(
        name: "time-stretch", label: "Time stretch",
        summary:
            "Keeps what comes in and plays it at another speed: slower until the buffer is full, frozen at 0, faster until it has caught up. At 1 with nothing pending it passes the signal on as it is.",
        parameters: [
            ParameterDescription(
                "rate", label: "Rate",
                summary:
                    "How fast it plays: 1 is as it comes in, 0.5 half as fast, and 0 freezes the sound.",
                range: 0...TimeStretchKernel.rateLimit, default: 1),
            ParameterDescription(
                "semitones", label: "Semitones",
                summary: "How far the pitch moves; the speed stays.", unit: .semitones,
                range: -TimeStretchKernel.limitSemitones...TimeStretchKernel.limitSemitones,
                default: 0),
        ],
        settings: [
            SettingDescription(
                "buffer",
                summary:
                    "How far it may fall behind. A second takes 0.19 MB a channel at 48 kHz.",
                unit: .seconds, kind: .number(1...120), default: .number(defaultBufferSeconds)),
            SettingDescription(
                "when-full",
                summary:
                    "What happens when it has fallen behind so far: it fades back to now, or plays what is in the buffer round and round until the rate rises above 1.",
                kind: .choice(["live", "loop"]), default: .text("live")),
        ], category: "Time")

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) -> Processor {
        let kernel = TimeStretchKernel(
            channelCount: request.inputChannels, sampleRate: request.format.sampleRate,
            bufferSeconds: request.settings["buffer"]?.number ?? defaultBufferSeconds,
            loops: request.settings["when-full"]?.text == "loop",
            rate: request.parameters[0], semitones: request.parameters[1])
        let latencyFrames = kernel.latencyFrames
        return Processor(
            state: allocateKernel(kernel),
            run: { $0.assumingMemoryBound(to: TimeStretchKernel.self).pointee.run($1) },
            set: { $0.assumingMemoryBound(to: TimeStretchKernel.self).pointee.set($1, to: $2) },
            reset: { $0.assumingMemoryBound(to: TimeStretchKernel.self).pointee.reset() },
            free: { freeKernel($0, as: TimeStretchKernel.self) },
            inputCount: request.inputChannels, outputCount: request.inputChannels,
            // What was frozen may sound on for any time.
            latencyFrames: latencyFrames, tailFrames: nil, isSplittable: true)
    }
}

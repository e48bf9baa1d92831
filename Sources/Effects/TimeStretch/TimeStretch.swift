internal import DSP
internal import Processing

/// `time-stretch`: plays the input slower, faster or frozen without changing its pitch.
enum TimeStretch {
    static let effect = Effect(
        description: description, memoryBytes: memoryBytes, makeProcessor: makeProcessor)

    private static let defaultBufferSeconds = 10.0

    static let description = NodeDescription(
        name: "time-stretch", label: "Time stretch",
        summary:
            "Stores the input and plays it at another speed: slower until the buffer is full, frozen at 0, faster until it has caught up. At 1, with nothing left in the buffer, the signal passes unchanged.",
        parameters: TimeStretchKernel.Parameter.descriptions,
        settings: [
            SettingDescription(
                "buffer",
                summary:
                    "How far the output can fall behind: 0.19 MB per second and channel at 48 kHz.",
                unit: .seconds, kind: .number(1...120), default: .number(defaultBufferSeconds)),
            SettingDescription(
                "when-full",
                summary:
                    "What happens when the buffer is full: fades back to the present, or repeats the buffer until the rate rises above 1.",
                kind: .choice(["live", "loop"]), default: .text("live")),
        ], category: "Time", keepsSound: true)

    private static func bufferSeconds(_ request: ProcessorRequest) -> Double {
        request.settings["buffer"]?.number ?? defaultBufferSeconds
    }

    private static func capacityFrames(_ request: ProcessorRequest) -> Int {
        TimeStretchKernel.capacityFrames(
            bufferSeconds: bufferSeconds(request), sampleRate: request.format.sampleRate)
    }

    @Sendable
    private static func memoryBytes(_ request: ProcessorRequest) -> Int {
        KernelMemory.timeStretch.byteCount(request)
            .addingClamped(
                capacityFrames(request).multipliedClamped(by: MemoryLayout<Float>.stride)
                    .multipliedClamped(by: request.inputChannels))
    }

    @Sendable
    static func makeProcessor(_ request: ProcessorRequest) throws(PluginError) -> Processor {
        guard
            let ring = CaptureRing.allocated(
                channelCount: request.inputChannels, capacityFrames: capacityFrames(request))
        else { throw .noMemory(forBytes: memoryBytes(request)) }
        let kernel = TimeStretchKernel(
            ring: ring, sampleRate: request.format.sampleRate,
            bufferSeconds: bufferSeconds(request),
            loops: request.settings["when-full"]?.text == "loop",
            rate: request[TimeStretchKernel.Parameter.rate],
            semitones: request[TimeStretchKernel.Parameter.semitones])
        return Processor(
            kernel, inputCount: request.inputChannels, outputCount: request.inputChannels)
    }
}

extension TimeStretchKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .rate:
            ParameterDescription(
                "rate", label: "Rate",
                summary:
                    "The playback speed: 1 is the speed of the input, 0.5 is half as fast, and 0 freezes the sound.",
                range: range, default: defaultValue)
        case .semitones:
            ParameterDescription(
                "semitones", label: "Semitones",
                summary: "How far the pitch moves; the speed stays the same.", unit: .semitones,
                range: range, default: defaultValue)
        }
    }
}

import CRealtime
import Effects
import Processing
import Testing
import TestSignals

@Suite("Memory of effects", .serialized)
struct MemoryEstimateTests {
    @Test(
        "is estimated close to the allocated memory, at every rate and for all channel counts",
        arguments: EffectCase.all, [48_000.0, 44_100, 96_000, 192_000])
    func estimate(_ example: EffectCase, sampleRate: Double) throws {
        let isFixed = example.hasPorts || !example.stripChannels.isEmpty
        for channels in isFixed ? [example.inputChannels] : [1, 2, 8] {
            let request = example.request(channels: channels, sampleRate: sampleRate)
            let effect = effect(example.name)
            let estimate = effect.memoryBytes(request)
            // For small kernels, the allocator's overhead per piece matters.
            let fitting = try allocatedBytes(
                from: estimate - estimate / 4 - 8192, through: estimate + estimate / 10 + 4096
            ) { try effect.makeProcessor(request) }
            #expect(fitting.isMet, "\(channels) channels: \(fitting.bytes), not \(estimate)")
        }
    }

    @Test("grows with the settings for longer buffers", arguments: ["delay", "time-stretch"])
    func settings(name: String) throws {
        let (setting, seconds) = name == "delay" ? ("maximum", 60.0) : ("buffer", 120)
        let example = EffectCase(name: name, settings: [setting: .number(seconds)])
        let request = example.request(channels: 2, sampleRate: 48_000)
        let estimate = effect(name).memoryBytes(request)
        let samples = Int(seconds * 48_000) * 2 * 4
        #expect(estimate > samples && estimate < samples + 3_000_000)
        let fitting = try allocatedBytes(from: samples, through: estimate + estimate / 10) {
            try effect(name).makeProcessor(request)
        }
        #expect(fitting.isMet, "\(fitting.bytes), not \(estimate)")
    }

    /// An absurdly high sample rate simulates a computer with too little memory.
    @Test(
        "that the system refuses causes an error, and does not end the program",
        arguments: ["delay", "time-stretch"])
    func noMemory(name: String) throws {
        let setting = name == "delay" ? "maximum" : "buffer"
        let example = EffectCase(name: name, settings: [setting: .number(60)])
        for sampleRate in [1e13, 1e17, 1e300] {
            let request = example.request(channels: 2, sampleRate: sampleRate)
            #expect(effect(name).memoryBytes(request) > 1 << 48)
            #expect {
                try effect(name).makeProcessor(request)
            } throws: { error in
                (error as? PluginError)?.message.hasPrefix("out of memory: it needs ")
                    == true
            }
        }
    }

    /// Returns the number of bytes that a processor allocates.
    ///
    /// Other tests allocate and free at the same time, so the measurement is repeated until it is
    /// within the bounds. A wrong estimate fails every attempt.
    private func allocatedBytes(
        from lowest: Int, through highest: Int, _ make: () throws -> Processor
    ) throws -> (bytes: Int, isMet: Bool) {
        var bytes = 0
        for _ in 0..<40 {
            let before = usedBytes()
            let processors = try (0..<4).map { _ in try make() }
            bytes = (usedBytes() - before) / processors.count
            withExtendedLifetime(processors) {}
            if bytes >= lowest, bytes <= highest { return (bytes, true) }
        }
        return (bytes, false)
    }

    private func usedBytes() -> Int {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }
}

extension EffectCase {
    /// The request for its processor.
    fileprivate func request(channels: Int, sampleRate: Double) -> ProcessorRequest {
        let description = effect(name).description
        var values = description.parameters.map(\.defaultValue)
        for _ in stripChannels {
            values += description.stripParameters.map(\.defaultValue)
        }
        return ProcessorRequest(
            format: AudioFormat(sampleRate: sampleRate, maximumBlockFrames: 1024),
            inputChannels: channels, outputChannels: stripChannels.isEmpty ? channels : 2,
            stripChannels: stripChannels, parameters: values, settings: settings)
    }
}

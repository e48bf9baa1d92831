import Effects
import Processing
import Testing
import TestSignals

/// One effect with parameters that make it process its input, for facts that all effects share.
struct EffectCase: Sendable, CustomTestStringConvertible {
    let name: String
    var channels = 2
    var stripChannels: [Int] = []
    /// Whether the effect has fixed ports: always the same channels.
    var hasPorts = false
    var parameters: [String: Float] = [:]
    var settings: [String: SettingValue] = [:]
    /// Parameter changes in the middle of a signal of 20,000 frames.
    var moves: [Move] = []

    var testDescription: String { "\(name) \(settings.values)" }

    var inputChannels: Int { stripChannels.isEmpty ? channels : stripChannels.reduce(0, +) }

    func processor(sampleRate: Double = 48_000) -> Processor {
        effect(name).processor(
            channels: channels, stripChannels: stripChannels, sampleRate: sampleRate,
            parameters: parameters, settings: settings)
    }

    func noise(frames: Int) -> [[Float]] {
        (0..<inputChannels).map { whiteNoise(frames: frames, seed: UInt64($0 + 1)) }
    }

    static let all: [EffectCase] = [
        EffectCase(
            name: "gain", parameters: ["gain": -5, "pan": 0.3],
            moves: [Move(0, to: 3, at: 700), Move(1, to: -1, at: 900), Move(2, to: 1, at: 5000)]),
        EffectCase(
            name: "mixer", stripChannels: [1, 2, 1], parameters: ["1.pan": 0.5, "2.gain": 6],
            moves: [Move(0, to: -3, at: 50), Move(4, to: 1, at: 3000), Move(2, to: 0.2, at: 3001)]),
        EffectCase(
            name: "filter", channels: 3,
            parameters: ["shape": 4, "frequency": 700, "gain": 9, "q": 3],
            moves: [
                Move(1, to: 3000, at: 333), Move(0, to: 0, at: 1000), Move(4, to: 7, at: 1300),
                Move(3, to: 0.9, at: 6001), Move(1, to: 90, at: 6002),
            ]),
        EffectCase(
            name: "delay", parameters: ["time": 0.0101, "feedback": 0.7],
            moves: [
                Move(0, to: 0.005, at: 2000), Move(0, to: 0.05, at: 2100),
                Move(2, to: 0.1, at: 9000),
            ]),
        EffectCase(
            name: "frequency-shift", parameters: ["shift": 317, "feedback": 0.6],
            moves: [Move(0, to: -4000, at: 1777), Move(1, to: 0, at: 1900)]),
        EffectCase(
            name: "frequency-shift", channels: 1, parameters: ["shift": -50],
            settings: ["band": .text("fold")],
            moves: [Move(0, to: 4000, at: 1777), Move(1, to: 0.95, at: 1900)]),
        EffectCase(
            name: "pitch-shift", parameters: ["semitones": 5], settings: ["mode": .text("music")],
            moves: [
                Move(0, to: -7.5, at: 1777), Move(1, to: 33, at: 4000), Move(0, to: 0, at: 9000),
            ]),
        EffectCase(
            name: "pitch-shift", parameters: ["semitones": -2],
            settings: ["mode": .text("music"), "quality": .text("fast")],
            moves: [
                Move(0, to: 7.5, at: 1777), Move(1, to: -33, at: 4000), Move(2, to: 3, at: 5000),
                Move(0, to: 0, at: 9000),
            ]),
        EffectCase(
            name: "pitch-shift", channels: 1, parameters: ["semitones": -3],
            settings: [
                "mode": .text("music"), "formants": .text("preserve"), "quality": .text("high"),
            ],
            moves: [Move(2, to: 5, at: 1777), Move(0, to: 12, at: 1900)]),
        EffectCase(
            name: "pitch-shift", parameters: ["semitones": 5, "cents": 20],
            settings: ["mode": .text("voice")],
            moves: [
                Move(0, to: -12, at: 1777), Move(2, to: 3, at: 5001), Move(0, to: 0, at: 8000),
                Move(1, to: 0, at: 8001), Move(2, to: 0, at: 8002),
            ]),
        EffectCase(
            name: "pitch-shift", channels: 3, parameters: ["semitones": -7],
            settings: ["mode": .text("voice"), "formants": .text("follow")],
            moves: [Move(0, to: 24, at: 3000), Move(2, to: -24, at: 6000)]),
        EffectCase(
            name: "time-stretch", parameters: ["rate": 0.6, "semitones": 3],
            settings: ["buffer": .number(1)],
            moves: [
                Move(0, to: 2.5, at: 3000), Move(1, to: -7, at: 5001), Move(0, to: 0, at: 9000),
                Move(1, to: 0, at: 11_000), Move(0, to: 1, at: 12_345),
            ]),
        EffectCase(
            name: "time-stretch", channels: 1,
            settings: ["buffer": .number(1), "when-full": .text("loop")],
            moves: [Move(0, to: 0.1, at: 900), Move(1, to: 24, at: 6000), Move(0, to: 4, at: 9999)]
        ),
        EffectCase(
            name: "tune", parameters: ["scale": 1],
            moves: [Move(0, to: 7, at: 3000), Move(2, to: 0.5, at: 5001), Move(2, to: 0, at: 9000)]),
        EffectCase(
            name: "harmony", channels: 1, hasPorts: true, parameters: ["unpitched": -3],
            settings: ["voices": .number(4)],
            moves: [
                Move(0, to: 7, at: 3000), Move(10, to: -120, at: 5001), Move(13, to: 40, at: 6000),
                Move(12, to: 3, at: 9000),
            ]),
        EffectCase(
            name: "freeze", parameters: ["shimmer": 0.5, "attack": 0],
            moves: [
                Move(0, to: 1, at: 9001), Move(1, to: 1, at: 12_000), Move(6, to: 0.1, at: 13_000),
                Move(0, to: 0, at: 15_000),
            ]),
        EffectCase(
            name: "feedback-guard", parameters: ["sensitivity": 1],
            moves: [
                Move(1, to: 30, at: 3000), Move(6, to: 1, at: 9000), Move(7, to: 1, at: 12_000),
            ]
        ),
        EffectCase(name: "meter"),
        EffectCase(name: "tuner", moves: [Move(0, to: 415, at: 700)]),
    ]
}

/// Returns the built-in effect with this name.
func effect(_ name: String) -> Effect {
    guard let found = EffectCatalogue.effects.first(where: { $0.description.name == name }) else {
        fatalError("There is no effect named \(name).")
    }
    return found
}

@Suite("Every effect")
struct EffectFacts {
    @Test("is listed with the names and in the order of the format")
    func names() {
        #expect(
            EffectCatalogue.effects.map(\.description.name) == [
                "gain", "mixer", "pitch-shift", "tune", "harmony", "frequency-shift",
                "time-stretch", "freeze", "filter", "feedback-guard", "delay", "meter", "tuner",
            ])
    }

    @Test("outputs silence for silence", arguments: EffectCase.all)
    func silence(_ example: EffectCase) {
        let zeros = [Float](repeating: 0, count: 20_000)
        let inputs = Array(repeating: zeros, count: example.inputChannels)
        let outputs = example.processor().render(inputs, moves: example.moves)
        #expect(outputs.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test(
        "gives the same bits for every division into blocks", arguments: EffectCase.all,
        [.even(1), .even(31), .even(4096), .random(seed: 1), .random(seed: 2)] as [Partition])
    func partition(_ example: EffectCase, _ partition: Partition) {
        let inputs = example.noise(frames: 20_000)
        let whole = example.processor().render(inputs, moves: example.moves)
        let cut = example.processor().render(inputs, partition: partition, moves: example.moves)
        #expect(whole == cut)
    }

    @Test("is like new after a reset", arguments: EffectCase.all)
    func reset(_ example: EffectCase) {
        let inputs = example.noise(frames: 6000)
        let used = example.processor()
        _ = used.render(inputs)
        used.resetState()
        #expect(used.render(inputs) == example.processor().render(inputs))
    }

    @Test("applies a parameter at once after a reset", arguments: EffectCase.all)
    func resetAtNewParameters(_ example: EffectCase) {
        let inputs = example.noise(frames: 6000)
        let moved = example.processor()
        _ = moved.render(
            inputs, moves: example.moves.map { Move($0.parameter, to: $0.value, at: 0) })
        moved.resetState()
        let once = moved.render(inputs)
        moved.resetState()
        #expect(moved.render(inputs) == once)
    }

    @Test(
        "recovers from samples that are not finite", arguments: EffectCase.all,
        [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func recovery(_ example: EffectCase, _ poison: Float) {
        let frames = 400_000
        var inputs = example.noise(frames: frames)
        for channel in inputs.indices {
            inputs[channel][100] = poison
            for frame in frames / 2..<frames { inputs[channel][frame] = 0 }
        }
        for output in example.processor().render(inputs, partition: .even(1024)) {
            #expect(output[30_000...].allSatisfy { $0.isFinite })
            #expect(poison.isFinite || rms(output[(frames - 1000)...]) < 1e-12)
        }
    }

    @Test("ignores a value that is not a finite number", arguments: EffectCase.all)
    func nonFiniteValues(_ example: EffectCase) {
        let inputs = example.noise(frames: 4000)
        let moves = (0..<12).flatMap { parameter in
            [Float.nan, .infinity].map { Move(Int32(parameter), to: $0, at: 100 * parameter) }
        }
        let moved = example.processor().render(inputs, moves: moves)
        #expect(moved == example.processor().render(inputs))
    }

    @Test("works at every rate with 64 channels", arguments: [8000.0, 44_100, 96_000, 192_000])
    func rates(_ sampleRate: Double) {
        for example in EffectCase.all {
            var wide = example
            if !wide.stripChannels.isEmpty {
                wide.stripChannels = [64]
            } else if !wide.hasPorts {
                wide.channels = 64
            }
            let outputs = wide.processor(sampleRate: sampleRate).render(wide.noise(frames: 500))
            #expect(outputs.allSatisfy { $0.allSatisfy { abs($0) < 10 } })
        }
    }
}

import Processing
import Testing
import TestSignals

/// Hard left and right, without the input and without differences between the voices.
private let bare: [String: Float] = [
    "lead": -120, "variation": 0, "tune": 1, "pan-1": -1, "pan-2": 1, "level-1": 0, "level-2": 0,
]

private func processor(
    _ parameters: [String: Float] = [:], mode: String = "key", voices: Double = 2
) -> Processor {
    effect("harmony").processor(
        parameters: bare.merging(parameters) { $1 },
        settings: ["mode": .text(mode), "voices": .number(voices)])
}

/// Returns the index of an interval's name in the description.
private func interval(_ name: String) -> Float {
    let parameter = effect("harmony").description.parameters.first { $0.name == "interval-1" }
    guard case .choice(let choices)? = parameter?.kind,
        let choice = choices.first(where: { $0.name == name })
    else { return .nan }
    return choice.value
}

private func reports(_ processor: Processor) -> [Float] {
    processor.reports.map { Array(UnsafeBufferPointer(start: $0, count: 6)) } ?? []
}

private func expect(
    _ note: Double, _ signal: [Float], at frame: Int, within cents: Double = 4,
    _ location: SourceLocation = #_sourceLocation
) {
    let found = pitchDeviation(signal, at: frame, from: hertz(ofNote: note))
    #expect(
        found.map { abs($0) < cents } == true, "\(note): \(found ?? 999)",
        sourceLocation: location)
}

@Suite("Harmony")
struct HarmonyTests {
    @Test("follows in steps of the key")
    func key() {
        let sung = [60.2, 62.1, 63.8, 65, 66.9]
        let notes = SungNotes(sung)
        let outputs = processor(
            ["interval-1": interval("third-above"), "interval-2": interval("sixth-below")]
        ).render([notes.sound])
        for (index, pair) in [(64, 52), (65, 53), (67, 55), (69, 57), (71, 59)].enumerated() {
            let frame = notes.starts[index] + 12_000
            expect(Double(pair.0), outputs[0], at: frame)
            expect(Double(pair.1), outputs[1], at: frame)
        }
    }

    @Test("keeps the deviations of the input without `tune`")
    func deviation() {
        let outputs = processor(["tune": 0, "interval-1": interval("fifth-above")])
            .render([SungNotes([60.3]).sound])
        expect(67.3, outputs[0], at: 14_000)
    }

    @Test("keeps fixed intervals", arguments: [-12 as Float, -5, 0, 3.5, 12])
    func fixed(_ semitones: Float) {
        let outputs = processor(["semitones-1": semitones], mode: "interval")
            .render([SungNotes([57]).sound])
        expect(57 + Double(semitones), outputs[0], at: 14_000)
    }

    @Test("gives the notes of a chord to the voices in their order")
    func chord() {
        let voice = SungNotes([57, 57, 57]).sound
        let messages = [
            PlayedMessage([0x90, 64, 100], at: 50), PlayedMessage([0x90, 60, 100], at: 60),
            // The lower note moves above the other one: the voices change places.
            PlayedMessage([0x80, 60, 0], at: 19_000), PlayedMessage([0x90, 69, 90], at: 19_000),
            PlayedMessage([0x80, 64, 0], at: 38_000), PlayedMessage([0x80, 69, 0], at: 38_000),
        ]
        let processor = processor(mode: "midi")
        let outputs = processor.render([voice], messages: messages)
        expect(60, outputs[0], at: 14_000)
        expect(64, outputs[1], at: 14_000)
        expect(64, outputs[0], at: 33_000)
        expect(69, outputs[1], at: 33_000)
        // Without a note, a voice is silent.
        #expect(rms(outputs[0][45_000...]) < 1e-6 && rms(outputs[1][45_000...]) < 1e-6)
    }

    @Test("gives each new note to a free voice with `crossing`")
    func crossing() {
        let voice = SungNotes([57, 57]).sound
        let messages = [
            PlayedMessage([0x90, 64, 100], at: 50), PlayedMessage([0x90, 60, 100], at: 60),
            PlayedMessage([0x80, 60, 0], at: 19_000), PlayedMessage([0x90, 69, 90], at: 19_000),
        ]
        let outputs = processor(["crossing": 1], mode: "midi").render([voice], messages: messages)
        expect(64, outputs[0], at: 14_000)
        expect(60, outputs[1], at: 14_000)
        expect(64, outputs[0], at: 33_000)
        expect(69, outputs[1], at: 33_000)
    }

    @Test("delays the input like the voices, and puts it in the middle")
    func lead() {
        let processor = processor(["lead": 0, "level-1": -120, "level-2": -120])
        let voice = SungNotes([57]).sound
        let outputs = processor.render([voice])
        let delay = processor.latencyFrames
        #expect(Array(outputs[0][delay...]) == Array(voice.dropLast(delay)))
        #expect(outputs[0] == outputs[1])
    }

    @Test("adds unpitched sound only at its level, in the middle")
    func unpitched() {
        let noise = whiteNoise(frames: 20_000)
        let silent = processor().render([noise])
        #expect(silent.allSatisfy { $0.allSatisfy { $0 == 0 } })
        let processor = processor(["unpitched": 0])
        let outputs = processor.render([noise])
        let delay = processor.latencyFrames
        #expect(Array(outputs[0][delay...]) == Array(noise.dropLast(delay)))
        #expect(outputs[0] == outputs[1])
    }

    @Test("places voices by level, pan and delay")
    func placement() {
        let voice = SungNotes([57]).sound
        let plain = processor(["level-2": -120]).render([voice])
        #expect(plain[1].allSatisfy { $0 == 0 })
        let soft = processor(["level-1": -20, "level-2": -120]).render([voice])
        #expect(abs(levelDecibels(rms(soft[0]) / rms(plain[0])) + 20) < 0.01)
        let late = processor(["delay-1": 50, "level-2": -120]).render([voice])
        #expect(Array(late[0][6400..<19_000]) == Array(plain[0][4000..<16_600]))
        let middle = processor(["pan-1": 0, "level-2": -120]).render([voice])
        #expect(middle[0] == middle[1])
        #expect(abs(levelDecibels(rms(middle[0]) / rms(plain[0])) + 3.01) < 0.05)
    }

    @Test("differs between voices by `variation`, and repeats after a reset")
    func variation() {
        let voice = SungNotes([57]).sound
        let varied = processor(
            ["variation": 1, "semitones-1": 0, "semitones-2": 0], mode: "interval")
        let first = varied.render([voice])
        #expect(first[0] != first[1])
        for frame in stride(from: 9600, to: 18_000, by: 1200) {
            expect(57, first[0], at: frame, within: 25)
            expect(57, first[1], at: frame, within: 25)
        }
        varied.resetState()
        #expect(varied.render([voice]) == first)
    }

    @Test("reports the notes")
    func reported() {
        let processor = processor(["interval-1": interval("third-above")], voices: 3)
        _ = processor.render([SungNotes([60.2]).sound])
        let values = reports(processor)
        #expect(values[0] == 60 && abs(values[1] - 20) < 2)
        #expect(values[2] == 64 && values[5] == 0)
        _ = processor.render([[Float](repeating: 0, count: 9600)])
        #expect(reports(processor) == [0, 0, 0, 0, 0, 0])
    }
}

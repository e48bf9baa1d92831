import Glibc
import Processing
import Testing
import TestSignals

/// Notes that are sung one after the other on a vowel, joined by glides of 20 ms.
struct SungNotes {
    let sound: [Float]
    /// The frame at which each note begins.
    let starts: [Int]
    /// The number of frames of each note.
    static let frames = 19_200

    /// Sings notes, given as MIDI numbers with fractions.
    init(_ notes: [Double]) {
        starts = notes.indices.map { $0 * SungNotes.frames }
        var course = notes.flatMap { [Double](repeating: $0, count: SungNotes.frames) }
        for (start, (last, next)) in zip(starts.dropFirst(), zip(notes, notes.dropFirst())) {
            for frame in -480..<480 {
                course[start + frame] = last + (next - last) * Double(frame + 480) / 960
            }
        }
        sound = SungVowel().sung(at: course.map { hertz(ofNote: $0) }, sampleRate: 48_000)
    }
}

/// Returns the frequency of a note, given as a MIDI number with fractions.
func hertz(ofNote note: Double, reference: Double = 440) -> Double {
    reference * exp2((note - 69) / 12)
}

private func processor(
    _ parameters: [String: Float] = [:], channels: Int = 1,
    settings: [String: SettingValue] = [:]
) -> Processor {
    effect("tune").processor(channels: channels, parameters: parameters, settings: settings)
}

/// Returns the reports of a processor.
private func reports(_ processor: Processor) -> [Float] {
    processor.reports.map { Array(UnsafeBufferPointer(start: $0, count: 3)) } ?? []
}

private let major: [String: Float] = ["scale": 1, "speed": 0]

@Suite("Pitch correction")
struct TuneTests {
    @Test(
        "moves each note to the nearest one of the scale",
        arguments: [[48.3, 50.4, 51.7, 53.45], [60.4, 63.6, 59.8, 62.3]])
    func scale(_ sung: [Double]) {
        let notes = SungNotes(sung)
        let output = processor(major).render([notes.sound])[0]
        let members: Set = [0, 2, 4, 5, 7, 9, 11]
        for (start, note) in zip(notes.starts, sung) {
            let wanted =
                (30...90).filter { members.contains($0 % 12) }
                .min { abs(Double($0) - note) < abs(Double($1) - note) } ?? 0
            let found = pitchDeviation(
                output, at: start + 12_000, from: hertz(ofNote: Double(wanted)))
            #expect(found.map { abs($0) < 4 } == true, "\(note) became \(wanted) \(found ?? 999)")
        }
    }

    @Test(
        "reaches a new note within 10 cents after 25 to 40 ms, and stays there",
        arguments: [(-7.0, 40), (0, 35), (5, 30), (12, 25), (19, 25)])
    func landing(_ above: Double, _ milliseconds: Int) {
        let sung = [50.4, 52.3, 47.7, 55.2, 53.4].map { $0 + above }
        let notes = SungNotes(sung)
        let processor = processor(["speed": 0])
        let output = processor.render([notes.sound])[0]
        for (start, note) in zip(notes.starts, sung) {
            let wanted = hertz(ofNote: note.rounded())
            for milliseconds in stride(from: milliseconds, to: 300, by: 5) {
                let frame = start + processor.latencyFrames + 48 * milliseconds
                let found = pitchDeviation(output, at: frame, from: wanted)
                #expect(
                    found.map { abs($0) < 10 } == true, "\(note) after \(milliseconds) ms")
            }
        }
    }

    @Test(
        "does not stay on a note that a glide passes",
        arguments: [(45, 47.55, 48), (43, 47.55, 48), (57, 59.55, 60), (64, 59.45, 59)])
    func passedNote(_ first: Double, _ second: Double, _ wanted: Double) {
        let processor = processor(major)
        let output = processor.render([SungNotes([first, second]).sound])[0]
        for milliseconds in stride(from: 45, to: 300, by: 5) {
            let frame = SungNotes.frames + processor.latencyFrames + 48 * milliseconds
            let found = pitchDeviation(output, at: frame, from: hertz(ofNote: wanted))
            #expect(found.map { abs($0) < 10 } == true, "after \(milliseconds) ms")
        }
    }

    @Test("passes unpitched sound bit for bit, and everything at amount 0")
    func identity() {
        let noise = whiteNoise(frames: 30_000)
        let processor = processor(major)
        let delay = processor.latencyFrames
        let output = processor.render([noise])[0]
        #expect(Array(output[delay...]) == Array(noise.dropLast(delay)))
        let voice = SungNotes([57.4]).sound
        let same = self.render(voice, ["scale": 1, "amount": 0])
        #expect(Array(same[delay...]) == Array(voice.dropLast(delay)))
    }

    private func render(_ sound: [Float], _ parameters: [String: Float]) -> [Float] {
        processor(parameters).render([sound])[0]
    }

    @Test("corrects a part of the deviation by `amount`")
    func amount() {
        let voice = SungNotes([57.4]).sound
        let output = render(voice, ["amount": 0.5, "speed": 0])
        let found = pitchDeviation(output, at: 15_000, from: hertz(ofNote: 57.2))
        #expect(found.map { abs($0) < 3 } == true)
    }

    @Test("needs the time of `speed`")
    func speed() {
        let voice = SungNotes([57.4]).sound
        let output = render(voice, ["speed": 150])
        let deviations = [8000, 12_000, 18_000].compactMap {
            pitchDeviation(output, at: $0, from: hertz(ofNote: 57))
        }
        #expect(deviations.count == 3)
        #expect(deviations == deviations.sorted(by: >))
        #expect(deviations[0] > 8 && deviations[0] < 30 && deviations[2] < 8)
    }

    @Test("keeps a vibrato, or makes it flat")
    func vibrato() {
        let sung = SungVowel().sung(
            from: hertz(ofNote: 57.2), vibratoSemitones: 0.4, frames: 96_000, sampleRate: 48_000)
        func depth(_ vibrato: Float) -> Double {
            let output = render(sung.sound, ["speed": 0, "vibrato": vibrato])
            let found = stride(from: 48_000, to: 90_000, by: 480).compactMap {
                pitchDeviation(output, at: $0, from: hertz(ofNote: 57))
            }
            #expect(found.count > 80)
            return ((found.max() ?? 0) - (found.min() ?? 0)) / 2
        }
        #expect((33...44).contains(depth(1)))
        #expect(depth(0) < 6)
        #expect((64...90).contains(depth(2)))
    }

    @Test("stays on a note while a vibrato reaches others")
    func steadyNote() {
        let sung = SungVowel().sung(
            from: hertz(ofNote: 57.1), vibratoSemitones: 0.8, frames: 96_000, sampleRate: 48_000)
        let processor = processor(["speed": 0])
        var reported: Set<Float> = []
        for first in stride(from: 0, to: 96_000, by: 480) {
            _ = processor.render([Array(sung.sound[first..<first + 480])])
            if first > 14_400 { reported.insert(reports(processor)[0]) }
        }
        #expect(reported == [57])
    }

    @Test("uses the notes of the setting instead of the scale")
    func notes() {
        let voice = SungNotes([57.4]).sound
        let output = processor(major, settings: ["notes": .text("Bb, D F#")]).render([voice])[0]
        let found = pitchDeviation(output, at: 15_000, from: hertz(ofNote: 58))
        #expect(found.map { abs($0) < 3 } == true)
    }

    @Test(
        "rejects a setting that is no list of notes",
        arguments: [("C H", "\"H\""), ("", "\"\""), ("C#x", "\"C#x\"")])
    func wrongNotes(_ text: String, _ named: String) {
        #expect {
            try effect("tune").inspect(["notes": .text(text)])
        } throws: { error in
            (error as? SettingError)?.message.hasPrefix(named + " is not a note") == true
        }
    }

    @Test("uses the notes that are held on a keyboard, in all octaves")
    func heldNotes() {
        let voice = SungNotes([57.4, 57.4, 57.4]).sound
        let messages = [
            PlayedMessage([0x90, 70, 100], at: 100), PlayedMessage([0xb0, 64, 127], at: 5000),
            PlayedMessage([0x80, 70, 0], at: 6000), PlayedMessage([0xb0, 64, 0], at: 20_000),
            PlayedMessage([0x93, 32, 1], at: 38_000),
        ]
        let output = processor(major).render([voice], messages: messages)[0]
        for (frame, note) in [(15_000, 58.0), (35_000, 57), (55_000, 56)] {
            let found = pitchDeviation(output, at: frame, from: hertz(ofNote: note))
            #expect(found.map { abs($0) < 4 } == true, "\(note)")
        }
        // The blocks do not matter.
        let whole = processor(major).render(
            [voice], partition: .even(4096), messages: messages)[0]
        #expect(whole == output)
    }

    @Test("reports the note, the deviation and the correction")
    func reported() {
        let processor = processor(major)
        _ = processor.render([SungNotes([57.3]).sound])
        let values = reports(processor)
        #expect(values[0] == 57)
        #expect(abs(values[1] - 30) < 2 && abs(values[2] + 30) < 2)
        _ = processor.render([[Float](repeating: 0, count: 9600)])
        #expect(reports(processor) == [0, 0, 0])
    }

    @Test("moves both channels alike")
    func stereo() {
        let voice = SungNotes([57.4]).sound
        let outputs = processor(major, channels: 2).render([voice, voice.map { 0.5 * $0 }])
        #expect(outputs[0].map { 0.5 * $0 } == outputs[1])
    }
}

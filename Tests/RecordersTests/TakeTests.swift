import Processing
import Recorders
import Testing
import TestSignals

@Suite("A take")
struct TakeTests {
    private let recording = Recording()
    private let float: [String: SettingValue] = ["bits": .number(32)]

    @Test("starts and ends at the exact frame", arguments: [Partition.even(64), .random(seed: 5)])
    func exactFrames(_ partition: Partition) throws {
        let signal = recording.noise(frames: 20_000)
        try recording.record(
            signal, to: "take.wav", isRecording: false, float, partition: partition,
            moves: [
                Move(Parameter.recording, to: 1, at: 777),
                Move(Parameter.recording, to: 0, at: 12_345),
            ])
        #expect(try recording.sound(of: "take.wav") == signal.part(777..<12_345))
        #expect(names(in: recording.folder.path) == ["take.wav"])
    }

    @Test("continues in the same file after a pause")
    func pause() throws {
        let signal = recording.noise(frames: 20_000)
        try recording.record(
            signal, to: "take.wav", float,
            moves: [
                Move(Parameter.recording, to: 0, at: 5001),
                Move(Parameter.recording, to: 1, at: 9003),
                Move(Parameter.recording, to: 0, at: 15_000),
            ])
        let parts = signal.part(0..<5001).followed(by: signal.part(9003..<15_000))
        #expect(try recording.sound(of: "take.wav") == parts)
        #expect(names(in: recording.folder.path) == ["take.wav"])
    }

    @Test("is followed by the next take without losing a frame", arguments: [false, true])
    func split(isLive: Bool) throws {
        let recording = Recording(isLive: isLive)
        let signal = recording.noise(frames: 20_000)
        try recording.record(
            signal, to: "take.wav", float, moves: [Move(Parameter.take, to: 1, at: 8191)])
        #expect(try recording.sound(of: "take.wav") == signal.part(0..<8191))
        #expect(try recording.sound(of: "take-2.wav") == signal.part(8191..<20_000))
    }

    @Test("can be ended during a pause too")
    func splitWhileResting() throws {
        let signal = recording.noise(frames: 20_000)
        try recording.record(
            signal, to: "take.wav", float,
            moves: [
                Move(Parameter.recording, to: 0, at: 4000), Move(Parameter.take, to: 1, at: 5000),
                Move(Parameter.take, to: 0, at: 6000), Move(Parameter.take, to: 1, at: 7000),
                Move(Parameter.recording, to: 1, at: 10_000),
            ])
        #expect(try recording.sound(of: "take.wav") == signal.part(0..<4000))
        #expect(try recording.sound(of: "take-2.wav") == signal.part(10_000..<20_000))
        #expect(names(in: recording.folder.path) == ["take-2.wav", "take.wav"])
    }

    @Test("ends automatically at its maximum length, and a new one starts on request")
    func maximum() throws {
        let signal = recording.noise(frames: 30_000)
        try recording.record(
            signal, to: "take.wav", float.merging(["maximum": .number(0.1)]) { $1 },
            moves: [
                Move(Parameter.recording, to: 0, at: 1000),
                Move(Parameter.recording, to: 1, at: 2000),
                Move(Parameter.recording, to: 0, at: 15_000),
                Move(Parameter.recording, to: 1, at: 20_001),
            ])
        let first = signal.part(0..<1000).followed(by: signal.part(2000..<5800))
        #expect(try recording.sound(of: "take.wav") == first)
        #expect(try recording.sound(of: "take-2.wav") == signal.part(20_001..<24_801))
        #expect(names(in: recording.folder.path) == ["take-2.wav", "take.wav"])
    }

    @Test("contains the sound before the button was pressed", arguments: [false, true])
    func preRoll(isLive: Bool) throws {
        let recording = Recording(isLive: isLive)
        let signal = recording.noise(frames: 100_000)
        let settings = float.merging(["pre-roll": .number(1)]) { $1 }
        try recording.record(
            signal, to: "take.wav", isRecording: false, settings,
            moves: [
                Move(Parameter.recording, to: 1, at: 70_000),
                Move(Parameter.recording, to: 0, at: 75_000),
            ])
        #expect(try recording.sound(of: "take.wav") == signal.part(22_000..<75_000))
    }

    @Test("has a pre-roll of the available length, without repeats")
    func shortPreRoll() throws {
        let signal = recording.noise(frames: 30_000)
        let settings = float.merging(["pre-roll": .number(0.1)]) { $1 }
        try recording.record(
            signal, to: "take.wav", isRecording: false, settings,
            moves: [
                Move(Parameter.recording, to: 1, at: 2000),
                Move(Parameter.recording, to: 0, at: 6000),
                Move(Parameter.recording, to: 1, at: 8000),
                Move(Parameter.recording, to: 0, at: 9000),
                Move(Parameter.recording, to: 1, at: 20_000),
            ])
        let parts = signal.part(0..<9000).followed(by: signal.part(15_200..<30_000))
        #expect(try recording.sound(of: "take.wav") == parts)
    }

    @Test("has a path that the recorder reports from its beginning on")
    func path() throws {
        let recorder = try recording.recorder("take.wav", float)
        #expect(recorder.reportTexts?([]) == [""])
        _ = recorder.render(recording.noise(frames: 5000))
        #expect(recorder.reportTexts?([]) == [recording.folder.file("take.wav")])
        recorder.resetState()
        _ = recorder.render(recording.noise(frames: 5000))
        #expect(recorder.reportTexts?([]) == [recording.folder.file("take-2.wav")])
    }

    @Test("is one file after a reset, and the next one after it")
    func reset() throws {
        let signal = recording.noise(frames: 5000)
        let recorder = try recording.recorder("take.wav", float)
        _ = recorder.render(signal)
        recorder.resetState()
        _ = recorder.render(signal)
        #expect(recorder.report("state") == 2)
        recorder.resetState()
        #expect(try recording.sound(of: "take.wav").isEmpty == false)
    }

    @Test("is written by each of 32 recorders at once")
    func many() throws {
        let recording = Recording(isLive: true)
        let signal = recording.noise(frames: 48_000)
        let formats = ["wav", "flac", "ogg", "wav"]
        var recorders = try (0..<32).map { index in
            try recording.recorder("\(index).\(formats[index % 4])")
        }
        for recorder in recorders { #expect(recorder.render(signal) == signal) }
        recorders = []
        for index in 0..<32 {
            let sound = try recording.sound(of: "\(index).\(formats[index % 4])")
            #expect(sound.map(\.count) == [48_000, 48_000])
        }
    }

    @Test("is not started by a recorder that never runs", arguments: [false, true])
    func unheard(isLive: Bool) throws {
        let recording = Recording(isLive: isLive)
        _ = try recording.recorder("folder/take.wav")
        #expect(recording.thread.finish(withinSeconds: 20))
        #expect(names(in: recording.folder.path) == [])
    }
}

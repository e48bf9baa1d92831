import Glibc
import Processing
import Recorders
import Testing
import TestSignals

@Suite("The file of a take")
struct FileNameTests {
    private let recording = Recording()

    @Test("never replaces another file")
    func noOverwriting() throws {
        recording.folder.write("precious", to: "take.wav")
        recording.folder.write("precious", to: "take-2.wav")
        try recording.record(recording.noise(frames: 100), to: "take.wav")
        #expect(try recording.bytes(of: "take.wav") == Array("precious".utf8))
        #expect(try recording.bytes(of: "take-2.wav") == Array("precious".utf8))
        #expect(try recording.sound(of: "take-3.wav").map(\.count) == [100, 100])
    }

    @Test("is in folders that are created for it")
    func folders() throws {
        try recording.record(recording.noise(frames: 100), to: "a/b c/take.flac")
        #expect(try recording.sound(of: "a/b c/take.flac").map(\.count) == [100, 100])
    }

    @Test("has the render's clock in its name, which starts in 1970")
    func renderedTime() throws {
        try recording.record(
            recording.noise(frames: 200_000), to: "%Y-%m-%d %H.%M.%S 100%%.wav", isRecording: false,
            moves: [Move(Parameter.recording, to: 1, at: 3 * 48_000 + 47_999)])
        #expect(names(in: recording.folder.path) == ["1970-01-01 00.00.03 100%.wav"])
    }

    @Test("has the wall-clock time in its name when live")
    func wallTime() throws {
        let recording = Recording(isLive: true)
        let before = time(nil)
        try recording.record(recording.noise(frames: 100), to: "%s.wav")
        #expect(recording.thread.finish(withinSeconds: 20))
        let name = try #require(names(in: recording.folder.path).first)
        let seconds = try #require(Int(name.dropLast(4)))
        #expect(seconds >= before && seconds <= time(nil))
    }

    @Test(
        "has the extension of its format",
        arguments: [
            ("take", nil, "take.wav"), ("take", "flac", "take.flac"), ("take", "ogg", "take.ogg"),
            ("take.OGA", nil, "take.OGA"), ("no. 1", nil, "no. 1.wav"), (".take", nil, ".take.wav"),
        ])
    func extensions(_ file: String, _ format: String?, _ expected: String) throws {
        let settings = format.map { ["format": SettingValue.text($0)] } ?? [:]
        try recording.record(recording.noise(frames: 100), to: file, settings)
        #expect(names(in: recording.folder.path) == [expected])
        #expect(try recording.sound(of: expected).map(\.count) == [100, 100])
    }

    @Test(
        "is refused if its settings are inconsistent",
        arguments: [
            (["format": SettingValue.text("flac")], "take.wav", "format"),
            (["bits": .number(32)], "take.flac", "bits"),
            (["bits": .number(24)], "take.ogg", "bits"),
            (["hold": .number(1)], "take.wav", "hold"),
        ])
    func refused(_ settings: [String: SettingValue], _ file: String, _ setting: String) {
        #expect {
            try recording.recorder(file, settings)
        } throws: { error in
            (error as? SettingError)?.setting == setting
        }
    }

    @Test(
        "is refused if its format has too few channels", arguments: [("flac", 9), ("ogg", 256)])
    func tooManyChannels(_ format: String, _ channels: Int) {
        let recording = Recording(channels: channels)
        #expect(throws: PluginError.self) { try recording.recorder("take.\(format)") }
    }

    @Test("is not created if takes are not kept")
    func unwanted() throws {
        let effect = Recorder.effect(DiskThread(), keepsTakes: false)
        let recorder = effect.processor(
            channels: 2, parameters: ["recording": 1],
            settings: ["file": .text(recording.folder.file("take.wav"))])
        let signal = recording.noise(frames: 10_000)
        #expect(recorder.render(signal) == signal)
        #expect(recorder.report("state") == 2)
        #expect(names(in: recording.folder.path) == [])
    }

    @Test("does not leave its folder, whatever its name expands to")
    func outside() throws {
        // In a locale without AM and PM the conversion would be empty.
        try recording.record(recording.noise(frames: 100), to: "in/.%%./take.wav")
        #expect(names(in: recording.folder.path) == ["in"])
        #expect(names(in: recording.folder.file("in")) == [".%."])
    }

    @Test("is reported if it cannot be created, and the sound passes", arguments: [false, true])
    func impossible(isLive: Bool) throws {
        let recording = Recording(isLive: isLive)
        recording.folder.write("a file", to: "file")
        let recorder = try recording.recorder("file/take.wav")
        let signal = recording.noise(frames: 20_000)
        #expect(recorder.render(signal) == signal)
        var reported: Incident?
        for _ in 0..<2000 where reported == nil {
            reported = recorder.incidents?.next()
            usleep(10_000)
        }
        #expect(
            reported
                == .takeStopped(
                    path: recording.folder.file("file/take.wav"), reason: "Not a directory",
                    readableSeconds: 0))
        #expect(recorder.render(signal) == signal)
        #expect(recorder.report("state") == 3)
    }

    @Test("can be created on a second attempt, after its folder exists")
    func anotherTry() throws {
        recording.folder.write("a file", to: "file")
        let recorder = try recording.recorder("file/take.wav")
        let signal = recording.noise(frames: 20_000)
        _ = recorder.render(signal)
        #expect(recorder.report("state") == 3)
        unlink(recording.folder.file("file"))
        _ = recorder.render(
            signal,
            moves: [
                Move(Parameter.recording, to: 0, at: 0), Move(Parameter.recording, to: 1, at: 4000),
            ])
        #expect(recorder.report("state") == 2)
        recorder.resetState()
        _ = recorder.render(recording.noise(frames: 8192))
        #expect(try recording.sound(of: "file/take.wav").map(\.count) == [16_000, 16_000])
    }
}

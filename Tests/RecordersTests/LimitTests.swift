import Glibc
import Processing
import Recorders
import SoundFiles
import Testing
import TestSignals

@Suite("Limits on takes")
struct LimitTests {
    @Test("a user who starts take after take gets thirty, which contain every frame")
    func manyTakes() throws {
        let recording = Recording(isLive: true)
        let recorder = try recording.recorder("take.wav", ["bits": .number(32)])
        let signal = recording.noise(frames: 48_000)
        let moves = (1...70).flatMap {
            [
                Move(Parameter.take, to: 1, at: $0 * 640),
                Move(Parameter.take, to: 0, at: $0 * 640 + 64),
            ]
        }
        #expect(recorder.render(signal, partition: .even(64), moves: moves) == signal)
        let refusals = try waitForIncident(of: recorder) {
            if case .takeRefused(let reason) = $0 { reason } else { nil }
        }
        #expect(
            refusals
                == "30 takes were started within a minute; the next one can start in two seconds")
        recorder.resetState()
        #expect(recording.thread.finish(withinSeconds: 20))
        let count = names(in: recording.folder.path).count
        // More are allowed as time passes, and a loaded machine takes longer.
        #expect((30...45).contains(count), "\(count) takes")
        var left: [Float] = []
        for number in 1...count {
            let name = number == 1 ? "take.wav" : "take-\(number).wav"
            left += try recording.sound(of: name)[0]
        }
        #expect(left == signal[0])
        #expect(
            recorder.incidentsSoFar().allSatisfy {
                if case .takeRefused = $0 { false } else { true }
            })
    }

    @Test("a new recorder gets no more takes, and starts as soon as it may")
    func madeAnew() throws {
        let recording = Recording(isLive: true)
        let block = recording.noise(frames: 64)
        let start = ContinuousClock.now
        for _ in 0..<31 {
            let recorder = try recording.recorder("take.wav")
            try waitUntil {
                _ = recorder.render(block)
                return recorder.report("takes") == 1
            }
        }
        // The first thirty start immediately, and another one two seconds after the first.
        #expect(ContinuousClock.now - start > .seconds(1.9))
        #expect(recording.thread.finish(withinSeconds: 20))
        #expect(names(in: recording.folder.path).count == 31)
    }

    @Test("a render may start any number of takes")
    func render() throws {
        let recording = Recording()
        let moves = (1...70).flatMap {
            [
                Move(Parameter.take, to: 1, at: $0 * 640),
                Move(Parameter.take, to: 0, at: $0 * 640 + 64),
            ]
        }
        try recording.record(recording.noise(frames: 48_000), to: "take.wav", moves: moves)
        #expect(names(in: recording.folder.path).count == 71)
    }

    @Test("no take starts if less than the reserve of the disk is free")
    func noRoom() throws {
        let recording = Recording()
        let recorder = try recording.recorder("take.wav", ["keep-free": .number(1_000_000)])
        let signal = recording.noise(frames: 8192)
        #expect(recorder.render(signal) == signal)
        #expect(recorder.report("state") == 3)
        let reported = recorder.incidentsSoFar()
        guard case .takeStopped(_, let reason, let seconds)? = reported.first else {
            Issue.record("\(reported)")
            return
        }
        #expect(reason.hasSuffix(" of the disk is free; \"keep-free\" requires 1000.0 GB"))
        #expect(seconds == 0)
        #expect(names(in: recording.folder.path) == [])
    }

    // One at a time: each fills the same disk.
    @Test(
        "a take is completed before it fills the disk", .serialized,
        arguments: ["wav", "flac", "ogg"])
    func almostFull(format: String) throws {
        // Other programs write less to memory than to a disk.
        var template = Array("/dev/shm/stompline-takes-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            for name in names(in: folder) { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        var status = statvfs()
        try #require(statvfs(folder, &status) == 0)
        let freeBytes = Double(status.f_bavail) * Double(status.f_frsize)
        let recording = Recording()
        let recorder = try recording.recorder(
            "\(format)",
            ["file": .text("\(folder)/take.\(format)"), "keep-free": .number(freeBytes / 1e6 - 32)])
        let signal = recording.noise(frames: 24_576)
        #expect(recorder.render(signal) == signal)
        #expect(recorder.report("state") == 2)
        let filler = open("\(folder)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(filler) }
        try #require(posix_fallocate(filler, 0, 64_000_000) == 0)
        #expect(recorder.render(signal) == signal)
        // Results of the disk thread are visible in the next run.
        _ = recorder.render(recording.noise(frames: 64))
        #expect(recorder.report("state") == 3)
        let reported = recorder.incidentsSoFar()
        guard case .takeStopped(let path, let reason, let seconds)? = reported.last else {
            Issue.record("\(reported)")
            return
        }
        #expect(reason.contains("of the disk is free; \"keep-free\" requires "))
        let sound = try SoundFileReader(path: path).readChannels()
        #expect(seconds == Double(sound[0].count) / 48_000)
        #expect(sound[0].count >= 24_576)
    }

    @Test("a name too long for the file system is refused with its length")
    func longNames() throws {
        let recording = Recording()
        for (file, message) in [
            (
                String(repeating: "a", count: 300) + ".wav",
                "has 304 bytes; at most 249 are allowed"
            ),
            (String(repeating: "a", count: 246), "has 250 bytes; at most 249 are allowed"),
            ("%A %B " + String(repeating: "ä", count: 120), "has 264 bytes; at most 249"),
            (
                (1...50).map { "\($0)" + String(repeating: "b", count: 98) }.joined(separator: "/"),
                "at most 4089 are allowed"
            ),
        ] {
            #expect {
                try recording.recorder(file)
            } throws: { error in
                guard let fault = error as? SettingError else { return false }
                return fault.setting == "file" && fault.message.contains(message)
            }
        }
        #expect(throws: Never.self) {
            try recording.recorder(String(repeating: "a", count: 245))
        }
    }

    private func waitForIncident<Result>(
        of recorder: Processor, _ fits: (Incident) -> Result?
    ) throws -> Result {
        var found: Result?
        try waitUntil {
            while found == nil, let incident = recorder.incidents?.next() { found = fits(incident) }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits for at most 20 s.
    private func waitUntil(_ isTrue: () -> Bool) throws {
        for _ in 0..<4000 where !isTrue() { usleep(5000) }
        try #require(isTrue())
    }
}

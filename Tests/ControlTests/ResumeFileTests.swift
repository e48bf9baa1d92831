import Control
import Glibc
import SessionCore
import Testing
import TestSignals

@Suite("The file for run --resume")
struct ResumeFileTests {
    private let folder = ScratchFolder()
    private let snapshot = SessionSnapshot(
        song: "Two \"2\"", number: 2, scene: "soft",
        values: [
            AddressValue("lev.gain", .number(-6.25)), AddressValue("lev.mute", .toggle(true)),
            AddressValue("cut.shape", .text("notch")),
        ], tempo: 93.5, isMuted: true, gainDecibels: -9)

    private var file: ResumeFile { ResumeFile(for: "/songs/night.json", in: folder.file("a/b")) }

    @Test("a state is the same after it was written and read")
    func roundTrip() throws {
        #expect(try file.read() == nil)
        for state in [snapshot, SessionSnapshot(song: "", number: 1)] {
            try file.write(state)
            #expect(try file.read() == state)
        }
        #expect(ScratchFolder.names(in: folder.file("a/b")).count == 1)
    }

    @Test("files of the same name in different folders have different states")
    func paths() throws {
        let other = ResumeFile(for: "/others/night.json", in: folder.file("a/b"))
        #expect(other.path != file.path)
        try file.write(snapshot)
        #expect(try other.read() == nil)
    }

    @Test(
        "a damaged state is refused",
        arguments: [
            "", "{", "[]", "{}", "\u{0}", #"{"version": 1}"#,
            #"{"version": 1, "file": "/songs/night.json", "song": 7, "number": 1}"#,
            #"{"version": 1, "file": "/songs/night.json", "song": "x", "number": 1.5}"#,
            #"{"version": 1, "file": "/songs/night.json", "song": "x", "number": 1e99}"#,
            #"{"version": 2, "file": "/songs/night.json", "song": "x", "number": 1}"#,
            #"{"version": 1, "file": "/elsewhere.json", "song": "x", "number": 1}"#,
        ])
    func damaged(text: String) throws {
        try file.write(snapshot)
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        folder.write(text, to: "a/b/\(name)")
        #expect(throws: SessionFileError.self) { try file.read() }
    }

    @Test("every beginning of a state file is refused, and none is a trap")
    func beginnings() throws {
        try file.write(snapshot)
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        var bytes: [UInt8] = []
        let stream = try #require(fopen(file.path, "r"))
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        fclose(stream)
        for count in 0..<(bytes.count - 2) {
            folder.write(String(decoding: bytes[..<count], as: UTF8.self), to: "a/b/\(name)")
            #expect(throws: SessionFileError.self) { try file.read() }
        }
    }

    @Test("the saver writes the newest state, and the last one before it ends")
    func saver() throws {
        var saver: ResumeSaver? = ResumeSaver(file) { Issue.record("\($0)") }
        for number in 1...50 { saver?.save(SessionSnapshot(song: "x", number: number)) }
        saver = nil
        #expect(try file.read()?.number == 50)
    }

    @Test("a second run of the same file waits with its state, says so, and saves it later")
    func twoRuns() throws {
        var first: ResumeSaver? = ResumeSaver(file) { Issue.record("\($0)") }
        first?.save(SessionSnapshot(song: "first", number: 1))
        var state: SessionSnapshot?
        for _ in 0..<2_500 where state == nil {
            usleep(2_000)
            state = try file.read()
        }
        #expect(state?.song == "first")
        let news = News()
        var second: ResumeSaver? = ResumeSaver(file, warn: news.put)
        for number in 1...3 { second?.save(SessionSnapshot(song: "second", number: number)) }
        #expect(news.next()?.hasPrefix("another run of this file saves its state") == true)
        #expect(try file.read()?.song == "first")
        first = nil
        for _ in 0..<2_500 where state?.song != "second" {
            usleep(2_000)
            state = try file.read()
        }
        #expect(state?.number == 3)
        second = nil
    }

    @Test("a folder that cannot be created is reported once")
    func unwritable() throws {
        folder.write("", to: "a")
        let news = News()
        var saver: ResumeSaver? = ResumeSaver(file, warn: news.put)
        for number in 1...3 { saver?.save(SessionSnapshot(song: "x", number: number)) }
        #expect(news.next()?.hasPrefix("the state for --resume is not saved: ") == true)
        saver = nil
    }
}

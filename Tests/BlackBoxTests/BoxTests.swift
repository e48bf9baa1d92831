import BlackBox
import Glibc
import TestNights
import TestSignals
import Testing

@Suite("Boxes as folders and files")
struct BoxTests {
    private let folder = ScratchFolder()

    @Test("a box that is read and written again is the same")
    func again() throws {
        let path = try folder.keptNight(seed: 35, fault: .slow, seconds: 3)
        let box = try BoxReader(of: path).read(), copy = folder.file("again.stompbox")
        try BoxWriter(to: copy).write(box, isPrivate: false)
        let again = try BoxReader(of: copy).read().log
        #expect(again.calls == box.log.calls)
        #expect(again.commands == box.log.commands)
        #expect(again.messages == box.log.messages)
        #expect(again.arrivals == box.log.arrivals)
        #expect(again.states == box.log.states)
        #expect(again.transports == box.log.transports)
        #expect(again.late == box.log.late)
        #expect(again.channels == box.log.channels)
        #expect(!again.commands.isEmpty && !again.messages.isEmpty && !again.late.isEmpty)
    }

    @Test("states of nodes are in a box, but not in a private one")
    func states() throws {
        let path = try folder.keptStates()
        let box = try BoxReader(of: path).read()
        let states = box.log.states
        // One node writes a note once a second.
        #expect((2...5).contains(states.count))
        #expect(states.allSatisfy { $0.node == 0 && $0.processor == 0 && !$0.words.isEmpty })
        #expect(box.log.calls.reduce(0) { $0 + $1.states.count } == states.count)
        let copy = folder.file("copy.stompbox"), secret = folder.file("secret.stompbox")
        try BoxWriter(to: copy).write(box, isPrivate: false)
        #expect(try BoxReader(of: copy).read().log.states == states)
        try BoxWriter(to: secret).write(box, isPrivate: true)
        #expect(try BoxReader(of: secret).read().log.states.isEmpty)
    }

    @Test("a box of a version without states is read, and one with broken states is refused")
    func otherStates() throws {
        let path = try folder.keptStates()
        let whole = try BoxReader(of: path).read()
        folder.write(
            #"{ "arrivals": [], "commands": [], "messages": [] }"#,
            to: "states.stompbox/events.json")
        let old = try BoxReader(of: path).read()
        #expect(old.log.states.isEmpty && old.log.calls.count == whole.log.calls.count)
        for words in ["0", "000000000000000g", "00000000000000000"] {
            let state = """
                { "call": 0, "frame": 0, "node": 0, "processor": 0, "schedule": 0,
                  "words": "\(words)" }
                """
            folder.write(
                #"{ "arrivals": [], "commands": [], "messages": [], "states": [\#(state)] }"#,
                to: "states.stompbox/events.json")
            #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
        }
    }

    @Test("of many late cycles, the first and the last ones have the times of their nodes")
    func manyLateCalls() throws {
        let path = try folder.keptNight(seed: 35, fault: .slow, seconds: 3)
        var box = try BoxReader(of: path).read()
        let full = folder.file("full.stompbox")
        let late = try #require(box.log.late.first)
        #expect(!late.nodeSeconds.isEmpty)
        box.log.late = []
        for frame in 0..<UInt64(3000) {
            var call = late
            call.endFrame = frame
            box.log.add(call)
        }
        try BoxWriter(to: full).write(box, isPrivate: false)
        let read = try BoxReader(of: full).read().log.late
        #expect(read.map(\.endFrame) == Array(0..<3000))
        let kept = BoxLog.detailedLateCalls
        #expect(read.prefix(kept).allSatisfy { $0.nodeSeconds == late.nodeSeconds })
        #expect(read.suffix(kept).allSatisfy { $0.nodeSeconds == late.nodeSeconds })
        #expect(read.dropFirst(kept).dropLast(kept).allSatisfy { $0.nodeSeconds.isEmpty })
    }

    @Test("an archive contains every file of a box, in the format of tar")
    func archive() throws {
        let path = try folder.keptNight(seed: 34)
        let file = folder.file("report.tar")
        try BoxArchive(of: path).write(to: file)
        let stream = try #require(popen("tar -tf '\(file)'", "r"))
        var text = ""
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), stream) != nil {
            text += String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        #expect(pclose(stream) == 0)
        let names = text.split(separator: "\n").map {
            $0.split(separator: "/").last.map(String.init)
        }
        #expect(names == ScratchFolder.names(in: path))
        #expect(text.contains("34.stompbox/box.json"))
        #expect(throws: BoxError.self) { try BoxArchive(of: path).write(to: file) }
        let empty = folder.file("empty.tar")
        #expect(throws: BoxError.self) { try BoxArchive(of: folder.path).write(to: empty) }
        #expect(access(empty, F_OK) != 0)
    }
}

import BlackBox
import Glibc
import TestNights
import TestSignals
import Testing

@Suite("Changed and missing contents of boxes")
struct BoxContentTests {
    private let folder = ScratchFolder()

    @Test("a replay notices changed samples")
    func changes() throws {
        let path = try folder.keptNight(seed: 31)
        let box = try BoxReader(of: path).read()
        #expect(try box.replay(in: path).isEqual)
        var quieter = box
        for index in quieter.log.channels[0].indices { quieter.log.channels[0][index] *= 0.5 }
        let result = try quieter.replay(in: path)
        #expect(!result.isEqual)
        #expect(result.firstDifference != nil)
    }

    @Test("a box contains the files as nodes have opened them, though they are replaced")
    func replacedFile() throws {
        let night = try RandomNight(
            seed: 37, memoryFolder: folder.file("memory"), fault: RandomNight.Fault.none,
            hasSounds: true)
        night.play(seconds: 0.5)
        let loop = night.sound("loop.wav")
        try ScratchFolder.copy(night.sound("cue.wav"), to: loop + ".new")
        #expect(rename(loop + ".new", loop) == 0)
        let path = folder.file("37.stompbox")
        try night.keep(in: path)
        night.end()
        let box = try BoxReader(of: path).read()
        let file = try #require(box.facts.files.first { $0.path == loop && $0.state == .kept })
        #expect(file.byteCount > 0)
        #expect(!box.facts.files.contains { $0.state == .changed })
        let result = try box.replay(in: path)
        #expect(result.isEqual)
    }

    @Test("a node whose file is not there is named, and the rest plays")
    func missingFile() throws {
        let night = try RandomNight(
            seed: 37, memoryFolder: folder.file("memory"), fault: RandomNight.Fault.none,
            hasSounds: true)
        night.play(seconds: 0.5)
        let path = folder.file("37.stompbox")
        try night.keep(in: path)
        night.end()
        var box = try BoxReader(of: path).read()
        for index in box.facts.files.indices { box.facts.files[index].state = .outside }
        #expect(box.facts.files.allSatisfy { $0.checksum.count == 16 })
        // The files are still the same.
        #expect(try box.replay(in: path).isEqual)
        for index in box.facts.files.indices { box.facts.files[index].checksum = "0" }
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        let loop = night.sound("loop.wav")
        #expect(
            replay.unrepeatable.contains(
                Replay.Unrepeatable(node: "looper", cause: .file(loop, .notThere))))
        #expect(try replay.run().comparedCalls > 100)
        // A file in the box that was changed does not play either.
        for index in box.facts.files.indices { box.facts.files[index].state = .kept }
        #expect(
            try Replay(box, folder: path, catalogue: RandomNight.catalogue).unrepeatable.contains(
                Replay.Unrepeatable(node: "looper", cause: .file(loop, .notThere))))
        // A name must not lead out of the box.
        for index in box.facts.files.indices {
            (box.facts.files[index].state, box.facts.files[index].name) = (.kept, "../secret")
        }
        #expect(
            try Replay(box, folder: path, catalogue: RandomNight.catalogue).unrepeatable.contains {
                $0.node == "looper"
            })
    }

    @Test("the nodes of a plugin that is not installed are named")
    func missingPlugin() throws {
        let path = try folder.keptNight(seed: 36)
        var box = try BoxReader(of: path).read()
        let text = String(decoding: try #require(box.schedules[0]), as: UTF8.self)
        let part = #""type":{"effect":{"_0":"fault"}}"#
        #expect(text.contains(part))
        let other = text.replacing(part, with: #""type":{"plugin":{"_0":"urn:absent"}}"#)
        box.schedules[0] = Array(other.utf8)
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        #expect(
            replay.unrepeatable.contains(
                Replay.Unrepeatable(node: "fault", cause: .missingPlugin("urn:absent"))))
    }
}

import BlackBox
import Engine
import Pipelines
import Processing
import TestNights
import TestSignals
import Testing

@Suite("Replays of random nights")
struct ReplayTests {
    private let folder = ScratchFolder()

    /// Plays a night, keeps it, and replays the box.
    private func replay(
        seed: UInt64, _ fault: RandomNight.Fault? = nil, windowSeconds: Double = 120,
        isPrivate: Bool = false, hasSounds: Bool = false, coreCount: Int = 1,
        haltsNodes: Bool = false, seconds: Double = 3
    ) throws -> (RandomNight, Box, Replay.Result) {
        let night = try RandomNight(
            seed: seed, memoryFolder: folder.file("memory"), windowSeconds: windowSeconds,
            fault: fault, hasSounds: hasSounds, coreCount: coreCount,
            haltsNodes: haltsNodes)
        night.play(seconds: seconds)
        let path = folder.file("\(seed).stompbox")
        try night.keep(in: path, isPrivate: isPrivate)
        night.end()
        let box = try BoxReader(of: path).read()
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        return (night, box, try replay.run())
    }

    @Test("a replay equals the night to the bit", arguments: 1...12 as ClosedRange<UInt64>)
    func equality(seed: UInt64) throws {
        let (night, box, result) = try replay(seed: seed)
        #expect(box.facts.isWhole)
        #expect(result.comparedCalls == box.log.calls.count)
        #expect(result.comparedCalls > 400)
        #expect(result.differentCalls == 0, "from frame \(result.firstDifference ?? 0)")
        #expect(night.isFound(by: result, in: box.log) != false)
    }

    @Test("the frames of missing calls count, so that later fades are equal to the bit")
    func gap() throws {
        // In this night, the calls have all kinds of lengths, and no effect has a long memory.
        var (_, box, result) = try replay(seed: 52, RandomNight.Fault.none, seconds: 6)
        #expect(result.isEqual)
        var first = box.log.calls.count / 3
        while !box.log.calls[first..<first + 5].allSatisfy(\.commands.isEmpty) { first += 1 }
        box.log.calls.removeSubrange(first..<first + 5)
        box.log.calls[first].followsGap = true
        result = try box.replay(in: folder.file("52.stompbox"))
        #expect(result.comparedCalls == box.log.calls.count)
        #expect(result.differentCalls == 0, "from frame \(result.firstDifference ?? 0)")
    }

    @Test("a replay ends before the first edit that the box lacks, and is equal until then")
    func missingSchedule() throws {
        var (_, box, whole) = try replay(seed: 517, seconds: 4)
        #expect(whole.missingPipelineFrame == nil)
        let exchanges = box.log.commands.filter { $0.command.manner != nil }
        let lost = try #require(exchanges.dropFirst().first)
        box.schedules[lost.command.frame] = nil
        let result = try box.replay(in: folder.file("517.stompbox"))
        let end = try #require(result.missingPipelineFrame)
        let count = box.log.calls.count { $0.frame < end }
        #expect(count > 50 && count < box.log.calls.count)
        #expect(result.comparedCalls == count)
        #expect(result.isEqual && !result.confirms(box.facts))
        #expect(result.endFrame == end)
        let call = try #require(box.log.calls.first { $0.frame == end })
        #expect(box.log.commands[call.commands].contains { $0.command == lost.command })
    }

    @Test("a node that was prepared before an edit replays to the bit, and only in its place")
    func preparedBeforeAnEdit() throws {
        // In this night, an edit removes a node before the cheaper variant of another one plays.
        let (_, box, result) = try replay(seed: 517, seconds: 4)
        #expect(result.comparedCalls == box.log.calls.count)
        #expect(result.differentCalls == 0, "from frame \(result.firstDifference ?? 0)")
        let part = #""created":{"4":"#
        let texts = box.schedules.mapValues { String(decoding: $0, as: UTF8.self) }
        let (number, text) = try #require(texts.first { $0.value.contains(part) })
        for index in [0, 99] {
            var broken = box
            let other = text.replacing(part, with: "\"created\":{\"\(index)\":")
            broken.schedules[number] = Array(other.utf8)
            #expect(throws: BoxError.self, "\(index)") {
                try Replay(
                    broken, folder: folder.file("517.stompbox"), catalogue: RandomNight.catalogue)
            }
        }
    }

    @Test("a recipe connects a node that was prepared before an edit as its pipeline does")
    func sourcesAfterAnEdit() throws {
        let catalogue = RandomNight.catalogue
        let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)
        let variant = #""when-late": { "settings": { "quality": "fast" } }"#
        let shift = #"{ "id": "shift", "type": "pitch-shift", \#(variant) }"#
        func pipeline(_ nodes: String) throws -> Pipeline {
            let text = #"{ "version": 1, "nodes": [\#(nodes)] }"#
            return try Pipeline(
                decoding: Array(text.utf8), file: "song.json", catalogue: catalogue)
        }
        let first = try Schedule(
            preparing: try pipeline(#"{ "id": "gain", "type": "gain" }, \#(shift)"#),
            catalogue: catalogue, format: format)
        try first.variants.prepare(for: first.pipeline, catalogue: catalogue, format: format)
        let edited = try Schedule(
            preparing: try pipeline(shift), catalogue: catalogue, ports: first.ports,
            after: first, hasSettled: true)
        var reduced = edited.pipeline
        reduced.nodes[0].isReduced = true
        let late = try #require(
            Schedule(
                switching: reduced, changes: [], ports: edited.ports, after: edited,
                hasSettled: true))
        let created = try #require(late.recipe.created[0])
        #expect(created.instances != first.pipeline.nodes[1].instances)
        #expect(created.instances == late.pipeline.nodes[0].instances)
    }

    @Test(
        "players and loopers are equal to the bit too", arguments: 301...306 as ClosedRange<UInt64>)
    func sounds(seed: UInt64) throws {
        let (_, box, result) = try replay(seed: seed, hasSounds: true)
        #expect(!box.log.arrivals.isEmpty)
        #expect(box.facts.files.allSatisfy { $0.state == .kept })
        #expect(result.comparedCalls == box.log.calls.count)
        #expect(result.differentCalls == 0, "from frame \(result.firstDifference ?? 0)")
    }

    @Test(
        "a night on two cores is equal to the bit on one",
        arguments: 401...403 as ClosedRange<UInt64>)
    func cores(seed: UInt64) throws {
        let (_, box, result) = try replay(seed: seed, hasSounds: seed % 2 == 0, coreCount: 2)
        let texts = box.schedules.values.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.contains { $0.contains("\"branches\"") })
        #expect(result.comparedCalls == box.log.calls.count)
        #expect(result.differentCalls == 0, "from frame \(result.firstDifference ?? 0)")
    }

    @Test(
        "a NaN is found at its node and in its cycle", arguments: 101...104 as ClosedRange<UInt64>)
    func notFinite(seed: UInt64) throws {
        let (night, _, result) = try replay(seed: seed, .nan)
        let frame = try #require(night.faultFrame)
        #expect(result.notFinite.first?.node == "fault")
        #expect(result.notFinite.first?.frame == frame)
    }

    @Test("a panic is found in the box, and a night without a fault has none to find")
    func panic() throws {
        let (night, box, result) = try replay(seed: 8, .panic)
        #expect(night.isFound(by: result, in: box.log) == true)
        var other = box.log
        other.commands = []
        #expect(night.isFound(by: result, in: other) == false)
        let (quiet, quietBox, quietResult) = try replay(seed: 9, RandomNight.Fault.none)
        #expect(quiet.isFound(by: quietResult, in: quietBox.log) == nil)
    }

    @Test("a replay confirms its box if nothing differs, or a box without its beginning ends equal")
    func confirmation() throws {
        let (_, box, result) = try replay(seed: 5, RandomNight.Fault.none)
        #expect(result.confirms(box.facts))
        var nan = result
        nan.notFinite = try replay(seed: 101, .nan).2.notFinite
        #expect(!nan.notFinite.isEmpty && !nan.confirms(box.facts))
        var other = result
        (other.differentCalls, other.firstDifference, other.equalFromFrame) = (1, 0, 64)
        #expect(!other.confirms(box.facts))
        var part = box.facts
        part.isWhole = false
        #expect(other.confirms(part))
        other.equalFromFrame = other.endFrame
        #expect(!other.confirms(part))
        var uncompared = result
        uncompared.comparedCalls = 0
        #expect(!uncompared.confirms(box.facts))
        var secret = box.facts
        secret.isPrivate = true
        #expect(uncompared.confirms(secret))
    }

    @Test(
        "the time of a late cycle is found at its node", arguments: 201...203 as ClosedRange<UInt64>
    )
    func late(seed: UInt64) throws {
        let (night, _, result) = try replay(seed: seed, .slow)
        let late = try #require(result.late.first { $0.frame == night.faultFrame })
        #expect(late.node == "fault")
        #expect(late.nodePeriods > 1)
        #expect(late.periods >= late.nodePeriods)
    }

    @Test(
        "a night in which the audio thread halts nodes replays to the bit",
        arguments: 301...304 as ClosedRange<UInt64>)
    func halts(seed: UInt64) throws {
        let (_, box, result) = try replay(seed: seed, .slow, haltsNodes: true)
        #expect(box.log.commands.contains { $0.command.isHalt })
        #expect(result.differentCalls == 0, "from frame \(result.firstDifference ?? 0)")
    }

    @Test("a box that lost its beginning says so, and keeps no more than its time")
    func window() throws {
        let (_, box, result) = try replay(seed: 5, windowSeconds: 1)
        #expect(!box.facts.isWhole)
        #expect(box.log.frameCount <= 49_000)
        #expect(box.log.frameCount > 40_000)
        #expect(result.endFrame >= 3 * 48_000)
        #expect(result.comparedCalls == box.log.calls.count)
        // The effects of this night forget.
        #expect(result.equalFromFrame < result.endFrame)
    }

    @Test(
        "an effect that notes its state is equal soon in a box that lost its beginning",
        arguments: RandomNight.kinds.indices.filter { RandomNight.notesState(kind: $0) })
    func states(kind: Int) throws {
        // The kinds get different sounds.
        let night = try RandomNight(
            seed: UInt64(kind), memoryFolder: folder.file("memory"), windowSeconds: 6, kind: kind)
        night.play(seconds: 7.5)
        let path = folder.file("states.stompbox")
        try night.keep(in: path)
        night.end()
        let box = try BoxReader(of: path).read()
        #expect(!box.facts.isWhole && box.log.states.count >= 4)
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        let result = try replay.run()
        #expect(result.equalFromFrame < result.endFrame, "\(RandomNight.kinds[kind])")
    }

    @Test("a loop from before the beginning of a box is equal after its notes, and never without")
    func loopBeforeTheBeginning() throws {
        let kind = try #require(
            RandomNight.kinds.indices.first { RandomNight.kinds[$0].hasPrefix("looper") })
        // The input of this night is noise, so no two cycles are equal by chance.
        let night = try RandomNight(
            seed: 3, memoryFolder: folder.file("memory"), windowSeconds: 6, kind: kind)
        night.play(seconds: 8)
        let path = folder.file("loop.stompbox")
        try night.keep(in: path)
        let secret = folder.file("secret.stompbox")
        try night.keep(in: secret, isPrivate: true)
        night.end()
        let box = try BoxReader(of: path).read()
        #expect(!box.facts.isWhole && box.log.sounds.count > 50)
        let result = try box.replay(in: path)
        #expect(result.equalFromFrame < result.endFrame - 24_000)
        var (silent, stateless) = (box, box)
        for index in box.log.calls.indices {
            silent.log.calls[index].sounds = 0..<0
            stateless.log.calls[index].states = 0..<0
        }
        for incomplete in [silent, stateless] {
            let other = try incomplete.replay(in: path)
            #expect(other.equalFromFrame == other.endFrame)
        }
        let log = try BoxReader(of: secret).read().log
        #expect(log.sounds.isEmpty && log.soundSamples.isEmpty)
    }

    @Test(
        "fades change values in the same frames in a box that begins between them",
        arguments: [407, 417, 424] as [UInt64])
    func fadesAfterTheBeginning(seed: UInt64) throws {
        // The cycles of these nights have different lengths, so no box begins at a multiple of 64.
        let night = try RandomNight(
            seed: seed, memoryFolder: folder.file("memory"), windowSeconds: 4)
        night.play(seconds: 6)
        let path = folder.file("fades.stompbox")
        try night.keep(in: path)
        night.end()
        let box = try BoxReader(of: path).read()
        #expect(box.log.calls.first.map { $0.frame % 64 != 0 } == true)
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        let result = try replay.run()
        #expect(result.equalFromFrame < result.endFrame - 96_000)
    }

    @Test("a node that was halted before a box begins is halted in the replay")
    func haltBeforeTheBeginning() throws {
        // The effects of this night forget.
        let night = try RandomNight(
            seed: 5, memoryFolder: folder.file("memory"), windowSeconds: 1, kind: 0,
            haltsNodes: true)
        night.playHalted(seconds: 3)
        let path = folder.file("halted.stompbox")
        try night.keep(in: path)
        night.end()
        let box = try BoxReader(of: path).read()
        #expect(!box.log.commands.contains { $0.command.isHalt })
        let result = try Replay(box, folder: path, catalogue: RandomNight.catalogue).run()
        #expect(result.equalFromFrame < result.endFrame)
    }

    @Test("a private box contains no sound")
    func privacy() throws {
        let (_, box, _) = try replay(seed: 6, isPrivate: true)
        #expect(box.facts.isPrivate)
        #expect(box.facts.inputs.allSatisfy { $0.file == nil })
        #expect(box.log.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
        #expect(!box.log.commands.isEmpty)
    }

    @Test("inputs that are exact in 24 bits are kept as FLAC, others as floats")
    func formats() throws {
        let (_, box, _) = try replay(seed: 7)
        let endings = box.facts.inputs.map { $0.file?.split(separator: ".").last }
        #expect(endings.first == "flac")
        if endings.count > 1 { #expect(endings[1] == "wav") }
    }
}

extension CapturedCommand {
    fileprivate var isHalt: Bool { if case .halt(_, true)? = command { true } else { false } }
}

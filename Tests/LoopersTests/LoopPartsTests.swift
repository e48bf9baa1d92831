import Loopers
import Processing
import Realtime
import Testing
import TestSignals

extension SoundPart {
    /// The lowest layer of a part of a loop.
    fileprivate var firstLayer: Int { Int(address) }
    /// The number of its layers.
    fileprivate var layerCount: Int { Int(secondAddress & 0xFF) }
    /// The index of its page.
    fileprivate var page: Int { Int(secondAddress >> 32) }
}

/// A looper, and another one that continues from its notes.
private struct NotedLoop {
    let session: Processor
    let replay: Processor
    private let input: [[Float]]
    /// The number of the next call.
    private var call = 0

    private static let callFrames = 64
    private static let calls = 2400

    init() {
        func looper() -> Processor {
            let processor = Looper.effect().processor(
                channels: 2, settings: ["maximum": .number(1), "latency": .number(7)])
            processor.beginNotingState()
            return processor
        }
        (session, replay) = (looper(), looper())
        input = (0..<2).map {
            whiteNoise(
                amplitude: 0.1, frames: Self.calls * Self.callFrames, seed: 1 + UInt64($0))
        }
    }

    /// Renders calls, with a command in the first one.
    ///
    /// - Returns: The first channel of each looper.
    @discardableResult
    mutating func render(
        _ loopers: [Processor], calls count: Int, press name: String? = nil
    ) -> [[Float]] {
        var outputs = loopers.map { _ in [Float]() }
        for index in 0..<count {
            let frames = call * Self.callFrames..<(call + 1) * Self.callFrames
            let part = input.map { Array($0[frames]) }
            var moves: [Move] = []
            if index == 0, let name { moves = [Move(looperParameter(name), to: 1, at: 20)] }
            for (number, looper) in loopers.enumerated() {
                outputs[number] += looper.render(part, moves: moves)[0]
            }
            call += 1
        }
        return outputs
    }

    /// Records a loop of 190 calls, which needs four pages, and plays it.
    mutating func record() {
        render([session], calls: 20)
        render([session], calls: 190, press: "record")
        render([session], calls: 10, press: "play")
    }

    /// Renders a call in which the session notes its state, and the replay continues from it.
    ///
    /// - Parameter change: Changes the words of the note.
    /// - Throws: If a looper has no memory for notes.
    mutating func note(_ change: ([UInt64]) -> [UInt64] = { $0 }) throws {
        let noted = try #require(session.stateNotes)
        let given = try #require(replay.stateNotes)
        noted.pointee.ask()
        let first = call
        render([session], calls: 1)
        #expect(noted.pointee.isNoted)
        let words = Array(
            UnsafeBufferPointer(start: noted.pointee.start, count: noted.pointee.count))
        given.pointee.give(change(words), frame: noted.pointee.frame)
        noted.pointee.forget()
        call = first
        render([replay], calls: 1)
        given.pointee.forget()
    }

    /// Calls a function with each remaining part of a round of the session.
    func noteSound(_ body: (SoundPart) -> Void) {
        while let part = session.kernel.nextSoundPart() {
            if part.count > 0 { body(part) }
        }
    }

    /// Expects that both play the same.
    mutating func expectEquality(_ name: String, press: String? = nil) {
        let outputs = render([session, replay], calls: 200, press: press)
        #expect(outputs[0] == outputs[1], "\(name)")
    }
}

@Suite("The noted pages of a looper")
struct LoopPartsTests {
    @Test("remain with the lower layers if a layer above has received another page")
    func splitPages() throws {
        var loop = NotedLoop()
        let (session, replay) = (loop.session, loop.replay)
        loop.record()
        // Two overdubs in the first page; three layers share the other pages.
        loop.render([session], calls: 20, press: "overdub")
        loop.render([session], calls: 170, press: "play")
        loop.render([session], calls: 20, press: "overdub")
        loop.render([session], calls: 30, press: "play")
        try loop.note()
        loop.noteSound { replay.kernel.restoreSound($0) }
        // Two other overdubs, both in the second page, which the replay does not receive.
        loop.render([session], calls: 1, press: "undo")
        loop.render([session], calls: 18, press: "undo")
        loop.render([session], calls: 20, press: "overdub")
        loop.render([session], calls: 170, press: "play")
        loop.render([session], calls: 20, press: "overdub")
        loop.render([session], calls: 20, press: "play")
        loop.render([session], calls: 30, press: "undo")
        try loop.note()
        var layers: [Int] = []
        loop.noteSound { part in
            if part.page == 1, part.layerCount == 1, layers.last != part.firstLayer {
                layers.append(part.firstLayer)
            }
            replay.kernel.restoreSound(part)
        }
        #expect(layers == [1, 2, 0])
        loop.render([session, replay], calls: 20)
        loop.expectEquality("layer 1")
        loop.expectEquality("layer 2", press: "redo")
        loop.render([session, replay], calls: 1, press: "undo")
        loop.expectEquality("layer 0", press: "undo")
    }

    @Test("are used once, whatever layers the parts of a hostile box have")
    func hostileLayers() throws {
        var loop = NotedLoop()
        let (session, replay) = (loop.session, loop.replay)
        loop.record()
        for last in [-1, 0] {
            try loop.note { Self.words($0, withLayers: 32) }
            loop.noteSound { part in
                replay.kernel.restoreSound(
                    SoundPart(
                        address: 0, secondAddress: part.secondAddress & ~0xFF | 32,
                        start: part.start,
                        count: part.count))
            }
            // Every other layer receives its own first page.
            let samples = [Float](repeating: 0.5, count: SoundPart.capacity)
            samples.withUnsafeBufferPointer { samples in
                guard let start = samples.baseAddress else { return }
                for layer in stride(from: 1, to: 32, by: 2) {
                    replay.kernel.restoreSound(
                        SoundPart(
                            address: UInt64(layer), secondAddress: 1, start: start,
                            count: samples.count))
                }
            }
            try loop.note { Self.words($0, withLayers: last + 1) }
        }
        // An overdub gets pages that the loop does not use.
        loop.render([session, replay], calls: 20)
        loop.render([session, replay], calls: 150, press: "overdub")
        loop.render([session, replay], calls: 30, press: "play")
        loop.expectEquality("the overdub")
        loop.render([session, replay], calls: 20, press: "undo")
        loop.expectEquality("the loop")
    }

    @Test("do no harm if they contain NaN, infinity or huge numbers")
    func strangeSamples() throws {
        var loop = NotedLoop()
        let (session, replay) = (loop.session, loop.replay)
        loop.record()
        try loop.note()
        let strange: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38]
        loop.noteSound { part in
            var samples = Array(UnsafeBufferPointer(start: part.start, count: part.count))
            for (index, sample) in strange.enumerated() { samples[100 * index] = sample }
            samples.withUnsafeBufferPointer { samples in
                guard let start = samples.baseAddress else { return }
                replay.kernel.restoreSound(
                    SoundPart(
                        address: part.address, secondAddress: part.secondAddress, start: start,
                        count: part.count))
            }
        }
        let outputs = loop.render([session, replay], calls: 400, press: "overdub")
        #expect(outputs[1].allSatisfy { abs($0) < 1 })
        #expect(outputs[0] != outputs[1])
    }

    @Test("begin again when undo makes another layer the current one")
    func undo() {
        var loop = NotedLoop()
        let session = loop.session
        loop.record()
        loop.render([session], calls: 200, press: "overdub")
        loop.render([session], calls: 30, press: "play")
        // Two pages of the overdub.
        for _ in 0..<16 { #expect(session.kernel.nextSoundPart()?.firstLayer == 1) }
        loop.render([session], calls: 1, press: "undo")
        let part = session.kernel.nextSoundPart()
        #expect(part?.page == 0 && part?.firstLayer == 0)
    }

    @Test("continue during an overdub, whose layer begins with the same pages")
    func overdub() {
        var loop = NotedLoop()
        let session = loop.session
        loop.record()
        for _ in 0..<16 { #expect(session.kernel.nextSoundPart()?.layerCount == 1) }
        loop.render([session], calls: 1, press: "overdub")
        let part = session.kernel.nextSoundPart()
        #expect(part?.page == 2 && part?.layerCount == 2)
    }

    @Test("come to the end of a round, however often the current layer changes")
    func changes() {
        var loop = NotedLoop()
        let session = loop.session
        loop.record()
        loop.render([session], calls: 200, press: "overdub")
        loop.render([session], calls: 30, press: "play")
        var parts = 0
        while session.kernel.nextSoundPart() != nil, parts < 10_000 {
            parts += 1
            guard parts % 8 == 0 else { continue }
            loop.render([session], calls: 1, press: parts % 16 == 0 ? "redo" : "undo")
        }
        #expect(parts > 4000 && parts < 4300)
    }

    @Test("are noted during an insert, also those behind the end of the former layer")
    func insert() {
        var loop = NotedLoop()
        let session = loop.session
        loop.record()
        // The insert begins at the next start of the loop.
        loop.render([session], calls: 325, press: "insert")
        var pages: Set<Int> = []
        loop.noteSound { pages.insert($0.page) }
        #expect(pages.contains(5))
    }

    @Test(
        "are noted once in a round, with all of their layers",
        arguments: 1...4 as ClosedRange<UInt64>)
    func coverage(seed: UInt64) throws {
        var dice = Seeded(seed)
        var loop = NotedLoop()
        let session = loop.session
        loop.record()
        let names = ["overdub", "play", "multiply", "insert", "undo", "redo"]
        for _ in 0..<30 {
            let name = try #require(names.randomElement(using: &dice))
            loop.render([session], calls: Int.random(in: 5...60, using: &dice), press: name)
            var layers: [Int] = []
            loop.noteSound { part in
                // All layers have a first page, which contains the sound before the loop.
                guard part.page == 0, part.secondAddress >> 8 == 0 else { return }
                layers += Array(part.firstLayer..<part.firstLayer + part.layerCount)
            }
            let others = session.looperReport("undo-layers") + session.looperReport("redo-layers")
            #expect(layers.sorted() == Array((layers.min() ?? 0)...(layers.max() ?? 0)))
            #expect(layers.count == Int(others) + 1)
        }
    }

    /// Returns a note of one layer with another number of layers, each of which continues the one
    /// below.
    private static func words(_ words: [UInt64], withLayers count: Int) -> [UInt64] {
        let newest = 5
        let layer = Array(words[6..<9])
        var layers = count > 0 ? layer : []
        for number in 1..<max(count, 1) {
            layers += [UInt64(1000 + number) | 1 << 32, layer[1], layer[2]]
        }
        var result = words
        result[newest] = UInt64(bitPattern: Int64(count - 1))
        result.replaceSubrange(6..<9, with: layers)
        return result
    }
}

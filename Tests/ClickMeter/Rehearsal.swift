import Engine
import Pipelines
import Processing
import Show

/// What shows are made of.
struct Material {
    let catalogue: Catalogue
    let sampleRate: Double

    /// A song of a pipeline's text.
    func song(_ text: String, place: Int) throws -> Song {
        let name = "song \(place + 1)"
        let pipeline = try Pipeline(
            decoding: Array("{ \"version\": 1, \(text) }".utf8), file: "\(name).json",
            catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }
}

/// A show that is played block by block, all its inputs hearing one sound.
final class Rehearsal {
    let material: Material
    let show: Show
    private var blockFrames: Int
    private static let mostFrames = 4096
    /// What is still to be done before the next blocks, one after the other.
    private var acts: [() throws -> Void] = []
    private let input: UnsafeMutablePointer<Float>
    private let outputs: [UnsafeMutablePointer<Float>]

    init(_ texts: [String], _ material: Material, blockFrames: Int, fadesIn: Bool) throws {
        self.material = material
        self.blockFrames = blockFrames
        var options = Show.Options()
        options.fadesIn = fadesIn
        // So that the same seed gives the same sound.
        options.preparesBeside = false
        show = try Show(
            playing: texts.enumerated().map { try material.song($0.element, place: $0.offset) },
            catalogue: material.catalogue,
            format: AudioFormat(
                sampleRate: material.sampleRate, maximumBlockFrames: blockFrames),
            options: options)
        let room = UnsafeMutablePointer<Float>.allocate(
            capacity: Self.mostFrames * (1 + Outside.mostChannels))
        room.initialize(repeating: 0, count: Self.mostFrames * (1 + Outside.mostChannels))
        input = room
        outputs = (0..<Outside.mostChannels).map { room + Self.mostFrames * (1 + $0) }
    }

    deinit { input.deallocate() }

    /// Goes on with another block length, as a server does that is told to.
    func follow(blockFrames frames: Int) {
        blockFrames = frames
        show.follow(
            AudioFormat(sampleRate: material.sampleRate, maximumBlockFrames: frames))
    }

    /// Does something with each of many values, in its order, before blocks that begin within some time from now.
    func perform<Item>(
        _ items: [Item], withinSeconds seconds: Double, _ act: @escaping (Item) throws -> Void
    ) throws {
        let blocks = max(1, Int(seconds * material.sampleRate) / blockFrames)
        acts = (0..<blocks).map { block in
            {
                for place in items.indices where place * blocks / items.count == block {
                    try act(items[place])
                }
            }
        }
    }

    /// Plays a sound, and calls `change` before the first block that begins at a frame or later.
    ///
    /// - Returns: What was heard of one output channel.
    func play(
        _ sound: [Float], listeningTo slot: Int, changingAt frame: Int,
        change: () throws -> Void
    ) throws -> [Float] {
        var heard: [Float] = []
        heard.reserveCapacity(sound.count)
        var hasChanged = false
        while heard.count < sound.count {
            if heard.count >= frame, !hasChanged {
                try change()
                hasChanged = true
            }
            if !acts.isEmpty { try acts.removeFirst()() }
            let first = heard.count
            heard += render(sound[first..<min(first + blockFrames, sound.endIndex)], slot)
            _ = show.advance()
        }
        return heard
    }

    private func render(_ sound: ArraySlice<Float>, _ slot: Int) -> [Float] {
        for (place, sample) in sound.enumerated() { input[place] = sample }
        outputs[slot].update(repeating: 0, count: sound.count)
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(input), count: Outside.mostChannels)
        show.engine.audio.render(frameCount: sound.count, inputs: inputs, outputs: outputs)
        return Array(UnsafeBufferPointer(start: outputs[slot], count: sound.count))
    }
}

import Engine
import Pipelines
import Processing
import Realtime
import SessionCore
import TestSignals

/// The requirements of a session.
struct Material {
    let catalogue: Catalogue
    let sampleRate: Double
    /// The keys of a setlist around all songs, each with a comma at its end; empty without one.
    private var outer = ""

    init(catalogue: Catalogue, sampleRate: Double) {
        self.catalogue = catalogue
        self.sampleRate = sampleRate
    }

    /// Returns the same requirements for songs in a setlist with an outer level.
    func around(_ outer: String) -> Material {
        var result = self
        result.outer = outer
        return result
    }

    /// Returns a song of a setlist with an outer level.
    private func outerSong(_ text: String, place: Int) throws -> Song {
        let folder = ScratchFolder()
        folder.write("{ \"version\": 1, \(text) }", to: "song.json")
        let setlist =
            "{ \"version\": 1, \"setlist\": \"s\", \(outer) \"songs\": [{ \"name\": \"song \(place + 1)\", \"pipeline\": \"song.json\" }] }"
        let file = try PipelineFile(
            decoding: Array(setlist.utf8), file: folder.file("setlist.json"), catalogue: catalogue)
        var song = SongCollection(file, path: "").songs[0]
        song.path = ""
        // Every song has its own folder, but all belong to one setlist.
        song.pipeline.outer?.path = "setlist.json"
        return song
    }

    /// Returns a song with a pipeline from text.
    func song(_ text: String, place: Int) throws -> Song {
        if !outer.isEmpty { return try outerSong(text, place: place) }
        let name = "song \(place + 1)"
        let pipeline = try Pipeline(
            decoding: Array("{ \"version\": 1, \(text) }".utf8), file: "\(name).json",
            catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }
}

/// A session that is rendered block by block; all its inputs receive the same sound.
final class Rehearsal {
    let material: Material
    let session: Session
    private var blockFrames: Int
    private static let maximumFrames = 4096
    /// The actions to perform before the next blocks, in order.
    private var acts: [() throws -> Void] = []
    /// The sound of all inputs, then that of each output.
    private let room: Buffer<Float>
    private let input: UnsafeMutablePointer<Float>
    private let outputs: [UnsafeMutablePointer<Float>]

    init(_ texts: [String], _ material: Material, blockFrames: Int, fadesIn: Bool) throws {
        self.material = material
        self.blockFrames = blockFrames
        var options = Session.Options()
        options.fadesIn = fadesIn
        // With preparation in the same thread, the same seed gives the same sound.
        options.preparesOnThread = false
        let songs = try texts.enumerated().map {
            try material.song($0.element, place: $0.offset)
        }
        session = try Session(
            playing: SongCollection(name: "songs", songs: songs, isSetlist: songs.count > 1),
            catalogue: material.catalogue,
            format: AudioFormat(
                sampleRate: material.sampleRate, maximumBlockFrames: blockFrames),
            options: options)
        room = Buffer(count: Self.maximumFrames * (1 + EnginePorts.maximumChannels), repeating: 0)
        let start = room.start
        input = start
        outputs = (0..<EnginePorts.maximumChannels).map { start + Self.maximumFrames * (1 + $0) }
    }

    /// Continues with another block size, as after a change on the server.
    func follow(blockFrames frames: Int) {
        blockFrames = frames
        session.follow(
            AudioFormat(sampleRate: material.sampleRate, maximumBlockFrames: frames))
    }

    /// Performs an action for each item in order, spread over the blocks of a time span.
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

    /// An action before the first block that starts at a frame or later.
    struct Cue {
        var frame: Int
        var act: () throws -> Void
    }

    /// Plays a sound, and calls `change` before the first block that starts at `frame` or later.
    ///
    /// Further actions, `cues`, are in the order of their frames.
    ///
    /// - Returns: The signal of one output channel.
    func play(
        _ sound: [Float], listeningTo slot: Int, cues: [Cue] = [], changingAt frame: Int,
        change: () throws -> Void
    ) throws -> [Float] {
        var cues = cues[...]
        var heard: [Float] = []
        heard.reserveCapacity(sound.count)
        var hasChanged = false
        while heard.count < sound.count {
            while let cue = cues.first, heard.count >= cue.frame {
                try cue.act()
                cues.removeFirst()
            }
            if heard.count >= frame, !hasChanged {
                try change()
                hasChanged = true
            }
            if !acts.isEmpty { try acts.removeFirst()() }
            let first = heard.count
            heard += render(sound[first..<min(first + blockFrames, sound.endIndex)], slot)
            _ = session.advance()
        }
        return heard
    }

    private func render(_ sound: ArraySlice<Float>, _ slot: Int) -> [Float] {
        for (frame, sample) in sound.enumerated() { input[frame] = sample }
        outputs[slot].update(repeating: 0, count: sound.count)
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(input), count: EnginePorts.maximumChannels)
        session.engine.audio.render(frameCount: sound.count, inputs: inputs, outputs: outputs)
        return Array(UnsafeBufferPointer(start: outputs[slot], count: sound.count))
    }
}

internal import CRealtime
internal import Effects
internal import Engine
internal import Pipelines
internal import Processing
internal import SessionCore

/// A session that runs without a server; all inputs receive one sine.
final class Stage {
    static let catalogue = Catalogue(effects: EffectCatalogue.effects, plugins: NoPlugins())
    static let sampleRate = 48_000.0
    private static let maximumFrames = 256
    /// Shared memory for all sessions of this process, which run one after the other: outputs, then
    /// the input.
    nonisolated(unsafe) private static let memory: UnsafeMutablePointer<Float> = {
        let count = maximumFrames * (EnginePorts.maximumChannels + 1)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        return memory
    }()
    nonisolated(unsafe) private static let outputs = (0..<EnginePorts.maximumChannels).map {
        memory + maximumFrames * $0
    }
    nonisolated(unsafe) private static let input =
        memory + maximumFrames * EnginePorts.maximumChannels
    nonisolated(unsafe) private static let inputs = [UnsafePointer<Float>](
        repeating: UnsafePointer(input), count: EnginePorts.maximumChannels)

    let session: Session
    private(set) var blockFrames: Int
    private var frame = 0
    /// The amplitude and the frequency of the sine.
    var amplitude: Float = 0.25
    var hertz = 200.0

    init(
        _ songs: [Song], from start: StartingPoint = StartingPoint(), blockFrames: Int = 64
    ) throws {
        var options = Session.Options()
        options.fadesIn = false
        // The same input then always has the same effect.
        options.preparesOnThread = false
        self.blockFrames = blockFrames
        session = try Session(
            playing: Self.collection(songs), from: start, catalogue: Self.catalogue,
            format: AudioFormat(sampleRate: Self.sampleRate, maximumBlockFrames: blockFrames),
            options: options)
    }

    /// Returns songs as a setlist; a single one as a pipeline.
    static func collection(_ songs: [Song]) -> SongCollection {
        SongCollection(name: "songs", songs: songs, isSetlist: songs.count > 1)
    }

    /// Returns a song with a pipeline from text without `version`.
    static func song(_ text: String, name: String) throws -> Song {
        let pipeline = try Pipeline(
            decoding: Array("{ \"version\": 1, \(text) }".utf8), file: "\(name).json",
            catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }

    /// Continues with another block size.
    func follow(blockFrames frames: Int) {
        blockFrames = min(frames, Self.maximumFrames)
        session.follow(AudioFormat(sampleRate: Self.sampleRate, maximumBlockFrames: blockFrames))
    }

    /// Renders a block, with MIDI if there is any, and checks that every sample is finite.
    ///
    /// - Returns: The first output channel; valid until the next call.
    @discardableResult
    func render(_ engineCall: UnsafePointer<RTEngineCall>? = nil) -> UnsafeBufferPointer<Float> {
        let omega = 2 * Double.pi * hertz / Self.sampleRate
        for index in 0..<blockFrames {
            Self.input[index] = amplitude * Float(rt_sin(omega * Double(frame + index)))
        }
        let channels = max(session.engine.audio.outputSlotCount, session.ports.outputSlots)
        for channel in 0..<channels {
            Self.outputs[channel].update(repeating: 0, count: blockFrames)
        }
        let control = rt_float_control()
        session.engine.audio.render(
            frameCount: blockFrames, inputs: Self.inputs, outputs: Self.outputs,
            engineCall: engineCall)
        rt_restore_float_control(control)
        for channel in 0..<channels {
            let sound = UnsafeBufferPointer(start: Self.outputs[channel], count: blockFrames)
            require(sound.allSatisfy(\.isFinite), "channel \(channel) is not finite")
        }
        frame += blockFrames
        return UnsafeBufferPointer(start: Self.outputs[0], count: blockFrames)
    }

    /// Renders blocks, each followed by the session's periodic work.
    func play(blocks: Int) {
        for _ in 0..<blocks {
            render()
            _ = session.advance()
        }
    }

    /// Checks that every reported value is finite, and equal to the value reported on its own.
    func checkValues() {
        guard case .values(let entries) = session.perform(.dump) else {
            fatalError("the show does not report its values")
        }
        for entry in entries {
            if case .number(let number) = entry.value {
                require(number.isFinite, "\(entry.address) is \(number)")
            }
            let answer = session.perform(.get(entry.address))
            require(answer == .values([entry]), "\(entry.address) is \(answer), not \(entry.value)")
        }
    }
}

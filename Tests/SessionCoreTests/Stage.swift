import CRealtime
import Effects
import Engine
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

/// A session with arrays as its inputs and outputs, played block by block.
final class Stage {
    static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [RestlessEffect.effect], plugins: NoPlugins())

    let session: Session
    /// The events of the session so far.
    var events: [SessionEvent] { log.all }
    private let log = EventLog()
    private let blockFrames: Int

    init(
        _ songs: [Song], from start: StartingPoint = StartingPoint(), blockFrames: Int = 64,
        sampleRate: Double = 48_000, coreCount: Int = 1,
        preparesOnThread: Bool = false, fadesIn: Bool = false,
        catalogue: Catalogue = Stage.catalogue, isTolerant: Bool = false, keepsValues: Bool = true,
        measuresLateness: Bool = true
    ) throws {
        var options = Session.Options()
        options.fadesIn = fadesIn
        options.isTolerant = isTolerant
        options.measuresLateness = measuresLateness
        options.preparesOnThread = preparesOnThread
        options.usesCoresAutomatically = false
        self.blockFrames = blockFrames
        session = try Session(
            playing: SongCollection(
                name: "songs", songs: songs, isSetlist: songs.count > 1,
                keepsValues: keepsValues), from: start,
            catalogue: catalogue,
            format: AudioFormat(
                sampleRate: sampleRate, maximumBlockFrames: blockFrames, coreCount: coreCount),
            options: options)
        session.watch(for: ObjectIdentifier(log)) { [log] in log.add($0) }
    }

    convenience init(_ texts: String..., preparesOnThread: Bool = false) throws {
        try self.init(
            texts.enumerated().map { try Self.song($0.element, name: "song \($0.offset + 1)") },
            preparesOnThread: preparesOnThread)
    }

    /// Returns a song from the text of a pipeline without `version`.
    static func song(_ text: String, name: String) throws -> Song {
        let whole = "{ \"version\": 1, \(text) }"
        let pipeline = try Pipeline(
            decoding: Array(whole.utf8), file: "\(name).json", catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }

    /// Plays a sound into every input slot, and returns the sound of each output slot.
    func play(
        _ sound: [Float], advancing: Bool = true, call: UnsafePointer<RTEngineCall>? = nil
    ) -> [[Float]] {
        var outputs: [[Float]] = []
        let input = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
        let output = (0..<EnginePorts.maximumChannels).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
        }
        defer {
            input.deallocate()
            for place in output { place.deallocate() }
        }
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(input), count: EnginePorts.maximumChannels)
        var done = 0
        while done < sound.count {
            let frames = min(blockFrames, sound.count - done)
            for frame in 0..<frames { input[frame] = sound[done + frame] }
            for slot in session.engine.audio
                .outputSlotCount..<max(
                    session.engine.audio.outputSlotCount, session.ports.outputSlots)
            {
                output[slot].update(repeating: 0, count: frames)
            }
            session.engine.audio.render(
                frameCount: frames, inputs: inputs, outputs: output, engineCall: call)
            let slots = session.ports.outputSlots
            while outputs.count < slots {
                outputs.append([Float](repeating: 0, count: done))
            }
            for slot in outputs.indices {
                for frame in 0..<frames {
                    outputs[slot].append(slot < slots ? output[slot][frame] : 0)
                }
            }
            done += frames
            if advancing { _ = session.advance() }
        }
        return outputs
    }

    /// Plays silence, and returns the messages that the first MIDI output sends.
    func messages(inFrames frames: Int) -> [[UInt8]] {
        let heard = HeardMessages()
        var sink = RTMessageSink(
            receive: { context, _, bytes, count in
                Unmanaged<HeardMessages>.fromOpaque(context).takeUnretainedValue().all.append(
                    (0..<Int(count)).map { bytes[$0] })
                return true
            }, context: Unmanaged.passUnretained(heard).toOpaque(), startFrame: 0)
        withUnsafePointer(to: &sink) { sink in
            var call = RTEngineCall()
            (call.sinks, call.sinkCount) = (sink, 1)
            withUnsafePointer(to: &call) {
                _ = play([Float](repeating: 0, count: frames), call: $0)
            }
        }
        return heard.all
    }

    func edit(_ text: String) throws {
        session.follow([try Self.song(text, name: session.songs[0].name)])
    }

    func ask(_ address: String, _ value: Value? = nil) -> Answer {
        if let value { return session.perform(.set(address, value)) }
        return session.perform(
            SessionCommand(rawValue: address).map { .perform($0) } ?? .get(address))
    }

    func value(_ address: String) -> Value? {
        if case .values(let entries) = session.perform(.get(address)) {
            entries.first?.value
        } else {
            nil
        }
    }
}

/// The messages that an output has sent.
private final class HeardMessages {
    var all: [[UInt8]] = []
}

/// The events of a session, in order.
final class EventLog: Sendable {
    private let events = Mutex<[SessionEvent]>([])

    var all: [SessionEvent] { events.withLock { $0 } }

    func add(_ event: SessionEvent) { events.withLock { $0.append(event) } }
    func forget() { events.withLock { $0 = [] } }
}

/// Returns the largest difference between neighbouring samples.
func largestStep(_ sound: [Float]) -> Float {
    zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
}

import Effects
import Engine
import Pipelines
import Processing
import Show
import TestSignals
import Testing

/// A show with arrays for its inputs and outputs, played block by block.
final class Stage {
    static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [RestlessEffect.effect], plugins: NoPlugins())

    let show: Show
    private(set) var events: [ShowEvent] = []
    private let blockFrames: Int

    init(
        _ songs: [Song], blockFrames: Int = 64, sampleRate: Double = 48_000,
        preparesBeside: Bool = false, fadesIn: Bool = false
    ) throws {
        var options = Show.Options()
        options.fadesIn = fadesIn
        options.preparesBeside = preparesBeside
        self.blockFrames = blockFrames
        show = try Show(
            playing: songs, catalogue: Self.catalogue,
            format: AudioFormat(sampleRate: sampleRate, maximumBlockFrames: blockFrames),
            options: options)
    }

    convenience init(_ texts: String..., preparesBeside: Bool = false) throws {
        try self.init(
            texts.enumerated().map { try Self.song($0.element, name: "song \($0.offset + 1)") },
            preparesBeside: preparesBeside)
    }

    /// A song of a pipeline's text, without `version`.
    static func song(_ text: String, name: String) throws -> Song {
        let whole = "{ \"version\": 1, \(text) }"
        let pipeline = try Pipeline(
            decoding: Array(whole.utf8), file: "\(name).json", catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }

    /// Plays a sound to every input slot; what comes out of each output slot.
    func play(_ sound: [Float], advancing: Bool = true) -> [[Float]] {
        var outputs: [[Float]] = []
        let input = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
        let output = (0..<Outside.mostChannels).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
        }
        defer {
            input.deallocate()
            for place in output { place.deallocate() }
        }
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(input), count: Outside.mostChannels)
        var done = 0
        while done < sound.count {
            let frames = min(blockFrames, sound.count - done)
            for frame in 0..<frames { input[frame] = sound[done + frame] }
            for slot in show.engine.audio
                .outputSlotCount..<max(
                    show.engine.audio.outputSlotCount, show.outside.outputSlots)
            {
                output[slot].update(repeating: 0, count: frames)
            }
            show.engine.audio.render(frameCount: frames, inputs: inputs, outputs: output)
            let slots = show.outside.outputSlots
            while outputs.count < slots {
                outputs.append([Float](repeating: 0, count: done))
            }
            for slot in outputs.indices {
                for frame in 0..<frames {
                    outputs[slot].append(slot < slots ? output[slot][frame] : 0)
                }
            }
            done += frames
            if advancing { events += show.advance() }
        }
        return outputs
    }

    func edit(_ text: String) throws {
        show.edited([try Self.song(text, name: show.songs[0].name)])
    }

    func ask(_ address: String, _ value: Value? = nil) -> Answer {
        show.perform(.set(address, value))
    }

    func value(_ address: String) -> Value? {
        if case .values(let entries) = show.perform(.get(address)) {
            entries.first?.value
        } else {
            nil
        }
    }
}

/// The largest difference between neighbouring samples.
func largestStep(_ sound: [Float]) -> Float {
    zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
}

internal import Pipelines
internal import Platform
internal import Proof

/// The gains of songs that `prove --fix-levels` writes into a setlist.
struct LevelFix {
    private let gains: [SongGain]

    init(_ night: PlayedNight) { gains = SongGain.all(of: night) }

    /// The text for people, a line for each gain.
    var lines: [String] {
        guard !gains.isEmpty else {
            return ["all songs have the same loudness; nothing is changed"]
        }
        return gains.map { gain in
            "\(gain.name): gain \(gain.decibels.fixed(1)) dB, was \(gain.former.fixed(1)) dB"
                + (gain.isLimited ? "; more would raise its peaks above -1 dB" : "")
        }
    }

    /// Writes the gains into a setlist; all other bytes of the file remain.
    ///
    /// - Throws: `Failure` if the file has changed meanwhile, or cannot be written.
    func write(to file: String, over old: PipelineText) throws {
        guard !gains.isEmpty else { return }
        do {
            let operations = gains.map { gain in
                JSONPatch.Operation(
                    .add(JSONFragment(.number(gain.decibels))),
                    at: JSONPointer(tokens: ["songs", "\(gain.song)", "gain"]))
            }
            try old.applying(JSONPatch(operations)).save(to: file, over: old)
        } catch let error as EditError {
            throw Failure("\(file) is not changed: \(error.message)", .failedWrite)
        } catch let error as PatchError {
            throw Failure("\(file) is not changed: \(error.message)", .failedWrite)
        }
    }
}

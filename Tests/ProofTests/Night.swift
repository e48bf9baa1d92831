import Effects
import Pipelines
import Processing
import Proof
import SessionCore
import TestSignals

/// A night for tests, from the texts of its songs.
struct Night {
    static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [LatencyEffect.effect, LiveFaultEffect.effect],
        plugins: NoPlugins(),
        memory: .unlimited)

    let songs: SongCollection

    /// Creates the songs from JSON texts that follow their version.
    init(_ texts: String...) throws {
        let songs = try texts.enumerated().map { index, text in
            let name = "song \(index + 1)"
            let pipeline = try Pipeline(
                decoding: Array("{ \"version\": 1, \(text) }".utf8), file: "\(name).json",
                catalogue: Self.catalogue)
            return Song(name: name, pipeline: pipeline, path: "")
        }
        self.songs = SongCollection(name: "night", songs: songs, isSetlist: songs.count > 1)
    }

    var steps: [Step] { Walk(through: songs).steps }

    /// Plays the night as briefly as possible.
    func play(
        seconds: Double = 0.1, passes: Int = 1, isPaced: Bool = false,
        sounds: [String: [[Float]]] = [:], outputs: Set<String> = []
    ) throws -> PlayedNight {
        var request = ProofRequest()
        request.seconds = seconds
        request.passes = passes
        request.isPaced = isPaced
        request.sounds = sounds
        request.outputs = outputs
        return try NightPlayer(songs, catalogue: Self.catalogue, request).play()
    }
}

extension PlayedNight {
    /// Returns the findings of a check.
    func findings(of id: String) -> [Finding] { findings.filter { $0.id == id } }
}

public import Pipelines
internal import Processing

/// The state of a session that a later run can continue from: the song, the scene, the values that
/// were changed live, and the master section.
public struct SessionSnapshot: Sendable, Equatable {
    /// The name of the song.
    public var song: String
    /// The number of the song, from 1.
    public var number: Int
    /// The name of the scene in effect; `nil` before the first one.
    public var scene: String?
    /// The values of nodes that differ from the file and the scene.
    public var values: [AddressValue]
    /// The tempo in beats per minute; `nil` if it is the song's own.
    public var tempo: Double?
    /// Whether all outputs are muted.
    public var isMuted: Bool
    /// The gain of all outputs, in dB.
    public var gainDecibels: Double

    /// Creates a snapshot from its properties.
    public init(
        song: String, number: Int, scene: String? = nil, values: [AddressValue] = [],
        tempo: Double? = nil, isMuted: Bool = false, gainDecibels: Double = 0
    ) {
        self.song = song
        self.number = number
        self.scene = scene
        self.values = values
        self.tempo = tempo
        self.isMuted = isMuted
        self.gainDecibels = gainDecibels
    }
}

/// The checked values with which a session continues.
public struct ResumedValues: Sendable, Equatable {
    /// The changes of the first song, after its scene.
    public var changes: [Pipeline.Change] = []
    /// The tempo in beats per minute; `nil` for the song's own.
    public var tempo: Double?
    /// Whether all outputs are muted.
    public var isMuted = false
    /// The gain of all outputs, in dB.
    public var gainDecibels = 0.0

    /// Creates values that change nothing.
    public init() {}

    /// The values of the master section alone, for another song or scene.
    public var masterOnly: ResumedValues {
        var result = self
        result.changes = []
        return result
    }
}

extension SongCollection {
    /// Returns the starting point at which a former run ended.
    ///
    /// Parts of the snapshot that do not fit the songs are left out.
    ///
    /// - Parameter snapshot: The state of the former run, perhaps of edited songs, or damaged.
    /// - Returns: The starting point, and a sentence without its full stop for each part that does
    ///   not fit.
    public func startingPoint(
        resuming snapshot: SessionSnapshot
    ) -> (point: StartingPoint, unused: [String]) {
        var unused: [String] = []
        var point = StartingPoint(song: firstPlayable)
        var resumed = ResumedValues()
        resumed.isMuted = snapshot.isMuted
        if MasterSection.gainRange.contains(snapshot.gainDecibels) {
            resumed.gainDecibels = snapshot.gainDecibels
        } else {
            unused.append("the saved gain is not valid")
        }
        if let tempo = snapshot.tempo {
            if MasterSection.tempoRange.contains(tempo) {
                resumed.tempo = tempo
            } else {
                unused.append("the saved tempo is not valid")
            }
        }
        if let song = index(of: snapshot) {
            point.song = song
            let pipeline = songs[song].pipeline
            point.scene = pipeline.scenes.firstIndex { $0.name == snapshot.scene }
            if let scene = snapshot.scene, point.scene == nil {
                unused.append("there is no scene \"\(scene)\" any more")
            }
            for entry in snapshot.values {
                switch pipeline.change(address: entry.address, to: entry.value.scalar) {
                case .success(let change): resumed.changes.append(change)
                case .failure(let error):
                    unused.append("a saved value is not used: \(error.message)")
                }
            }
        } else {
            unused.append("the song \"\(snapshot.song)\" does not exist any more or cannot play")
        }
        point.resumed = resumed
        return (point, unused)
    }

    /// Returns the index of the song of a snapshot: by its name, and by its number if several songs
    /// have the name.
    private func index(of snapshot: SessionSnapshot) -> Int? {
        // A single pipeline can be renamed.
        guard isSetlist else { return songs[0].isPlayable ? 0 : nil }
        let candidates = songs.indices.filter {
            songs[$0].name == snapshot.song && songs[$0].isPlayable
        }
        return candidates.first { $0 + 1 == snapshot.number } ?? candidates.first
    }
}

extension Pipeline {
    /// Returns the pipeline with another initial scene; `nil` keeps its own.
    func beginning(withScene index: Int?) -> Pipeline {
        var result = self
        result.initialScene = index ?? initialScene
        return result
    }

    /// Returns the pipeline as it begins with resumed values, without an initial scene.
    func resuming(_ resumed: ResumedValues?) -> Pipeline {
        guard let resumed else { return self }
        var result = atLoad.applying(resumed.changes)
        result.initialScene = nil
        result.tempo = resumed.tempo ?? tempo
        return result
    }
}

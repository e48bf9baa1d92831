internal import Pipelines
internal import Platform
internal import SessionCore

/// A gain of a song in the setlist that gives all songs the same loudness.
public struct SongGain: Sendable, Equatable {
    /// The index of the song.
    public let song: Int
    /// The name of the song.
    public let name: String
    /// The change of the gain.
    public let change: GainChange

    /// Returns the gains of all songs that should change.
    ///
    /// The target is the median loudness of the songs at their starts. A gain is raised only as far
    /// as the highest peak of any step of the song permits. Songs that are too quiet to measure do
    /// not change.
    ///
    /// - Parameters:
    ///   - night: A night of a setlist.
    ///   - scenes: The gains of scenes that change too; each song begins as loud as before.
    /// - Returns: The gains, in the order of the songs.
    public static func all(of night: PlayedNight, after scenes: [SceneGain] = []) -> [SongGain] {
        let songs = night.songs.songs
        let loudness = songs.indices.map { night.loudness(ofSong: $0) }
        let sorted = loudness.compactMap { $0 }.sorted()
        guard sorted.count > 1 else { return [] }
        let target = sorted[(sorted.count - 1) / 2]
        return songs.indices.compactMap { index in
            guard let measured = loudness[index] else { return nil }
            let peak = night.peak(ofSong: songs[index].name) { scene in
                scenes.first { $0.song == index && $0.scene == scene }?.change.difference ?? 0
            }
            return GainChange(
                from: songs[index].pipeline.gainDecibels, by: target - measured, peak: peak
            ).map { SongGain(song: index, name: songs[index].name, change: $0) }
        }
    }
}

/// A gain of a scene that makes it as loud as the beginning of its song.
public struct SceneGain: Sendable, Equatable {
    /// The index of the song.
    public let song: Int
    /// The name of the song.
    public let name: String
    /// The name of the scene.
    public let scene: String
    /// The change of the gain.
    public let change: GainChange

    /// The largest jump from the beginning of the song that remains, in dB.
    private static let largestJump = 3.0

    /// Returns the gains of all scenes that should change.
    ///
    /// The target is the loudness with which the song begins. Only scenes that jump by more than 3 dB
    /// change, and the scene that the song begins with never does. A gain is raised only as far as
    /// the highest peak of any step in the scene permits. A file that several songs play changes for
    /// the first of them.
    ///
    /// - Parameter night: A night.
    /// - Returns: The gains, in the order of the songs and their scenes.
    public static func all(of night: PlayedNight) -> [SceneGain] {
        var seen: Set<String> = []
        let parts = night.songsAndScenes
        return night.songs.songs.enumerated().flatMap { index, song -> [SceneGain] in
            guard let target = night.loudness(ofSong: index),
                song.path.isEmpty
                    || seen.insert(AbsolutePath.resolvingLinks(song.path) ?? song.path).inserted
            else { return [] }
            return song.pipeline.scenes.compactMap { scene in
                let place = Place(song: song.name, scene: scene.name)
                guard scene.name != song.firstScene,
                    let measured = parts.first(where: { $0.place == place })?.loudness,
                    (target - measured).magnitude > largestJump
                else { return nil }
                return GainChange(
                    from: scene.gainDecibels ?? 0, by: target - measured,
                    peak: night.peak(in: place)
                ).map { SceneGain(song: index, name: song.name, scene: scene.name, change: $0) }
            }
        }
    }
}

/// A change of a gain in a file.
public struct GainChange: Sendable, Equatable {
    /// The gain in the file, in dB.
    public let former: Double
    /// The gain that is proposed, in dB, with one digit after the point.
    public let decibels: Double
    /// Whether more would be needed, but peaks would be too high.
    public let isLimited: Bool

    /// The change, in dB.
    var difference: Double { decibels - former }

    /// The gains that a file can state, in dB.
    private static let range = -60.0...24.0
    /// The highest peak of an output after a gain is raised, in dB of full scale.
    private static let highestPeak = -1.0
    /// A song or scene that needs more than this is silent on purpose, in dB: it only has the rest
    /// of an earlier sound.
    private static let largestRaise = 24.0
    /// A smaller difference is not worth an edit, in dB.
    private static let smallestChange = 0.5

    /// Creates a change; `nil` if it is too small to be worth an edit, or the sound is too quiet.
    ///
    /// - Parameters:
    ///   - former: The gain in the file, in dB.
    ///   - wanted: The change that gives the target loudness, in dB.
    ///   - peak: The highest peak with the former gain, in dB of full scale.
    init?(from former: Double, by wanted: Double, peak: Double) {
        guard wanted <= Self.largestRaise else { return nil }
        let change = min(wanted, max(0, Self.highestPeak - peak))
        let bounded = min(max(former + change, Self.range.lowerBound), Self.range.upperBound)
        // A gain that peaks limit is rounded down.
        decibels = (10 * bounded).rounded(change < wanted ? .down : .toNearestOrEven) / 10
        self.former = former
        isLimited = change < wanted
        guard (decibels - former).magnitude >= Self.smallestChange else { return nil }
    }
}

extension PlayedNight {
    /// Returns the loudness of a song when it begins for the first time, in LUFS.
    fileprivate func loudness(ofSong song: Int) -> Double? {
        steps.firstIndex { $0.deed == .song(song) }
            .flatMap { levels[$0].loudness(ofOutputs: request.outputs) }
    }

    /// Returns the highest peak of the outputs in all steps of a song, in dB of full scale, after the
    /// gain of each scene has changed by a number of dB.
    fileprivate func peak(ofSong song: String, changedBy change: (String?) -> Double) -> Double {
        steps.indices.filter { steps[$0].place.song == song }.compactMap { step in
            levels[step].outputs.map(\.settledPeakDecibels).max().map {
                $0 + change(steps[step].place.scene)
            }
        }.max() ?? -120
    }

    /// Returns the highest peak of the outputs in all steps in a scene, in dB of full scale.
    fileprivate func peak(in place: Place) -> Double {
        steps.indices.filter {
            steps[$0].place.song == place.song && steps[$0].place.scene == place.scene
        }.flatMap { levels[$0].outputs.map(\.settledPeakDecibels) }.max() ?? -120
    }
}

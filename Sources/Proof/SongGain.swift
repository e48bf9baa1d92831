internal import Pipelines
internal import SessionCore

/// A gain of a song in the setlist that gives all songs the same loudness.
public struct SongGain: Sendable, Equatable {
    /// The index of the song.
    public let song: Int
    /// The name of the song.
    public let name: String
    /// The gain in the file, in dB.
    public let former: Double
    /// The gain that is proposed, in dB, with one digit after the point.
    public let decibels: Double
    /// Whether the song stays quieter than the others, because its peaks would be too high.
    public let isLimited: Bool

    /// The gains that a setlist can state, in dB.
    private static let range = -60.0...24.0
    /// The highest peak of an output after a gain is raised, in dB of full scale.
    private static let highestPeak = -1.0
    /// A smaller difference is not worth an edit, in dB.
    private static let smallestChange = 0.5

    /// Returns the gains of all songs that should change.
    ///
    /// The target is the median loudness of the songs at their starts. A gain is raised only as far
    /// as the highest peak of any step of the song permits. Songs that are too quiet to measure do
    /// not change.
    ///
    /// - Parameter night: A night of a setlist.
    /// - Returns: The gains, in the order of the songs.
    public static func all(of night: PlayedNight) -> [SongGain] {
        let songs = night.songs.songs
        let loudness = songs.indices.map { night.loudness(ofSong: $0) }
        let sorted = loudness.compactMap { $0 }.sorted()
        guard sorted.count > 1 else { return [] }
        let target = sorted[(sorted.count - 1) / 2]
        return songs.indices.compactMap { index in
            guard let measured = loudness[index] else { return nil }
            let former = songs[index].pipeline.gainDecibels
            let wanted = target - measured
            let room = max(0, highestPeak - night.peak(ofSong: songs[index].name))
            let change = min(wanted, room)
            let gain =
                (10 * min(max(former + change, range.lowerBound), range.upperBound))
                .rounded() / 10
            guard abs(gain - former) >= smallestChange else { return nil }
            return SongGain(
                song: index, name: songs[index].name, former: former, decibels: gain,
                isLimited: change < wanted)
        }
    }
}

extension PlayedNight {
    /// Returns the loudness of a song when it begins for the first time, in LUFS.
    fileprivate func loudness(ofSong song: Int) -> Double? {
        steps.firstIndex { $0.deed == .song(song) }.flatMap { levels[$0].outputs.first?.loudness }
    }

    /// Returns the highest peak of the outputs in all steps of a song, in dB of full scale.
    fileprivate func peak(ofSong song: String) -> Double {
        steps.indices.filter { steps[$0].place.song == song }
            .flatMap { levels[$0].outputs.map(\.peakDecibels) }.max() ?? -120
    }
}

internal import Pipelines
internal import SessionCore

/// A song with a scene, and the measurements of all steps that play it.
public struct SongOrScene: Sendable, Equatable {
    /// The song and the scene.
    public let place: Place
    /// The highest mean load of its steps, as a share of the period.
    public internal(set) var meanLoad: Double
    /// The highest load of a block.
    public internal(set) var worstLoad: Double
    /// Whether one of its steps was measured in real time, which can double the loads.
    public internal(set) var isInRealTime: Bool
    /// The highest peak of an output, in dB of full scale; `nil` without audio outputs.
    public internal(set) var peakDecibels: Double?
    /// The loudness of the chosen outputs in the first step that is loud enough to measure, in LUFS;
    /// `nil` if no step is.
    public internal(set) var loudness: Double?
}

extension PlayedNight {
    /// All songs and scenes, each once, in the order of the night.
    public var songsAndScenes: [SongOrScene] {
        var result: [SongOrScene] = []
        for index in steps.indices where steps[index].isLong {
            let (place, loads) = (steps[index].place, loads(ofStep: index))
            let peak = levels[index].outputs.map(\.peakDecibels).max()
            let loudness = levels[index].loudness(ofOutputs: request.outputs)
            guard let known = result.firstIndex(where: { $0.place == place }) else {
                result.append(
                    SongOrScene(
                        place: place, meanLoad: loads.mean, worstLoad: loads.worst,
                        isInRealTime: times[index].isInRealTime, peakDecibels: peak,
                        loudness: loudness))
                continue
            }
            result[known].isInRealTime = result[known].isInRealTime || times[index].isInRealTime
            result[known].meanLoad = max(result[known].meanLoad, loads.mean)
            result[known].worstLoad = max(result[known].worstLoad, loads.worst)
            result[known].peakDecibels = [result[known].peakDecibels, peak].compactMap { $0 }.max()
            result[known].loudness = result[known].loudness ?? loudness
        }
        // A night can return to a song, with another scene.
        return result.enumerated()
            .map { (order: order(of: $1.place), offset: $0, part: $1) }
            .sorted { ($0.order, $0.offset) < ($1.order, $1.offset) }.map(\.part)
    }

    /// Returns the place of a song and its scene in the files, as a number to sort by.
    private func order(of place: Place) -> Int {
        guard let song = songs.songs.firstIndex(where: { $0.name == place.song }) else { return 0 }
        let scene = songs.songs[song].pipeline.scenes.firstIndex { $0.name == place.scene }
        return (song << 32) + (scene.map { $0 + 1 } ?? 0)
    }

    /// Whether some songs and scenes were measured in real time and others were not, so that their
    /// loads cannot be compared.
    public var mixesMeasurements: Bool {
        let parts = songsAndScenes
        return parts.contains(where: \.isInRealTime) && !parts.allSatisfy(\.isInRealTime)
    }
}

/// A song with a scene, and what was measured each time it began.
public struct SongOrScene: Sendable, Equatable {
    /// The song and the scene.
    public let place: Place
    /// The highest mean load of its steps, as a share of the period.
    public internal(set) var meanLoad: Double
    /// The highest load of a block.
    public internal(set) var worstLoad: Double
    /// The highest peak of an output, in dB of full scale; `nil` without audio outputs.
    public internal(set) var peakDecibels: Double?
    /// The loudness of the first output, in LUFS, of the first step that has one; `nil` if it is
    /// too quiet.
    public internal(set) var loudness: Double?
}

extension PlayedNight {
    /// All songs and scenes, each once, in the order in which they were played first.
    public var songsAndScenes: [SongOrScene] {
        var result: [SongOrScene] = []
        for index in steps.indices where steps[index].isLong {
            let (place, loads) = (steps[index].place, loads(ofStep: index))
            let peak = levels[index].outputs.map(\.peakDecibels).max()
            let loudness = levels[index].outputs.first?.loudness
            guard let known = result.firstIndex(where: { $0.place == place }) else {
                result.append(
                    SongOrScene(
                        place: place, meanLoad: loads.mean, worstLoad: loads.worst,
                        peakDecibels: peak, loudness: loudness))
                continue
            }
            result[known].meanLoad = max(result[known].meanLoad, loads.mean)
            result[known].worstLoad = max(result[known].worstLoad, loads.worst)
            result[known].peakDecibels = [result[known].peakDecibels, peak].compactMap { $0 }.max()
            result[known].loudness = result[known].loudness ?? loudness
        }
        return result
    }
}

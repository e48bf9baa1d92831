internal import SoundFiles
internal import Synchronization

/// A part of a file as it is held in memory, one channel behind the other.
final class Clip: Sendable {
    // SAFETY: written before the initialiser returns, and only read after it.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    let frameCount: Int

    /// Reads the whole part.
    ///
    /// - Parameter source: At its first frame.
    /// - Throws: `SoundFileFault` where the medium fails.
    init(reading source: ItemSource) throws(SoundFileFault) {
        let channels = source.region.channels
        let stride = max(1, source.frameCount)
        samples = .allocate(capacity: stride * channels)
        samples.initialize(repeating: 0, count: stride * channels)
        frameCount = source.frameCount
        _ = try source.read(
            from: 0, count: frameCount, channels: channels, into: samples, stride: stride)
    }

    deinit { samples.deallocate() }

    /// How far the channels are apart.
    var stride: Int { max(1, frameCount) }
}

/// Clips that are in use, so that all who play the same file share one.
final class ClipShelf: Sendable {
    /// The one of the process.
    static let shared = ClipShelf()

    private struct Label: Hashable {
        var region: ItemRegion
        var stamp: FileStamp
    }

    private struct Place: Sendable {
        weak var clip: Clip?
    }

    private let places = Mutex<[Label: Place]>([:])

    /// Finds the clip of a part of a file that is in use, or reads it now.
    ///
    /// - Parameters:
    ///   - region: Which part.
    ///   - source: Reads it where it is not in use.
    /// - Returns: The clip, which stays as long as somebody holds it.
    /// - Throws: `SoundFileFault` where the medium fails.
    func clip(of region: ItemRegion, _ source: ItemSource) throws(SoundFileFault) -> Clip {
        guard let stamp = FileStamp(path: region.path) else { return try Clip(reading: source) }
        let label = Label(region: region, stamp: stamp)
        if let found = places.withLock({ $0[label]?.clip }) { return found }
        let made = try Clip(reading: source)
        places.withLock { places in
            places = places.filter { $0.value.clip != nil }
            places[label] = Place(clip: made)
        }
        return made
    }
}

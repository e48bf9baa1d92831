internal import DSP
internal import Processing
internal import SoundFiles
internal import Synchronization

/// The samples of a part of a file in memory, one channel after the other.
final class Clip: Sendable {
    // SAFETY: `init` writes the samples before it returns; after that they are only read.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    let frameCount: Int

    /// Reads the whole part.
    ///
    /// - Parameter source: The part, positioned at its first frame.
    /// - Throws: `ClipError` if the medium fails or there is not enough memory.
    init(reading source: ItemSource) throws(ClipError) {
        let channels = source.region.channels
        let stride = max(1, source.frameCount)
        let count = stride.multipliedClamped(by: channels)
        guard let samples = SampleMemory.zeros(count) else {
            throw .memory(bytes: count.multipliedClamped(by: MemoryLayout<Float>.stride))
        }
        self.samples = samples
        frameCount = source.frameCount
        do throws(SoundFileError) {
            _ = try source.read(
                from: 0, count: frameCount, channels: channels, into: samples, stride: stride)
        } catch {
            throw .file(error)
        }
    }

    deinit { SampleMemory.free(samples) }

    /// The distance between two channels, in samples.
    var stride: Int { max(1, frameCount) }
}

/// The reason why a clip cannot be made.
enum ClipError: Error {
    case file(SoundFileError)
    /// The system cannot provide this much memory.
    case memory(bytes: Int)
}

/// The clips in use, so that all players of the same file share one.
final class ClipCache: Sendable {
    /// The shelf of this process.
    static let shared = ClipCache()

    private struct Label: Hashable {
        var region: ItemRegion
        var stamp: FileStamp
    }

    private struct Entry: Sendable {
        weak var clip: Clip?
    }

    private let entries = Mutex<[Label: Entry]>([:])

    /// Returns whether the clip is already in use, so that another player needs no memory for it.
    func holds(_ region: ItemRegion) -> Bool {
        guard let stamp = FileStamp(path: region.path) else { return false }
        let label = Label(region: region, stamp: stamp)
        return entries.withLock { $0[label]?.clip } != nil
    }

    /// Returns the clip of a part of a file: the one already in use, or a new one.
    ///
    /// - Parameters:
    ///   - region: The part of the file.
    ///   - source: Reads the part if it is not in use.
    /// - Returns: The clip; the shelf does not keep it alive.
    /// - Throws: `ClipError` if the medium fails or there is not enough memory.
    func clip(of region: ItemRegion, _ source: ItemSource) throws(ClipError) -> Clip {
        guard let stamp = FileStamp(path: region.path) else { return try Clip(reading: source) }
        let label = Label(region: region, stamp: stamp)
        if let found = entries.withLock({ $0[label]?.clip }) { return found }
        let made = try Clip(reading: source)
        entries.withLock { entries in
            entries = entries.filter { $0.value.clip != nil }
            entries[label] = Entry(clip: made)
        }
        return made
    }
}

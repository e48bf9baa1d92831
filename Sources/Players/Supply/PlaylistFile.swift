internal import DSP
internal import Processing
internal import Realtime
internal import SoundFiles

/// A file of a player's list, ready to play.
struct PlaylistFile: Sendable {
    let key: PlaylistKey
    let sound: PlaylistSound
    /// Keeps the samples alive that `sound` points to; `nil` if the file is read in pages.
    private let clip: Clip?
    /// Reads the pages of the file.
    let source: any PageSource

    /// Opens a file, and loads it into memory if it is short.
    ///
    /// - Parameters:
    ///   - key: The file, its part and its gain.
    ///   - opener: Opens sound files.
    ///   - isClip: Whether a file of this length in frames is loaded into memory in full.
    ///   - keepsOpen: Whether a file that is read in pages stays open until its first read.
    /// - Throws: `PluginError` if the file cannot be read or there is no memory for it.
    init(
        _ key: PlaylistKey, opener: SoundOpener, isClip: (Int) -> Bool, keepsOpen: Bool
    ) throws(PluginError) {
        self.key = key
        let source: ItemSource
        do throws(SoundFileError) {
            source = try ItemSource(key.region, opener: opener)
        } catch {
            throw PluginError("\(error)")
        }
        clip = isClip(source.frameCount) ? try Self.clip(of: key.region, source) : nil
        sound = PlaylistSound(
            frameCount: clip?.frameCount ?? source.frameCount,
            gain: Float(Decibels(key.gainDecibels).amplitude),
            clip: clip.map { UnsafePointer($0.samples) })
        self.source = PageItem(
            key.region, opener: opener, source: clip == nil && keepsOpen ? source : nil)
    }

    /// Creates the only entry of a player that plays a network stream.
    init(stream: StreamItem, key: PlaylistKey) {
        self.key = key
        sound = PlaylistSound(frameCount: .max, gain: 1, clip: nil, isStream: true)
        clip = nil
        source = stream
    }

    private static func clip(
        of region: ItemRegion, _ source: ItemSource
    ) throws(PluginError) -> Clip {
        do throws(ClipError) {
            return try ClipCache.shared.clip(of: region, source)
        } catch {
            switch error {
            case .file(let error): throw PluginError("\(error)")
            case .memory(let bytes): throw .noMemory(forBytes: bytes)
            }
        }
    }
}

/// The properties that make two files of a list the same sound.
struct PlaylistKey: Hashable, Sendable {
    var region: ItemRegion
    var gainDecibels: Double
    /// Shows whether the file itself has changed; `nil` if it does not exist.
    var stamp: FileStamp?

    /// Creates the key of the present version of a file.
    init(_ region: ItemRegion, gainDecibels: Double) {
        self.region = region
        self.gainDecibels = gainDecibels
        stamp = FileStamp(path: region.path)
    }
}

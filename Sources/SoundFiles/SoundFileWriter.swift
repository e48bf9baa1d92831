internal import CSndfile

/// A sound file that is written from its first frame to its last.
///
/// It holds 32-bit floats in WAV unless its name ends otherwise: `.flac` (24 bits), `.ogg`, `.opus`, `.mp3`,
/// `.aiff`, `.caf`, `.au`, `.w64`, `.rf64`. Where a format holds whole numbers, what exceeds full scale is clipped.
public final class SoundFileWriter {
    /// The file, as it was named.
    public let path: String
    /// Channels of each frame.
    public let channels: Int
    private var file: OpaquePointer?

    /// Makes a file, or empties the one there is (`sf_open`).
    ///
    /// - Parameters:
    ///   - path: Where; its extension says the format.
    ///   - channels: At least 1.
    ///   - sampleRate: Frames a second, a whole number.
    ///   - expectedFrames: How many frames will be written: from 4 GiB on, WAV becomes RF64.
    /// - Throws: `SoundFileFault` where the file can't be made, or its format has no such rate or channels.
    public init(
        path: String, channels: Int, sampleRate: Double, expectedFrames: Int
    ) throws(SoundFileFault) {
        self.path = path
        self.channels = channels
        let format = SoundFileFormat(path: path, sampleCount: expectedFrames * channels)
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(sampleRate)
        info.format = format.code
        guard sf_format_check(&info) != 0 else {
            let wish = "\(channels) channels at \(Int(sampleRate)) Hz"
            throw SoundFileFault(path, .writing, "its format cannot hold \(wish)")
        }
        guard let file = sf_open(path, Int32(SFM_WRITE), &info) else {
            throw SoundFileFault(path, .writing, SoundLibrary.openingFault())
        }
        self.file = file
        // The peak chunk holds the time of day: without it the same sound makes the same file.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        let clipping = format.isInteger ? SF_TRUE : SF_FALSE
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(clipping))
    }

    deinit { if let file { sf_close(file) } }

    /// Writes frames, channel beside channel (`sf_writef_float`).
    ///
    /// - Parameters:
    ///   - frames: How many.
    ///   - samples: `frames` times `channels` of them.
    /// - Throws: `SoundFileFault` where not all could be written, or the file is closed.
    public func write(_ frames: Int, from samples: UnsafePointer<Float>) throws(SoundFileFault) {
        guard let file else { throw SoundFileFault(path, .writing, "it is closed") }
        let written = sf_writef_float(file, samples, sf_count_t(frames))
        if written < frames { throw SoundFileFault(path, .writing, SoundLibrary.fault(of: file)) }
    }

    /// Finishes the file (`sf_close`).
    ///
    /// Nothing can be written after it; a second call does nothing.
    ///
    /// - Throws: `SoundFileFault` where the file's end could not be written.
    public func close() throws(SoundFileFault) {
        guard let open = file else { return }
        file = nil
        let status = sf_close(open)
        if status != 0 { throw SoundFileFault(path, .writing, SoundLibrary.closingFault(status)) }
    }
}

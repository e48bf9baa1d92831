internal import CSndfile
internal import DSP

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
    /// What makes whole numbers of samples, for formats that hold such.
    private var quantiser: Quantiser?

    /// Makes a file, or empties the one there is (`sf_open`).
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - style: How; nil for what the path's extension says.
    ///   - channels: At least 1.
    ///   - sampleRate: Frames a second, a whole number.
    ///   - expectedFrames: How many frames will be written: from 4 GiB on, WAV becomes RF64.
    /// - Throws: `SoundFileFault` where the file can't be made, or its format has no such bits, rate or channels.
    public init(
        path: String, style: SoundFileStyle? = nil, channels: Int, sampleRate: Double,
        expectedFrames: Int
    ) throws(SoundFileFault) {
        self.path = path
        self.channels = channels
        let style = style ?? SoundFileStyle(path: path)
        guard let format = SoundFileFormat(style, sampleCount: expectedFrames * channels) else {
            throw SoundFileFault(path, .writing, "there is no \(style.text)")
        }
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
        quantiser = format.integerBits.map { Quantiser(bits: $0) }
        // The peak chunk holds the time of day: without it the same sound makes the same file.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
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
        let written =
            quantiser == nil
            ? Int(sf_writef_float(file, samples, sf_count_t(frames)))
            : writeIntegers(file, frames, from: samples)
        if written < frames { throw SoundFileFault(path, .writing, SoundLibrary.fault(of: file)) }
    }

    /// Writes samples as whole numbers, which libsndfile takes the highest bits of (`sf_writef_int`).
    private func writeIntegers(
        _ file: OpaquePointer, _ frames: Int, from samples: UnsafePointer<Float>
    ) -> Int {
        guard var quantiser else { return 0 }
        defer { self.quantiser = quantiser }
        let numbers = (0..<frames * channels).map {
            quantiser.value(samples[$0]) << Int32(32 - quantiser.bits)
        }
        return Int(sf_writef_int(file, numbers, sf_count_t(frames)))
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

internal import CSndfile
internal import DSP

/// Writes a sound file from its first frame to its last.
///
/// The default is WAV with 32-bit floats. The extension selects another format: `.flac` (24 bits),
/// `.ogg`, `.opus`, `.mp3`, `.aiff`, `.caf`, `.au`, `.w64` or `.rf64`. Integer formats clip samples
/// above full scale.
public final class SoundFileWriter {
    /// The path of the file, as the caller wrote it.
    public let path: String
    /// The number of channels.
    public let channels: Int
    private var file: OpaquePointer?
    /// The converter to integer samples; `nil` for formats that do not need it.
    private var quantiser: Quantiser?

    /// Creates a file, or empties an existing one (`sf_open`).
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - style: The format; `nil` for the format of the path's extension.
    ///   - channels: The number of channels, at least 1.
    ///   - sampleRate: The sample rate in Hz, a whole number.
    ///   - expectedFrames: The number of frames to write; from 4 GiB on, WAV becomes RF64.
    /// - Throws: `SoundFileError` if the file cannot be created, or if its format does not support
    ///   the bits, the rate or the channels.
    public init(
        path: String, style: SoundFileStyle? = nil, channels: Int, sampleRate: Double,
        expectedFrames: Int
    ) throws(SoundFileError) {
        self.path = path
        self.channels = channels
        if let reason = OutputPath.error(of: path) { throw SoundFileError(path, .writing, reason) }
        let style = style ?? SoundFileStyle(path: path)
        guard let format = SoundFileFormat(style, sampleCount: expectedFrames * channels) else {
            throw SoundFileError(path, .writing, "the format \(style.text) is not supported")
        }
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(sampleRate)
        info.format = format.code
        guard sf_format_check(&info) != 0 else {
            let wish = "\(channels) channels at \(Int(sampleRate)) Hz"
            throw SoundFileError(path, .writing, "its format does not support \(wish)")
        }
        guard let file = sf_open(path, Int32(SFM_WRITE), &info) else {
            throw SoundFileError(path, .writing, SoundLibrary.openingError())
        }
        self.file = file
        quantiser = format.integerBits.map { Quantiser(bits: $0) }
        // The peak chunk contains the time of day. Without it, the same sound always produces the
        // same file.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    }

    deinit { if let file { sf_close(file) } }

    /// Writes interleaved frames (`sf_writef_float`).
    ///
    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - samples: `frames` times `channels` samples.
    /// - Throws: `SoundFileError` if not all frames could be written, or the file is closed.
    public func write(_ frames: Int, from samples: UnsafePointer<Float>) throws(SoundFileError) {
        guard let file else { throw SoundFileError(path, .writing, "it is closed") }
        let written =
            quantiser == nil
            ? Int(sf_writef_float(file, samples, sf_count_t(frames)))
            : writeIntegers(file, frames, from: samples)
        if written < frames { throw SoundFileError(path, .writing, SoundLibrary.error(of: file)) }
    }

    /// Writes samples as integers; libsndfile uses their highest bits (`sf_writef_int`).
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

    /// Completes the file (`sf_close`).
    ///
    /// Nothing can be written after it; a second call does nothing.
    ///
    /// - Throws: `SoundFileError` if the end of the file could not be written.
    public func close() throws(SoundFileError) {
        guard let open = file else { return }
        file = nil
        let status = sf_close(open)
        if status != 0 { throw SoundFileError(path, .writing, SoundLibrary.closingError(status)) }
    }
}

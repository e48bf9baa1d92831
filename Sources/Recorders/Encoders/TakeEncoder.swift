internal import Realtime

/// Writes sound to a file that can be read at any time.
package protocol TakeEncoder: AnyObject {
    /// The number of written frames that can already be read from the file.
    var safeFrames: Int { get }

    /// Appends frames.
    ///
    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - channels: A pointer to the samples of each channel.
    /// - Throws: `TakeError` if the frames cannot be written.
    func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeError)

    /// Appends silence.
    ///
    /// - Throws: `TakeError` if the silence cannot be written.
    func writeSilence(_ frames: Int) throws(TakeError)

    /// Updates the header of the file to its current length.
    ///
    /// - Throws: `TakeError` if the header cannot be written.
    func keep() throws(TakeError)

    /// Writes all remaining data; no more frames can be appended.
    ///
    /// - Throws: `TakeError` if the data cannot be written.
    func finish() throws(TakeError)

    /// Removes the unreadable end of the file after an error, as far as possible.
    func giveUp()
}

extension TakeEncoder {
    /// Appends silence by encoding zeros.
    func encodeSilence(_ frames: Int, channelCount: Int) throws(TakeError) {
        let pieceFrames = 4096
        let zeros = Buffer<Float>(count: pieceFrames, repeating: 0)
        defer { withExtendedLifetime(zeros) {} }
        let channels = Buffer(count: channelCount, repeating: UnsafePointer(zeros.start))
        var left = frames
        while left > 0 {
            try write(min(left, pieceFrames), from: channels.start)
            left -= min(left, pieceFrames)
        }
    }
}

extension TakeFormat {
    /// Starts a file in this format.
    ///
    /// - Throws: `TakeError` if the first bytes cannot be written, or if the format does not
    ///   support the channels or the sample rate.
    func makeEncoder(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, bits: Int, serial: Int
    ) throws(TakeError) -> any TakeEncoder {
        switch self {
        case .wav:
            try WaveEncoder(file, channelCount: channelCount, sampleRate: sampleRate, bits: bits)
        case .flac:
            try FlacEncoder(file, channelCount: channelCount, sampleRate: sampleRate, bits: bits)
        case .ogg:
            try VorbisEncoder(
                file, channelCount: channelCount, sampleRate: sampleRate, serial: serial)
        }
    }
}

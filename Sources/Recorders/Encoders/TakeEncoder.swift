/// Writes sound into a file of a format, so that the file can be read at every moment.
package protocol TakeEncoder: AnyObject {
    /// How many frames of those written can be read from the file.
    var safeFrames: Int { get }

    /// Adds frames.
    ///
    /// - Parameters:
    ///   - frames: How many.
    ///   - channels: A pointer for each.
    /// - Throws: `TakeFault` where they could not be written.
    func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeFault)

    /// Adds silence.
    ///
    /// - Throws: `TakeFault` where it could not be written.
    func writeSilence(_ frames: Int) throws(TakeFault)

    /// Brings the file's header up to what is there.
    ///
    /// - Throws: `TakeFault` where that could not be written.
    func keep() throws(TakeFault)

    /// Writes all that is left; nothing more can be added.
    ///
    /// - Throws: `TakeFault` where that could not be written.
    func finish() throws(TakeFault)

    /// After a fault: takes off what can't be read, as far as that is possible.
    func giveUp()
}

extension TakeEncoder {
    /// Adds silence as sound.
    func encodeSilence(_ frames: Int, channelCount: Int) throws(TakeFault) {
        let pieceFrames = 4096
        let zeros = UnsafeMutablePointer<Float>.allocate(capacity: pieceFrames)
        zeros.initialize(repeating: 0, count: pieceFrames)
        let channels = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: channelCount)
        channels.initialize(repeating: UnsafePointer(zeros), count: channelCount)
        defer {
            zeros.deallocate()
            channels.deallocate()
        }
        var left = frames
        while left > 0 {
            try write(min(left, pieceFrames), from: UnsafePointer(channels))
            left -= min(left, pieceFrames)
        }
    }
}

extension TakeFormat {
    /// Begins a file of the format.
    ///
    /// - Throws: `TakeFault` where its first bytes can't be written, or the format has no such sound.
    func makeEncoder(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, bits: Int, serial: Int
    ) throws(TakeFault) -> any TakeEncoder {
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

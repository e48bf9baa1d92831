internal import CFLAC
internal import DSP

/// Writes FLAC with libFLAC, and updates the frame count in the header while the file grows.
final class FlacEncoder: TakeEncoder {
    private let file: GrowingFile
    private let channelCount: Int
    private var quantiser: Quantiser
    private let encoder: UnsafeMutablePointer<FLAC__StreamEncoder>
    private let header: FlacHeader
    /// The frames in complete FLAC frames of the file, and the byte offset where the last one ends.
    private var wholeFrames = 0
    private var wholeBytes = 0
    private var failure: TakeError?
    private var position = 0
    private(set) var safeFrames = 0

    init(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, bits: Int
    ) throws(TakeError) {
        guard let encoder = FLAC__stream_encoder_new() else { throw TakeError("out of memory") }
        self.file = file
        self.channelCount = channelCount
        self.encoder = encoder
        quantiser = Quantiser(bits: bits)
        header = FlacHeader(channelCount: channelCount, sampleRate: sampleRate, bits: bits)
        FLAC__stream_encoder_set_channels(encoder, UInt32(channelCount))
        FLAC__stream_encoder_set_sample_rate(encoder, UInt32(sampleRate))
        FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
        FLAC__stream_encoder_set_compression_level(encoder, 5)
        FLAC__stream_encoder_set_blocksize(encoder, UInt32(Self.blockFrames(at: sampleRate)))
        let status = FLAC__stream_encoder_init_stream(
            encoder, writeFrame, seekFile, tellFile, nil,
            Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
            throw failure
                ?? TakeError("FLAC does not support \(channelCount) channels at \(sampleRate) Hz")
        }
    }

    deinit { FLAC__stream_encoder_delete(encoder) }

    /// Returns the length of a FLAC frame in frames.
    ///
    /// It is at most a tenth of a second, so that little is lost with an incomplete one.
    private static func blockFrames(at sampleRate: Int) -> Int {
        var frames = 4096
        while frames > 256, frames * 10 > sampleRate { frames /= 2 }
        return frames
    }

    func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeError) {
        let capacity = frames * channelCount
        let values = [Int32](unsafeUninitializedCapacity: capacity) { values, filledCount in
            for frame in 0..<frames {
                for channel in 0..<channelCount {
                    values.initializeElement(
                        at: filledCount, to: quantiser.value(channels[channel][frame]))
                    filledCount += 1
                }
            }
        }
        let isDone = FLAC__stream_encoder_process_interleaved(encoder, values, UInt32(frames))
        guard isDone != 0 else { throw failure ?? TakeError("FLAC encoding failed") }
    }

    func writeSilence(_ frames: Int) throws(TakeError) {
        try encodeSilence(frames, channelCount: channelCount)
    }

    func keep() throws(TakeError) {
        guard safeFrames != wholeFrames else { return }
        try file.patch(header.countBytes(frameCount: wholeFrames), at: FlacHeader.countOffset)
        safeFrames = wholeFrames
    }

    func finish() throws(TakeError) {
        let isDone = FLAC__stream_encoder_finish(encoder)
        guard isDone != 0, failure == nil else {
            throw failure ?? TakeError("FLAC encoding failed")
        }
        safeFrames = wholeFrames
        file.close()
    }

    func giveUp() {
        file.cut(to: wholeBytes)
        try? keep()
        file.close()
    }

    // MARK: Callbacks of libFLAC

    /// Writes bytes of the header or a complete FLAC frame; returns whether that succeeded.
    fileprivate func receive(_ bytes: UnsafePointer<FLAC__byte>, _ count: Int, samples: Int) -> Bool
    {
        do throws(TakeError) {
            if position < file.byteCount {
                try file.patch(
                    Array(UnsafeBufferPointer(start: bytes, count: count)), at: position)
            } else {
                try file.append(bytes, count)
                wholeFrames += samples
                wholeBytes = file.byteCount
            }
            position += count
            return true
        } catch {
            failure = error
            return false
        }
    }

    fileprivate func seek(to offset: Int) { position = offset }

    fileprivate func tell() -> Int { position }
}

private func encoder(of data: UnsafeMutableRawPointer?) -> FlacEncoder? {
    // SAFETY: libFLAC calls back only while this encoder, which owns the libFLAC encoder, is alive.
    data.map { Unmanaged<FlacEncoder>.fromOpaque($0).takeUnretainedValue() }
}

private func writeFrame(
    _: UnsafePointer<FLAC__StreamEncoder>?, bytes: UnsafePointer<FLAC__byte>?, count: Int,
    samples: UInt32, _: UInt32, data: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderWriteStatus {
    guard let bytes, encoder(of: data)?.receive(bytes, count, samples: Int(samples)) == true else {
        return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR
    }
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
}

private func seekFile(
    _: UnsafePointer<FLAC__StreamEncoder>?, offset: FLAC__uint64, data: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderSeekStatus {
    encoder(of: data)?.seek(to: Int(offset))
    return FLAC__STREAM_ENCODER_SEEK_STATUS_OK
}

private func tellFile(
    _: UnsafePointer<FLAC__StreamEncoder>?, offset: UnsafeMutablePointer<FLAC__uint64>?,
    data: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderTellStatus {
    offset?.pointee = FLAC__uint64(encoder(of: data)?.tell() ?? 0)
    return FLAC__STREAM_ENCODER_TELL_STATUS_OK
}

internal import DSP

/// Writes WAV, which becomes RF64 when it is longer than 4 GiB.
package final class WaveEncoder: TakeEncoder {
    private let file: GrowingFile
    private let header: WaveHeader
    private var quantiser: Quantiser
    private var frameCount = 0
    package private(set) var safeFrames = 0

    /// Starts a file with 16, 24 or 32 bits per sample.
    ///
    /// - Throws: `TakeError` if the first bytes cannot be written.
    package init(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, bits: Int
    ) throws(TakeError) {
        self.file = file
        header = WaveHeader(channelCount: channelCount, sampleRate: sampleRate, bits: bits)
        quantiser = Quantiser(bits: bits)
        let bytes = header.bytes(frameCount: 0)
        try file.append(bytes, bytes.count)
    }

    package func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeError) {
        if header.bits == 32 {
            try file.append(interleaved(frames, channels), frames * header.frameBytes)
        } else {
            try file.append(quantised(frames, channels), frames * header.frameBytes)
        }
        frameCount += frames
    }

    package func writeSilence(_ frames: Int) throws(TakeError) {
        try file.appendHole(frames * header.frameBytes)
        frameCount += frames
    }

    package func keep() throws(TakeError) {
        guard safeFrames != frameCount else { return }
        try file.patch(header.bytes(frameCount: frameCount), at: 0)
        safeFrames = frameCount
    }

    package func finish() throws(TakeError) {
        if file.byteCount % 2 == 1 { try file.append([0], 1) }
        try keep()
        file.close()
    }

    package func giveUp() {
        file.cut(to: WaveHeader.byteCount + frameCount * header.frameBytes)
        // Even a full disk has room for the header, because it replaces the old one.
        try? keep()
        file.close()
    }

    private func interleaved(
        _ frames: Int, _ channels: UnsafePointer<UnsafePointer<Float>>
    ) -> [Float] {
        let sampleCount = frames * header.channelCount
        return [Float](unsafeUninitializedCapacity: sampleCount) { samples, filledCount in
            for channel in 0..<header.channelCount {
                var index = channel
                for frame in 0..<frames {
                    let sample = channels[channel][frame]
                    samples.initializeElement(at: index, to: sample.isFinite ? sample : 0)
                    index += header.channelCount
                }
            }
            filledCount = sampleCount
        }
    }

    private func quantised(
        _ frames: Int, _ channels: UnsafePointer<UnsafePointer<Float>>
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: frames * header.frameBytes) { bytes, filledCount in
            for frame in 0..<frames {
                for channel in 0..<header.channelCount {
                    var value = quantiser.value(channels[channel][frame])
                    for _ in 0..<header.bits / 8 {
                        bytes.initializeElement(
                            at: filledCount, to: UInt8(truncatingIfNeeded: value))
                        value >>= 8
                        filledCount += 1
                    }
                }
            }
        }
    }
}

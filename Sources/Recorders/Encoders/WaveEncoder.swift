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
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: frames * header.frameBytes, alignment: 4)
        defer { bytes.deallocate() }
        if header.bits == 32 {
            interleave(frames, channels, into: bytes.assumingMemoryBound(to: Float.self))
        } else {
            quantise(frames, channels, into: bytes.assumingMemoryBound(to: UInt8.self))
        }
        try file.append(bytes, frames * header.frameBytes)
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

    private func interleave(
        _ frames: Int, _ channels: UnsafePointer<UnsafePointer<Float>>,
        into samples: UnsafeMutablePointer<Float>
    ) {
        for channel in 0..<header.channelCount {
            var index = channel
            for frame in 0..<frames {
                let sample = channels[channel][frame]
                samples[index] = sample.isFinite ? sample : 0
                index += header.channelCount
            }
        }
    }

    private func quantise(
        _ frames: Int, _ channels: UnsafePointer<UnsafePointer<Float>>,
        into bytes: UnsafeMutablePointer<UInt8>
    ) {
        var index = 0
        for frame in 0..<frames {
            for channel in 0..<header.channelCount {
                var value = quantiser.value(channels[channel][frame])
                for _ in 0..<header.bits / 8 {
                    bytes[index] = UInt8(truncatingIfNeeded: value)
                    value >>= 8
                    index += 1
                }
            }
        }
    }
}

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
    /// - Throws: `TakeFault` if the first bytes cannot be written.
    package init(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, bits: Int
    ) throws(TakeFault) {
        self.file = file
        header = WaveHeader(channelCount: channelCount, sampleRate: sampleRate, bits: bits)
        quantiser = Quantiser(bits: bits)
        let bytes = header.bytes(frameCount: 0)
        try file.append(bytes, bytes.count)
    }

    package func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeFault) {
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

    package func writeSilence(_ frames: Int) throws(TakeFault) {
        try file.appendHole(frames * header.frameBytes)
        frameCount += frames
    }

    package func keep() throws(TakeFault) {
        guard safeFrames != frameCount else { return }
        try file.patch(header.bytes(frameCount: frameCount), at: 0)
        safeFrames = frameCount
    }

    package func finish() throws(TakeFault) {
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
            var place = channel
            for frame in 0..<frames {
                let sample = channels[channel][frame]
                samples[place] = sample.isFinite ? sample : 0
                place += header.channelCount
            }
        }
    }

    private func quantise(
        _ frames: Int, _ channels: UnsafePointer<UnsafePointer<Float>>,
        into bytes: UnsafeMutablePointer<UInt8>
    ) {
        var place = 0
        for frame in 0..<frames {
            for channel in 0..<header.channelCount {
                var value = quantiser.value(channels[channel][frame])
                for _ in 0..<header.bits / 8 {
                    bytes[place] = UInt8(truncatingIfNeeded: value)
                    value >>= 8
                    place += 1
                }
            }
        }
    }
}

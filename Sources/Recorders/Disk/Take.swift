internal import Processing

/// A take that is being written: its file, its length and its level.
final class Take {
    let path: String
    private(set) var frameCount = 0
    private(set) var levels = TakeLevels()
    private var clipping = TakeClipping()
    /// Whether the format clips samples beyond full scale.
    private let canClip: Bool
    private let file: GrowingFile
    private let encoder: any TakeEncoder
    private let channelCount: Int
    /// The interval in frames at which the header is updated.
    private let keptFrames: Int
    private var unkeptFrames = 0
    /// The space that stays free on the disk, in bytes.
    private let keptFreeBytes: Int
    private let sampleRate: Double

    /// Creates the file of a take and starts it.
    ///
    /// - Throws: `TakeError` if the file cannot be created; no file is left then.
    init(_ style: TakeStyle, at time: TakeTime, number: Int) throws(TakeError) {
        guard style.sampleRate == style.sampleRate.rounded() else {
            throw TakeError("a sample rate of \(style.sampleRate) Hz is not a whole number")
        }
        let file = try style.name.makeFile(at: time)
        do throws(TakeError) {
            try file.checkRoom(keeping: style.keptFreeBytes)
            encoder = try style.name.format.makeEncoder(
                file, channelCount: style.channelCount, sampleRate: Int(style.sampleRate),
                bits: style.bits, serial: number)
        } catch {
            file.remove()
            throw error
        }
        self.file = file
        path = file.path
        canClip = style.name.format.clips(bits: style.bits)
        keptFreeBytes = style.keptFreeBytes
        sampleRate = style.sampleRate
        channelCount = style.channelCount
        keptFrames = max(1, Int(style.sampleRate / 4))
    }

    /// Appends frames from a pointer per channel.
    ///
    /// - Throws: `TakeError` if the frames cannot be written; the take has then ended.
    func write(_ frames: Int, from channels: [UnsafePointer<Float>]) throws(TakeError) {
        for channel in channels {
            levels.include(channel, count: frames)
            if canClip { clipping.include(channel, count: frames, from: frameCount) }
        }
        try attempt { () throws(TakeError) in
            guard
                let failure = channels.withUnsafeBufferPointer({ pointers -> TakeError? in
                    guard let base = pointers.baseAddress else { return nil }
                    do throws(TakeError) {
                        try encoder.write(frames, from: base)
                        return nil
                    } catch { return error }
                })
            else { return }
            throw failure
        }
        try grow(frames)
    }

    /// Appends silence instead of lost frames.
    ///
    /// - Throws: `TakeError` if the silence cannot be written; the take has then ended.
    func writeSilence(_ frames: Int) throws(TakeError) {
        levels.includeSilence(count: frames * channelCount)
        try attempt { () throws(TakeError) in try encoder.writeSilence(frames) }
        try grow(frames)
    }

    /// Updates the header to the current length, and checks the free space on the disk.
    ///
    /// - Throws: `TakeError` if writing fails or the disk is almost full; the take has then ended.
    func keep() throws(TakeError) {
        unkeptFrames = 0
        try attempt { () throws(TakeError) in
            try encoder.keep()
            do throws(TakeError) {
                try file.checkRoom(keeping: keptFreeBytes)
            } catch {
                // There is still enough room to finish the file.
                try encoder.finish()
                throw error
            }
        }
    }

    /// The length that can be read from the file, in seconds; 0 if the file has been deleted.
    var readableSeconds: Double { Double(encoder.safeFrames) / sampleRate }

    /// The incident for samples that were clipped; `nil` if no sample was.
    var clippingIncident: Incident? {
        clipping.incident(path: path, sampleRate: sampleRate, peak: levels.peakDecibels)
    }

    /// Completes the file.
    ///
    /// - Throws: `TakeError` if writing fails; the earlier frames can still be read.
    func finish() throws(TakeError) {
        try attempt { () throws(TakeError) in try encoder.finish() }
    }

    private func grow(_ frames: Int) throws(TakeError) {
        frameCount += frames
        unkeptFrames += frames
        if unkeptFrames >= keptFrames { try keep() }
    }

    /// Runs a file operation; if it fails, keeps the readable part of the file.
    private func attempt(_ work: () throws(TakeError) -> Void) throws(TakeError) {
        do throws(TakeError) {
            try work()
        } catch {
            encoder.giveUp()
            if encoder.safeFrames == 0 { file.remove() }
            throw error
        }
    }
}

extension GrowingFile {
    /// Checks the free space on the disk.
    ///
    /// - Throws: `TakeError` if less than `keptBytes` is free.
    fileprivate func checkRoom(keeping keptBytes: Int) throws(TakeError) {
        guard keptBytes > 0, let freeBytes, freeBytes < keptBytes else { return }
        throw TakeError(
            "only \(ByteCount(freeBytes)) of the disk is free; \"keep-free\" requires \(ByteCount(keptBytes))"
        )
    }
}

/// A take that is being written: its file, its length and its level.
final class Take {
    let path: String
    private(set) var frameCount = 0
    private(set) var levels = TakeLevels()
    private let file: GrowingFile
    private let encoder: any TakeEncoder
    private let channelCount: Int
    /// How often the header is brought up to date.
    private let keptFrames: Int
    private var unkeptFrames = 0

    /// Makes the file of a take, and begins it.
    ///
    /// - Throws: `TakeFault` where it can't be made; then there is none.
    init(_ style: TakeStyle, at time: TakeTime, number: Int) throws(TakeFault) {
        guard style.sampleRate == style.sampleRate.rounded() else {
            throw TakeFault("files have no rate of \(style.sampleRate) Hz")
        }
        let file = try style.name.makeFile(at: time)
        do throws(TakeFault) {
            encoder = try style.name.format.makeEncoder(
                file, channelCount: style.channelCount, sampleRate: Int(style.sampleRate),
                bits: style.bits, serial: number)
        } catch {
            file.remove()
            throw error
        }
        self.file = file
        path = file.path
        channelCount = style.channelCount
        keptFrames = max(1, Int(style.sampleRate / 4))
    }

    /// Adds frames, a pointer for each channel.
    ///
    /// - Throws: `TakeFault` where they can't be written; then the take is at its end.
    func write(_ frames: Int, from channels: [UnsafePointer<Float>]) throws(TakeFault) {
        for channel in channels { levels.include(channel, count: frames) }
        try attempt { () throws(TakeFault) in
            guard
                let fault = channels.withUnsafeBufferPointer({ pointers -> TakeFault? in
                    guard let base = pointers.baseAddress else { return nil }
                    do throws(TakeFault) {
                        try encoder.write(frames, from: base)
                        return nil
                    } catch { return error }
                })
            else { return }
            throw fault
        }
        try grow(frames)
    }

    /// Adds silence in place of what was lost.
    ///
    /// - Throws: `TakeFault` where it can't be written; then the take is at its end.
    func writeSilence(_ frames: Int) throws(TakeFault) {
        levels.includeSilence(count: frames * channelCount)
        try attempt { () throws(TakeFault) in try encoder.writeSilence(frames) }
        try grow(frames)
    }

    /// Brings the header up to what is there.
    ///
    /// - Throws: `TakeFault` where it can't be written; then the take is at its end.
    func keep() throws(TakeFault) {
        unkeptFrames = 0
        try attempt { () throws(TakeFault) in try encoder.keep() }
    }

    /// Makes the file whole.
    ///
    /// - Throws: `TakeFault` where it can't be written; then what was written before can be read.
    func finish() throws(TakeFault) {
        try attempt { () throws(TakeFault) in try encoder.finish() }
    }

    private func grow(_ frames: Int) throws(TakeFault) {
        frameCount += frames
        unkeptFrames += frames
        if unkeptFrames >= keptFrames { try keep() }
    }

    /// Does something with the file; where that fails, leaves what can be read of it.
    private func attempt(_ work: () throws(TakeFault) -> Void) throws(TakeFault) {
        do throws(TakeFault) {
            try work()
        } catch {
            encoder.giveUp()
            if encoder.safeFrames == 0 { file.remove() }
            throw error
        }
    }
}

internal import Glibc
internal import Realtime

/// Converts a sound file to another file.
public struct Conversion {
    private let request: ConversionRequest
    private let passage: Passage
    private let output: TemporaryFile
    /// The number of passes over the input.
    private var passCount: Double { request.loudness == nil ? 1 : 2 }

    /// Prepares a conversion.
    ///
    /// - Throws: `ConversionError` if the input cannot be read, is also the output, or does not
    ///   have the requested part or channels.
    public init(_ request: ConversionRequest) throws(ConversionError) {
        self.request = request
        if let input = FileIdentity(request.input), input == FileIdentity(request.output) {
            throw .request("'\(request.output)' cannot be both the input and the output")
        }
        passage = try Passage(request)
        output = try TemporaryFile(request.output)
    }

    /// The path of the temporary file during the conversion; the file is useless if the run fails.
    public var unfinishedPath: String { output.path }

    /// Runs the conversion, and calls `progress` repeatedly with values from 0 through 1.
    ///
    /// The output path leads to the previous file, if any, until the new file is complete.
    ///
    /// - Throws: `ConversionError` if reading or writing fails; the previous file is then kept.
    public func run(
        progress: (Double) -> Void = { _ in }
    ) throws(ConversionError) -> ConversionOutcome {
        let level = try request.loudness.map { (target) throws(ConversionError) in
            try measure(target) { progress($0 / passCount) }
        }
        let gain = Float(pow(10, (level?.gainDecibels ?? 0) / 20))
        let done = (passCount - 1) / passCount
        do throws(ConversionError) {
            try write(gain: gain) { progress(done + $0 / passCount) }
        } catch {
            throw error.naming(request.output, for: output.path)
        }
        return ConversionOutcome(frameCount: passage.frameCount, level: level)
    }

    private func measure(
        _ target: Double, _ progress: (Double) -> Void
    ) throws(ConversionError) -> LevelChange {
        guard
            let meter = LoudnessMeter(channels: passage.channels, sampleRate: passage.sampleRate)
        else {
            let kind = "\(passage.channels) channels at \(Int(passage.sampleRate)) Hz"
            throw .request("loudness cannot be measured for \(kind)")
        }
        try passAll(progress) { (frames, samples) throws(ConversionError) in
            meter.add(frames, samples)
        }
        return LevelChange(
            measured: meter.integrated, truePeakDecibels: 20 * log10(meter.truePeak),
            target: target)
    }

    private func write(gain: Float, _ progress: (Double) -> Void) throws(ConversionError) {
        let channels = passage.channels
        let writer = try onFiles { () throws(SoundFileError) in
            try SoundFileWriter(
                path: output.path, style: request.style, channels: channels,
                sampleRate: passage.sampleRate, expectedFrames: passage.frameCount)
        }
        try passAll(progress) { (frames, samples) throws(ConversionError) in
            if gain != 1 { for index in 0..<frames * channels { samples[index] *= gain } }
            try onFiles { () throws(SoundFileError) in try writer.write(frames, from: samples) }
        }
        try onFiles { () throws(SoundFileError) in
            try writer.close()
            try output.finish()
        }
    }

    private func passAll(
        _ progress: (Double) -> Void,
        _ deliver: (Int, UnsafeMutablePointer<Float>) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        let piece = Buffer<Float>(count: Passage.pieceFrames * passage.channels, repeating: 0)
        try passage.rewind()
        var done = 0
        while case let count = try passage.read(into: piece.start), count > 0 {
            try deliver(count, piece.start)
            done += count
            progress(Double(done) / Double(passage.frameCount))
        }
    }
}

internal import Glibc
internal import SoundFiles

/// Makes a sound file of another.
public struct Conversion {
    private let request: ConversionRequest
    private let passage: Passage
    private let output: FileInMaking
    /// How often the sound is gone through.
    private var passCount: Double { request.loudness == nil ? 1 : 2 }

    /// A conversion that is ready to run.
    ///
    /// - Throws: `ConversionFault` where the input can't be read, has no such part or channels, or is the output.
    public init(_ request: ConversionRequest) throws(ConversionFault) {
        self.request = request
        if let input = FileIdentity(request.input), input == FileIdentity(request.output) {
            throw .request("'\(request.output)' can't be input and output at once")
        }
        passage = try Passage(request)
        output = try FileInMaking(request.output)
    }

    /// What is there while it runs, and is of no use without its end.
    public var unfinishedPath: String { output.path }

    /// Converts, telling again and again how much is done, from 0 through 1.
    ///
    /// The output's name stands for the finished file or, until then, for what was there before.
    ///
    /// - Throws: `ConversionFault` where reading or writing fails; what was there before stays.
    public func run(
        progress: (Double) -> Void = { _ in }
    ) throws(ConversionFault) -> ConversionOutcome {
        let level = try request.loudness.map { (target) throws(ConversionFault) in
            try measure(target) { progress($0 / passCount) }
        }
        let gain = Float(pow(10, (level?.gainDecibels ?? 0) / 20))
        let done = (passCount - 1) / passCount
        do throws(ConversionFault) {
            try write(gain: gain) { progress(done + $0 / passCount) }
        } catch {
            throw error.naming(request.output, for: output.path)
        }
        return ConversionOutcome(frameCount: passage.frameCount, level: level)
    }

    private func measure(
        _ target: Double, _ progress: (Double) -> Void
    ) throws(ConversionFault) -> LevelChange {
        guard
            let meter = LoudnessMeter(channels: passage.channels, sampleRate: passage.sampleRate)
        else {
            let kind = "\(passage.channels) channels at \(Int(passage.sampleRate)) Hz"
            throw .request("loudness is not measured of \(kind)")
        }
        try passAll(progress) { (frames, samples) throws(ConversionFault) in
            meter.hear(frames, samples)
        }
        return LevelChange(
            measured: meter.integrated, truePeakDecibels: 20 * log10(meter.truePeak),
            target: target)
    }

    private func write(gain: Float, _ progress: (Double) -> Void) throws(ConversionFault) {
        let channels = passage.channels
        let writer = try onFiles { () throws(SoundFileFault) in
            try SoundFileWriter(
                path: output.path, style: request.style, channels: channels,
                sampleRate: passage.sampleRate, expectedFrames: passage.frameCount)
        }
        try passAll(progress) { (frames, samples) throws(ConversionFault) in
            if gain != 1 { for place in 0..<frames * channels { samples[place] *= gain } }
            try onFiles { () throws(SoundFileFault) in try writer.write(frames, from: samples) }
        }
        try onFiles { () throws(SoundFileFault) in
            try writer.close()
            try output.finish()
        }
    }

    private func passAll(
        _ progress: (Double) -> Void,
        _ take: (Int, UnsafeMutablePointer<Float>) throws(ConversionFault) -> Void
    ) throws(ConversionFault) {
        let piece = UnsafeMutablePointer<Float>.allocate(
            capacity: Passage.pieceFrames * passage.channels)
        defer { piece.deallocate() }
        try passage.rewind()
        var done = 0
        while case let count = try passage.read(into: piece), count > 0 {
            try take(count, piece)
            done += count
            progress(Double(done) / Double(passage.frameCount))
        }
    }
}

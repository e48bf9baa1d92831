internal import ArgumentParser
internal import Platform

/// The limits of numbers on the command line.
enum Limits {
    /// The longest time: a week.
    static let longestSeconds = 604_800.0

    /// Checks a sample rate, in Hz.
    ///
    /// - Throws: `ValidationError` if no sound card or file has such a rate.
    static func check(rate: Int) throws {
        try check("--rate", Double(rate), 1000...768_000, "Hz")
    }

    /// Checks a block size, in frames.
    ///
    /// - Throws: `ValidationError` if no block has this number of frames.
    static func check(block: Int) throws {
        try check("--block", Double(block), 1...65_536, "frames")
    }

    /// Checks the period of a night that is played without a server.
    ///
    /// - Throws: `ValidationError` if JACK and PipeWire have no such periods.
    static func check(frames: Int) throws {
        try check("--frames", Double(frames), 16...8192, "frames")
    }

    /// Checks the time of a step of a night, in seconds.
    ///
    /// - Throws: `ValidationError` if a step has no time, or takes far too long.
    static func check(stepSeconds: Double) throws {
        try check("--seconds", stepSeconds, 0...600, "seconds")
    }

    /// Checks a number of measurements.
    ///
    /// - Throws: `ValidationError` if nothing would be measured, or for far too long.
    static func check(passes: Int) throws {
        try check("--passes", Double(passes), 1...100, "measurements")
    }

    /// Checks a number of frames per cycle of the server.
    ///
    /// - Throws: `ValidationError` if JACK and PipeWire have no such cycles.
    static func check(period: Int) throws {
        try check("--period", Double(period), 16...8192, "frames")
    }

    /// Checks a number of cores.
    ///
    /// - Throws: `ValidationError` if the engine cannot use this number of cores.
    static func check(cores: Int) throws {
        try check("--cores", Double(cores), 1...32, "cores")
    }

    /// Checks the duration of a measurement of wake-ups, in seconds.
    ///
    /// - Throws: `ValidationError` if it is negative, not a number, or longer than an hour.
    static func check(measuredSeconds seconds: Double) throws {
        try check("--seconds", seconds, 0...3600, "seconds")
    }

    /// Checks the time of an option, in seconds.
    ///
    /// - Throws: `ValidationError` if the time is negative, not a number, or longer than a week.
    static func check(_ option: String, seconds: Double) throws {
        try check(option, seconds, 0...longestSeconds, "seconds")
    }

    /// Checks the number of channels and the bits per sample.
    ///
    /// - Throws: `ValidationError` if no file has this number of channels, or such samples.
    static func check(channels: Int?, bits: Int?) throws {
        if let channels { try check("--channels", Double(channels), 1...64, "channels") }
        if let bits, ![16, 24, 32].contains(bits) {
            throw ValidationError("--bits must be 16, 24 or 32, not \(bits)")
        }
    }

    /// Checks a loudness, in LUFS.
    ///
    /// - Throws: `ValidationError` if no sound has such a loudness.
    static func check(loudness: Double) throws {
        try check("--loudness", loudness, -70...0, "LUFS")
    }

    private static func check(
        _ option: String, _ value: Double, _ range: ClosedRange<Double>, _ unit: String
    ) throws {
        if range.contains(value) { return }
        let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
        throw ValidationError("\(option) must be \(low) to \(high) \(unit), not \(value.plain)")
    }
}

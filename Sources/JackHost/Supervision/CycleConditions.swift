package import Processing

/// The format of the server's cycles, and whether they run in real time.
///
/// Times are in ns of the monotonic clock.
package struct CycleConditions {
    /// The time that the server may need to run in real time again after it has reported the end of
    /// freewheeling.
    package static let returnNanoseconds: UInt64 = 100_000_000

    /// The format that the session uses.
    package private(set) var format: AudioFormat
    /// Whether the server freewheels.
    package private(set) var isFreewheeling = false
    /// The format that the server has announced and the session does not use yet.
    private var announced: AudioFormat?
    /// The time from which cycles run in real time again after freewheeling.
    private var realTimeReturns: UInt64 = 0

    /// Creates the conditions of a server that runs in real time.
    package init(_ format: AudioFormat) { self.format = format }

    /// Returns whether cycles run in real time.
    package func areRealTime(atNanoseconds now: UInt64) -> Bool {
        !isFreewheeling && now >= realTimeReturns
    }

    /// Notes the maximum number of frames per cycle that the server has announced.
    package mutating func announce(blockFrames: Int) {
        announced = announced ?? format
        announced?.maximumBlockFrames = blockFrames
    }

    /// Notes the sample rate that the server has announced.
    package mutating func announce(sampleRate: Double) {
        announced = announced ?? format
        announced?.sampleRate = sampleRate
    }

    /// Notes that the server begins or ends to freewheel.
    package mutating func setFreewheeling(_ isOn: Bool, atNanoseconds now: UInt64) {
        isFreewheeling = isOn
        realTimeReturns = now + Self.returnNanoseconds
    }

    /// Makes the announced format the current one.
    ///
    /// - Returns: The format; `nil` if the server has announced none.
    package mutating func useAnnounced() -> AudioFormat? {
        guard let announced else { return nil }
        use(announced)
        return announced
    }

    /// Makes a format the current one, for example that of another server.
    package mutating func use(_ newFormat: AudioFormat) {
        announced = nil
        format = newFormat
    }

    /// Forgets the announcements of a server that the session leaves.
    package mutating func forgetServer() {
        announced = nil
        isFreewheeling = false
    }
}

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
    /// A format that the cycles had without an announcement, and the number of the cycle that had
    /// it first.
    private var seen: (format: AudioFormat, cycle: UInt64)?
    /// The time from which cycles run in real time again after freewheeling.
    private var realTimeReturns: UInt64 = 0

    /// Creates the conditions of a server that runs in real time.
    package init(_ format: AudioFormat) { self.format = format }

    /// The number of cycles with another format after which the session follows it without an
    /// announcement.
    ///
    /// A server may announce a format before or after the first cycle that has it.
    package static let unannouncedCycles: UInt64 = 4

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

    /// Notes the format of the last cycle.
    ///
    /// PipeWire can begin with another number of frames than it stated before, and does not
    /// announce it.
    ///
    /// - Parameters:
    ///   - cycleFormat: The sample rate and the number of frames of the cycle.
    ///   - cycle: The number of cycles so far.
    package mutating func note(_ cycleFormat: AudioFormat, cycle: UInt64) {
        var current = announced ?? format
        let isPossible = cycleFormat.maximumBlockFrames > 0 && cycleFormat.sampleRate > 0
        guard isPossible, !current.hasSameCycles(as: cycleFormat) else { return seen = nil }
        guard let first = seen, first.format.hasSameCycles(as: cycleFormat), cycle >= first.cycle
        else { return seen = (cycleFormat, cycle) }
        guard cycle - first.cycle >= Self.unannouncedCycles else { return }
        current.maximumBlockFrames = cycleFormat.maximumBlockFrames
        current.sampleRate = cycleFormat.sampleRate
        announced = current
    }

    /// Notes that the server begins or ends to freewheel.
    package mutating func setFreewheeling(_ isOn: Bool, atNanoseconds now: UInt64) {
        isFreewheeling = isOn
        realTimeReturns = now + Self.returnNanoseconds
    }

    /// Makes the announced format the current one.
    ///
    /// - Returns: The format; `nil` if it has not changed.
    package mutating func useAnnounced() -> AudioFormat? {
        guard let announced else { return nil }
        let hasChanged = announced != format
        use(announced)
        return hasChanged ? announced : nil
    }

    /// Makes a format the current one, for example that of another server.
    package mutating func use(_ newFormat: AudioFormat) {
        (announced, seen) = (nil, nil)
        format = newFormat
    }

    /// Forgets the announcements of a server that the session leaves.
    package mutating func forgetServer() {
        (announced, seen) = (nil, nil)
        isFreewheeling = false
    }
}

extension AudioFormat {
    /// Returns whether the cycles of both formats have the same sample rate and number of frames.
    fileprivate func hasSameCycles(as other: AudioFormat) -> Bool {
        sampleRate == other.sampleRate && maximumBlockFrames == other.maximumBlockFrames
    }
}

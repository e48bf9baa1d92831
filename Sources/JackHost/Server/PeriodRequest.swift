internal import CJack

/// The answer of the server to the request for a number of frames per cycle.
public struct PeriodAnswer: Sendable, Equatable {
    /// The wanted number of frames.
    public var askedFrames: Int
    /// The number of frames before the request.
    public var formerFrames: Int
    /// Whether the server accepted the request.
    public var isAccepted: Bool
    /// Whether the change applies to all programs and remains when this program ends, as with JACK.
    public var isForAll: Bool

    /// Creates an answer.
    public init(askedFrames: Int, formerFrames: Int, isAccepted: Bool, isForAll: Bool) {
        self.askedFrames = askedFrames
        self.formerFrames = formerFrames
        self.isAccepted = isAccepted
        self.isForAll = isForAll
    }
}

extension JackClient {
    /// Asks the server for a number of frames per cycle: `jack_set_buffer_size`.
    ///
    /// JACK changes the cycles of all clients, with an interruption, and keeps the number when this
    /// client leaves. PipeWire changes it when the client is active, without an interruption, and
    /// only as long as the client exists.
    ///
    /// Call it before the client is activated. It may block as long as the server needs.
    ///
    /// - Parameter frames: The number of frames per cycle.
    /// - Returns: The result; `nil` if JACK's cycles already have this number of frames.
    func askForPeriod(frames: Int) -> PeriodAnswer? {
        let former = blockFrames
        let isPipeWire = JackLibrary.loaded.isPipeWire
        // PipeWire follows the other programs otherwise, even if they ask for the same number now.
        guard isPipeWire || former != frames else { return nil }
        let status = requests.send { jack_set_buffer_size(handle, UInt32(clamping: frames)) }
        if isPipeWire, status == 0 { promisedFrames = frames }
        return PeriodAnswer(
            askedFrames: frames, formerFrames: former, isAccepted: status == 0,
            isForAll: !isPipeWire)
    }
}

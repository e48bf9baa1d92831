/// Detects the first control that moves far enough to be learned.
struct LearnDetector: BitwiseCopyable {
    /// The distance that a controller must move, out of 127.
    private static var minimumMove: Int32 { @_noLocks get { 8 } }
    /// The distance that a pitch bend wheel must move from its middle, out of 8192.
    private static var minimumBend: Int32 { @_noLocks get { 1024 } }
    /// The maximum number of controllers tracked while learning; further controllers are ignored.
    private static var capacity: Int { @_noLocks get { 64 } }

    /// A controller that has sent a message since learning started, and its first position.
    private struct Candidate: BitwiseCopyable {
        var port: Int32
        var channel: Int32
        var number: Int32
        var start: Int32
    }

    private let candidates: UnsafeMutablePointer<Candidate>
    private var count = 0
    private(set) var isListening = false

    init(arena: Arena) {
        candidates = arena.allocate(
            Self.capacity, Candidate(port: 0, channel: 0, number: 0, start: 0))
    }

    @_noLocks
    mutating func listen(_ isListening: Bool) {
        self.isListening = isListening
        count = 0
    }

    /// Returns the control if this message, which arrived at the slot `port`, shows that it was
    /// moved; then learning stops.
    @_noLocks
    mutating func receive(
        _ message: ControlMessage, port: Int32, _ move: ControllerMove, bank: Int32
    ) -> LearnedControl? {
        guard isListening else { return nil }
        var learned = LearnedControl(
            kind: .controller, number: message.number, channel: message.channel + 1, port: port,
            isFine: false, bank: -1)
        switch message.kind {
        // A key that is pressed down sends a note first.
        case .noteOff, .keyPressure, .key: return nil
        case .noteOn: learned.kind = .note
        case .bend:
            guard abs(message.value - 8192) >= Self.minimumBend else { return nil }
            learned.kind = .bend
        case .channelPressure:
            guard message.value >= Self.minimumMove else { return nil }
            learned.kind = .channelPressure
        case .program:
            learned.kind = .program
            learned.bank = bank
        case .controller:
            guard hasMoved(message, port, move) else { return nil }
            let partner = message.number ^ 32
            if message.number < 64, index(message, port, partner) != nil {
                learned.isFine = true
                learned.number = min(message.number, partner)
            }
        }
        listen(false)
        return learned
    }

    /// Returns whether a controller has moved far enough from its first position.
    @_noLocks
    private mutating func hasMoved(
        _ message: ControlMessage, _ port: Int32, _ move: ControllerMove
    ) -> Bool {
        // These controllers select banks or channel modes; they are not physical controls.
        guard message.number & 31 != 0 || message.number >= 64, message.number < 120 else {
            return false
        }
        if let index = index(message, port, message.number) {
            return abs(message.value - candidates[index].start) >= Self.minimumMove
        }
        guard count < Self.capacity else { return false }
        let start = move.previous < 0 ? message.value : move.previous
        candidates[count] = Candidate(
            port: port, channel: message.channel, number: message.number, start: start)
        count += 1
        return abs(message.value - start) >= Self.minimumMove
    }

    @_noLocks
    private func index(_ message: ControlMessage, _ port: Int32, _ number: Int32) -> Int? {
        for index in 0..<count
        where candidates[index].number == number && candidates[index].channel == message.channel
            && candidates[index].port == port
        { return index }
        return nil
    }
}

internal import CRealtime

/// A quantity of the musical time, named by its term in LV2's time namespace.
enum TimeQuantity: String, CaseIterable {
    case frame, speed, bar, beat, barBeat, beatUnit, beatsPerBar, beatsPerMinute

    var uri: String { Namespace.time(rawValue) }

    /// Creates the quantity that a port's designation names; `nil` if it names none.
    init?(designation uri: String?) {
        guard let term = Namespace.time.term(of: uri) else { return nil }
        self.init(rawValue: term)
    }

    /// Returns the quantity's value for a control port.
    @_noLocks
    func value(at time: RTTransport) -> Float {
        switch self {
        case .frame: Float(time.frame)
        case .speed: time.isRolling ? 1 : 0
        case .bar: Float(time.bar)
        case .beat: Float(time.beat)
        case .barBeat: Float(time.barBeat)
        case .beatUnit: Float(time.beatUnit)
        case .beatsPerBar: Float(time.beatsPerBar)
        case .beatsPerMinute: Float(time.beatsPerMinute)
        }
    }
}

/// A control input that follows a quantity of time.
struct TimeControl {
    let quantity: TimeQuantity
    /// The address from which the plugin reads it.
    let address: UnsafeMutablePointer<Float>
}

extension RTTransport {
    /// The number of beats since the start.
    var beat: Double { @_noLocks get { Double(bar) * beatsPerBar + barBeat } }

    /// Returns the start position, in 4/4 time.
    static func start(beatsPerMinute: Double) -> RTTransport {
        RTTransport(
            revision: 1, isRolling: true, isFreewheeling: false, hasBeats: true, beatUnit: 4,
            frame: 0, bar: 0, barBeat: 0, beatsPerBar: 4, beatsPerMinute: beatsPerMinute)
    }
}

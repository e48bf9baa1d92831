/// One indivisible part of a hop's work, for one channel or for all.
struct StretchWork: BitwiseCopyable {
    enum Part: BitwiseCopyable {
        case readNow, analyseNow, measure
        case readBefore, analyseBefore, match
        case land, delayMatch
        case findPeaks, writeTurns, level
        case turn, synthesise, lay
        case finish
    }

    var part: Part
    var channel = 0

    /// Returns the first part of a hop.
    @_noLocks
    static func first(of kind: StretchHop.Kind) -> Self {
        Self(part: kind == .land ? .readBefore : .readNow)
    }

    /// Returns the part after this one.
    @_noLocks
    func next(in kind: StretchHop.Kind, channelCount: Int) -> Self {
        let isLast = channel + 1 == channelCount
        switch part {
        case .readNow: return Self(part: .analyseNow, channel: channel)
        case .analyseNow where kind != .pass: return Self(part: .measure, channel: channel)
        case .analyseNow, .measure:
            if !isLast { return Self(part: .readNow, channel: channel + 1) }
            return Self(part: kind == .pass ? .turn : kind == .land ? .findPeaks : .readBefore)
        case .readBefore: return Self(part: .analyseBefore, channel: channel)
        case .analyseBefore: return Self(part: .match, channel: channel)
        case .match:
            if !isLast { return Self(part: .readBefore, channel: channel + 1) }
            return Self(part: kind == .land ? .land : .findPeaks)
        case .land: return Self(part: .delayMatch)
        case .delayMatch: return Self(part: .readNow)
        case .findPeaks: return Self(part: .writeTurns)
        case .writeTurns: return Self(part: .level)
        case .level: return Self(part: .turn)
        case .turn: return Self(part: .synthesise, channel: channel)
        case .synthesise: return Self(part: .lay, channel: channel)
        case .lay: return isLast ? Self(part: .finish) : Self(part: .turn, channel: channel + 1)
        case .finish: return self
        }
    }

    /// The relative cost of this part, chosen so that the stages are even for one, two, four and
    /// eight channels.
    var cost: Int { @_noLocks get { StretchWork.cost(of: part) } }

    @_noLocks
    private static func cost(of part: Part) -> Int {
        switch part {
        case .measure: 1
        case .readNow, .readBefore, .turn: 2
        case .lay: 3
        case .match, .findPeaks: 5
        case .level: 6
        case .writeTurns: 11
        case .analyseNow, .analyseBefore, .synthesise: 13
        case .land: 16
        case .delayMatch: 12
        case .finish: 0
        }
    }

    /// Returns the cost of a whole hop.
    @_noLocks
    static func cost(of kind: StretchHop.Kind, channelCount: Int) -> Int {
        let passing =
            cost(of: .readNow) + cost(of: .analyseNow) + cost(of: .turn) + cost(of: .synthesise)
            + cost(of: .lay)
        guard kind != .pass else { return channelCount * passing }
        let matching =
            cost(of: .measure) + cost(of: .readBefore) + cost(of: .analyseBefore)
            + cost(of: .match)
        return channelCount * (passing + matching) + cost(of: .findPeaks) + cost(of: .writeTurns)
            + cost(of: .level) + (kind == .land ? cost(of: .land) + cost(of: .delayMatch) : 0)
    }
}

/// A 14-bit controller, whose two halves arrive one after another, in either order, or one half
/// alone.
///
/// Until both halves have arrived, the position never overshoots the final position, so that no
/// value jumps back.
struct ControllerPair: BitwiseCopyable {
    /// 0 through 16383; -1 if unknown.
    private(set) var position: Int32 = -1
    private var upper: Int8 = -1
    private var lower: Int8 = -1
    private var order = Order.unknown
    private var awaited = Awaited.nothing

    /// The last case is for a controller that omits the upper half if it has not changed.
    private enum Order: UInt8 { case unknown, upperFirst, lowerFirst, lowerFirstOrAlone }
    private enum Awaited: UInt8 { case nothing, lower, upper }

    init() {}

    /// Records a half; returns the position, or -1 if the other half must arrive first.
    @_noLocks
    mutating func receive(_ half: Int32, isUpper: Bool) -> Int32 {
        isUpper ? receiveUpper(Int8(half)) : receiveLower(Int8(half))
    }

    @_noLocks
    private mutating func receiveUpper(_ half: Int8) -> Int32 {
        let before = upper
        upper = half
        if awaited == .upper {
            if order != .lowerFirstOrAlone { order = .lowerFirst }
            awaited = .nothing
            return move(lower)
        }
        if order == .lowerFirst || order == .lowerFirstOrAlone { return move(lower) }
        awaited = .lower
        // A controller that never sends lower halves has 7 bits for its whole range.
        if lower < 0 {
            position = (Int32(half) * 16383 + 63) / 127
            return position
        }
        // Assume the lower half that is closest to the previous position.
        return move(half == before ? lower : half > before ? 0 : 127)
    }

    @_noLocks
    private mutating func receiveLower(_ half: Int8) -> Int32 {
        let before = lower
        lower = half
        if awaited == .lower {
            order = .upperFirst
            awaited = .nothing
            return move(half)
        }
        if order == .lowerFirst, awaited == .upper { order = .lowerFirstOrAlone }
        // A leap of the lower half most likely belongs to an upper half that follows.
        let leaps = before >= 0 && abs(Int32(half) - Int32(before)) > 64
        let isFirstLeap = leaps && order != .upperFirst && awaited == .nothing
        if upper < 0 || order == .lowerFirst || isFirstLeap {
            awaited = .upper
            return -1
        }
        awaited = .nothing
        return move(half)
    }

    @_noLocks
    private mutating func move(_ half: Int8) -> Int32 {
        position = Int32(upper) << 7 | Int32(max(0, half))
        return position
    }
}

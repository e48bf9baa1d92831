internal import CRealtime

/// The last position of every controller, for the lifetime of the engine.
struct ControllerMemory: BitwiseCopyable {
    /// The maximum number of MIDI inputs.
    let portCount: Int
    /// Positions by port, channel and number; -1 if no message has arrived yet.
    private let positions: UnsafeMutablePointer<Int8>
    /// Pairs by port, channel and the number of the upper half.
    private let pairs: UnsafeMutablePointer<ControllerPair>

    init(arena: Arena) {
        portCount = EnginePorts.maximumMessageSignals
        positions = arena.allocate(portCount * 16 * 128, -1)
        pairs = arena.allocate(portCount * 16 * 32, ControllerPair())
    }

    /// Records a controller message; the port is below `portCount`.
    @_noLocks
    func receive(_ message: ControlMessage, port: Int32) -> ControllerMove {
        let index = Int(port) * 16 + Int(message.channel)
        let position = positions + (index * 128 + Int(message.number))
        var move = ControllerMove(previous: Int32(position.pointee), now: message.value)
        position.pointee = Int8(message.value)
        if message.number < 64 {
            let pair = pairs + (index * 32 + Int(message.number & 31))
            move.finePrevious = pair.pointee.position
            move.fineNow = pair.pointee.receive(
                message.value, isUpper: message.number < 32)
        }
        return move
    }

    /// Returns the bank that is selected on a channel: 128 times controller 0, plus controller 32;
    /// -1 if neither has arrived.
    @_noLocks
    func bank(port: Int32, channel: Int32) -> Int32 {
        let channel = positions + (Int(port) * 16 + Int(channel)) * 128
        let (upper, lower) = (Int32(channel[0]), Int32(channel[32]))
        return upper < 0 && lower < 0 ? -1 : max(0, upper) << 7 | max(0, lower)
    }
}

/// The movement of a controller, with 7 bits and together with its other half; -1 if unknown.
struct ControllerMove: BitwiseCopyable {
    /// 0 through 127; `previous` is -1 if unknown.
    var previous: Int32
    var now: Int32
    /// 0 through 16383; -1 if unknown.
    var finePrevious: Int32 = -1
    /// 0 through 16383; -1 while the other half is missing.
    var fineNow: Int32 = -1

    /// Whether the controller has risen into the upper half of its range.
    var isPress: Bool { @_noLocks get { now > 63 && previous <= 63 } }
    /// Whether the controller has repeated a position in the upper half of its range.
    var isRepeat: Bool { @_noLocks get { now > 63 && previous == now } }
    /// Whether the controller has left the upper half of its range.
    var isRelease: Bool { @_noLocks get { now <= 63 && previous > 63 } }
}

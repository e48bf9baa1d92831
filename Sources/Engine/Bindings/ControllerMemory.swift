internal import CRealtime

/// Where every controller was last, as long as the engine lives.
struct ControllerMemory: BitwiseCopyable {
    /// How many MIDI inputs there may be.
    let portCount: Int
    /// By port, channel and number; -1 where nothing came yet.
    private let positions: UnsafeMutablePointer<Int8>
    /// By port, channel and the number of the upper seven bits.
    private let pairs: UnsafeMutablePointer<ControllerPair>

    init(arena: Arena) {
        portCount = Outside.mostMessageSignals
        positions = arena.allocate(portCount * 16 * 128, -1)
        pairs = arena.allocate(portCount * 16 * 32, ControllerPair())
    }

    /// Takes in a controller's message; the port is below `portCount`.
    @_noLocks
    func take(_ message: ControlMessage, port: Int32) -> ControllerMove {
        let place = Int(port) * 16 + Int(message.channel)
        let position = positions + (place * 128 + Int(message.number))
        var move = ControllerMove(previous: Int32(position.pointee), now: message.value)
        position.pointee = Int8(message.value)
        if message.number < 64 {
            let pair = pairs + (place * 32 + Int(message.number & 31))
            move.finePrevious = pair.pointee.position
            move.fineNow = pair.pointee.take(
                message.value, isUpper: message.number < 32)
        }
        return move
    }

    /// The bank that is selected on a channel: 128 times controller 0, and controller 32; -1 where neither came.
    @_noLocks
    func bank(port: Int32, channel: Int32) -> Int32 {
        let channel = positions + (Int(port) * 16 + Int(channel)) * 128
        let (upper, lower) = (Int32(channel[0]), Int32(channel[32]))
        return upper < 0 && lower < 0 ? -1 : max(0, upper) << 7 | max(0, lower)
    }
}

/// From where to where a controller went, by its seven bits and together with its other seven; -1 where that is not known.
struct ControllerMove: BitwiseCopyable {
    /// From 0 through 127.
    var previous: Int32
    var now: Int32
    /// From 0 through 16383.
    var finePrevious: Int32 = -1
    /// As before; -1 where the other half is still to come.
    var fineNow: Int32 = -1
}

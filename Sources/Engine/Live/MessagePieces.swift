internal import CRealtime

/// The MIDI of one call of the engine, split among the pieces of the call.
struct MessagePieces: BitwiseCopyable {
    /// The incoming messages of the piece, indexed by engine slot.
    let messages: UnsafeMutablePointer<RTMessages>
    /// The destinations of the piece's outgoing MIDI, indexed by engine slot.
    let sinks: UnsafeMutablePointer<RTMessageSink>
    /// For each input, how many messages earlier pieces have received.
    private let readCounts: UnsafeMutablePointer<Int32>
    /// How many slots the previous call had; higher slots are empty.
    private let counts: UnsafeMutablePointer<Counts>

    /// The number of MIDI inputs of the call.
    var inputCount: Int { @_noLocks get { counts.pointee.inputs } }

    private struct Counts: BitwiseCopyable {
        var inputs = 0
        var sinks = 0
    }

    init(arena: Arena) {
        messages = arena.allocate(EnginePorts.maximumMessageSignals, RTMessages())
        sinks = arena.allocate(EnginePorts.maximumMessageSignals, RTMessageSink())
        readCounts = arena.allocate(EnginePorts.maximumMessageSignals, 0)
        counts = arena.allocate(1, Counts())
    }

    /// Starts a call.
    @_noLocks
    func begin() { for input in 0..<EnginePorts.maximumMessageSignals { readCounts[input] = 0 } }

    /// Assigns the messages of the frames from `offset` to `end` of the call to the piece; the last
    /// piece receives all remaining messages.
    @_noLocks
    func distribute(_ engineCall: UnsafePointer<RTEngineCall>?, offset: Int, end: Int, isLast: Bool)
    {
        let inputs = min(
            Int(engineCall?.pointee.inputCount ?? 0), EnginePorts.maximumMessageSignals)
        for input in 0..<max(inputs, counts.pointee.inputs) {
            guard let given = engineCall?.pointee.messages, input < inputs else {
                messages[input] = RTMessages()
                continue
            }
            messages[input] = piece(of: given[input], input, offset, end, isLast)
        }
        counts.pointee.inputs = inputs
        let count = min(Int(engineCall?.pointee.sinkCount ?? 0), EnginePorts.maximumMessageSignals)
        for output in 0..<max(count, counts.pointee.sinks) {
            sinks[output] = RTMessageSink()
            guard let given = engineCall?.pointee.sinks, output < count else { continue }
            sinks[output] = given[output]
            sinks[output].startFrame += Int32(offset)
        }
        counts.pointee.sinks = count
    }

    @_noLocks
    private func piece(
        of all: RTMessages, _ input: Int, _ offset: Int, _ end: Int, _ isLast: Bool
    ) -> RTMessages {
        guard let first = all.first else { return RTMessages() }
        let start = readCounts[input]
        var next = start
        let limit = end + Int(all.startFrame)
        while next < all.count, isLast || Int(first[Int(next)].frame) < limit { next += 1 }
        readCounts[input] = next
        return RTMessages(
            first: first + Int(start), count: next - start,
            startFrame: all.startFrame + Int32(offset))
    }
}

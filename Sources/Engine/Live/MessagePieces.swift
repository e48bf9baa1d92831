internal import CRealtime

/// The MIDI of one call of the engine, dealt out to the pieces that it is rendered in.
struct MessagePieces: BitwiseCopyable {
    /// What comes in during the piece, by the engine's slots.
    let messages: UnsafeMutablePointer<RTMessages>
    /// Where the piece's MIDI goes, by the engine's slots.
    let sinks: UnsafeMutablePointer<RTMessageSink>
    /// How many messages of each input went to the pieces before.
    private let taken: UnsafeMutablePointer<Int32>
    /// How many slots the call before had; those beyond are empty.
    private let counts: UnsafeMutablePointer<Counts>

    /// How many inputs the call has.
    var inputCount: Int { @_noLocks get { counts.pointee.inputs } }

    private struct Counts: BitwiseCopyable {
        var inputs = 0
        var sinks = 0
    }

    init(arena: Arena) {
        messages = arena.allocate(Outside.mostMessageSignals, RTMessages())
        sinks = arena.allocate(Outside.mostMessageSignals, RTMessageSink())
        taken = arena.allocate(Outside.mostMessageSignals, 0)
        counts = arena.allocate(1, Counts())
    }

    /// Begins a call.
    @_noLocks
    func begin() { for input in 0..<Outside.mostMessageSignals { taken[input] = 0 } }

    /// Deals out what belongs to the frames from `offset` to `end` of the call; to the last piece all that is left.
    @_noLocks
    func deal(_ outside: UnsafePointer<RTOutside>?, offset: Int, end: Int, isLast: Bool) {
        let inputs = min(Int(outside?.pointee.inputCount ?? 0), Outside.mostMessageSignals)
        for input in 0..<max(inputs, counts.pointee.inputs) {
            guard let given = outside?.pointee.messages, input < inputs else {
                messages[input] = RTMessages()
                continue
            }
            messages[input] = piece(of: given[input], input, offset, end, isLast)
        }
        counts.pointee.inputs = inputs
        let count = min(Int(outside?.pointee.sinkCount ?? 0), Outside.mostMessageSignals)
        for output in 0..<max(count, counts.pointee.sinks) {
            sinks[output] = RTMessageSink()
            guard let given = outside?.pointee.sinks, output < count else { continue }
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
        let start = taken[input]
        var next = start
        let limit = end + Int(all.startFrame)
        while next < all.count, isLast || Int(first[Int(next)].frame) < limit { next += 1 }
        taken[input] = next
        return RTMessages(
            first: first + Int(start), count: next - start,
            startFrame: all.startFrame + Int32(offset))
    }
}

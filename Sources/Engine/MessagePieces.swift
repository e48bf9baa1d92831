internal import CRealtime

/// The MIDI of one call of the engine, dealt out to the pieces that it is rendered in.
struct MessagePieces: BitwiseCopyable {
    /// What comes in during the piece, one place an input.
    let messages: UnsafeMutablePointer<RTMessages>
    /// Where the piece's MIDI goes, one place an output.
    let sinks: UnsafeMutablePointer<RTMessageSink>
    private let inputCount: Int
    private let sinkCount: Int
    /// How many messages of each input went to the pieces before.
    private let taken: UnsafeMutablePointer<Int32>

    init(inputs: Int, outputs: Int, arena: Arena) {
        messages = arena.allocate(inputs, RTMessages())
        sinks = arena.allocate(outputs, RTMessageSink())
        taken = arena.allocate(inputs, 0)
        inputCount = inputs
        sinkCount = outputs
    }

    /// Begins a call.
    @_noLocks
    func begin() { for input in 0..<inputCount { taken[input] = 0 } }

    /// Deals out what belongs to the frames from `offset` to `end` of the call; to the last piece all that is left.
    @_noLocks
    func deal(_ outside: UnsafePointer<RTOutside>?, offset: Int, end: Int, isLast: Bool) {
        for input in 0..<inputCount {
            guard let outside, let given = outside.pointee.messages,
                input < Int(outside.pointee.inputCount)
            else {
                messages[input] = RTMessages()
                continue
            }
            messages[input] = piece(of: given[input], input, offset, end, isLast)
        }
        for output in 0..<sinkCount {
            sinks[output] = RTMessageSink()
            guard let outside, let given = outside.pointee.sinks,
                output < Int(outside.pointee.sinkCount)
            else { continue }
            sinks[output] = given[output]
            sinks[output].startFrame += Int32(offset)
        }
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

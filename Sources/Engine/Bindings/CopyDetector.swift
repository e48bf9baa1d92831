/// Recognises the copies of a message that reaches several inputs, because its controller is
/// connected to all of them.
///
/// JACK copies a message to each connected input with the same bytes and the same frame. The first
/// message with this content at one input matches the first at another input, the second matches
/// the second, and so on; therefore a controller that sends the same message twice in a frame still
/// counts twice.
struct CopyDetector: BitwiseCopyable {
    /// The number of slots of the hash table, a power of two.
    private static var capacity: Int { @_noLocks get { 1024 } }
    /// The maximum number of slots examined per look-up.
    ///
    /// A message that finds no slot counts as no copy; this takes hundreds of messages in a frame.
    private static var mostProbes: Int { @_noLocks get { 8 } }

    /// The number of messages with one content in one frame.
    private struct Slot: BitwiseCopyable {
        /// The content of the message, and the input; 0 if the slot is empty.
        var key: UInt32 = 0
        var count: Int32 = 0
        var frame: UInt64 = 0
    }

    private let slots: UnsafeMutablePointer<Slot>

    init(arena: Arena) { slots = arena.allocate(Self.capacity, Slot()) }

    /// Counts a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - port: The slot of its input, below `EnginePorts.maximumMessageSignals`.
    ///   - frame: The engine's frame.
    /// - Returns: Whether it is a copy of a message that arrived at another input in this frame.
    @_noLocks
    func isCopy(_ message: ControlMessage, port: Int32, frame: UInt64) -> Bool {
        let content =
            UInt32(message.kind.rawValue) << 18 | UInt32(message.channel) << 14
            | UInt32(message.number) << 7 | UInt32(message.value)
        // The top bit of a key marks the count for all inputs together.
        guard let here = slot(content | UInt32(port + 1) << 21, frame),
            let anywhere = slot(content | 1 << 31, frame)
        else { return false }
        here.pointee.count += 1
        guard here.pointee.count > anywhere.pointee.count else { return true }
        anywhere.pointee.count = here.pointee.count
        return false
    }

    /// Returns the slot of a key in a frame; `nil` if there is no room for it.
    @_noLocks
    private func slot(_ key: UInt32, _ frame: UInt64) -> UnsafeMutablePointer<Slot>? {
        // Knuth's multiplicative hash, "The Art of Computer Programming", volume 3, section 6.4.
        let start = Int((key &* 2_654_435_769) >> 22)
        for probe in 0..<Self.mostProbes {
            let slot = slots + (start + probe) % Self.capacity
            if slot.pointee.key == key, slot.pointee.frame == frame { return slot }
            if slot.pointee.key == 0 || slot.pointee.frame != frame {
                slot.pointee = Slot(key: key, count: 0, frame: frame)
                return slot
            }
        }
        return nil
    }
}

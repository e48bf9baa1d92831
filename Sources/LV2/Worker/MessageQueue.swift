internal import Realtime

/// A message ring between two threads, with its memory.
struct MessageQueue: ~Copyable {
    let ring: MessageRing
    private let memory: Buffer<CacheLine>
    /// The reader's buffer for a message that wraps around the ring's end.
    private let whole: Buffer<CacheLine>

    /// Creates an empty ring; the capacity in bytes is a power of two.
    init(capacity: Int) {
        memory = Buffer(byteCount: MessageRing.memoryBytes(capacity: capacity))
        whole = Buffer(byteCount: capacity)
        ring = MessageRing(in: memory.address, capacity: capacity, whole: whole.address)
    }
}

public import Synchronization

/// A queue of plain values between two threads, one at each end, that never blocks or allocates.
///
/// The two ends are two types: plain values that the audio thread can load without reference
/// counting. The ring must outlive their last use.
public final class Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // SAFETY: the producer writes an element before its releasing store to `written`, and the
    // consumer reads the element after its acquiring load of `written`. The producer reuses the
    // slot only after its acquiring load of `read`.

    /// The end that adds elements.
    public let producer: RingProducer<Element>
    /// The end that removes elements.
    public let consumer: RingConsumer<Element>
    private let elements: Buffer<Element>
    private let positions: Buffer<RingPositions>

    /// Creates an empty ring.
    ///
    /// - Parameter capacity: The number of elements that fit, at least 2; rounded up to a power of
    ///   two.
    public init(capacity: Int) {
        var size = 2
        while size < capacity { size *= 2 }
        elements = Buffer(uninitializedCount: size)
        positions = Buffer(containing: RingPositions())
        producer = RingProducer(
            elements: elements.start, positions: positions.start, mask: size - 1)
        consumer = RingConsumer(
            elements: elements.start, positions: positions.start, mask: size - 1)
    }
}

/// The positions of both ends, each on its own cache line together with the owner's copy of the
/// other end's position.
@usableFromInline
struct RingPositions: ~Copyable {
    @usableFromInline let written = Atomic<Int>(0)
    @usableFromInline var readSeenByProducer = 0
    // swift-format-ignore: NoLeadingUnderscores
    private let padding0: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) =
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let read = Atomic<Int>(0)
    @usableFromInline var writtenSeenByConsumer = 0

    @usableFromInline init() {}
}

/// The end of a ring that adds elements.
///
/// Only one thread at a time may use it.
public struct RingProducer<Element: BitwiseCopyable & Sendable>: BitwiseCopyable,
    @unchecked Sendable
{
    // SAFETY: one thread at a time uses this end, as its documentation requires; the positions
    // synchronise it with the other end.
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
    @usableFromInline let mask: Int

    /// Adds an element.
    ///
    /// - Returns: `false` if the ring is full and the element was not added.
    @inlinable @inline(__always)
    public func push(_ element: Element) -> Bool {
        let written = positions.pointee.written.load(ordering: .relaxed)
        if written &- positions.pointee.readSeenByProducer > mask {
            positions.pointee.readSeenByProducer = positions.pointee.read.load(ordering: .acquiring)
            if written &- positions.pointee.readSeenByProducer > mask { return false }
        }
        elements[written & mask] = element
        positions.pointee.written.store(written &+ 1, ordering: .releasing)
        return true
    }
}

/// The end of a ring that removes elements.
///
/// Only one thread at a time may use it.
public struct RingConsumer<Element: BitwiseCopyable & Sendable>: BitwiseCopyable,
    @unchecked Sendable
{
    // SAFETY: see `RingProducer`.
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
    @usableFromInline let mask: Int

    /// Returns the oldest element without removing it, or `nil` if the ring is empty.
    @inlinable @inline(__always)
    public func peek() -> Element? {
        let read = positions.pointee.read.load(ordering: .relaxed)
        if read == positions.pointee.writtenSeenByConsumer {
            positions.pointee.writtenSeenByConsumer = positions.pointee.written.load(
                ordering: .acquiring)
            if read == positions.pointee.writtenSeenByConsumer { return nil }
        }
        return elements[read & mask]
    }

    /// Removes and returns the oldest element, or returns `nil` if the ring is empty.
    @inlinable @inline(__always)
    public func pop() -> Element? {
        guard let element = peek() else { return nil }
        let read = positions.pointee.read.load(ordering: .relaxed)
        positions.pointee.read.store(read &+ 1, ordering: .releasing)
        return element
    }
}

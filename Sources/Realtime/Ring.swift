public import Synchronization

/// A queue of plain values between two threads, one at each end, that neither waits nor allocates.
///
/// The two ends are two types, plain values that the audio thread may load without counting
/// references. The ring must outlive their last use.
public final class Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // SAFETY: an element is written before the release of `written` and read after the acquire of
    // it; its place is written again only after the acquire of `read`.

    /// The end that puts elements in.
    public let producer: RingProducer<Element>
    /// The end that takes elements out.
    public let consumer: RingConsumer<Element>
    private let elements: UnsafeMutablePointer<Element>
    private let positions: UnsafeMutablePointer<RingPositions>

    /// An empty ring.
    ///
    /// - Parameter capacity: How many elements fit, at least 2; rounded up to a power of two.
    public init(capacity: Int) {
        var size = 2
        while size < capacity { size *= 2 }
        elements = .allocate(capacity: size)
        positions = .allocate(capacity: 1)
        positions.initialize(to: RingPositions())
        producer = RingProducer(elements: elements, positions: positions, mask: size - 1)
        consumer = RingConsumer(elements: elements, positions: positions, mask: size - 1)
    }

    deinit {
        elements.deallocate()
        positions.deinitialize(count: 1)
        positions.deallocate()
    }
}

/// The positions of both ends, each on a cache line of its own beside the copy its end keeps of the
/// other's.
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

/// The end of a ring that puts elements in.
///
/// One thread at a time may use it.
public struct RingProducer<Element: BitwiseCopyable & Sendable>: BitwiseCopyable,
    @unchecked Sendable
{
    // SAFETY: one thread at a time uses this end, as its documentation demands; the other end is
    // synchronised by the positions.
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
    @usableFromInline let mask: Int

    /// Puts an element in, or returns false where the ring is full and the element was not taken.
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

/// The end of a ring that takes elements out.
///
/// One thread at a time may use it.
public struct RingConsumer<Element: BitwiseCopyable & Sendable>: BitwiseCopyable,
    @unchecked Sendable
{
    // SAFETY: as of `RingProducer`.
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let positions: UnsafeMutablePointer<RingPositions>
    @usableFromInline let mask: Int

    /// The oldest element, left in its place; nil where the ring is empty.
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

    /// Takes the oldest element out; nil where the ring is empty.
    @inlinable @inline(__always)
    public func pop() -> Element? {
        guard let element = peek() else { return nil }
        let read = positions.pointee.read.load(ordering: .relaxed)
        positions.pointee.read.store(read &+ 1, ordering: .releasing)
        return element
    }
}

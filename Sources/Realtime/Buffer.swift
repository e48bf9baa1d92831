/// Memory for a fixed number of elements, with one owner.
///
/// The memory is freed with the buffer, and its elements are deinitialized first. The memory does
/// not move: a pointer to it is valid until then. Access does not check bounds, as with the pointer
/// itself. Allocation and the end of the buffer are not real-time safe; everything else is.
public struct Buffer<Element: ~Copyable>: ~Copyable {
    /// The first element.
    public let start: UnsafeMutablePointer<Element>
    /// The number of elements.
    public let count: Int

    /// Allocates memory and makes an element for each index.
    @inlinable
    public init(count: Int, _ makeElement: (Int) -> Element) {
        self.count = count
        start = .allocate(capacity: count)
        for index in 0..<count { (start + index).initialize(to: makeElement(index)) }
    }

    /// Allocates memory and makes an element for each index, or returns `nil` if one cannot be
    /// made.
    @inlinable
    public init?(attemptingCount count: Int, _ makeElement: (Int) -> Element?) {
        let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
        for index in 0..<count {
            guard let element = makeElement(index) else {
                start.deinitialize(count: index)
                start.deallocate()
                return nil
            }
            (start + index).initialize(to: element)
        }
        self.count = count
        self.start = start
    }

    @inlinable
    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    /// Allocates memory for one element, which needs an address that does not change.
    @inlinable
    public init(containing element: consuming Element) {
        count = 1
        start = .allocate(capacity: 1)
        start.initialize(to: element)
    }

    /// The element at an index, in place.
    @inlinable
    public subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress { UnsafePointer(start + index) }
        // SAFETY: the buffer is the only owner of its memory, and its elements are as mutable as
        // those behind a pointer.
        @inline(__always) nonmutating unsafeMutableAddress { start + index }
    }
}

extension Buffer {
    /// Allocates memory and fills it with copies of an element.
    @inlinable
    public init(count: Int, repeating element: Element) {
        self.count = count
        start = .allocate(capacity: count)
        start.initialize(repeating: element, count: count)
    }

    /// Allocates memory for the elements of an array.
    @inlinable
    public init(_ elements: [Element]) {
        count = elements.count
        start = .allocate(capacity: elements.count)
        start.initialize(from: elements, count: elements.count)
    }

    /// Replaces all elements by copies of one.
    @inlinable @inline(__always)
    public func fill(with element: Element) { start.update(repeating: element, count: count) }
}

extension Buffer where Element: BitwiseCopyable {
    /// Allocates memory for elements that are written before they are read.
    @inlinable
    public init(uninitializedCount count: Int) {
        self.count = count
        start = .allocate(capacity: count)
    }
}

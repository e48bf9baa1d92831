/// A value behind a reference, which copies share until one of them changes.
///
/// A value with many parts is copied and compared as fast as a pointer.
struct Shared<Value: Sendable & Equatable>: Sendable, Equatable {
    private var box: Box

    /// The value; it never changes.
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// Creates a shared value.
    init(_ value: Value) { box = Box(value) }

    /// The value.
    var value: Value { box.value }

    /// Changes the value of this copy.
    mutating func change(_ body: (inout Value) -> Void) {
        var value = box.value
        body(&value)
        box = Box(value)
    }

    static func == (one: Shared, other: Shared) -> Bool {
        one.box === other.box || one.box.value == other.box.value
    }
}

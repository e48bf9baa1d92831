internal import Realtime

/// The value of one property in the form in which the plugin receives it.
struct PropertyValue: ~Copyable {
    let property: UInt32
    private let kind: PropertyShape.ValueType
    /// The URID of the atom's type.
    let type: UInt32
    private let words: Buffer<UInt64>
    let byteCount: UInt32
    /// Whether the value must still be sent to the plugin.
    var isDue = false

    /// Creates a number that the plugin already has.
    init(_ shape: PropertyShape, number: Float) {
        self.init(shape, bytes: [UInt8](repeating: 0, count: 8), count: shape.type.numberBytes)
        store(number)
    }

    /// Creates a text that must be sent to the plugin.
    init(_ shape: PropertyShape, text: String) {
        self.init(shape, bytes: Array(text.utf8) + [0], count: text.utf8.count + 1)
        isDue = true
    }

    private init(_ shape: PropertyShape, bytes: [UInt8], count: Int) {
        property = URIDTable.map(shape.uri)
        kind = shape.type
        type = URIDTable.map(Namespace.atom(shape.type.rawValue))
        words = Buffer(count: (bytes.count + 7) / 8, repeating: 0)
        byteCount = UInt32(clamping: count)
        body.copyMemory(from: bytes, byteCount: bytes.count)
    }

    /// The atom's body.
    var body: UnsafeMutableRawPointer { @_noLocks get { UnsafeMutableRawPointer(words.start) } }

    /// Stores a new number, which must be sent.
    @_noLocks
    mutating func set(_ number: Float) {
        store(number)
        isDue = true
    }

    @_noLocks
    private func store(_ number: Float) {
        switch kind {
        case .float: body.storeBytes(of: number, as: Float.self)
        case .double: body.storeBytes(of: Double(number), as: Double.self)
        case .int: body.storeBytes(of: Self.whole(number), as: Int32.self)
        case .long: body.storeBytes(of: Int64(Self.whole(number)), as: Int64.self)
        case .bool: body.storeBytes(of: number > 0 ? 1 : 0, as: Int32.self)
        case .path, .string, .uri: break
        }
    }

    @_noLocks
    private static func whole(_ number: Float) -> Int32 {
        guard number > -2e9, number < 2e9 else { return 0 }
        return Int32(number < 0 ? number - 0.5 : number + 0.5)
    }
}

extension PropertyShape.ValueType {
    /// Bytes of a number's atom.
    fileprivate var numberBytes: Int { self == .double || self == .long ? 8 : 4 }
}

/// Reads numbers from atoms of any numeric type.
enum AtomNumber {
    /// Returns the number in an atom's body; `nil` if the type is not numeric.
    static func value(_ body: UnsafeRawPointer, ofType type: UInt32) -> Float? {
        switch Namespace.atom.term(of: URIDTable.unmap(type)) {
        case "Float": body.loadUnaligned(as: Float.self)
        case "Double": Float(body.loadUnaligned(as: Double.self))
        case "Int", "Bool": Float(body.loadUnaligned(as: Int32.self))
        case "Long": Float(body.loadUnaligned(as: Int64.self))
        default: nil
        }
    }
}

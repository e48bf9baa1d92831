/// The number of an atom, whatever its type.
enum AtomNumber {
    /// The number in an atom's body; nil where that holds none.
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

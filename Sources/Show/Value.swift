/// A value of an address, as people and other programs write it.
public enum Value: Sendable, Equatable {
    /// In the address's unit.
    case number(Double)
    case toggle(Bool)
    /// One of a list of names.
    case text(String)
}

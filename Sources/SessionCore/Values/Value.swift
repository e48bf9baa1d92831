package import Pipelines

/// A value of an address, as other programs see it.
public enum Value: Sendable, Equatable {
    /// In the unit of the address.
    case number(Double)
    case toggle(Bool)
    /// A name, for example of a scene, or another text.
    case text(String)
}

extension Value {
    /// The value in the form that pipelines use.
    package var scalar: Scalar {
        switch self {
        case .number(let number): .number(number)
        case .toggle(let isOn): .toggle(isOn)
        case .text(let text): .text(text)
        }
    }
}

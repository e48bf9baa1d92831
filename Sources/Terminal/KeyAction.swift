package import SessionCore

/// The action of a key that goes beyond the view itself.
package enum KeyAction: Equatable {
    case request(SessionRequest)
    case quit
}

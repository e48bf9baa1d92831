package import SessionCore

/// An action of a key that changes more than the view.
package enum KeyAction: Equatable {
    case request(SessionRequest)
    case quit
    /// Shows a code with which another device can be paired.
    case pair
}

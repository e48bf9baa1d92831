internal import Glibc
internal import Platform

/// The reason why a take could not be written.
package struct TakeError: Error, Equatable {
    /// The reason, without a full stop.
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    /// Returns the error of the last system call on this thread.
    static func system() -> TakeError { TakeError(SystemError.last.message) }
}

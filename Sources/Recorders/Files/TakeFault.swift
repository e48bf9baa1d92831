internal import Glibc

/// Why a take could not be written.
package struct TakeFault: Error, Equatable {
    /// The reason, without its full stop.
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    /// What the last system call of this thread failed for (`strerror`).
    static func system() -> TakeFault { TakeFault(String(cString: strerror(errno))) }
}

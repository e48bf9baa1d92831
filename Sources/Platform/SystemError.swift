internal import Glibc

/// An error of the operating system.
package struct SystemError: Error, Equatable {
    /// The number, such as `ENOENT`.
    package let number: Int32

    /// Creates an error from a number such as `ENOENT`.
    package init(_ number: Int32) { self.number = number }

    /// The error of the last system call of this thread that failed.
    package static var last: SystemError { SystemError(errno) }

    /// The system's text, such as "No such file or directory".
    package var message: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress, strerror_r(number, start, text.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }
}

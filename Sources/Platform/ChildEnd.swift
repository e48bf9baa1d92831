/// How a child process ended.
package enum ChildEnd: Equatable, Sendable {
    /// It exited.
    case exit(status: Int32)
    /// A signal ended it.
    case signal(Int32)
    /// Other code in this process, such as a plugin, has already collected its status.
    case unknown

    /// Creates a value from a status that `waitpid` returned.
    init(waitStatus status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .exit(status: status >> 8 & 0xff) : .signal(signal)
    }
}

import Glibc
import TestSignals

extension Tmux {
    /// The path of the rehearsal program, which is in the same build folder as the tests.
    static let rehearsal: String = {
        guard let tests = realpath("/proc/self/exe", nil) else { return "terminal-rehearsal" }
        defer { free(tests) }
        let parts = String(cString: tests).split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/") + "/terminal-rehearsal"
    }()
}

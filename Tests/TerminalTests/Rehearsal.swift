import Glibc
import TestSignals

extension Tmux {
    /// Beside the tests, where the same build put both.
    static let rehearsal: String = {
        guard let tests = realpath("/proc/self/exe", nil) else { return "terminal-rehearsal" }
        defer { free(tests) }
        let parts = String(cString: tests).split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/") + "/terminal-rehearsal"
    }()
}

import Glibc
import TestSignals

extension Tmux {
    /// The path of the rehearsal program, which is in the same build folder as the tests.
    static let rehearsal = builtProgram("terminal-rehearsal")
}

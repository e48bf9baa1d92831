internal import Glibc

/// Makes the terminal send keys at once and without echo, and restores its settings and cursor
/// however the program ends.
///
/// Nothing here waits for the terminal, because it may not be read.
enum KeyMode {
    /// The previous settings, at an address that signal handlers may read.
    private struct Kept {
        var settings = termios()
        var isOn: Int32 = 0
        /// The terminal, opened for writing without waiting; -1 for none.
        var terminal: Int32 = -1
    }

    /// Hides the cursor.
    static let hiddenCursor = "\u{1B}[?25l"
    /// Shows the cursor again.
    static let shownCursor = "\u{1B}[?25h"

    // SAFETY: allocated once and never freed. Only `enter` and `leave` write to it, and their
    // callers use a lock; a signal handler restores the terminal twice at worst.
    nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
        let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
        kept.initialize(to: Kept())
        return kept
    }()

    /// Makes the terminal send keys at once and without echo; Ctrl-C and Ctrl-Z remain signals.
    ///
    /// Ctrl-S no longer stops the terminal's output; it is an unknown key.
    static func enter() {
        guard kept.pointee.isOn == 0, tcgetattr(STDIN_FILENO, &kept.pointee.settings) == 0 else {
            return
        }
        var settings = kept.pointee.settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(IXON)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return }
        kept.pointee.isOn = 1
    }

    /// Restores the terminal.
    static func leave() {
        guard kept.pointee.isOn != 0 else { return }
        kept.pointee.isOn = 0
        tcsetattr(STDIN_FILENO, TCSANOW, &kept.pointee.settings)
        showCursor()
    }

    /// Makes the next `enter` change the settings again, because another job has restored them.
    static func forget() { kept.pointee.isOn = 0 }

    /// Restores the terminal if the program exits or crashes, too.
    ///
    /// - Parameter terminal: A descriptor of the terminal that shows the cursor.
    static func leaveAtEnd(terminal: Int32) {
        if kept.pointee.terminal < 0 {
            // The terminal is opened again because other programs share the mode of the given
            // descriptor.
            kept.pointee.terminal = open(
                "/proc/self/fd/\(terminal)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        }
        atexit { KeyMode.leave() }
        CrashActions.add { KeyMode.leave() }
    }

    /// Shows the cursor; makes only system calls, because the handler of a crash calls it as well.
    private static func showCursor() {
        let code: StaticString = "\u{1B}[?25h"
        _ = write(kept.pointee.terminal, code.utf8Start, code.utf8CodeUnitCount)
    }
}

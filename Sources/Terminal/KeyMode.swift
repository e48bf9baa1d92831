internal import Glibc

/// Has the terminal send keys at once and unseen, and hides its cursor; gives all of that back whatever ends the program.
enum KeyMode {
    /// What was there before, at an address that signal handlers may read.
    private struct Kept {
        var settings = termios()
        var isOn: Int32 = 0
    }

    // SAFETY: one place, made once and never freed. Only `enter` and `leave` write to it, which their callers hold apart; a
    // signal handler at worst gives the terminal back twice.
    nonisolated(unsafe) private static let kept: UnsafeMutablePointer<Kept> = {
        let place = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
        place.initialize(to: Kept())
        return place
    }()

    // SAFETY: as above; written once, before the handlers that read it can run.
    /// What watched for each signal before.
    nonisolated(unsafe) private static let watchers: UnsafeMutablePointer<sigaction> = {
        let places = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        places.initialize(repeating: sigaction(), count: 65)
        return places
    }()

    /// What ends a program at once.
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP]

    /// Hides the cursor, and has keys come at once and unseen; Ctrl-C and Ctrl-Z stay signals.
    ///
    /// Ctrl-S would have the terminal hold up whoever prints, and is an unknown key instead.
    static func enter() {
        guard kept.pointee.isOn == 0, tcgetattr(STDIN_FILENO, &kept.pointee.settings) == 0 else {
            return
        }
        var settings = kept.pointee.settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(IXON)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { return }
        kept.pointee.isOn = 1
        put("\u{1B}[?25l")
    }

    /// Puts everything back.
    static func leave() {
        guard kept.pointee.isOn != 0 else { return }
        kept.pointee.isOn = 0
        tcsetattr(STDIN_FILENO, TCSADRAIN, &kept.pointee.settings)
        put("\u{1B}[?25h")
    }

    /// Has `enter` begin anew: who has had the terminal meanwhile has put its settings in order.
    static func forget() { kept.pointee.isOn = 0 }

    /// Puts everything back where the program ends without another word, too.
    static func leaveAtEnd() {
        atexit { KeyMode.leave() }
        for crash in crashes {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { KeyMode.crash($0) }
            action.sa_flags = SA_NODEFER | SA_ONSTACK
            sigaction(crash, &action, &watchers[Int(crash)])
        }
    }

    /// Leaves the crash to who watched for it before.
    private static func crash(_ number: Int32) {
        leave()
        sigaction(number, &watchers[Int(number)], nil)
        // A fault happens again by itself.
        if number == SIGABRT || number == SIGTRAP { raise(number) }
    }

    private static func put(_ code: StaticString) {
        _ = write(STDERR_FILENO, code.utf8Start, code.utf8CodeUnitCount)
    }
}

internal import CRealtime
internal import Glibc
internal import JackHost
internal import SessionCore
internal import Synchronization
internal import Terminal
internal import Platform

/// Ends the program when it receives a signal.
///
/// The session fades out and leaves the server. If that takes longer than three seconds, for
/// example because the server or a plugin hangs, or if a second signal arrives, the program saves
/// the takes and exits by force. It waits longer while a slow disk saves takes, and while many
/// instances leave the server one after the other. Time in which the machine stands still hardly
/// counts: a program that did not get the processor does not hang.
final class Stopper: Sendable {
    private struct State {
        var remote: SessionRemote?
        var signal: Int32?
        /// Whether the session has left the server.
        var hasSessionEnded = false
    }

    /// The longest wait for each part of the end, in seconds.
    private static let timeoutSeconds = 3.0
    /// The time in which a second signal counts as the first one, in seconds: some senders send two
    /// kinds at once.
    private static let echoSeconds = 0.5
    /// The time between two checks of the session, in seconds.
    private static let checkSeconds = 0.05
    /// The longest additional wait while other instances leave the server, in seconds.
    private static let leavingSeconds = 20.0
    /// The longest duration of a save that does not count as a delay of the program, in ns.
    private static let shortSaveNanoseconds: UInt64 = 10_000_000

    /// The longest wait for the output of the last lines, in seconds.
    private static let lastOutputSeconds = 0.04

    private let state = Mutex(State())
    private let save: @Sendable () -> Void
    private let isSaved = Mutex(false)

    /// Creates a stopper.
    ///
    /// - Parameter save: Completes all takes; called once, before the program ends normally or by
    ///   force.
    init(saving save: @escaping @Sendable () -> Void) { self.save = save }

    /// Stops the current session, or the session that is about to begin.
    ///
    /// If the program does not end in time, for example because the server hangs, it is ended by
    /// force.
    func receive(_ signal: Int32) {
        let remote = state.withLock { state in
            state.signal = signal
            return state.remote
        }
        remote?.stop(.signal(signal))
        let hasSecondSignal = !wait()
        let hangingPart =
            hasLeft
            ? "a plugin or the reading of an edited file" : "the JACK server"
        let time = rt_nanoseconds()
        saveOnce()
        // If the disk was slow, the rest of the program gets the full time again.
        if !hasSecondSignal, rt_nanoseconds() - time > Self.shortSaveNanoseconds {
            _ = waitWithoutSignal(Self.timeoutSeconds)
        }
        Console.notify(
            hasSecondSignal
                ? "ended at once at the second signal"
                : "\(hangingPart) does not answer; ended without waiting longer")
        // If lines are still not written after this time, nothing reads them.
        Console.finish(withinSeconds: Self.lastOutputSeconds)
        TerminalView.restoreTerminal()
        _exit(ExitStatus.unavailable.rawValue)
    }

    /// Waits for the session to leave the server, and then for the rest of the program to end.
    ///
    /// It waits longer while the server answers and while other instances leave it first.
    ///
    /// - Returns: `false` if a second signal arrived.
    private func wait() -> Bool {
        let isPlaying = { !self.hasLeft }
        let isInTime =
            waitWithoutSignal(Self.echoSeconds, endsEarly: false)
            && waitWithoutSignal(Self.timeoutSeconds - Self.echoSeconds, while: isPlaying)
            && waitWithoutSignal(Self.leavingSeconds, while: { isPlaying() && isLeaving })
        guard isInTime, !isPlaying() else { return isInTime }
        return waitWithoutSignal(Self.timeoutSeconds)
    }

    /// Waits for a time that the program spends running, or until a second signal arrives.
    ///
    /// - Returns: `false` if a second signal arrived.
    private func waitWithoutSignal(
        _ seconds: Double, endsEarly: Bool = true, while isWanted: () -> Bool = { true }
    ) -> Bool {
        var timeout = StallTolerantTimeout(
            seconds: seconds, stepSeconds: Self.checkSeconds, atNanoseconds: rt_nanoseconds())
        while !timeout.isOver, isWanted() {
            if StopSignals.arrives(withinSeconds: Self.checkSeconds), endsEarly { return false }
            timeout.endStep(atNanoseconds: rt_nanoseconds())
        }
        return true
    }

    private var isLeaving: Bool { state.withLock(\.remote)?.isLeaving ?? false }

    /// Whether the session has left the server; the rest of the program may still need time.
    private var hasLeft: Bool {
        state.withLock { $0.hasSessionEnded || $0.remote?.hasLeft ?? false }
    }

    /// Sets the session that signals stop; if a signal has already arrived, stops it now.
    func setSession(_ remote: SessionRemote) {
        let signal = state.withLock { state in
            state.remote = remote
            return state.signal
        }
        if let signal { remote.stop(.signal(signal)) }
    }

    /// Notes that the session has left the server, so the rest of the program ends next.
    func noteEndOfSession() { state.withLock { $0.hasSessionEnded = true } }

    /// Completes all takes, because the session has stopped or its server hangs.
    func completeTakes() {
        noteEndOfSession()
        saveOnce()
    }

    /// Completes all takes once; a second caller waits for the first.
    private func saveOnce() {
        isSaved.withLock { isSaved in
            if !isSaved { save() }
            isSaved = true
        }
    }
}

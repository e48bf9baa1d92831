internal import CRealtime
internal import Synchronization

/// The limit on new takes of a file name, so that no client can fill a disk with takes.
///
/// It allows a burst of `maximumAtOnce` takes, and then one every two seconds. It outlives recorders,
/// because a panic or a new song replaces them.
final class TakeAllowance: Sendable {
    /// The number of takes that may start within a minute.
    static let maximumAtOnce = 30
    private static let secondsPerTake = 2.0

    private let states = Mutex<[String: State]>([:])
    /// Returns the seconds since a fixed moment.
    private let now: @Sendable () -> Double

    private struct State {
        var left = Double(TakeAllowance.maximumAtOnce)
        var seconds: Double
        var isReported = false
    }

    /// Creates a limit with a clock; by default, the system's monotonic clock.
    init(now: @escaping @Sendable () -> Double = { Double(rt_nanoseconds()) / 1e9 }) {
        self.now = now
    }

    /// Returns the number of takes of a name that may start now.
    func left(for name: String) -> Int { update(name) { max(0, Int($0.left)) } }

    /// Counts a take that starts.
    func spend(for name: String) { update(name) { $0.left -= 1 } }

    /// Returns whether to report a refused take: only the first of a series is reported.
    func reportsRefusal(for name: String) -> Bool {
        update(name) { state in
            defer { state.isReported = true }
            return !state.isReported
        }
    }

    private func update<Result: Sendable>(
        _ name: String, _ change: (inout State) -> Result
    ) -> Result {
        let seconds = now()
        return states.withLock { states in
            var state = states[name] ?? State(seconds: seconds)
            let gained = (seconds - state.seconds) / Self.secondsPerTake
            state.left = min(Double(Self.maximumAtOnce), state.left + gained)
            state.seconds = seconds
            // A later refusal belongs to a new series.
            if state.left > Double(Self.maximumAtOnce) / 2 { state.isReported = false }
            defer { states[name] = state }
            return change(&state)
        }
    }
}

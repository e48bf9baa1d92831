internal import Synchronization

/// The path of the current or last take of a recorder, for the control side.
///
/// The thread that writes takes sets it; any thread except the audio thread can read it.
final class TakePath: Sendable {
    private let path = Mutex("")

    /// The path; empty before the first take.
    var text: String { path.withLock { $0 } }

    /// Sets the path when a take begins.
    func set(_ newPath: String) { path.withLock { $0 = newPath } }
}

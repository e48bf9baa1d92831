internal import Synchronization

/// The plugins whose processes hung, so that no other process is started for them.
final class HungPlugins: Sendable {
    private let uris = Mutex<Set<String>>([])

    /// Adds a plugin, given by its URI.
    func add(_ uri: String) { uris.withLock { _ = $0.insert(uri) } }

    /// Returns whether a process of the plugin with a URI hung.
    func contains(_ uri: String) -> Bool { uris.withLock { $0.contains(uri) } }
}

/// Delivers the events of a session to all watchers.
///
/// Only the session's thread uses it, and watchers are called on that thread.
package final class EventStream {
    private var watchers: [ObjectIdentifier: @Sendable (SessionEvent) -> Void] = [:]

    /// The number of events so far that change the snapshot of the session.
    package private(set) var revision = 0

    /// Creates a stream without watchers.
    package init() {}

    /// Whether there is any watcher.
    package var isWatched: Bool { !watchers.isEmpty }

    /// Calls every watcher with an event.
    package func publish(_ event: SessionEvent) {
        switch event {
        case .valueChanged, .addressesChanged, .song, .scene, .reloaded, .fileEdited:
            revision &+= 1
        default: break
        }
        for watcher in watchers.values { watcher(event) }
    }

    /// Publishes the new value of an address.
    package func publish(_ address: String, _ value: Value) {
        publish(.valueChanged(AddressValue(address, value)))
    }

    /// Adds, replaces or removes a watcher.
    ///
    /// - Parameters:
    ///   - owner: The owner of the watcher; an owner has at most one.
    ///   - watcher: The new watcher, or `nil` to remove the current one. It must return soon.
    package func watch(for owner: ObjectIdentifier, _ watcher: (@Sendable (SessionEvent) -> Void)?)
    {
        watchers[owner] = watcher
    }

    /// Moves all watchers of another stream to this one.
    package func adoptWatchers(from other: EventStream) {
        (watchers, other.watchers) = (other.watchers, [:])
    }
}

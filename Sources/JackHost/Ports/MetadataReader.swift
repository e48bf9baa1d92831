internal import CJack
internal import Glibc
internal import Platform
internal import SessionCore
internal import Synchronization

/// Reads what other programs say about their ports in JACK's metadata, without ever blocking the
/// session.
///
/// A locked database blocks the task that reads it. In that case the ports have no metadata. The
/// session's thread uses the reader.
final class MetadataReader {
    /// The longest wait without progress of other instances, in seconds.
    private static let lockTimeoutSeconds = 10.0
    /// The longest text, in bytes; a longer one is ignored.
    private static let mostBytes = 256

    private let isOn: Bool
    private let precede: @Sendable () -> Void
    private let finish: @Sendable () -> Void
    private var found = Found()
    private var task: BlockingTask?

    /// The notes about ports that a task has read.
    private final class Found: Sendable {
        private struct State {
            var metadata: [String: ServerPort.Metadata] = [:]
            /// The ports that have been read since the last change.
            var current: Set<String> = []
            /// The number of changes.
            var generation = 0
            var isOver = false
        }

        private let state = Mutex(State())

        /// Adopts what was read, unless a program has changed it meanwhile.
        func note(_ metadata: [String: ServerPort.Metadata], generation: Int) {
            state.withLock { state in
                guard state.generation == generation else { return }
                state.metadata.merge(metadata) { $1 }
                state.current.formUnion(metadata.keys)
            }
        }

        var generation: Int { state.withLock(\.generation) }

        /// Notes a change; the old metadata remains until it is read again.
        func noteChange() {
            state.withLock { state in
                state.generation += 1
                state.current = []
            }
        }

        func isCurrent(_ port: String) -> Bool {
            state.withLock { $0.current.contains(port) }
        }

        func metadata(of port: String) -> ServerPort.Metadata? {
            state.withLock { $0.metadata[port] }
        }

        /// Forgets ports that do not exist any more.
        func keep(_ names: Set<String>) {
            state.withLock { state in
                state.metadata = state.metadata.filter { names.contains($0.key) }
                state.current.formIntersection(names)
            }
        }

        /// Ends the task before the next port.
        func end() { state.withLock { $0.isOver = true } }

        var isWanted: Bool { state.withLock { !$0.isOver } }
    }

    /// Creates a reader that has read nothing.
    ///
    /// - Parameters:
    ///   - isOn: Whether it reads anything.
    ///   - precede: Called on the thread that reads, before it reads.
    ///   - finish: Called on that thread when new metadata has been read.
    init(
        isOn: Bool, precede: @escaping @Sendable () -> Void,
        finish: @escaping @Sendable () -> Void
    ) {
        self.isOn = isOn
        self.precede = precede
        self.finish = finish
    }

    /// Returns the metadata of a port, as far as it has been read.
    func metadata(of port: String) -> ServerPort.Metadata {
        found.metadata(of: port) ?? ServerPort.Metadata()
    }

    /// Reads everything again next time, because a program has changed the metadata.
    func forget() { found.noteChange() }

    /// Starts to read the metadata of ports that have not been read.
    func read(_ names: [String], _ client: JackClient) {
        guard isOn, task?.isDone(withinSeconds: 0) ?? true else { return }
        task = nil
        found.keep(Set(names))
        let unread = names.filter { !found.isCurrent($0) }
        guard !unread.isEmpty else { return }
        let generation = found.generation
        task = BlockingTask { [found, precede, finish] in
            precede()
            var read: [String: ServerPort.Metadata] = [:]
            _ = InstanceLock.run(
                withinSeconds: Self.lockTimeoutSeconds, while: { found.isWanted }
            ) { _ in
                for name in unread where found.isWanted {
                    client.requests.sendWithoutTimeout {
                        read[name] = Self.metadata(of: name, client)
                    }
                }
            }
            found.note(read, generation: generation)
            if found.isWanted, !read.isEmpty { finish() }
        }
    }

    /// Stops reading.
    ///
    /// - Returns: The task that still uses the client, which must not be closed before; `nil` without
    ///   one.
    func end() -> BlockingTask? {
        found.end()
        found = Found()
        defer { task = nil }
        return task.flatMap { $0.isDone(withinSeconds: 0) ? nil : $0 }
    }

    private static func metadata(
        of name: String, _ client: JackClient
    ) -> ServerPort.Metadata {
        var metadata = ServerPort.Metadata()
        guard let port = jack_port_by_name(client.handle, name) else { return metadata }
        let identity = jack_port_uuid(port)
        metadata.prettyName = text(identity, "pretty-name")
        metadata.group = text(identity, "port-group")
        metadata.order = text(identity, "order").flatMap { Int($0) }
        metadata.signalType = text(identity, "signal-type")
        return metadata
    }

    /// Returns a text of the metadata: `jack_get_property`.
    private static func text(_ identity: jack_uuid_t, _ key: String) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        var type: UnsafeMutablePointer<CChar>?
        let path = "http://jackaudio.org/metadata/\(key)"
        guard jack_get_property(identity, path, &value, &type) == 0, let value else { return nil }
        defer {
            jack_free(value)
            jack_free(type)
        }
        guard strnlen(value, mostBytes + 1) <= mostBytes else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

internal import CJack

/// The metadata that patchbays show in addition to the names of ports.
///
/// Nothing is removed here: jackd removes the metadata of a port together with the port, and two
/// programs that remove metadata at the same time block each other forever (see decision 45).
struct JackMetadata {
    /// The longest wait without progress of the instances that write, in seconds.
    ///
    /// If an instance keeps the lock longer than that, the database is locked.
    private static let lockTimeoutSeconds = 10.0

    let client: JackClient
    private let prettyNameKey = "http://jackaudio.org/metadata/pretty-name"
    private let orderKey = "http://jackaudio.org/metadata/order"

    init(client: JackClient) { self.client = client }

    /// Sets a readable name for every port, and its position in the order of the pipeline file:
    /// `jack_set_property`.
    ///
    /// It waits for other instances, and a locked database blocks it forever.
    ///
    /// - Parameters:
    ///   - signals: The signals of the client.
    ///   - pipeline: The pipeline's name, which begins each readable name.
    ///   - isWanted: Called before each port; `false` stops.
    func describe(
        _ signals: [SignalPorts], pipeline: String, while isWanted: () -> Bool
    ) {
        var position = 0
        for signal in signals {
            for (port, name) in zip(signal.ports, signal.prettyNames(pipeline: pipeline)) {
                position += 1
                guard isWanted() else { return }
                let isDone = InstanceLock.run(
                    withinSeconds: Self.lockTimeoutSeconds, while: isWanted
                ) { _ in
                    set(port.identity, prettyNameKey, name, "text/plain")
                    set(
                        port.identity, orderKey, "\(position)",
                        "http://www.w3.org/2001/XMLSchema#int")
                }
                guard isDone else { return }
            }
        }
    }

    private func set(_ identity: jack_uuid_t, _ key: String, _ value: String, _ type: String) {
        client.requests.sendWithoutTimeout {
            jack_set_property(client.handle, identity, key, value, type)
        }
    }
}

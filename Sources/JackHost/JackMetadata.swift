internal import CJack

/// What patchbays show of our ports beside their names.
struct JackMetadata {
    let client: JackClient
    private let prettyNameKey = "http://jackaudio.org/metadata/pretty-name"
    private let orderKey = "http://jackaudio.org/metadata/order"

    init(client: JackClient) { self.client = client }

    /// Gives every port a readable name and its place in the pipeline file's order: `jack_set_property`.
    func describe(_ signals: [SignalPorts], pipeline: String) {
        var place = 0
        for signal in signals {
            for (port, name) in zip(signal.ports, signal.prettyNames(pipeline: pipeline)) {
                place += 1
                set(port.identity, prettyNameKey, name, "text/plain")
                set(port.identity, orderKey, "\(place)", "http://www.w3.org/2001/XMLSchema#int")
            }
        }
    }

    /// Takes back what `describe` said: `jack_remove_properties`.
    ///
    /// The server would keep it for ever.
    func forget(_ identities: Set<jack_uuid_t>) {
        for identity in identities {
            client.requests.makePatiently { jack_remove_properties(client.handle, identity) }
        }
    }

    private func set(_ identity: jack_uuid_t, _ key: String, _ value: String, _ type: String) {
        client.requests.makePatiently {
            jack_set_property(client.handle, identity, key, value, type)
        }
    }
}

internal import Pipelines

/// The content of the file of remotes: the paired devices, the offers of `stompline remotes --pair`,
/// and the servers that run.
public struct Remotes: Sendable {
    /// The largest number of paired devices.
    package static let mostDevices = 64
    /// The largest number of offers, and of servers.
    private static let mostEntries = 16

    /// The paired devices, the oldest first.
    public var devices: [RemoteDevice] = []
    /// The offers that are open.
    package private(set) var offers: [PairingOffer] = []
    /// The servers that other machines reach.
    package private(set) var servers: [Server] = []

    /// A server that other machines reach.
    package struct Server: Sendable, Equatable {
        /// The process.
        package var process: Int
        /// The URLs of its page, the best one first.
        package var urls: [String]

        /// Creates a server from its parts.
        package init(process: Int, urls: [String]) {
            self.process = process
            self.urls = urls
        }
    }

    /// Creates the content of a file that does not exist yet.
    public init() {}

    // MARK: Changes

    /// Adds an offer, and removes the oldest ones if there are too many.
    package mutating func add(_ offer: PairingOffer) {
        offers = Array((offers + [offer]).suffix(Self.mostEntries))
    }

    /// Removes an offer; returns whether it was there.
    package mutating func removeOffer(_ id: String) -> Bool {
        let count = offers.count
        offers.removeAll { $0.id == id }
        return offers.count < count
    }

    /// Removes the offers that have ended.
    package mutating func removeOldOffers(nowSeconds: Int) {
        offers.removeAll { $0.endSeconds <= nowSeconds }
    }

    /// Adds a server, or removes it if it has no URLs.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - isRunning: Returns whether a process runs; servers of other processes are removed.
    package mutating func register(_ server: Server, isRunning: (Int) -> Bool) {
        servers.removeAll { $0.process == server.process || !isRunning($0.process) }
        if !server.urls.isEmpty { servers = Array((servers + [server]).suffix(Self.mostEntries)) }
    }

    /// Changes a device; returns whether it exists.
    @discardableResult
    public mutating func change(_ id: String, _ body: (inout RemoteDevice) -> Void) -> Bool {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { return false }
        body(&devices[index])
        return true
    }

    // MARK: JSON

    /// Parses the text of the file; `nil` if it is damaged.
    package init?(parsing text: [UInt8]) {
        guard let root = JSONText.element(text), root["version"]?.wholeNumber == 1,
            let devices = Self.list(root["devices"], Self.device),
            let offers = Self.list(root["offers"], Self.offer),
            let servers = Self.list(root["servers"], Self.server)
        else { return nil }
        (self.devices, self.offers, self.servers) = (devices, offers, servers)
    }

    /// The text of the file.
    package var text: String {
        let root: JSONValue = [
            "version": 1,
            "devices": .array(
                devices.map { device in
                    [
                        "id": .string(device.id), "name": .string(device.name),
                        "role": .string(device.permit.role.rawValue),
                        "limit": .optional(device.permit.limit),
                        "key-sha256": .string(device.keyHash.text),
                        "paired": .integer(device.pairedSeconds),
                        "seen": .integer(device.seenSeconds),
                    ]
                }),
            "offers": .array(
                offers.map { offer in
                    [
                        "id": .string(offer.id), "role": .string(offer.permit.role.rawValue),
                        "limit": .optional(offer.permit.limit),
                        "code-sha256": .string(offer.hashText),
                        "end": .integer(offer.endSeconds),
                    ]
                }),
            "servers": .array(
                servers.map { server in
                    [
                        "process": .integer(server.process),
                        "urls": .array(server.urls.map { .string($0) }),
                    ]
                }),
        ]
        return root.indentedText + "\n"
    }

    /// Reads each entry of a list; `nil` if it is no list, or an entry is damaged.
    private static func list<Entry>(
        _ element: JSONElement?, _ read: (JSONElement) -> Entry?
    ) -> [Entry]? {
        guard case .array(let elements)? = element?.content else { return nil }
        let entries = elements.compactMap(read)
        return entries.count == elements.count ? entries : nil
    }

    // The functions are not inlined because Swift 6.3 then stops in its pass CopyPropagation in
    // builds for fuzzing, as for `JSONElement.value`.

    @inline(never)
    private static func permit(_ entry: JSONElement) -> Permit? {
        guard let role = entry["role"]?.string.flatMap(RemoteRole.init(rawValue:)) else {
            return nil
        }
        return Permit(role: role, limit: entry["limit"]?.string)
    }

    @inline(never)
    private static func hash(_ element: JSONElement?) -> AccessHash? {
        element?.string.flatMap(AccessHash.init(hexadecimal:))
    }

    @inline(never)
    private static func device(_ entry: JSONElement) -> RemoteDevice? {
        guard let id = entry["id"]?.string, let name = entry["name"]?.string,
            let permit = permit(entry), let hash = hash(entry["key-sha256"])
        else { return nil }
        guard let paired = entry["paired"]?.wholeNumber, let seen = entry["seen"]?.wholeNumber
        else { return nil }
        return RemoteDevice(
            id: id, name: RemoteDevice.cleanName(name), permit: permit, keyHash: hash,
            pairedSeconds: paired, seenSeconds: seen)
    }

    @inline(never)
    private static func offer(_ entry: JSONElement) -> PairingOffer? {
        guard let id = entry["id"]?.string, let permit = permit(entry),
            let hash = hash(entry["code-sha256"]), let end = entry["end"]?.wholeNumber
        else { return nil }
        return PairingOffer(id: id, permit: permit, endSeconds: end, hash: hash)
    }

    @inline(never)
    private static func server(_ entry: JSONElement) -> Server? {
        guard let process = entry["process"]?.wholeNumber,
            let urls = list(entry["urls"], { $0.string })
        else { return nil }
        return Server(process: process, urls: urls)
    }
}

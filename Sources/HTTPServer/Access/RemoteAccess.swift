internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import Platform

/// The paired devices and the pairing: decides who sends a request, and with which rights.
///
/// Only the server's thread uses it. It reads and writes the file on threads for blocking tasks.
final class RemoteAccess {
    /// Changes the file of remotes on another thread; `done` receives the new content, or the
    /// reason why the file could not be changed.
    typealias Store =
        @Sendable (
            _ change: @escaping @Sendable (inout Remotes) -> Void,
            _ done: @escaping @Sendable (Result<Remotes, RemotesFileError>) -> Void
        ) -> Void

    /// The result of an attempt to pair.
    enum Pairing {
        case paired(RemoteDevice, AccessKey)
        case refused(PairingDesk.Verdict)
        case failed(String)
    }

    /// The time between two notes of when a device was last seen, in seconds.
    private static let seenSeconds = 60

    /// The name of the cookie with the key; browsers share cookies among the ports of a machine.
    let cookieName: String
    /// Whether other machines can reach the server.
    let isOpen: Bool
    private let isSecure: Bool
    private let options: AccessOptions
    private let url: String
    private let store: Store?
    private let loop: any EventLoop
    private let notify: @Sendable (ServerNotice) -> Void
    private let remoteLoopback: Set<IPAddress>
    private var devices: [RemoteDevice] = []
    private var desk = PairingDesk()
    private var codes: Set<String> = []
    private var replies: [String: (Pairing) -> Void] = [:]

    /// Called when devices are revoked, with their ids, or when permits have changed.
    var onChange: (_ revoked: Set<String>, _ changed: Set<String>) -> Void = { _, _ in }

    /// Creates the access to a server.
    ///
    /// - Parameters:
    ///   - address: The address of the server, with its port.
    ///   - url: The URL that other machines use.
    ///   - options: The settings.
    ///   - store: Changes the file of remotes; `nil` if the server has none.
    ///   - loop: The server's thread.
    ///   - notify: Receives the codes.
    init(
        _ address: ListenAddress, url: String, options: AccessOptions, store: Store?,
        loop: any EventLoop, notify: @escaping @Sendable (ServerNotice) -> Void
    ) {
        cookieName = "stompline-\(address.port)"
        remoteLoopback = Set(options.remoteLoopback.compactMap { IPAddress($0) })
        isOpen = !address.isLoopback || !remoteLoopback.isEmpty
        isSecure = url.hasPrefix("https:")
        self.options = options
        self.url = url
        self.store = store
        self.loop = loop
        self.notify = notify
    }

    /// Returns a store that changes a file.
    static func store(_ file: RemotesFile) -> Store {
        { change, done in
            _ = BlockingTask {
                do throws(RemotesFileError) { done(.success(try file.change(change))) } catch {
                    done(.failure(error))
                }
            }
        }
    }

    private var nowSeconds: Int { time(nil) }

    /// Returns the field that makes a browser store a key, or forget it.
    func cookie(_ key: String, seconds: Int) -> String {
        "\(cookieName)=\(key); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    // MARK: Visitors

    /// Returns whether a client runs on this machine.
    func isLocal(_ peer: Peer) -> Bool {
        peer.isLocal && peer.address.map { !remoteLoopback.contains($0) } == true
    }

    /// Returns the sender of a request.
    func visitor(_ head: HTTPRequestHead, from peer: Peer) -> Visitor {
        if isLocal(peer) { return .local }
        guard let key = key(in: head.headers) else { return .stranger }
        let hash = key.hash
        // All hashes are compared, so that the time does not depend on the device.
        let found = devices.filter { $0.keyHash.equals(hash) }
        guard let device = found.first else { return .stranger }
        note(device.id)
        return .device(device.id)
    }

    /// Returns the key of a header; `nil` if there is none, or more than one.
    private func key(in headers: HTTPHeaders) -> AccessKey? {
        let bearers = headers["Authorization"]
        guard bearers.isEmpty else {
            guard bearers.count == 1 else { return nil }
            let words = bearers[0].split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return AccessKey(words[1])
        }
        let pairs = headers["Cookie"].flatMap { $0.split(separator: ";") }
        let values = pairs.compactMap { pair -> Substring? in
            let parts = pair.drop { $0 == " " }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0] == cookieName ? parts[1] : nil
        }
        return values.count == 1 ? AccessKey(values[0]) : nil
    }

    /// Returns the rights of a visitor; `nil` for a stranger or a revoked device.
    func permit(of visitor: Visitor) -> Permit? {
        switch visitor {
        case .local: .whole
        case .device: device(visitor)?.permit
        case .stranger: nil
        }
    }

    /// Returns the device of a visitor; `nil` if it is not paired.
    func device(_ visitor: Visitor) -> RemoteDevice? {
        guard let id = visitor.deviceID else { return nil }
        return devices.first { $0.id == id }
    }

    /// Notes that a device is alive; the file learns this once a minute.
    func note(_ id: String) {
        let now = nowSeconds
        guard let index = devices.firstIndex(where: { $0.id == id }),
            now - devices[index].seenSeconds >= Self.seenSeconds
        else { return }
        devices[index].seenSeconds = now
        change { remotes in remotes.change(id) { $0.seenSeconds = now } }
    }

    // MARK: Devices

    /// Adopts the content of the file, which another program may have changed.
    func follow(_ remotes: Remotes) {
        let former = devices
        devices = remotes.devices
        for offer in remotes.offers where offer.endSeconds > nowSeconds { desk.open(offer) }
        var (revoked, changed): (Set<String>, Set<String>) = ([], [])
        for device in former {
            guard let current = devices.first(where: { $0.id == device.id }) else {
                revoked.insert(device.id)
                continue
            }
            if current.permit != device.permit || current.name != device.name {
                changed.insert(device.id)
            }
        }
        if !revoked.isEmpty || !changed.isEmpty { onChange(revoked, changed) }
    }

    /// Adopts the content of the file, or admits no device if the file cannot be read.
    func follow(_ result: Result<Remotes, RemotesFileError>) {
        switch result {
        case .success(let remotes): follow(remotes)
        case .failure(let error):
            notify(.accessFailed("\(error); no other machine has access"))
            follow(Remotes())
        }
    }

    /// Changes the name of a device.
    func rename(_ id: String, to name: String) {
        change { remotes in remotes.change(id) { $0.name = name } }
    }

    /// Removes a device.
    func remove(_ id: String) {
        change { remotes in remotes.devices.removeAll { $0.id == id } }
    }

    /// Changes the file, and adopts its new content; a device is never admitted because of a
    /// failure, and never revoked either.
    private func change(_ body: @escaping @Sendable (inout Remotes) -> Void) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        store?(body) { [loop] result in
            loop.execute {
                switch result {
                case .success(let remotes): bound.value.follow(remotes)
                case .failure(let error): bound.value.notify(.accessFailed("\(error)"))
                }
            }
        }
    }

    // MARK: Pairing

    /// Shows a new code.
    func makeCode() {
        guard isOpen, store != nil else { return }
        for id in codes { desk.close(id) }
        let (offer, code) = PairingOffer.make(options.permit, nowSeconds: nowSeconds)
        codes = [offer.id]
        desk.open(offer)
        notify(.code(PairingInvitation(code, for: options.permit, url: url)))
    }

    /// Pairs a device if its code is right.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - name: The name of the device.
    ///   - peer: The connection.
    ///   - reply: Receives the result, now or later.
    func pair(
        _ code: String, name: String, from peer: Peer, _ reply: @escaping (Pairing) -> Void
    ) {
        guard let store else { return reply(.refused(.closed)) }
        let verdict = desk.attempt(code, from: peer.address, nowSeconds: nowSeconds)
        guard case .paired(let offer) = verdict else {
            if case .exhausted = verdict { notify(.codeDied) }
            return reply(.refused(verdict))
        }
        let isOwn = codes.contains(offer.id)
        let key = AccessKey.random()
        let now = nowSeconds
        let device = RemoteDevice(
            id: RemoteDevice.randomID(), name: RemoteDevice.cleanName(name), permit: offer.permit,
            keyHash: key.hash, pairedSeconds: now, seenSeconds: now)
        replies[device.id] = reply
        let bound = NIOLoopBound(self, eventLoop: loop)
        store({ remotes in
            // Another session may have used the same offer in the meantime.
            guard isOwn || remotes.removeOffer(offer.id) else { return }
            if remotes.devices.count < Remotes.mostDevices { remotes.devices.append(device) }
        }) { [loop] result in
            loop.execute { bound.value.finish(device, key, result, isOwn: isOwn) }
        }
    }

    private func finish(
        _ device: RemoteDevice, _ key: AccessKey, _ result: Result<Remotes, RemotesFileError>,
        isOwn: Bool
    ) {
        let reply = replies.removeValue(forKey: device.id)
        switch result {
        case .failure(let error):
            notify(.accessFailed("\(error)"))
            reply?(.failed("the pairing cannot be stored"))
        case .success(let remotes):
            follow(remotes)
            if remotes.devices.contains(where: { $0.id == device.id }) {
                notify(.paired(name: device.name, permit: device.permit))
                reply?(.paired(device, key))
            } else if remotes.devices.count >= Remotes.mostDevices {
                reply?(.failed("there are too many paired devices; revoke some"))
            } else {
                reply?(.refused(.closed))
            }
        }
        if isOwn { makeCode() }
    }
}

import Glibc
import HTTPServer
import SessionCore
import TestPages
import TestSignals
import Testing

/// A server whose programs on 127.0.0.2 through 127.0.0.9 count as other machines.
final class PairedServer {
    let folder = ScratchFolder()
    let file: RemotesFile
    let served: ServedPage

    init(
        _ permit: Permit = Permit(role: .play),
        _ configure: (inout ServerLimits) -> Void = { _ in }
    ) throws {
        file = RemotesFile(path: folder.file("remotes.json"))
        var access = AccessOptions(permit: permit, file: file)
        access.remoteLoopback = Set((2...9).map { "127.0.0.\($0)" })
        served = try ServedPage(access: access, configure)
        // Without a host, edits would get no answer.
        served.session.serve { _ in .refused("there are no files") }
    }

    /// The name of the cookie.
    var cookie: String { "stompline-\(served.port)" }

    /// Adds a device to the file, as an earlier pairing has done, and returns its key.
    func add(_ permit: Permit, name: String = "device") throws -> AccessKey {
        let key = AccessKey.random()
        let device = RemoteDevice(
            id: RemoteDevice.randomID(), name: name, permit: permit, keyHash: key.hash,
            pairedSeconds: 1, seenSeconds: Int(time(nil)))
        try file.change { $0.devices.append(device) }
        served.server.followRemotes()
        #expect(waitUntil { (try? self.ask("GET", "/api/access", key: key).status) == 200 })
        return key
    }

    /// Changes the file as `stompline remotes` does.
    func change(_ body: (inout Remotes) -> Void) throws {
        try file.change(body)
        served.server.followRemotes()
    }

    /// Sends a request of another machine on a new connection.
    func ask(
        _ method: String, _ target: String, key: AccessKey? = nil,
        _ fields: [(String, String)] = [], body: String = "", host: String? = nil,
        from source: UInt8 = 2
    ) throws -> PlainAnswer {
        let visitor = try #require(Visitor(port: served.port, from: source))
        let authorization = key.map { [("Authorization", "Bearer \($0.text)")] } ?? []
        return try #require(
            visitor.ask(
                method, target, authorization + fields, host: host ?? served.host, body: body))
    }

    /// Opens a WebSocket of another machine, and waits for its snapshot.
    func page(_ key: AccessKey) throws -> PageVisitor {
        let page = try #require(
            PageVisitor(port: served.port, [("Cookie", "\(cookie)=\(key.text)")], from: 2))
        _ = try #require(page.next("snapshot"))
        return page
    }

    /// Makes the server show a code, and returns it.
    func code() throws -> String {
        let count = codes.count
        served.server.makeCode()
        #expect(waitUntil { self.codes.count > count })
        return try #require(codes.last)
    }

    /// The codes that the server has shown.
    var codes: [String] {
        served.allNotices.compactMap { notice in
            if case .code(let invitation) = notice { invitation.code } else { nil }
        }
    }

    /// Tries to pair.
    func pair(
        _ code: String, name: String = "phone", isScript: Bool = false,
        _ fields: [(String, String)] = [], from source: UInt8 = 2
    ) throws -> PlainAnswer {
        try ask(
            "POST", "/api/pair", fields,
            body: "{\"code\": \"\(code)\", \"name\": \"\(name)\", \"script\": \(isScript)}",
            from: source)
    }
}

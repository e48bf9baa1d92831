import Dispatch
import Glibc
import HTTPServer
import TestSignals
import Testing

/// The file of the paired devices.
@Suite struct RemotesFileTests {
    private let folder = ScratchFolder()
    private var file: RemotesFile { RemotesFile(path: folder.file("state/stompline/remotes.json")) }

    private func device(_ name: String, _ key: AccessKey = .random()) -> RemoteDevice {
        RemoteDevice(
            id: RemoteDevice.randomID(), name: name, permit: Permit(role: .play, limit: "ears"),
            keyHash: key.hash, pairedSeconds: 1_790_000_000, seenSeconds: 1_790_000_001)
    }

    @Test("a device is read as it was written, and the key is not in the file")
    func roundTrip() throws {
        #expect(try file.read().devices.isEmpty)
        let key = AccessKey.random()
        let written = device("Anna \"phone\"", key)
        try file.change { $0.devices.append(written) }
        let read = try #require(try file.read().devices.first)
        #expect(read.id == written.id)
        #expect(read.name == written.name)
        #expect(read.permit == written.permit)
        #expect(read.keyHash.equals(key.hash))
        #expect(read.pairedSeconds == written.pairedSeconds)
        #expect(read.seenSeconds == written.seenSeconds)
        #expect(try !text().contains(key.text))
    }

    private func text() throws -> String {
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("only the user can read the file and its folder, after each change")
    func mode() throws {
        try file.change { $0.devices.append(device("a")) }
        try file.change { $0.devices.append(device("b")) }
        for (path, mode) in [
            (file.path, 0o600), (file.path + ".lock", 0o600),
            (folder.file("state/stompline"), 0o700),
        ] {
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(Int(status.st_mode & 0o777) == mode, "\(path)")
        }
    }

    @Test("a damaged file is refused, and stays as it is")
    func damaged() throws {
        try file.change { $0.devices.append(device("a")) }
        let whole = try text()
        for damaged in [
            "", "{}", "[]", "{\"version\": 2}", whole.replacing("\"play\"", with: "\"rule\""),
            whole.replacing("\"key-sha256\": \"", with: "\"key-sha256\": \"0"),
            String(whole.dropLast(3)),
        ] {
            write(damaged)
            #expect(throws: RemotesFileError.self) { try file.read() }
            #expect(throws: RemotesFileError.self) { try file.change { $0.devices = [] } }
            #expect(try text() == damaged)
        }
    }

    private func write(_ text: String) {
        let descriptor = open(file.path, O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    @Test("changes at the same time are all made")
    func together() throws {
        let file = file
        try file.change { _ in }
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            _ = try? file.change { $0.devices.append(device("device \(number)")) }
        }
        #expect(Set(try file.read().devices.map(\.name)).count == 40)
    }

    @Test("an offer pairs at the servers that run, once, and ends")
    func offers() throws {
        #expect(try file.invite(Permit(role: .look), isRunning: { _ in true }) == nil)
        try file.change {
            $0.register(.init(process: 7, urls: ["http://a/"]), isRunning: { _ in true })
        }
        #expect(try file.invite(Permit(role: .look), isRunning: { _ in false }) == nil)
        let invitation = try #require(
            try file.invite(Permit(role: .look), isRunning: { _ in true }))
        #expect(invitation.url == "http://a/")
        let offer = try #require(try file.read().offers.first)
        #expect(offer.matches(invitation.code))
        #expect(try !text().contains("\"\(invitation.code)\""))
        var removed: [Bool] = []
        try file.change { remotes in
            removed.append(remotes.removeOffer(offer.id))
            removed.append(remotes.removeOffer(offer.id))
        }
        #expect(removed == [true, false])
        try file.change { $0.add(PairingOffer.make(Permit(role: .play), nowSeconds: 1000).offer) }
        try file.change { _ in }
        #expect(try file.read().offers.isEmpty)
    }
}

import Players
import Testing
import TestSignals

extension NetworkTests {
    @Suite("Network streams with certificates", .serialized)
    struct Encrypted {
        private static let madeCertificates: Bool = {
            StreamMaterial.shared.makeCertificate()
            StreamMaterial.shared.makeCertificate("other.pem")
            return true
        }()
        private let material = StreamMaterial.shared
        private let refusal = "the server's certificate was rejected"

        init() { _ = Self.madeCertificates }

        /// All hosts are allowed, and those with one certificate are trusted.
        private var trusting: HostPermissions {
            var reach = HostPermissions.allHosts
            reach.trustFile = material.folder.file("certificate.pem")
            return reach
        }

        private func heard(_ address: String, reach: HostPermissions = .allHosts) throws -> Listener
        {
            try Listener(address, reach: reach).listen()
        }

        /// Writes a playlist of the three parts, which are on a server.
        private func writeList(_ name: String, on server: StreamServer) {
            let parts = (0...2).map { "#EXTINF:2,\n\(server.address("list\($0).ts"))\n" }.joined()
            material.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(parts)#EXT-X-ENDLIST\n", to: name)
        }

        @Test("are refused from an untrusted server")
        func refused() throws {
            let server = StreamServer(isEncrypted: true)
            let heard = try heard(server.address("sound.wav"))
            #expect(heard.end == .failed(refusal))
            #expect(heard.frames == 0)
            #expect(server.requests.isEmpty)
        }

        @Test("are refused from there even after a redirection without encryption")
        func refusedBehindRedirection() throws {
            let plain = StreamServer()
            let server = StreamServer(isEncrypted: true)
            let heard = try heard(plain.address("x?to=\(server.address("sound.wav"))"))
            #expect(heard.end == .failed(refusal))
            #expect(heard.frames == 0)
            #expect(server.requests.isEmpty)
        }

        @Test(
            "play from a trusted server, even after a redirection without encryption")
        func trusted() throws {
            let plain = StreamServer()
            let server = StreamServer(isEncrypted: true)
            for address in [
                server.address("sound.flac"),
                plain.address("x?to=\(server.address("sound.flac"))"),
            ] {
                let heard = try heard(address, reach: trusting)
                #expect(heard.samples == material.floats)
                #expect(heard.end == .ended)
            }
            let listener = try Listener(server.address("sound.flac"), reach: trusting)
            listener.listen { $0.frames > 10_000 }
            listener.seek(to: 123_457)
            #expect(listener.listen().samples == Array(material.floats[246_914...]))
        }

        @Test("are refused with a certificate for another host")
        func otherHost() throws {
            let server = StreamServer(isEncrypted: true)
            let address = "https://localhost:\(server.port)/sound.wav"
            #expect(try heard(address, reach: trusting).end == .failed(refusal))
            #expect(server.requests.isEmpty)
        }

        @Test("in a playlist play if its servers are trusted")
        func trustedParts() throws {
            let plain = StreamServer()
            let server = StreamServer(isEncrypted: true)
            writeList("absolute.m3u8", on: server)
            for address in [
                server.address("list.m3u8"), server.address("absolute.m3u8"),
                plain.address("absolute.m3u8"), server.address("absolute.m3u8?chunked=1"),
            ] {
                let heard = try heard(address, reach: trusting)
                #expect(heard.end == .ended)
                #expect(heard.frames > 285_000)
            }
        }

        @Test("in a playlist, and its keys, are not loaded from untrusted servers")
        func untrustedParts() throws {
            let server = StreamServer(isEncrypted: true)
            let other = StreamServer(isEncrypted: true, certificate: "other.pem")
            writeList("elsewhere.m3u8", on: other)
            let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"\(other.address("key.bin"))\"\n"
            material.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(key)#EXTINF:2,\nlist0.ts\n#EXT-X-ENDLIST\n",
                to: "locked.m3u8")
            for name in ["elsewhere.m3u8", "locked.m3u8"] {
                let heard = try heard(server.address(name), reach: trusting)
                #expect(heard.frames == 0)
                #expect(heard.end == .failed(refusal))
            }
            #expect(other.requests.isEmpty)
            #expect(server.requests.count >= 2)
        }

        @Test("send a password to the server, and show it neither in arguments nor in messages")
        func password() throws {
            let plain = StreamServer()
            let server = StreamServer(isEncrypted: true)
            for (server, query) in [(plain, ""), (server, "")] {
                let parts = server.address("sound.wav?rate=400000&user=ada:s3cret\(query)")
                    .split(separator: "//", maxSplits: 1)
                let address = "\(parts[0])//ada:s3cret@\(parts[1])"
                let listener = try Listener(address, reach: trusting)
                listener.listen { $0.frames > 10_000 }
                let children = StreamProcesses.children()
                #expect(!children.isEmpty)
                for child in children {
                    let arguments = StreamProcesses.arguments(of: child)
                    #expect(!arguments.contains("s3cret") && !arguments.contains(":\(server.port)"))
                }
                #expect(listener.listen().samples == material.floats)
                #expect(!"\(listener.notices)".contains("s3cret"))
                let wrong = try heard(
                    address.replacing("s3cret@", with: "wr0ng@"), reach: trusting)
                #expect(wrong.end == .failed("the server answered 401 Unauthorized"))
                #expect(!"\(wrong.notices)".contains("wr0ng"))
            }
        }
    }
}

import Glibc
import Players
import Testing
import TestSignals

extension NetworkTests {
    @Suite("Access control for network streams", .serialized)
    struct Reach {
        private let material = StreamMaterial.shared
        /// Represents a server on the Internet.
        private let server = StreamServer()
        /// A server on this machine that no stream may access.
        private let inner = StreamServer()

        private var reach: HostPermissions {
            var reach = HostPermissions.publicHosts
            reach.exemptPorts = [server.port]
            return reach
        }

        /// Listens until the stream has ended.
        private func heard(_ address: String) throws -> Listener { try listener(address).listen() }

        private func listener(_ address: String) throws -> Listener {
            var limits = StreamLimits.quick
            limits.attemptsBeforeSound = 0
            return try Listener(address, limits: limits, reach: reach)
        }

        private func isRefusal(_ end: StreamRead?) -> Bool {
            if case .failed(let reason) = end { reason.contains("--allow-private") } else { false }
        }

        @Test(
            "an address of this machine is refused in every notation",
            arguments: [
                "127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f000001",
                "0.0.0.0",
            ])
        func literal(host: String) throws {
            let heard = try heard("http://\(host):\(inner.port)/sound.wav")
            #expect(isRefusal(heard.end))
            #expect(inner.requests.isEmpty)
        }

        @Test("a public server plays, and a redirection from it to this machine is refused")
        func redirection() throws {
            #expect(try heard(server.address("sound.wav")).samples == material.floats)
            for address in [inner.address("sound.wav"), "https://127.0.0.1:\(inner.port)/"] {
                let heard = try heard(server.address("x?to=\(address)"))
                #expect(isRefusal(heard.end))
                #expect(heard.frames == 0)
            }
            #expect(inner.requests.isEmpty)
        }

        @Test(
            "no entry of a playlist reaches this machine: parts, keys, playlists, other protocols",
            arguments: [
                "#EXTINF:2,\nhttp://HOST/list0.ts", "#EXTINF:2,\nhttps://HOST/list0.ts",
                "#EXTINF:2,\nhttp://localhost:PORT/list0.ts",
                "#EXTINF:2,\nhttpproxy://HOST/list0.ts", "#EXTINF:2,\ntcp://HOST/list0.ts",
                "#EXTINF:2,\ncrypto+http://HOST/list0.ts", "#EXTINF:2,\ntls://HOST/list0.ts",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"http://HOST/key.bin\"\n#EXTINF:2,\nlist0.ts",
                "#EXT-X-MAP:URI=\"http://HOST/map.ts\"\n#EXTINF:2,\nlist0.ts",
                "#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://HOST/list.m3u8",
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",URI=\"http://HOST/list.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nlist.m3u8",
            ])
        func list(entry: String) throws {
            let text = entry.replacing("HOST", with: "127.0.0.1:\(inner.port)")
                .replacing("PORT", with: "\(inner.port)")
            let ending = entry.contains("STREAM-INF") ? "" : "#EXT-X-ENDLIST\n"
            material.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(text)\n\(ending)", to: "inner.m3u8")
            let listener = try listener(server.address("inner.m3u8"))
            listener.listen { _ in !server.requests.isEmpty }
            // An endless playlist is requested forever; its entries are requested within a short
            // time.
            var looks = 0
            listener.listen { _ in
                looks += 1
                return looks > 1000
            }
            listener.source.close()
            #expect(inner.requests.isEmpty)
            #expect(!server.requests.isEmpty)
        }

        @Test(
            "a playlist that names itself or ends immediately is requested a few times per second",
            arguments: [
                "#EXT-X-STREAM-INF:BANDWIDTH=1\nself.m3u8",
                "#EXT-X-TARGETDURATION:0\n#EXTINF:0,\nlist0.ts",
            ])
        func itself(entry: String) throws {
            material.folder.write("#EXTM3U\n\(entry)\n", to: "self.m3u8")
            var begin = timespec()
            clock_gettime(CLOCK_MONOTONIC, &begin)
            let listener = try Listener(server.address("self.m3u8"), reach: reach)
            usleep(4_000_000)
            let count = server.requests.count
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            listener.source.close()
            let seconds = Double(end.tv_sec - begin.tv_sec + 1)
            #expect(Double(count) <= 24 + 4 * seconds)
            #expect(count > 0)
        }

        @Test("the gateway answers no other user of this machine")
        func otherUser() throws {
            guard geteuid() == 0 else { return }
            let listener = try Listener(
                server.address("slow.mp3?endless=1"),
                reach: reach)
            listener.listen { $0.frames > 1000 }
            let arguments = StreamProcesses.children().map { StreamProcesses.arguments(of: $0) }
            let proxy = try #require(
                arguments.first?.split(separator: "\0").first { $0.hasPrefix("http://127.0.0.1:") })
            let script = """
                import os, socket, sys
                "loaded".encode("idna")
                os.setuid(int(sys.argv[2]))
                s = socket.create_connection(("127.0.0.1", int(sys.argv[1].rpartition(":")[2])))
                try:
                    s.sendall(b"GET http://start.invalid/ HTTP/1.1\\r\\n\\r\\n")
                    print(s.recv(1000))
                except OSError: print(b"")
                """
            func answer(uid: Int) -> String {
                let bytes = ChildProgram.run(["python3", "-c", script, "\(proxy)", "\(uid)"])
                return String(decoding: bytes, as: UTF8.self)
            }
            #expect(answer(uid: 0).contains("302 Found"))
            #expect(answer(uid: 65_534) == "b''\n")
        }
    }
}

@Suite("Playlists that the gateway passes on")
struct PlaylistAddressesTests {
    private func rewritten(_ text: String) -> String {
        let bytes = PlaylistAddresses.rewritten(Array(text.utf8)) { address in
            address.hasPrefix("https://") ? "http://" + address.dropFirst(8) : nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "addresses are rewritten at the start of a line and after URI=",
        arguments: [
            ("https://a/b.ts\r\nc.ts\n", "http://a/b.ts\r\nc.ts\n"),
            (
                "#EXT-X-KEY:METHOD=AES-128,URI=\"https://a/k\",IV=0x1",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"http://a/k\",IV=0x1"
            ),
            (
                "#EXT-X-MEDIA:NAME=\"https://x\",URI=\"https://a/l\"",
                "#EXT-X-MEDIA:NAME=\"https://x\",URI=\"http://a/l\""
            ),
            ("a.ts?from=https://b/", "a.ts?from=https://b/"),
            ("#EXTINF:2,https://b", "#EXTINF:2,https://b"),
            ("#EXT-X-MAP:URI=\"https://a/unfinished", "#EXT-X-MAP:URI=\"http://a/unfinished"),
            ("", ""), ("#\n\"\n", "#\n\"\n"), ("ü.ts\n", "ü.ts\n"),
        ])
    func lines(list: String, wanted: String) {
        #expect(rewritten(list) == wanted)
    }
}

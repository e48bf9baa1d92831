import Players
import TestSignals
import Testing

extension NetworkTests {
    @Suite("from servers that misbehave", .serialized)
    struct Hostile {
        private let material = StreamMaterial.shared
        private let server = StreamServer()

        private func heard(_ path: String) throws -> Listener {
            try Listener(server.address(path)).listen()
        }

        @Test(
            "what stalls is fetched anew from where it was, without a sample lost or doubled",
            arguments: ["sound.wav", "sound.flac", "sound.wav?ranges=0&", "slow.mp3"])
        func stall(path: String) throws {
            let query = path.contains("?") ? path : path + "?"
            let address = server.address("\(query)stall=70000&times=2")
            let heard = try Listener(address, patience: .watchful).listen()
            #expect(heard.samples == material.decoded(String(path.prefix { $0 != "?" })))
            #expect(heard.end == .ended)
            #expect(heard.reasons.contains("nothing came for 1 s"))
        }

        @Test(
            "what is cut is fetched anew from where it was, however often",
            arguments: [
                "sound.wav?cut=500000", "sound.flac?cut=200000&times=3",
                "sound.wav?ranges=0&cut=500000&times=3",
            ])
        func cut(path: String) throws {
            let heard = try heard(path)
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(heard.reasons.contains("the server closed the connection before the end"))
        }

        @Test("a length that is too long does not matter where the sound tells its own")
        func tooLong() throws {
            let heard = try heard("sound.wav?length=500000")
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(heard.reasons.isEmpty)
        }

        @Test(
            "where the length is a lie and no more comes, it fails after some attempts, with all that there was",
            arguments: [
                "sound.wav?length=-500000", "sound.flac?length=-200000", "slow.mp3?length=100000",
            ])
        func lie(path: String) throws {
            let heard = try heard(path)
            let whole = material.decoded(String(path.prefix { $0 != "?" }))
            #expect(heard.reasons.count == 3)
            guard case .failed(let reason) = heard.end else {
                Issue.record("\(String(describing: heard.end))")
                return
            }
            #expect(reason.hasSuffix("3 more attempts came to nothing"))
            // Who does not know the end of an MP3 file does not know what padding to leave out there.
            let common = min(whole.count, heard.samples.count) - 4000
            #expect(heard.samples[..<common] == whole[..<common])
            #expect(heard.frames > 150_000)
        }

        @Test("a length that is too short at first is mended by asking again")
        func shortAtFirst() throws {
            let heard = try heard("sound.wav?length=-500000&times=2")
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(!heard.reasons.isEmpty)
        }

        @Test("a slow server is waited for, and that is not the end")
        func trickle() throws {
            // A sixth less than is played.
            let listener = try Listener(server.address("sound.flac?rate=160000"))
            let heard = listener.listen()
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(heard.waits > 0)
            #expect(heard.reasons.isEmpty)
            #expect(heard.notices.contains(.buffering(0.5)))
        }

        @Test("what comes in chunks ends with the last one, though nobody told how long it is")
        func chunks() throws {
            let listener = try Listener(server.address("sound.wav?chunked=1"))
            #expect(listener.listen().samples == material.floats)
            #expect(listener.end == .ended)
            #expect(listener.reasons.isEmpty)
            listener.seek(to: 250_000)
            #expect(listener.listen().samples == Array(material.floats[500_000...]))
        }

        @Test(
            "without the last chunk, and without any length, it is not the end",
            arguments: ["chunked", "nolength"])
        func noLastChunk(way: String) throws {
            let listener = try Listener(server.address("sound.flac?\(way)=1&cut=300000"))
            listener.listen { $0.reasons.count == 2 }
            #expect(listener.end == nil)
        }

        @Test("redirections are followed")
        func redirection() throws {
            let heard = try heard("x?to=sound.wav")
            #expect(heard.samples == material.floats)
        }

        @Test(
            "redirections in a circle and to what is no address of the network are refused at once",
            arguments: [
                ("circle", "the address leads on and on"),
                (
                    "x?to=file:///etc/passwd",
                    "the address leads to one that may not be asked; only http and https may"
                ),
                (
                    "x?to=concat:sound.wav",
                    "the address leads to one that may not be asked; only http and https may"
                ),
                (
                    "x?to=ftp://127.0.0.1/sound.wav",
                    "the address leads to one that may not be asked; only http and https may"
                ),
            ])
        func refusedRedirection(path: String, reason: String) throws {
            let heard = try heard(path)
            #expect(heard.end == .failed(reason))
            #expect(heard.notices == [.buffering(0), .failed(reason)])
            #expect(heard.frames == 0)
        }

        @Test(
            "what is no sound and what is not there fail at once, with the reason",
            arguments: [
                ("page.txt", "what comes is no sound that can be read"),
                ("nothing.mp3", "the server answers 404 Not Found"),
                ("sound.wav?status=403", "the server answers 403 Forbidden"),
            ])
        func refusal(path: String, reason: String) throws {
            let heard = try heard(path)
            #expect(heard.notices == [.buffering(0), .failed(reason)])
        }

        @Test("a part that is missing from a list does not end it")
        func missingPart() throws {
            let parts = [0, 7, 1].map { "#EXTINF:2,\nlist\($0).ts\n" }.joined()
            material.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(parts)#EXT-X-ENDLIST\n", to: "gap.m3u8")
            let heard = try heard("gap.m3u8")
            #expect(heard.end == .ended)
            #expect(heard.frames > 190_000)
        }

        @Test("a list that names files of this machine plays none of them")
        func listOfFiles() throws {
            material.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://\(material.folder.path)/list0.ts\n#EXT-X-ENDLIST\n",
                to: "files.m3u8")
            let heard = try heard("files.m3u8")
            #expect(heard.frames == 0)
            guard case .failed = heard.end else {
                Issue.record("\(String(describing: heard.end))")
                return
            }
        }

        @Test("a server that is busy for a while is asked again")
        func busy() throws {
            let heard = try heard("sound.wav?status=503&times=2")
            #expect(heard.samples == material.floats)
            #expect(
                heard.notices.filter { $0 != .buffering(0) }.prefix(2) == [
                    .reconnecting(attempt: 1, reason: "the server answers 503 Service Unavailable"),
                    .reconnecting(attempt: 2, reason: "the server answers 503 Service Unavailable"),
                ])
        }

        @Test("a host that does not answer is asked again, and given up only where that is wanted")
        func nobody() throws {
            var patience = StreamPatience.quick
            patience.attemptsBeforeSound = 2
            let heard = try Listener("http://127.0.0.1:9/", patience: patience).listen()
            let reason = "no connection: Connection refused"
            #expect(heard.reasons == [reason, reason])
            #expect(heard.end == .failed("\(reason); 2 more attempts came to nothing"))
        }
    }

    @Suite("with certificates", .serialized)
    struct Encrypted {
        private static let hasMaker: Bool = {
            StreamMaterial.shared.makeCertificate()
            return true
        }()

        init() { _ = Self.hasMaker }

        @Test("a server that nobody vouches for is refused")
        func refused() throws {
            let server = StreamServer(isEncrypted: true)
            let heard = try Listener(server.address("sound.wav")).listen()
            #expect(heard.end == .failed("the server's certificate was not accepted"))
            #expect(heard.frames == 0)
        }

        @Test("so it is where an address without encryption leads there")
        func refusedBehindRedirection() throws {
            let plain = StreamServer()
            let server = StreamServer(isEncrypted: true)
            let heard = try Listener(plain.address("x?to=\(server.address("sound.wav"))")).listen()
            #expect(heard.end == .failed("the server's certificate was not accepted"))
            #expect(heard.frames == 0)
        }
    }
}

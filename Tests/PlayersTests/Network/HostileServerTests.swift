import Players
import Testing
import TestSignals

extension NetworkTests {
    @Suite("Network streams from misbehaving servers", .serialized)
    struct Hostile {
        private let material = StreamMaterial.shared
        private let server = StreamServer()

        private func heard(_ path: String) throws -> Listener {
            try Listener(server.address(path)).listen()
        }

        @Test(
            "continue at the current position after a stall, without lost or repeated samples",
            arguments: ["sound.wav", "sound.flac", "sound.wav?ranges=0&", "slow.mp3"])
        func stall(path: String) throws {
            let query = path.contains("?") ? path : path + "?"
            let address = server.address("\(query)stall=70000&times=2")
            let heard = try Listener(address, limits: .watchful).listen()
            #expect(heard.samples == material.decoded(String(path.prefix { $0 != "?" })))
            #expect(heard.end == .ended)
            #expect(heard.reasons.contains("no data arrived for 1 s"))
        }

        @Test(
            "continue at the current position after every cut",
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

        @Test("ignore an excessive length if the format has its own")
        func tooLong() throws {
            let heard = try heard("sound.wav?length=500000")
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(heard.reasons.isEmpty)
        }

        @Test(
            "with a false length fail after some attempts, with all samples that were sent",
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
            #expect(reason.hasSuffix("3 more attempts failed"))
            // Without a known end of an MP3 file, its padding cannot be removed.
            let common = min(whole.count, heard.samples.count) - 4000
            #expect(heard.samples[..<common] == whole[..<common])
            #expect(heard.frames > 150_000)
        }

        @Test("with a length that is too short at first recover with a second request")
        func shortAtFirst() throws {
            let heard = try heard("sound.wav?length=-500000&times=2")
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(!heard.reasons.isEmpty)
        }

        @Test("wait for a slow server instead of ending")
        func trickle() throws {
            // One sixth less than the playback rate.
            let listener = try Listener(server.address("sound.flac?rate=160000"))
            let heard = listener.listen()
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(heard.waits > 0)
            #expect(heard.reasons.isEmpty)
            #expect(heard.notices.contains(.buffering(0.5)))
        }

        @Test("in chunks end with the last chunk, without a known length")
        func chunks() throws {
            let listener = try Listener(server.address("sound.wav?chunked=1"))
            #expect(listener.listen().samples == material.floats)
            #expect(listener.end == .ended)
            #expect(listener.reasons.isEmpty)
            listener.seek(to: 250_000)
            #expect(listener.listen().samples == Array(material.floats[500_000...]))
        }

        @Test(
            "without the last chunk and without a length have not ended",
            arguments: ["chunked", "nolength"])
        func noLastChunk(way: String) throws {
            let listener = try Listener(server.address("sound.flac?\(way)=1&cut=300000"))
            listener.listen { $0.reasons.count == 2 }
            #expect(listener.end == nil)
        }

        @Test("follow redirections")
        func redirection() throws {
            let heard = try heard("x?to=sound.wav")
            #expect(heard.samples == material.floats)
        }

        @Test(
            "refuse circular redirections and those to other protocols immediately",
            arguments: [
                ("circle", "too many redirections"),
                (
                    "x?to=file:///etc/passwd",
                    "the address leads to one that is neither http nor https"
                ),
                (
                    "x?to=concat:sound.wav",
                    "the address leads to one that is neither http nor https"
                ),
                (
                    "x?to=ftp://127.0.0.1/sound.wav",
                    "the address leads to one that is neither http nor https"
                ),
            ])
        func refusedRedirection(path: String, reason: String) throws {
            let heard = try heard(path)
            #expect(heard.end == .failed(reason))
            #expect(heard.notices == [.buffering(0), .failed(reason)])
            #expect(heard.frames == 0)
        }

        @Test(
            "that are not sound or do not exist fail immediately, with the reason",
            arguments: [
                ("page.txt", "the data contains no readable sound"),
                ("nothing.mp3", "the server answered 404 Not Found"),
                ("sound.wav?status=403", "the server answered 403 Forbidden"),
            ])
        func refusal(path: String, reason: String) throws {
            let heard = try heard(path)
            #expect(heard.notices == [.buffering(0), .failed(reason)])
        }

        @Test("continue after a missing part of a playlist")
        func missingPart() throws {
            let parts = [0, 7, 1].map { "#EXTINF:2,\nlist\($0).ts\n" }.joined()
            material.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(parts)#EXT-X-ENDLIST\n", to: "gap.m3u8")
            let heard = try heard("gap.m3u8")
            #expect(heard.end == .ended)
            #expect(heard.frames > 190_000)
        }

        @Test("play no files of this machine that a playlist names")
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

        @Test("are requested again from a server that is busy")
        func busy() throws {
            let heard = try heard("sound.wav?status=503&times=2")
            #expect(heard.samples == material.floats)
            #expect(
                heard.notices.filter { $0 != .buffering(0) }.prefix(2) == [
                    .reconnecting(
                        attempt: 1, reason: "the server answered 503 Service Unavailable"),
                    .reconnecting(
                        attempt: 2, reason: "the server answered 503 Service Unavailable"),
                ])
        }

        @Test("are requested again from a silent host, and abandoned only if requested")
        func nobody() throws {
            var limits = StreamLimits.quick
            limits.attemptsBeforeSound = 2
            let heard = try Listener("http://127.0.0.1:9/", limits: limits).listen()
            let reason = "the connection failed: Connection refused"
            #expect(heard.reasons == [reason, reason])
            #expect(heard.end == .failed("\(reason); 2 more attempts failed"))
        }
    }
}

import Glibc
import Players
import TestSignals
import Testing

extension NetworkTests {
    @Suite("that never end", .serialized)
    struct Live {
        private let server = StreamServer()
        /// A second of it is 16,000 bytes.
        private let station = "slow.mp3?endless=1&icy=4096"

        @Test("a station's titles come in order, once each, without what steers a terminal")
        func titles() throws {
            let path = "\(station)&titles=One|One|Caf%C3%A9%1B[31m%0A%E2%80%AEX|Last"
            let listener = try Listener(server.address(path))
            listener.listen { $0.titles.count == 3 }
            #expect(listener.titles == ["One", "Café?[31m", "Last"])
            #expect(listener.source.frameCount == nil)
        }

        @Test("a station of the old kind plays, with its titles")
        func shoutcast() throws {
            let listener = try Listener(server.address("\(station)&titles=A|B&shoutcast=1"))
            listener.listen { $0.titles.count == 2 }
            #expect(listener.titles == ["A", "B"])
        }

        @Test("a title comes with its sound, not before it")
        func titleInTime() throws {
            let titles = (1...30).map { "T\($0)" }
            let path = "\(station)&titles=\(titles.joined(separator: "|"))"
            let listener = try Listener(server.address(path))
            listener.listen { $0.titles.last == "T30" }
            #expect(listener.titles == titles)
            // 29 times 4096 bytes lie before it; what ffmpeg reads ahead may be missing.
            #expect(listener.frames > 200_000)
        }

        @Test("a file's own title is told")
        func titleOfFile() throws {
            let listener = try Listener(server.address("named.flac"))
            #expect(listener.listen().titles == ["A name"])
        }

        @Test("a station that is cut is connected to again and again, and never given up")
        func cut() throws {
            let listener = try Listener(server.address("\(station)&cut=24000"))
            listener.listen { $0.reasons.count == 8 }
            #expect(listener.end == nil)
            #expect(listener.frames > 8 * 48_000)
            #expect(
                listener.notices.contains(
                    .reconnecting(
                        attempt: 1, reason: "the server closed the connection before the end")))
        }

        @Test("a station that is gone is asked for until it is back; each attempt is told")
        func gone() throws {
            let path = "\(station)&cut=24000&gone=2-7"
            let listener = try Listener(server.address(path))
            listener.listen { $0.reasons.count >= 7 && $0.notices.last == .playing }
            #expect(listener.end == nil)
            let attempts: [Int] = listener.notices.compactMap {
                if case .reconnecting(let attempt, _) = $0 { attempt } else { nil }
            }
            #expect(attempts.prefix(7) == [1, 2, 3, 4, 5, 6, 7])
            #expect(Set(listener.reasons[1..<7]) == ["the server answers 404 Not Found"])
        }

        @Test("a station that falls silent is connected to again; playing and buffering are told")
        func stall() throws {
            let listener = try Listener(
                server.address("\(station)&stall=24000"), patience: .watchful)
            listener.listen { $0.notices.filter { $0 == .playing }.count == 3 }
            #expect(listener.end == nil)
            #expect(listener.reasons.allSatisfy { $0 == "nothing came for 1 s" })
            let states = listener.notices.filter {
                switch $0 {
                case .buffering, .playing: true
                default: false
                }
            }
            let isOrdered = zip(states, states.dropFirst()).allSatisfy { before, after in
                after == .playing
                    ? before != .playing : after != .buffering(0) || before == .playing
            }
            #expect(isOrdered)
        }

        @Test(
            "a list without an end is a station: it is waited for, and asked for anew where nothing comes"
        )
        func list() throws {
            let parts = (0...2).map { "#EXTINF:2,\nlist\($0).ts\n" }.joined()
            StreamMaterial.shared.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(parts)", to: "live.m3u8")
            let listener = try Listener(server.address("live.m3u8"), patience: .watchful)
            listener.listen { $0.reasons.count == 1 }
            #expect(listener.source.frameCount == nil)
            #expect(listener.end == nil)
            #expect(listener.reasons == ["nothing came for 1 s"])
            // What is left when it runs dry waits for more, up to half a second.
            #expect((288_000 - 24_000 - 3000...288_000 + 3000).contains(listener.frames))
        }

        @Test("a seek in what has no end changes nothing")
        func seek() throws {
            let listener = try Listener(server.address(station))
            listener.source.seek(to: 4800)
            listener.listen { $0.frames > 48_000 }
            let before = listener.samples
            listener.source.seek(to: 0)
            listener.listen { $0.frames > 96_000 }
            #expect(listener.samples.prefix(before.count) == before[...])
            #expect(listener.end == nil)
            #expect(server.requests.count == 1)
        }

        @Test("memory stays bounded, whether the sound is read or not")
        func memory() throws {
            let listener = try Listener(server.address(station))
            listener.listen { $0.frames > 48_000 }
            let childBefore = StreamProcesses.memoryKilobytes(of: server.address(""))
            let before = StreamProcesses.memoryKilobytes()
            usleep(1_500_000)
            let requested = server.requests
            // Five minutes of it, without keeping it.
            let block = UnsafeMutablePointer<Float>.allocate(capacity: 9600)
            defer { block.deallocate() }
            var frames = 0
            while frames < 300 * 48_000 {
                switch listener.source.read(4800, into: block) {
                case .frames(let count): frames += count
                case .waiting: usleep(1000)
                case .ended, .failed: Issue.record("it came to an end"); return
                }
            }
            #expect(StreamProcesses.memoryKilobytes() - before < 4096)
            #expect(StreamProcesses.memoryKilobytes(of: server.address("")) - childBefore < 4096)
            #expect(requested.count == 1)
        }
    }
}

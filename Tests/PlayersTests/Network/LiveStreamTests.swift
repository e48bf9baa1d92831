import Glibc
import Players
import Testing
import TestSignals

extension NetworkTests {
    @Suite("Endless network streams", .serialized)
    struct Live {
        private let server = StreamServer()
        /// A second of sound is 16,000 bytes.
        private let station = "slow.mp3?endless=1&icy=4096"

        @Test("report a station's titles in order, once each, without terminal control characters")
        func titles() throws {
            let path = "\(station)&titles=One|One|Caf%C3%A9%1B[31m%0A%E2%80%AEX|Last"
            let listener = try Listener(server.address(path))
            listener.listen { $0.titles.count == 3 }
            #expect(listener.titles == ["One", "Café?[31m", "Last"])
            #expect(listener.source.frameCount == nil)
        }

        @Test("play a SHOUTcast station with its titles")
        func shoutcast() throws {
            let listener = try Listener(server.address("\(station)&titles=A|B&shoutcast=1"))
            listener.listen { $0.titles.count == 2 }
            #expect(listener.titles == ["A", "B"])
        }

        @Test("report a title with its sound, not before")
        func titleInTime() throws {
            let titles = (1...30).map { "T\($0)" }
            let path = "\(station)&titles=\(titles.joined(separator: "|"))"
            let listener = try Listener(server.address(path))
            listener.listen { $0.titles.last == "T30" }
            #expect(listener.titles == titles)
            // 29 times 4096 bytes precede it; some of ffmpeg's read-ahead may be missing.
            #expect(listener.frames > 200_000)
        }

        @Test("report a file's own title")
        func titleOfFile() throws {
            let listener = try Listener(server.address("named.flac"))
            #expect(listener.listen().titles == ["A name"])
        }

        @Test("reconnect to an interrupted station without limit")
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

        @Test("reconnect to a station until it is back, and report each attempt")
        func gone() throws {
            let path = "\(station)&cut=24000&gone=2-7"
            let listener = try Listener(server.address(path))
            listener.listen { $0.reasons.count >= 7 && $0.notices.last == .playing }
            #expect(listener.end == nil)
            let attempts: [Int] = listener.notices.compactMap {
                if case .reconnecting(let attempt, _) = $0 { attempt } else { nil }
            }
            #expect(attempts.prefix(7) == [1, 2, 3, 4, 5, 6, 7])
            #expect(Set(listener.reasons[1..<7]) == ["the server answered 404 Not Found"])
        }

        @Test("reconnect to a station that falls silent, and report playing and buffering")
        func stall() throws {
            let listener = try Listener(
                server.address("\(station)&stall=24000"), limits: .watchful)
            listener.listen { $0.notices.filter { $0 == .playing }.count == 3 }
            #expect(listener.end == nil)
            #expect(listener.reasons.allSatisfy { $0 == "no data arrived for 1 s" })
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
            "poll an endless playlist, and request it again if nothing arrives"
        )
        func list() throws {
            let parts = (0...2).map { "#EXTINF:2,\nlist\($0).ts\n" }.joined()
            StreamMaterial.shared.folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(parts)", to: "live.m3u8")
            let listener = try Listener(server.address("live.m3u8"), limits: .watchful)
            listener.listen { $0.reasons.count == 1 }
            #expect(listener.source.frameCount == nil)
            #expect(listener.end == nil)
            #expect(listener.reasons == ["no data arrived for 1 s"])
            // The remaining buffer waits up to half a second for more.
            #expect((288_000 - 24_000 - 3000...288_000 + 3000).contains(listener.frames))
        }

        @Test("ignore a seek")
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

        @Test("memory stays bounded while a stream is read and while it is not")
        func memory() {
            // In a process without other tests, so that nothing else uses memory.
            let reader = ChildProgram([builtProgram("stream-reader"), server.address(station)])
            #expect(reader.line() == "started")
            let before = StreamProcesses.memoryKilobytes(of: reader.process)
            let childBefore = StreamProcesses.childMemoryKilobytes(of: reader.process)
            // First nothing is read for 1.5 s, then five minutes of sound.
            #expect(reader.line() == "read")
            #expect(before > 0)
            #expect(childBefore > 0)
            #expect(StreamProcesses.memoryKilobytes(of: reader.process) - before < 4096)
            #expect(StreamProcesses.childMemoryKilobytes(of: reader.process) - childBefore < 4096)
            #expect(server.requests.count == 1)
        }
    }
}

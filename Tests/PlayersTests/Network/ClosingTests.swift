import Glibc
import Players
import Testing

extension NetworkTests {
    @Suite("that are closed", .serialized)
    struct Closing {
        private let server = StreamServer()

        @Test(
            "at any moment nothing remains: no child, no thread, no descriptor",
            arguments: [
                "sound.flac", "sound.wav?stall=100", "slow.mp3?endless=1&icy=4096", "x?status=503",
            ])
        func nothingRemains(path: String) throws {
            let address = server.address(path)
            // The first one starts what starts children.
            try Listener(address).listen { $0.waits > 50 }.source.close()
            let threadsBefore = StreamProcesses.threads(named: "stream")
            let filesBefore = StreamProcesses.openFiles
            let rounds = 20
            for round in 0..<rounds {
                let listener = try Listener(address)
                // From before there is a child to when it plays, and in the middle of a seek.
                usleep(UInt32(round) * 12_000)
                if round % 4 == 0 { listener.source.seek(to: 100_000) }
                listener.source.close()
                #expect(StreamProcesses.children(of: server.address("")).isEmpty)
            }
            #expect(StreamProcesses.threads(named: "stream") == threadsBefore)
            // Other tests open files too; each round that kept one would count.
            #expect(StreamProcesses.openFiles < filesBefore + rounds)
        }

        @Test("a source that is closed has ended, and stays so")
        func afterwards() throws {
            let listener = try Listener(server.address("sound.wav"))
            listener.listen { $0.frames > 1000 }
            listener.source.close()
            listener.source.close()
            listener.source.seek(to: 0)
            let frames = listener.frames
            #expect(listener.listen().end == .ended)
            #expect(listener.frames == frames)
        }

        @Test("one that nobody keeps is closed by that")
        func forgotten() throws {
            do {
                _ = try Listener(server.address("slow.mp3?endless=1")).listen { $0.frames > 1000 }
            }
            #expect(StreamProcesses.children(of: server.address("")).isEmpty)
        }

        @Test(
            "a child that is killed from outside is started anew, and no sample is lost",
            arguments: [("sound.wav", 600_000), ("slow.mp3", 40_000), ("bare.mp3", 40_000)])
        func killed(name: String, rate: Int) throws {
            let listener = try Listener(server.address("\(name)?rate=\(rate)"))
            listener.listen { $0.frames > 30_000 }
            for child in StreamProcesses.children(of: server.address("")) { kill(child, SIGKILL) }
            #expect(listener.listen().samples == StreamMaterial.shared.decoded(name))
            #expect(listener.end == .ended)
            #expect(listener.reasons == ["the sound stopped"])
        }
    }
}

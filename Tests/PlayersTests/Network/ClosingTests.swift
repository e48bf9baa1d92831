import Glibc
import Players
import TestSignals
import Testing

extension NetworkTests {
    @Suite("Closing network streams", .serialized)
    struct Closing {
        private let server = StreamServer()

        @Test(
            "leaves no child, thread or descriptor at any moment",
            arguments: [
                "sound.flac", "sound.wav?stall=100", "slow.mp3?endless=1&icy=4096", "x?status=503",
            ])
        func nothingRemains(path: String) throws {
            let address = server.address(path)
            // The first stream starts the thread that starts children.
            try Listener(address).listen { $0.waits > 50 }.source.close()
            let threadsBefore = StreamProcesses.threads(named: "stream")
            let filesBefore = StreamProcesses.openFiles
            let rounds = 20
            for round in 0..<rounds {
                let listener = try Listener(address)
                // From before the child exists to when it plays, and in the middle of a seek.
                usleep(UInt32(round) * 12_000)
                if round % 4 == 0 { listener.source.seek(to: 100_000) }
                listener.source.close()
                #expect(StreamProcesses.children().isEmpty)
            }
            // A thread of the first source may still have been ending when it was counted.
            #expect(StreamProcesses.threads(named: "stream") <= threadsBefore)
            // Other tests open files too; a leak of one file per round would exceed this.
            #expect(StreamProcesses.openFiles < filesBefore + rounds)
        }

        @Test("ends the thread even if descriptors run out at any point", arguments: 3...14)
        func descriptors(limit: Int) {
            let reader = ChildProgram([
                "timeout", "--signal=KILL", "20", builtProgram("stream-reader"),
                server.address("slow.mp3?endless=1"), "\(limit)",
            ])
            #expect(reader.line() != nil)
            #expect(reader.line() == "closed")
        }

        @Test("ends the source permanently")
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

        @Test("happens automatically when the source is released")
        func forgotten() throws {
            do {
                _ = try Listener(server.address("slow.mp3?endless=1")).listen { $0.frames > 1000 }
            }
            #expect(StreamProcesses.children().isEmpty)
        }

        @Test(
            "is not caused by a killed child, which is restarted without losing a sample",
            arguments: [("sound.wav", 600_000), ("slow.mp3", 40_000), ("bare.mp3", 40_000)])
        func killed(name: String, rate: Int) throws {
            let listener = try Listener(server.address("\(name)?rate=\(rate)"))
            listener.listen { $0.frames > 30_000 }
            for child in StreamProcesses.children() { kill(child, SIGKILL) }
            #expect(listener.listen().samples == StreamMaterial.shared.decoded(name))
            #expect(listener.end == .ended)
            #expect(listener.reasons == ["the sound stopped"])
        }
    }
}

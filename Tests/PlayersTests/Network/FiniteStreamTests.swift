import Players
import Testing

extension NetworkTests {
    @Suite("Finite network streams", .serialized)
    struct Finite {
        private let material = StreamMaterial.shared
        private let server = StreamServer()

        @Test("play to the sample, and report buffering, playing and their end")
        func whole() throws {
            let heard = try Listener(server.address("sound.wav")).listen()
            #expect(heard.samples == material.floats)
            #expect(heard.end == .ended)
            #expect(heard.source.frameCount == material.frames)
            #expect(heard.notices.first == .buffering(0))
            #expect(heard.notices.last == .ended)
            #expect(heard.notices.contains(.playing))
            #expect(heard.reasons.isEmpty)
        }

        @Test(
            "play every format as from the disk",
            arguments: ["sound.flac", "sound.ogg", "slow.mp3", "slow.wav", "list.m3u8"])
        func forms(name: String) throws {
            let heard = try Listener(server.address(name)).listen()
            let wanted = name == "list.m3u8" ? heard.samples : material.decoded(name)
            #expect(heard.samples == wanted)
            #expect(heard.end == .ended)
            #expect(heard.frames == heard.source.frameCount)
            #expect(heard.frames > 285_000)
        }

        @Test(
            "continue after a seek to the sample as if everything before had been played",
            arguments: [
                "sound.wav", "sound.wav?ranges=0", "slow.wav", "sound.flac", "sound.flac?ranges=0",
                "sound.ogg",
                "slow.mp3", "slow.mp3?ranges=0", "bare.mp3", "bare.mp3?ranges=0",
            ], [123_457, 3])
        func seeking(path: String, frame: Int) throws {
            let listener = try Listener(server.address(path))
            let whole = listener.listen().samples
            listener.seek(to: frame)
            #expect(listener.listen().samples == Array(whole[(frame * 2)...]))
            #expect(listener.end == .ended)
        }

        @Test("seek in a playlist with an error below a millisecond")
        func seekingInList() throws {
            let listener = try Listener(server.address("list.m3u8"))
            let whole = listener.listen().samples
            listener.seek(to: 150_001)
            let part = listener.listen().samples
            #expect(abs(part.count - (whole.count - 300_002)) <= 96)
            let lag = bestLag(of: part, in: whole, at: 300_002, behind: 20_000, within: 96)
            #expect(abs(lag) <= 96)
        }

        @Test("end after a seek beyond the end, and play again after a seek back")
        func beyond() throws {
            let listener = try Listener(server.address("sound.wav"))
            listener.listen { $0.frames > 10_000 }
            listener.seek(to: 400_000)
            #expect(listener.listen().frames == 0)
            #expect(listener.end == .ended)
            listener.seek(to: 280_000)
            #expect(listener.listen().samples == Array(material.floats[560_000...]))
        }

        @Test("start at the position of a seek before any data has arrived")
        func early() throws {
            let listener = try Listener(server.address("sound.flac"))
            listener.source.seek(to: 200_001)
            #expect(listener.listen().samples == Array(material.floats[400_002...]))
            #expect(listener.source.frameCount == material.frames)
        }

        @Test("end at the last of many seeks in a row")
        func manySeeks() throws {
            let listener = try Listener(server.address("sound.flac"))
            listener.listen { $0.frames > 10_000 }
            for frame in stride(from: 1000, through: 21_000, by: 1000) { listener.seek(to: frame) }
            #expect(listener.listen().samples == Array(material.floats[42_000...]))
        }

        @Test(
            "are resampled from other rates: a sine remains one",
            arguments: [44_100, 48_000, 96_000])
        func resampled(sampleRate: Int) throws {
            let heard = try Listener(server.address("slow.wav"), sampleRate: sampleRate).listen()
            #expect(abs(heard.frames - material.frames * sampleRate / 44_100) <= 1)
            // The left channel's glide, at its amplitude after a second.
            let wanted = 9000.0 / 32_768
            let peak = heard.samples.enumerated().lazy.filter { $0.offset % 2 == 0 }.map {
                abs($0.element)
            }.max()
            #expect(abs(Double(peak ?? 0) - wanted) < 1e-3)
        }

        @Test("send non-ASCII letters to the server as UTF-8")
        func letters() throws {
            let heard = try Listener(server.address("sound.wav?ranges=0&x=ü")).listen()
            #expect(heard.samples == material.floats)
            #expect(server.requests.first == "GET /sound.wav?ranges=0&x=%C3%BC bytes=0-")
        }

        @Test("can be mixed to mono or copied to both channels", arguments: [1, 2])
        func channels(count: Int) throws {
            let heard = try Listener(server.address("sound.wav"), channels: count).listen()
            #expect(heard.frames == material.frames)
            #expect(heard.samples.count == material.frames * count)
        }

        @Test("are refused with more channels than there are speakers")
        func tooManyChannels() throws {
            let heard = try Listener(server.address("sound.wav"), channels: 9).listen()
            #expect(heard.end == .failed("a stream has 1 to 8 channels, not 9"))
        }
    }
}

/// Returns the offset in samples at which the left channel of a part best matches its position.
///
/// The right channel is noise, which some decoders synthesize differently each time.
private func bestLag(
    of part: [Float], in whole: [Float], at start: Int, behind: Int, within reach: Int
) -> Int {
    let errors = stride(from: -reach, through: reach, by: 2).map { lag in
        let differences = stride(from: behind, to: behind + 8000, by: 2).map {
            abs(part[$0] - whole[start + lag + $0])
        }
        return (lag, differences.max() ?? 1)
    }
    return errors.min { $0.1 < $1.1 }.map { $0.1 < 0.02 ? $0.0 : .max } ?? .max
}

import Players
import Testing

@Suite("How ffmpeg is called for a stream")
struct StreamCommandTests {
    private let format = StreamFormat(sampleRate: 48_000, channels: 2)

    private func arguments(_ address: String, frame: Int = 0) throws -> [String] {
        StreamCommand(try NetworkURL(address), format: format, frame: frame).arguments
    }

    private func value(of option: String, in arguments: [String]) -> String? {
        arguments.firstIndex(of: option).map { arguments[$0 + 1] }
    }

    @Test("an address is one argument, and changes no other")
    func oneArgument() throws {
        let plain = try arguments("http://a/b")
        let odd = try arguments("http://a/-i;$(id)%20-f&-y|x?-filter_complex=movie")
        #expect(odd.count == plain.count)
        #expect(
            zip(plain, odd).filter { $0 != $1 }.map(\.1) == [
                "http://a/-i;$(id)%20-f&-y|x?-filter_complex=movie"
            ])
    }

    @Test(
        "nothing but the network may be read, and https always with a certificate that is checked")
    func protocols() throws {
        let plain = try arguments("http://a/b")
        #expect(value(of: "-protocol_whitelist", in: plain) == "http,tcp,crypto,httpproxy")
        #expect(!plain.contains("-tls_verify"))
        let encrypted = try arguments("https://a/b")
        #expect(
            value(of: "-protocol_whitelist", in: encrypted) == "https,tls,http,tcp,crypto,httpproxy"
        )
        #expect(value(of: "-tls_verify", in: encrypted) == "1")
    }

    @Test("lists of files and text that is read as pictures are no formats for it")
    func formats() throws {
        let formats =
            value(of: "-format_whitelist", in: try arguments("http://a/b"))?.split(separator: ",")
            ?? []
        #expect(formats.contains("mp3") && formats.contains("hls"))
        #expect(
            Set(formats).isDisjoint(with: [
                "concat", "tty", "sdp", "rtsp", "lavfi", "image2", "dash",
            ]))
    }

    @Test("in the middle it begins at least a fifth of a second before, at a multiple of 40 ms")
    func start() throws {
        #expect(value(of: "-ss", in: try arguments("http://a/b")) == nil)
        #expect(value(of: "-ss", in: try arguments("http://a/b", frame: 9599)) == nil)
        #expect(value(of: "-ss", in: try arguments("http://a/b", frame: 48_000)) == "800000us")
        #expect(value(of: "-ss", in: try arguments("http://a/b", frame: 49_919)) == "800000us")
        #expect(value(of: "-ss", in: try arguments("http://a/b", frame: 49_920)) == "840000us")
    }

    @Test("each wait is twice as long as the one before, up to half a minute")
    func pauses() {
        let pauses = (1...9).map { StreamPatience().pauseSeconds(before: $0) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        #expect(StreamPatience().pauseSeconds(before: 1_000_000) == 30)
    }

    @Test("titles lose what steers terminals and directions, and do not go on for ever")
    func titles() {
        #expect(
            StreamTitle.cleaned(" A\u{1b}[31m\tB\u{0}\u{9b}C\u{202e}D\u{2028}E ") == "A [31m B CD E"
        )
        #expect(
            StreamTitle.cleaned(String(repeating: "é", count: 1000)).count
                == StreamTitle.longestCharacters)
        #expect(StreamTitle.cleaned("\n\r \u{200b}") == "")
        #expect(StreamTitle.text([0x43, 0xe9]) == "Cé")
        #expect(StreamTitle.text(Array("Cé".utf8)) == "Cé")
    }
}

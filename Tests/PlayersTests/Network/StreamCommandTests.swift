import Players
import Testing

@Suite("The ffmpeg command for a stream")
struct StreamCommandTests {
    private let format = StreamFormat(sampleRate: 48_000, channels: 2)

    private func arguments(frame: Int = 0) -> [String] {
        StreamCommand("http://start.invalid/x", gatewayPort: 8017, format: format, frame: frame)
            .arguments
    }

    private func value(of option: String, in arguments: [String]) -> String? {
        arguments.firstIndex(of: option).map { arguments[$0 + 1] }
    }

    @Test("ffmpeg reads only http, and everything through the gateway")
    func protocols() {
        let arguments = arguments()
        #expect(value(of: "-protocol_whitelist", in: arguments) == "http,tcp,crypto")
        #expect(value(of: "-http_proxy", in: arguments) == "http://127.0.0.1:8017")
    }

    @Test("ffmpeg's formats exclude file lists and text that is read as pictures")
    func formats() {
        let formats =
            value(of: "-format_whitelist", in: arguments())?.split(separator: ",")
            ?? []
        #expect(formats.contains("mp3") && formats.contains("hls"))
        #expect(
            Set(formats).isDisjoint(with: [
                "concat", "tty", "sdp", "rtsp", "lavfi", "image2", "dash",
            ]))
    }

    @Test("a start in the middle is at least a fifth of a second early, at a multiple of 40 ms")
    func start() {
        #expect(value(of: "-ss", in: arguments()) == nil)
        #expect(value(of: "-ss", in: arguments(frame: 9599)) == nil)
        #expect(value(of: "-ss", in: arguments(frame: 48_000)) == "800000us")
        #expect(value(of: "-ss", in: arguments(frame: 49_919)) == "800000us")
        #expect(value(of: "-ss", in: arguments(frame: 49_920)) == "840000us")
    }

    @Test("each wait is twice as long as the previous one, up to half a minute")
    func pauses() {
        let pauses = (1...9).map { StreamLimits().pauseSeconds(before: $0) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        #expect(StreamLimits().pauseSeconds(before: 1_000_000) == 30)
    }

    @Test("titles lose terminal and direction control characters and are limited in length")
    func titles() {
        #expect(
            StreamTitle.cleaned(" A\u{1b}[31m\tB\u{0}\u{9b}C\u{202e}D\u{2028}E ") == "A [31m B CD E"
        )
        #expect(
            StreamTitle.cleaned(String(repeating: "é", count: 1000)).count
                == StreamTitle.longestCharacters)
        #expect(StreamTitle.cleaned("\n\r \u{200b}") == "")
        // A letter with many combining marks is one character.
        let marked = "e" + String(repeating: "\u{301}", count: 2000)
        #expect(StreamTitle.cleaned("A" + marked).utf8.count <= 4 * StreamTitle.longestCharacters)
        #expect(StreamTitle.text([0x43, 0xe9]) == "Cé")
        #expect(StreamTitle.text(Array("Cé".utf8)) == "Cé")
    }
}

@testable internal import Players

extension FuzzTarget {
    /// The log of the program that fetches streams, with titles and headers from untrusted servers.
    static let streamWords = FuzzTarget(
        name: "stream",
        run: { bytes in
            var facts = StreamFacts()
            var history = StreamHistory(sampleRate: 48_000)
            var heard = 0
            for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                guard let word = LogLine(StreamTitle.text(line), input: input) else { continue }
                facts.add(word)
                if case .title(let title) = word {
                    let shown = StreamTitle.cleaned(title)
                    require(
                        !shown.unicodeScalars.contains { $0.value < 32 || $0.value == 127 },
                        "a title steers the terminal")
                    require(shown.count <= StreamTitle.longestCharacters, "a title is too long")
                }
                heard += 1
                // Sound arrives after every fourth line.
                if heard % 4 == 0 {
                    history.learn(facts)
                    history.hadSound = true
                    history.positionFrames += 1_000
                }
                if heard % 7 == 0 { _ = history.nextStep(after: facts, arrivedFrames: heard) }
            }
            history.learn(facts)
            _ = history.nextStep(after: facts, arrivedFrames: 0)
            require(
                facts.reason.utf8.count <= 1_024, "a reason has \(facts.reason.utf8.count) bytes")
            if let frames = history.frameCount {
                _ = StreamStart(frame: frames, sampleRate: 48_000, isSeekable: history.isSeekable)
            }
        },
        seeds: {
            [
                """
                [http @ 0x5] [verbose] Metadata update for StreamTitle: A song
                [info] Input #0, mp3, from 'http://127.0.0.1:80/a':
                [info]   Duration: 00:03:25.10, start: 0.025057, bitrate: 128 kb/s
                [info]     icy-name        : Radio
                [info]     title           : Song
                [verbose] Successfully connected to 127.0.0.1 port 80
                [http @ 0x5] [error] HTTP error 404 Not Found
                [error] http://user:secret@127.0.0.1:80/a: Invalid data found when processing input
                [http @ 0x5] [warning] Stream ends prematurely at 4, should be 9
                [http @ 0x5] [trace] header='Location: https://127.0.0.1/b'
                [mp3 @ 0x7] [warning] Estimating duration from bitrate, this may be inaccurate
                [tcp @ 0x2] [error] Connection to tcp://127.0.0.1:80 failed: Connection refused
                """,
                "[info]   Duration: N/A, start: 0\n[fatal] Stream map '0:a:0' matches no streams.",
                "[info]   Duration: 9999999:99:99.99\n",
            ].map { Array($0.utf8) }
        })

    /// The first address that the program requests from the gateway.
    private static let input = "http://127.0.0.1:80/a"

    /// Addresses of streams, and the arguments of the program that fetches them.
    static let address = FuzzTarget(
        name: "url",
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let url = try? NetworkURL(text) else { return }
            require(
                url.text.hasPrefix("http://") || url.text.hasPrefix("https://"),
                "\(url.text) is no address of a stream")
            let parts = url.description.dropFirst(url.isEncrypted ? 8 : 7)
                .prefix { !"/?#".contains($0) }
            require(!parts.isEmpty, "\(url.text) has no host")
            require(
                !url.text.unicodeScalars.contains { $0.value <= 32 || $0.value == 127 },
                "\(url.text) holds a control character")
            require(!parts.contains("@"), "\(url.description) shows a name or a password")
            guard let again = try? NetworkURL(url.text) else {
                fatalError("\(url.text) is refused the second time")
            }
            require(again == url, "\(url.text) is another address the second time")
            // The gateway passes the address on without a name and a password.
            var address = EncryptedOrigins().disguise(url.text[...]) ?? url.text
            let credentials = Credentials(takenFrom: &address)
            let authority = address.dropFirst(7).prefix { !"/?#".contains($0) }
            require(
                credentials == nil || !authority.contains("@"), "\(address) shows a password")
        },
        seeds: {
            [
                "http://127.0.0.1/a", "https://user:pass@host:8443/x?y#z", "HTTP://[::1]:80/",
                "http://a@b@c/", "http://:80/", "http://h:99999/", "file:///etc/passwd",
                "http://%zz",
            ].map { Array($0.utf8) }
        })
}

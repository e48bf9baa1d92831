import Players
import Testing

@Suite("Addresses of streams")
struct NetworkURLTests {
    @Test(
        "http and https addresses with a host are accepted as written",
        arguments: [
            "http://radio.example/live", "HTTPS://radio.example:8443/a%20b?x=1&y={2}|3#t",
            "http://[::1]:8000/x.ogg",
            "http://127.0.0.1", "https://müsik.example/ü.mp3",
        ])
    func taken(text: String) throws {
        let rest = text.drop { $0 != ":" }
        #expect(try NetworkURL(text).text == text.prefix { $0 != ":" }.lowercased() + rest)
    }

    @Test(
        "other addresses are refused, with the reason",
        arguments: [
            ("", NetworkURLError.noScheme), ("radio.example/live", .noScheme), ("-i", .noScheme),
            ("file:///etc/passwd", .scheme("file")), ("concat:http://a/b", .scheme("concat")),
            ("ftp://radio.example/x", .scheme("ftp")), ("pipe:0", .scheme("pipe")),
            ("http:radio.example", .noHost),
            ("http://", .noHost), ("http:///path", .noHost), ("http://:80/", .noHost),
            ("https://user@/x", .noHost),
            ("http://[]/", .noHost), ("http://a:0/", .port("0")),
            ("http://a:65536/", .port("65536")),
            ("http://a:x/", .port("x")), ("http://a:/", .port("")),
            ("http://a/b c", .character(" ")),
            ("http://a/\n", .character("\n")), ("http://a/\u{0}", .character("\0")),
            ("http://a/\u{9b}", .character("\u{9b}")), ("http://a/\"", .character("\"")),
        ])
    func refused(text: String, error: NetworkURLError) {
        #expect(throws: error) { try NetworkURL(text) }
    }

    @Test("an excessively long address is refused")
    func tooLong() {
        #expect(throws: NetworkURLError.tooLong(limitBytes: 4096)) {
            try NetworkURL("http://a/" + String(repeating: "b", count: 4096))
        }
    }

    @Test("the description for users contains no name, password or key")
    func description() throws {
        let url = try NetworkURL("https://name:secret@radio.example:8000/live?key=1234#5")
        #expect("\(url)" == "https://radio.example:8000/live")
    }

    @Test("each error says what is wrong and what is allowed")
    func words() {
        #expect(
            "\(NetworkURLError.scheme("file"))"
                == "\"file\" is not a supported scheme; an address begins with http:// or https://"
        )
        #expect("\(NetworkURLError.port("x"))" == "\"x\" is not a port; allowed are 1 to 65535")
        #expect(
            "\(NetworkURLError.character("\n"))"
                == "the address contains the character U+000A, which must be percent-encoded")
    }
}

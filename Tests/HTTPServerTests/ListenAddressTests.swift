import HTTPServer
import Testing

@Suite struct ListenAddressTests {
    @Test(
        "a port, or a loopback address with a port, is accepted",
        arguments: [
            ("8080", "127.0.0.1:8080"), ("0", "127.0.0.1:0"),
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("127.1.2.3:1", "127.1.2.3:1"),
            ("localhost:80", "127.0.0.1:80"), ("[::1]:8080", "[::1]:8080"),
        ])
    func accepted(text: String, address: String) throws {
        #expect(try ListenAddress(parsing: text).description == address)
    }

    @Test(
        "an address that other machines reach is refused, because pairing does not exist",
        arguments: [
            "0.0.0.0:8080", "192.168.1.2:80", "[::]:80", "[fe80::1]:80", "[::ffff:127.0.0.1]:80",
        ])
    func notLoopback(text: String) {
        #expect(throws: ListenAddressError.notLoopback(text)) { try ListenAddress(parsing: text) }
        #expect("\(ListenAddressError.notLoopback(text))".contains("pairing does not exist"))
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "x", "65536", "-1", "+1", "127.0.0.1", "127.0.0.1:", ":80", "::1:80", "[::1]",
            "[]:80", "[::1]80", "[127.0.0.1]:80", "example.org:80", "1.2.3:80", "127.0.0.1:80:90",
            "٨٠٨٠",
        ])
    func notAnAddress(text: String) {
        #expect(throws: ListenAddressError.notAnAddress(text)) { try ListenAddress(parsing: text) }
    }
}

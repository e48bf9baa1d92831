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
        "an address that other machines reach is accepted and recognised",
        arguments: ["0.0.0.0:8080", "192.168.1.2:80", "[::]:80", "[fe80::1]:80", "[2001:db8::1]:0"])
    func open(text: String) throws {
        let address = try ListenAddress(parsing: text)
        #expect(!address.isLoopback)
        #expect(address.description == text)
    }

    @Test(
        "an address of this machine alone is recognised",
        arguments: ["8080", "127.0.0.1:80", "127.9.9.9:80", "[::1]:80", "[::ffff:127.0.0.1]:80"])
    func loopback(text: String) throws { #expect(try ListenAddress(parsing: text).isLoopback) }

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

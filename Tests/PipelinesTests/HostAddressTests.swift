internal import Processing
internal import Testing

@Suite("Addresses of hosts")
struct HostAddressTests {
    @Test(
        "loopback, private, multicast and unassigned addresses are not public",
        arguments: [
            "127.0.0.1", "127.255.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1",
            "169.254.169.254", "100.64.0.1", "100.127.255.255", "0.0.0.0", "224.0.0.1",
            "255.255.255.255", "240.0.0.1", "198.18.0.1", "192.0.2.1", "::", "::1", "fe80::1",
            "fe80::1%lo", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0::1",
            "2001:db8::1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1",
        ])
    func notPublic(text: String) throws {
        #expect(try !#require(HostAddress(text)).isPublic)
        #expect(HostAddress.isPrivate(host: text))
    }

    @Test(
        "all other addresses are public",
        arguments: [
            "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1",
            "192.167.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1",
            "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::",
        ])
    func isPublic(text: String) throws {
        #expect(try #require(HostAddress(text)).isPublic)
        #expect(!HostAddress.isPrivate(host: text))
    }

    @Test("a name is not an address, and only the names of this machine are known to be private")
    func names() {
        #expect(HostAddress("radio.example") == nil)
        #expect(!HostAddress.isPrivate(host: "radio.example"))
        for name in ["localhost", "LOCALHOST.", "a.localhost"] {
            #expect(HostAddress.isPrivate(host: name))
        }
    }

    @Test(
        "the host of an address is the part between the user and the port",
        arguments: [
            ("http://a.b:80/c", "a.b"), ("https://u:p@a.b?x@y", "a.b"), ("http://[::1]:8/", "::1"),
            ("http://a", "a"), ("http://u@[fe80::1]", "fe80::1"),
        ])
    func host(url: String, wanted: String) {
        #expect(HostAddress.host(inURL: url) == wanted)
    }

    @Test("a URL may have no host", arguments: ["", "http:", "http://", "a/b", "http:///x"])
    func noHost(url: String) {
        #expect(HostAddress.host(inURL: url) == nil)
    }
}

import Testing

import Control

@Suite("OSC messages")
struct OSCMessageTests {
    private let all = OSCMessage(
        "/verb/mix", .integer(-3), .long(1 << 40), .float(0.1), .double(0.1), .text("größer"),
        .toggle(true), .toggle(false))

    @Test("a decoded message equals the encoded one")
    func roundTrip() { #expect(OSCMessage(bytes: all.bytes) == all) }

    @Test("a message's bytes match the standard")
    func bytes() {
        let bytes = OSCMessage("/verb/mix", .float(0.5)).bytes
        #expect(bytes == Array("/verb/mix\0\0\0,f\0\0".utf8) + [0x3f, 0, 0, 0])
    }

    @Test("messages of nested bundles keep their order")
    func bundles() throws {
        let messages = (0..<200).map { OSCMessage("/a/\($0)", .integer($0)) }
        let packets = OSCPacket.packets(of: messages)
        #expect(packets.count > 1)
        #expect(packets.allSatisfy { $0.count <= OSCPacket.defaultBytes })
        #expect(packets.flatMap { OSCPacket.messages(in: $0[...]) ?? [] } == messages)
        let outer = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
        let size = withUnsafeBytes(of: UInt32(packets[0].count).bigEndian) { Array($0) }
        #expect(OSCPacket.messages(in: (outer + size + packets[0])[...])?.first == messages[0])
    }

    @Test("bundles that are nested without end are refused")
    func deepBundles() {
        var packet = all.bytes
        for _ in 0..<40 {
            let size = withUnsafeBytes(of: UInt32(packet.count).bigEndian) { Array($0) }
            packet = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + size + packet
        }
        #expect(OSCPacket.messages(in: packet[...]) == nil)
    }

    @Test("a packet cut or changed at any byte gives no more messages than it has room for")
    func damaged() {
        let packet = OSCPacket.packets(of: [all, all])[0]
        for count in packet.indices where count != 16 {
            #expect((OSCPacket.messages(in: packet[..<count])?.count ?? 0) < 2)
        }
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var other = packet
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                other[Int.random(in: other.indices, using: &numbers)] = .random(in: 0...255)
            }
            #expect((OSCPacket.messages(in: other[...])?.count ?? 0) <= 20)
        }
    }

    @Test(
        "a pattern matches part by part",
        arguments: [
            ("/verb/*", "/verb/mix", true), ("/verb/*", "/verb/a/b", false),
            ("/*/mix", "/verb/mix", true), ("/verb/m?x", "/verb/mix", true),
            ("/verb/[a-m]ix", "/verb/mix", true), ("/verb/[!a-m]ix", "/verb/mix", false),
            ("/{verb,cut}/mix", "/cut/mix", true), ("/{verb,cut}/mix", "/cu/mix", false),
            ("/v*b/*i*x", "/verb/mix", true), ("/v*b/*i*x", "/verb/mixes", false),
            ("/verb/[", "/verb/[", false), ("/verb/{", "/verb/{", true),
            ("/verb/**", "/verb/mix", true), ("/verb/*", "/verb", false),
        ])
    func patterns(_ text: String, _ path: String, _ isMatch: Bool) throws {
        #expect(try #require(OSCPattern(text)).matches(path) == isMatch)
    }

    @Test("a pattern covers the paths below it")
    func covers() throws {
        #expect(try #require(OSCPattern("/verb")).covers("/verb/mix"))
        #expect(try #require(OSCPattern("/")).covers("/verb/mix"))
        #expect(try !#require(OSCPattern("/verb/mix")).covers("/verb"))
    }

    @Test("a pattern of only stars takes no time")
    func manyStars() throws {
        let stars = String(repeating: "*a", count: 120)
        let pattern = try #require(OSCPattern("/" + stars + "b"))
        #expect(!pattern.matches("/" + String(repeating: "a", count: 4000)))
        #expect(OSCPattern("/" + String(repeating: "*", count: 300)) == nil)
    }

    @Test(
        "an address and its path are equivalent",
        arguments: ["verb.mix", "a.b c#.d/e", "ä.50%"])
    func addresses(_ address: String) {
        let path = OSCAddress.path(of: address)
        #expect(OSCAddress.address(of: path) == address)
        #expect(!OSCPattern.hasWildcards(path))
    }
}

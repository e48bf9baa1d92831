import Platform
import Testing

@Suite("The hash of contents")
struct ContentHashTests {
    @Test("is FNV-1a, for bytes in memory and for other sequences")
    func values() {
        // From the reference vectors of the algorithm's authors.
        #expect(ContentHash.fnv1a([UInt8]()) == 0xcbf2_9ce4_8422_2325)
        #expect(ContentHash.fnv1a(Array("a".utf8)) == 0xaf63_dc4c_8601_ec8c)
        #expect(ContentHash.fnv1a("foobar".utf8) == 0x8594_4171_f739_67e8)
        #expect(ContentHash.fnv1a("foobar".utf8.lazy.map { $0 }) == 0x8594_4171_f739_67e8)
        let part = ContentHash.fnv1a("foo".utf8)
        #expect(ContentHash.fnv1a("bar".utf8, after: part) == 0x8594_4171_f739_67e8)
    }
}

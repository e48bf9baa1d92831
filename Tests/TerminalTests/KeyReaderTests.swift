import Testing

import Terminal

@Suite("Keys of a terminal")
struct KeyReaderTests {
    private func keys(_ text: String, cutAfter bytes: Int? = nil) -> [Key] {
        var reader = KeyReader()
        let all = Array(text.utf8)
        let cut = bytes ?? all.count
        return reader.keys(all.prefix(cut)) + reader.keys(all.dropFirst(cut)) + reader.rest()
    }

    @Test("are letters, arrows and pages")
    func known() {
        #expect(keys("nP!") == [.character("n"), .character("P"), .character("!")])
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~") == [.up, .down, .pageUp, .pageDown])
    }

    @Test("include those that only bindings use")
    func named() {
        #expect(keys("\u{1B}[C\u{1B}OD") == [.named("right"), .named("left")])
        #expect(
            keys("\u{1B}OP\u{1B}[15~\u{1B}[3~") == [.named("f1"), .named("f5"), .named("delete")])
    }

    @Test("are the same wherever the bytes are split", arguments: 0...9)
    func cut(_ index: Int) {
        #expect(keys("é\u{1B}[6~\u{1B}[Aq", cutAfter: index) == keys("é\u{1B}[6~\u{1B}[Aq"))
        #expect(keys("é\u{1B}[6~\u{1B}[Aq").count == 4)
    }

    @Test("are not read from unknown sequences, and reading continues after them")
    func unknown() {
        #expect(keys("\u{1B}[1;5Cq\u{1B}[200~m") == [.character("q"), .character("m")])
        var reader = KeyReader()
        #expect(reader.keys("\u{1B}[\(String(repeating: "1", count: 40))".utf8).isEmpty)
        #expect(reader.keys("q".utf8) == [.character("q")])
    }

    @Test("include an escape if no byte follows it")
    func escape() {
        #expect(keys("\u{1B}") == [.escape])
        #expect(keys("a\u{1B}") == [.character("a"), .escape])
    }

    @Test("are not read from bytes that are not text")
    func broken() {
        var reader = KeyReader()
        #expect(reader.keys([0xFF, 0x80, UInt8(ascii: "q")]).contains(.character("q")) == false)
        #expect(reader.keys([UInt8(ascii: "q"), UInt8(ascii: "q")]).contains(.character("q")))
    }
}

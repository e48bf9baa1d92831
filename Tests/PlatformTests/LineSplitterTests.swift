import Platform
import Testing

@Suite("Lines of printed text")
struct LineSplitterTests {
    @Test("are the same however the text is divided", arguments: [1, 2, 5, 100])
    func pieces(_ length: Int) {
        let bytes = Array("first\n\nsecond ü\nlast".utf8)
        var splitter = LineSplitter()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            splitter.add(bytes[start..<min(start + length, bytes.count)]) { lines.append($0) }
        }
        #expect(lines == ["first", "second ü"])
        #expect(splitter.isMidLine)
        splitter.end { lines.append($0) }
        splitter.end { lines.append($0) }
        #expect(lines == ["first", "second ü", "last"])
        #expect(!splitter.isMidLine)
    }

    @Test("are divided if they are endless")
    func endless() {
        var splitter = LineSplitter()
        var lengths: [Int] = []
        splitter.add(repeatElement(UInt8(ascii: "x"), count: 10_000)) {
            lengths.append($0.utf8.count)
        }
        #expect(lengths == [4096, 4096])
    }
}

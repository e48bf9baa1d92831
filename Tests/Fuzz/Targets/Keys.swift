internal import Terminal

extension FuzzTarget {
    /// The bytes that a terminal sends, cut anywhere.
    static let keys = FuzzTarget(
        name: "keys",
        run: { bytes in
            var whole = KeyReader()
            let all = whole.keys(bytes) + whole.rest()
            var cut = KeyReader()
            let pieces = bytes.flatMap { cut.keys([$0]) } + cut.rest()
            // If a sequence is longer than any key's, the reader ends it at the cut.
            guard bytes.count <= 16 else { return }
            require(all == pieces, "\(bytes) is \(all) as a whole, and \(pieces) byte by byte")
        },
        seeds: {
            [
                "\u{1B}[A\u{1B}OB\u{1B}[5~q", "\u{1B}", "\u{E9}\u{1F3B8}\u{1B}[1;5C",
                "\u{1B}[999999999999999999~",
            ]
            .map { Array($0.utf8) }
        })
}

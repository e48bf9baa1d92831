/// Rewrites the addresses in an HLS playlist for ffmpeg.
package enum PlaylistAddresses {
    /// The longest playlist that is read, in bytes.
    static let longestBytes = 4 << 20

    /// Returns whether a body starts as a playlist, possibly after a UTF-8 mark or a chunk length.
    static func isPlaylist(_ beginning: some Collection<UInt8>) -> Bool {
        let mark = Array("#EXTM3U".utf8)
        let bytes = Array(beginning.prefix(64))
        guard bytes.count >= mark.count else { return false }
        return (0...bytes.count - mark.count).contains { bytes[$0...].starts(with: mark) }
    }

    /// Rewrites the https addresses of a playlist to their form for ffmpeg.
    ///
    /// - Parameters:
    ///   - list: The bytes of the playlist.
    ///   - disguise: Converts an address; returns `nil` to leave it unchanged.
    /// - Returns: The bytes of the rewritten playlist.
    package static func rewritten(_ list: [UInt8], _ disguise: (Substring) -> String?) -> [UInt8] {
        let lines = list.split(separator: 10, omittingEmptySubsequences: false).map { line in
            Latin1.bytes(rewritten(line: Latin1.text(line), disguise))
        }
        return Array(lines.joined(separator: [10]))
    }

    private static func rewritten(
        line: String, _ disguise: (Substring) -> String?
    ) -> String {
        guard line.hasPrefix("#") else {
            let address = line.drop { $0 == " " || $0 == "\t" }
            return disguise(address) ?? line
        }
        // Attributes such as URI="https://host/key".
        var rest = line[...]
        var result = ""
        while let quote = rest.firstIndex(of: "\"") {
            result += rest[...quote]
            rest = rest[rest.index(after: quote)...]
            let value = rest.prefix { $0 != "\"" }
            let isAddress = result.hasSuffix("URI=\"")
            result += isAddress ? disguise(value) ?? String(value) : String(value)
            rest = rest[value.endIndex...]
            if rest.first == "\"" {
                result += "\""
                rest.removeFirst()
            }
        }
        return result + rest
    }
}

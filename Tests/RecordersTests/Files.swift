import Glibc
import Testing

/// Returns the bytes of a file.
func contents(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "there is no \(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 {
        bytes += piece[..<count]
    }
    return bytes
}

/// Returns the sorted names of a folder's entries.
func names(in folder: String) -> [String] {
    var names: [String] = []
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

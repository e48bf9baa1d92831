import Glibc

/// Returns the contents of a file.
func bytes(of path: String) -> [UInt8] {
    guard let stream = fopen(path, "r") else { return [] }
    defer { fclose(stream) }
    var result: [UInt8] = []
    while case let byte = getc(stream), byte != EOF { result.append(UInt8(byte)) }
    return result
}

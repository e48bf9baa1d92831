internal import Glibc
internal import Platform

/// A box in one file, to attach to a report: the format `ustar` of POSIX, which every `tar` reads.
public struct BoxArchive {
    private static let blockBytes = 512
    /// The longest file of a box, in bytes: the limit of the format's octal numbers, rounded down.
    private static let mostBytes = 1 << 32

    private let folder: String
    private let name: String

    /// Creates an archive of a box.
    ///
    /// - Parameters:
    ///   - folder: The folder of the box.
    ///   - name: The name of the folder in the archive; without one, that of the folder.
    public init(of folder: String, named name: String? = nil) {
        self.folder = folder
        self.name = name ?? Self.lastName(of: folder)
    }

    /// Returns the name of a folder without the folders that contain it.
    public static func lastName(of folder: String) -> String {
        folder.split(separator: "/").last.map(String.init) ?? "box"
    }

    /// Writes the archive.
    ///
    /// - Parameter path: The path of the file, which must not exist.
    /// - Throws: `BoxError` if the folder is no box, a file of it cannot be read, or the archive
    ///   cannot be written.
    public func write(to path: String) throws(BoxError) {
        let entries = UserFolder.names(in: folder)
        guard entries.contains("box.json") else {
            throw BoxError("\(folder) is no box: it does not contain box.json")
        }
        guard let file = fopen(path, "wxe") else { throw Self.error(path) }
        do throws(BoxError) {
            for entry in entries {
                guard let bytes = FileBytes.read("\(folder)/\(entry)", limit: Self.mostBytes) else {
                    throw BoxError(
                        "\(folder)/\(entry) cannot be read: \(SystemError.last.message)")
                }
                let padding = (Self.blockBytes - bytes.count % Self.blockBytes) % Self.blockBytes
                try Self.put(
                    try Self.header("\(name)/\(entry)", byteCount: bytes.count) + bytes
                        + [UInt8](repeating: 0, count: padding), into: file, path)
            }
            try Self.put([UInt8](repeating: 0, count: 2 * Self.blockBytes), into: file, path)
        } catch {
            fclose(file)
            unlink(path)
            throw error
        }
        guard fclose(file) == 0 else {
            unlink(path)
            throw Self.error(path)
        }
    }

    private static func put(
        _ bytes: [UInt8], into file: UnsafeMutablePointer<FILE>, _ path: String
    ) throws(BoxError) {
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw error(path) }
    }

    private static func error(_ path: String) -> BoxError {
        BoxError("\(path) cannot be written: \(SystemError.last.message)")
    }

    /// Returns the header of a file.
    static func header(_ name: String, byteCount: Int) throws(BoxError) -> [UInt8] {
        let nameBytes = Array(name.utf8)
        guard nameBytes.count <= 100 else { throw BoxError("\(name) is too long for an archive") }
        var header = [UInt8](repeating: 0, count: blockBytes)
        func set(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() {
                header[offset + index] = byte  // checked: fields
            }
        }
        func octal(_ number: Int, digits: Int) -> [UInt8] {
            let text = String(number, radix: 8)
            return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
        }
        set(nameBytes, at: 0)
        set(octal(0o600, digits: 7), at: 100)
        set(octal(0, digits: 7), at: 108)
        set(octal(0, digits: 7), at: 116)
        set(octal(byteCount, digits: 11), at: 124)
        set(octal(0, digits: 11), at: 136)
        // The checksum counts its own field as spaces.
        set([UInt8](repeating: UInt8(ascii: " "), count: 8), at: 148)
        set("0".utf8, at: 156)
        set("ustar".utf8, at: 257)
        set("00".utf8, at: 263)
        let sum = header.reduce(0) { $0 + Int($1) }
        set(octal(sum, digits: 6) + [0, UInt8(ascii: " ")], at: 148)
        return header
    }
}

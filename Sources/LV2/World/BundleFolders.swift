internal import CLilv
internal import Glibc
internal import Platform

/// The folders that contain LV2 bundles.
struct BundleFolders {
    /// Folders with `*.lv2` bundles, in addition to those that lilv searches.
    let further: [String]

    /// The paths of all bundles in lilv's form, sorted within each folder.
    var all: [String] { (Self.defaultFolders + further).map(Self.absolute).flatMap(Self.bundles) }

    /// The folders that lilv searches: `LV2_PATH`, or LV2's default folders.
    static var defaultFolders: [String] {
        let path = getenv("LV2_PATH").map { String(cString: $0) }
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        return (path ?? defaultPath).split(separator: ":").map {
            $0.hasPrefix("~/") ? home + $0.dropFirst() : String($0)
        }
    }

    /// lilv's default in Debian.
    private static var defaultPath: String {
        #if arch(arm64)
            "~/.lv2:/usr/lib/aarch64-linux-gnu/lv2:/usr/lib/lv2:/usr/local/lib/lv2"
        #else
            "~/.lv2:/usr/lib/x86_64-linux-gnu/lv2:/usr/lib/lv2:/usr/local/lib/lv2"
        #endif
    }

    /// Returns the folders named `*.lv2` in a folder, sorted.
    static func bundles(in folder: String) -> [String] {
        UserFolder.names(in: folder).filter { $0.hasSuffix(".lv2") }.map { folder + "/" + $0 }
    }

    /// Returns a number that changes with the files in a bundle; `nil` if it is not readable.
    static func fingerprint(ofBundle bundle: String) -> UInt64? {
        guard access(bundle, R_OK | X_OK) == 0 else { return nil }
        var hash = FingerprintHash()
        add(bundle, to: &hash, depth: 0)
        return hash.value
    }

    /// Returns a number that changes with a file's size or time; `nil` if the file does not exist.
    static func fingerprint(ofFile path: String) -> UInt64? {
        guard let status = status(of: path) else { return nil }
        var hash = FingerprintHash()
        hash.add(status)
        return hash.value
    }

    private static func absolute(_ folder: String) -> String {
        let parts = folder.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return (folder.hasPrefix("/") ? nil : AbsolutePath.keepingLinks(parts)) ?? "/" + parts
    }

    private static func add(_ path: String, to hash: inout FingerprintHash, depth: Int) {
        guard let status = status(of: path) else { return }
        hash.add(path)
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if !isFolder { hash.add(status) }
        // Deeper folders contain samples and similar data.
        guard isFolder, depth < 2 else { return }
        for name in UserFolder.names(in: path) {
            add(path + "/" + name, to: &hash, depth: depth + 1)
        }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}

/// A hash of a sequence of bytes: 64-bit FNV-1a.
private struct FingerprintHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    mutating func add(_ status: stat) {
        withUnsafeBytes(of: status.st_size) { for byte in $0 { add(byte) } }
        withUnsafeBytes(of: status.st_mtim) { for byte in $0 { add(byte) } }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}

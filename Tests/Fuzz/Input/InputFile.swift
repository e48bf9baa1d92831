internal import Glibc

/// Input files, and the file through which a target passes input to code that reads files.
enum InputFile {
    /// A folder in memory for this process; it is created on first use.
    static let folder: String = {
        let folder = "/dev/shm/stompline-fuzz-\(getpid())"
        mkdir(folder, 0o700)
        atexit { InputFile.removeFolder() }
        return folder
    }()

    /// Removes the folder and its files.
    private static func removeFolder() {
        if let stream = opendir(folder) {
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlink("\(folder)/\(name)")
            }
            closedir(stream)
        }
        rmdir(folder)
    }

    /// Writes an input to a file that the code under test can open.
    ///
    /// - Returns: The path.
    static func inMemory(_ bytes: [UInt8], name: String = "input") -> String {
        let path = "\(folder)/\(name)"
        write(bytes, to: path)
        return path
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        require(file >= 0, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(file, $0.baseAddress, $0.count)
            }
            require(count > 0, "\(path) cannot be written: \(String(cString: strerror(errno)))")
            done += count
        }
    }

    /// Returns the contents of a file.
    static func bytes(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        require(file >= 0, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }
}

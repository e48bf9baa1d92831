internal import ArgumentParser
internal import Control
internal import Glibc
internal import Platform

/// The source of the OSC token: an option, a file, or else the environment.
struct TokenChoice {
    /// The name of the environment variable.
    static let variable = "STOMPLINE_OSC_TOKEN"

    /// The token from the option; an empty token counts as missing.
    let word: String?
    /// The path of a file.
    let file: String?

    /// Checks the options.
    ///
    /// - Parameter option: The name of the token's option.
    /// - Throws: `ValidationError` if both are given, or the text cannot be a token.
    func check(_ option: String) throws {
        if word != nil, file != nil {
            throw ValidationError("\(option) and --osc-token-file exclude each other")
        }
        if let word, !word.isEmpty, OSCToken(word) == nil {
            throw ValidationError("\(option) must have at most \(OSCToken.maximumBytes) bytes")
        }
    }

    /// Returns the given token.
    ///
    /// - Parameter mayMake: Whether a missing file is created, with a token of random bits.
    /// - Returns: The token; `nil` if none is given.
    /// - Throws: `Failure` if the file cannot be read or created, or contains no token.
    func token(mayMake: Bool) throws -> OSCToken? {
        if let file { return try Self.token(ofFile: file, mayMake: mayMake) }
        if let word, !word.isEmpty { return OSCToken(word) }
        guard let text = getenv(Self.variable).map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        guard let token = OSCToken(text) else {
            throw Failure(
                "\(Self.variable) must have 1 to \(OSCToken.maximumBytes) bytes", .wrongUsage)
        }
        return token
    }

    private static func token(ofFile path: String, mayMake: Bool) throws -> OSCToken {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT, mayMake { return try make(path) }
            throw Failure("cannot read the token file \(path): \(reason())", .unreadableFile)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else {
            throw Failure("cannot read the token file \(path): \(reason())", .unreadableFile)
        }
        let line = bytes.prefix(count).split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = line.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let token = OSCToken(text.trimmed) else {
            throw Failure(
                "the first line of the token file \(path) must be a token of 1 to \(OSCToken.maximumBytes) bytes",
                .unreadableFile)
        }
        warnOfReaders(file, path)
        return token
    }

    private static func warnOfReaders(_ file: Int32, _ path: String) {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        Console.notify("other users can read the token file \(path); chmod 600 prevents this")
    }

    /// Creates a file that only its owner can read.
    private static func make(_ path: String) throws -> OSCToken {
        let token = OSCToken.random()
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Failure("cannot create the token file \(path): \(reason())", .failedWrite)
        }
        let bytes = Array("\(token.text)\n".utf8)
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let error = isWritten ? "" : reason()
        close(file)
        guard isWritten else {
            unlink(path)
            throw Failure("cannot write the token file \(path): \(error)", .failedWrite)
        }
        Console.notify("created a token in \(path)")
        return token
    }

    private static func reason() -> String { SystemError.last.message }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let rest = drop(while: \.isWhitespace)
        return String(rest.reversed().drop(while: \.isWhitespace).reversed())
    }
}

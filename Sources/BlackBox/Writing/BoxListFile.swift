internal import Glibc
internal import Platform

/// Writes a JSON object of lists into a new file, some elements at a time.
///
/// A whole list in a JSON encoder would take hundreds of megabytes in small pieces. The session,
/// whose memory is locked, would keep them.
struct BoxListFile: ~Copyable {
    /// The number of elements that are encoded at once: one can be as long as the times of 4,000
    /// nodes.
    private static let elementsPerPart = 16

    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var hasNames = false

    /// Creates the file, which only the user can read; throws `BoxError` if it cannot be created.
    init(_ path: String) throws(BoxError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BoxError.notWritten(path) }
        guard let file = fdopen(descriptor, "w") else {
            Glibc.close(descriptor)
            throw BoxError.notWritten(path)
        }
        self.file = file
    }

    deinit { fclose(file) }

    /// Adds a list; throws `BoxError` if an element cannot be encoded.
    ///
    /// A failure to write is reported by `close`.
    mutating func add(_ name: String, _ elements: [some Encodable]) throws(BoxError) {
        put((hasNames ? "," : "{") + "\"\(name)\":[")
        hasNames = true
        for first in stride(from: 0, to: elements.count, by: Self.elementsPerPart) {
            let end = min(first + Self.elementsPerPart, elements.count)
            let part = elements[first..<end]  // checked: the count
            guard let text = try? BoxCoding.encode(Array(part)) else {
                throw BoxError("\(path): the contents cannot be encoded")
            }
            if first > 0 { put(",") }
            let inner = text.dropFirst().dropLast()  // without the brackets of the part
            inner.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
        }
        put("]")
    }

    private func put(_ text: String) { fputs(text, file) }

    /// Ends the object and writes everything to the disk; throws `BoxError` if anything could not
    /// be written.
    mutating func close() throws(BoxError) {
        put(hasNames ? "}" : "{}")
        guard fflush(file) == 0, ferror(file) == 0, fsync(fileno(file)) == 0 else {
            throw BoxError.notWritten(path)
        }
    }
}

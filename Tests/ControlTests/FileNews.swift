import Dispatch
import Glibc
import Synchronization

/// The paths of the reported changes.
final class News: Sendable {
    private let paths = Mutex<[String]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func put(_ path: String) {
        paths.withLock { $0.append(path) }
        arrival.signal()
    }

    /// Returns the next path; `nil` if none arrives within 20 s.
    func next() -> String? {
        guard arrival.wait(timeout: .now() + 20) == .success else { return nil }
        return paths.withLock { $0.removeFirst() }
    }
}

/// The contents of a file at its last reported change.
final class Latest: Sendable {
    private let path: String
    private let text = Mutex("")
    private let arrival = DispatchSemaphore(value: 0)

    init(_ path: String) { self.path = path }

    func read() {
        guard let stream = fopen(path, "r") else { return }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = fread(&bytes, 1, 100, stream)
        text.withLock { $0 = String(decoding: bytes[..<count], as: UTF8.self) }
        arrival.signal()
    }

    /// Returns whether the contents become the given text; waits for at most 20 s per change.
    func waits(for wanted: String) -> Bool {
        while arrival.wait(timeout: .now() + 20) == .success {
            if text.withLock({ $0 == wanted }) { return true }
        }
        return false
    }
}

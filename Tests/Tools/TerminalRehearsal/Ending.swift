internal import Glibc
internal import Synchronization

/// Waits until another thread requests the end.
final class Ending: Sendable {
    private let isOver = Atomic<Bool>(false)

    func come() { isOver.store(true, ordering: .relaxed) }

    func wait() { while !isOver.load(ordering: .relaxed) { usleep(5000) } }
}

/// Writes a line to standard error.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

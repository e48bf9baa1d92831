internal import Glibc
internal import Synchronization

/// Waits until somebody says that it is over.
final class Ending: Sendable {
    private let isOver = Atomic<Bool>(false)

    func come() { isOver.store(true, ordering: .relaxed) }

    func wait() { while !isOver.load(ordering: .relaxed) { usleep(5000) } }
}

/// Puts a line on standard error.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

internal import CRealtime
internal import Glibc
internal import Synchronization

/// Letters from any thread but the audio thread to the one thread that waits for them.
final class Mailbox<Letter: Sendable>: @unchecked Sendable {
    // SAFETY: the letters are guarded by the lock, and a semaphore may be used by any thread.
    private let letters = Mutex<[Letter]>([])
    private let bell: UnsafeMutablePointer<sem_t>

    init() {
        bell = .allocate(capacity: 1)
        bell.initialize(to: sem_t())
        sem_init(bell, 0, 0)
    }

    deinit {
        sem_destroy(bell)
        bell.deallocate()
    }

    /// Puts a letter in and wakes the reader.
    func post(_ letter: Letter) {
        letters.withLock { $0.append(letter) }
        rt_signal(bell)
    }

    /// Takes all letters out, waiting for the first until a time of the monotonic clock; empty where none came.
    func wait(untilNanoseconds time: UInt64) -> [Letter] {
        var deadline = timespec(
            tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        while sem_clockwait(bell, CLOCK_MONOTONIC, &deadline) == 0 {
            let taken = letters.withLock { box in
                defer { box.removeAll(keepingCapacity: true) }
                return box
            }
            // The bell may have rung for letters that an earlier call took along.
            if !taken.isEmpty { return taken }
        }
        return []
    }
}

import Glibc
import Synchronization
import Testing
import Platform

struct BlockingTaskTests {
    /// Records which threads run the tasks.
    private final class Diary: Sendable {
        private let threads = Mutex<[String]>([])

        var entries: [String] { threads.withLock { $0 } }

        func note() { threads.withLock { $0.append(Self.thread) } }

        /// The kernel's number of the calling thread.
        static var thread: String {
            var path = [CChar](repeating: 0, count: 64)
            readlink("/proc/thread-self", &path, path.count - 1)
            let bytes = path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("consecutive tasks run on one thread, which is not the calling thread")
    func reuse() {
        let threads = BlockingTaskPool()
        let diary = Diary()
        for _ in 0..<100 { BlockingTask(on: threads) { diary.note() }.wait() }
        #expect(diary.entries.count == 100)
        #expect(Set(diary.entries).count == 1)
        #expect(diary.entries.first?.contains("/task/") == true)
        #expect(diary.entries.first != Diary.thread)
    }

    @Test("a blocked task delays no other task, and its thread is reused afterwards")
    func heldUp() {
        let threads = BlockingTaskPool()
        let diary = Diary()
        let release = Mailbox<Void>()
        let held = BlockingTask(on: threads) {
            diary.note()
            _ = release.wait(untilNanoseconds: .max)
        }
        let other = BlockingTask(on: threads) { diary.note() }
        #expect(other.isDone(withinSeconds: 5))
        #expect(!held.isDone(withinSeconds: 0))
        release.post(())
        held.wait()
        let both = (0..<2).map { _ in BlockingTask(on: threads) { diary.note() } }
        for task in both { task.wait() }
        #expect(Set(diary.entries).count == 2)
    }

    @Test("if the system has no thread left, the calling thread runs the task")
    func noThread() {
        let threads = BlockingTaskPool(startThread: { _ in false })
        let diary = Diary()
        let task = BlockingTask(on: threads) { diary.note() }
        #expect(diary.entries == [Diary.thread])
        #expect(task.isDone(withinSeconds: 0))
    }

    @Test("all tasks sent at once by many threads are run")
    func many() {
        let threads = BlockingTaskPool()
        let diary = Diary()
        let senders = (0..<4).map { _ in
            BlockingTask {
                let sent = (0..<250).map { _ in BlockingTask(on: threads) { diary.note() } }
                for task in sent { task.wait() }
            }
        }
        for sender in senders { sender.wait() }
        #expect(diary.entries.count == 1000)
    }
}

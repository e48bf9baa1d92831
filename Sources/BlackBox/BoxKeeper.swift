internal import CRealtime
internal import Engine
internal import Glibc
internal import Platform
internal import Synchronization

/// Does the work of the black box's thread.
final class BoxKeeper: @unchecked Sendable {
    // SAFETY: only the thread of the black box uses it.

    /// The time between two reads of the ring, in ns.
    private static let pauseNanoseconds: UInt64 = 20_000_000
    /// The number of schedules as large as the present one that always have room.
    private static let leastSchedules = 8
    /// The longest wait at the end for all boxes that are being written, in ns.
    private static let endNanoseconds: UInt64 = 30_000_000_000

    private let memory: BoxMemory
    private let options: BlackBox.Options
    private let windowFrames: UInt64
    private var prelude = BoxPrelude()
    private var start = EngineStart()
    /// The JSON of each schedule that the store may need, by number.
    private var schedules: [UInt64: [UInt8]] = [:]
    /// The size of all these together.
    private var scheduleBytes = 0
    /// The forgotten schedules whose files still exist, because the facts in RAM may name them.
    private var forgotten: [UInt64] = []
    /// The number of the oldest schedule among them that has played.
    private var firstSchedule: UInt64 = 0
    /// The number of the newest schedule that the engine has received.
    private var newestPlayed: UInt64 = 0
    private var files = ReadFiles()
    /// The boxes that are being written.
    private var writing: [BlockingTask] = []

    /// Creates a keeper of an empty memory.
    init(_ memory: BoxMemory, _ options: BlackBox.Options) {
        self.memory = memory
        self.options = options
        windowFrames = UInt64(max(1, options.seconds) * options.sampleRate)  // checked: options
    }

    /// Works until the message `end`.
    func run(_ mailbox: Mailbox<BoxMessage>) {
        while true {
            let messages = mailbox.wait(untilNanoseconds: rt_nanoseconds() + Self.pauseNanoseconds)
            // A schedule must be known before a record mentions it.
            for case .schedule(let number, let recipe, let isStored) in messages {
                add(recipe, number)
                isStored.post(())
            }
            drain()
            for message in messages {
                switch message {
                case .start(let start): note(start)
                case .keep(let order): keep(order)
                case .schedule: break
                case .end:
                    let deadline = rt_nanoseconds() + Self.endNanoseconds
                    for task in writing { _ = task.isDone(untilNanoseconds: deadline) }
                    return memory.remove()
                }
            }
        }
    }

    private func drain() {
        let first = prelude.schedule
        memory.ring.read { record in
            if let number = record.exchangedSchedule { newestPlayed = number }
            memory.store.add(record, windowFrames: windowFrames) { prelude.drop($0) }
        }
        forgetSchedules()
        // Each exchange must know the schedules around it.
        while scheduleBytes > mostScheduleBytes, prelude.schedule < newestPlayed,
            schedules[newestPlayed] != nil, memory.store.removeOldest({ prelude.drop($0) })
        {
            forgetSchedules()
        }
        guard prelude.schedule != first else { return }
        files.drop(before: prelude.schedule)
        writeFiles()
        writeFacts()
        for number in forgotten { unlink(path("schedule-\(number).json")) }
        forgotten = []
    }

    /// The limit of the size of all schedules, in bytes: at least that of several edits of the
    /// pipeline that plays.
    private var mostScheduleBytes: Int {
        max(
            options.mostScheduleBytes,
            Self.leastSchedules * (schedules[newestPlayed]?.count ?? 0))
    }

    /// Forgets the schedules before the start of the store.
    private func forgetSchedules() {
        guard prelude.schedule > firstSchedule else { return }
        firstSchedule = prelude.schedule
        for (number, text) in schedules where number < firstSchedule {
            schedules[number] = nil
            scheduleBytes -= text.count
            forgotten.append(number)
        }
    }

    private func note(_ newStart: EngineStart) {
        start = newStart
        writeFacts()
    }

    private func add(_ recipe: ScheduleRecipe, _ number: UInt64) {
        guard let text = try? BoxCoding.encode(recipe) else { return }
        schedules[number] = text
        scheduleBytes += text.count
        prelude.add(recipe.pipeline, number: number)
        write(text, "schedule-\(number).json")
        files.add(recipe, number: number)
        writeFiles()
    }

    // MARK: Files in RAM, for the case of a crash

    private func path(_ name: String) -> String { "\(memory.folder)/\(name)" }

    /// Writes a file in RAM; there is no need to wait for a disk.
    private func write(_ bytes: [UInt8], _ name: String) {
        guard let file = fopen(path(name + ".new"), "wbe") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        rename(path(name + ".new"), path(name))
    }

    private func writeFacts() {
        guard let text = try? BoxCoding.encode(facts(BoxReason(.crash))) else { return }
        write(text, BoxRescue.factsName)
    }

    private func writeFiles() {
        guard let text = try? BoxCoding.encode(files.used) else { return }
        write(text, BoxRescue.filesName)
    }

    // MARK: Boxes

    private func facts(_ reason: BoxReason) -> BoxFacts {
        var facts = BoxFacts(
            program: options.program, name: options.name, keptSeconds: Self.now, reason: reason,
            sampleRate: options.sampleRate)
        facts.start = start
        facts.isWhole = !prelude.hasLost
        facts.isPrivate = options.isPrivate
        facts.firstSchedule = prelude.schedule
        facts.prelude = prelude.stored
        return facts
    }

    /// The seconds since 1970 (UTC).
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Copies the store, and writes the box on another thread, which may wait for a disk.
    private func keep(_ order: BoxOrder) {
        let records = Mutex(memory.store.copy)
        let (facts, schedules, files) = (facts(order.reason), schedules, files.used)
        let task = BlockingTask {
            // The copy can be as large as the store, so it does not stay until the box is written.
            let log = BoxLog(
                records.withLock { words in
                    defer { words = [] }
                    return words
                }, ticksPerSecond: facts.start.ticksPerSecond)
            var box = Box(facts: facts, schedules: schedules, log: log)
            box.files = files
            do throws(BoxError) {
                try BoxWriter(to: order.folder).write(box, isPrivate: order.isPrivate)
                order.done(.success(order.folder))
            } catch {
                order.done(.failure(error))
            }
        }
        writing.removeAll { $0.isDone(untilNanoseconds: 0) }
        writing.append(task)
    }
}

extension CapturedWords {
    /// The number of the schedule that the engine receives with this command; `nil` for others.
    fileprivate var exchangedSchedule: UInt64? {
        guard kind == .command else { return nil }
        let command = CapturedCommand(self, from: 2)
        return command.manner == nil ? nil : command.frame
    }
}

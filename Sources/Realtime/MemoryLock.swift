internal import CRealtime
internal import Glibc

/// Keeps memory of the process in RAM, so that the audio thread meets no page fault.
public enum MemoryLock {
    /// The result of an attempt to lock memory.
    public enum Outcome: Sendable, Equatable {
        /// All current and future memory is locked.
        case all
        /// All current memory is locked. Memory that is allocated later is not, because an
        /// allocation beyond the limit of the process would fail.
        case current
        /// A part is locked, because the limit of the process is smaller than its memory.
        case part(Part)
    }

    /// The sizes of a lock that is not complete, in bytes.
    public struct Part: Sendable, Equatable {
        /// The memory that is locked.
        public var lockedBytes: Int
        /// The memory in RAM that is not locked.
        public var unlockedBytes: Int
        /// The limit of the process (`ulimit -l`).
        public var limitBytes: Int

        /// Creates sizes.
        public init(lockedBytes: Int, unlockedBytes: Int, limitBytes: Int) {
            self.lockedBytes = lockedBytes
            self.unlockedBytes = unlockedBytes
            self.limitBytes = limitBytes
        }
    }

    /// Locks the memory of the process, as far as its limit permits.
    ///
    /// A part of the limit remains free for JACK's library: it maps a locked page for each other
    /// client, and a client whose page cannot be mapped is never woken in its cycles.
    ///
    /// Call it again after new memory was allocated, unless the outcome is `all`. Do not call it on
    /// the audio thread.
    public static func lock() -> Outcome {
        let limit = limitBytes
        let free = limit.map { freeBytes(ofLimit: $0) } ?? 0
        if let whole = withoutUsing(free, lockWhole) { return whole }
        // To find the pages takes longer, and clients may start meanwhile.
        let ranges = PresentPages.ofProcess(in: MemoryMapping.ofProcess)
        return withoutUsing(free) { .part(lock(ranges, limitBytes: limit ?? 0)) }
    }

    /// The part of a limit that `lock()` leaves to others, in bytes: a page for each of the 256
    /// clients that JACK permits, but at most a quarter of the limit.
    package static func freeBytes(ofLimit limitBytes: Int) -> Int {
        let page = PresentPages.pageBytes
        return min(256 * page, limitBytes / 4 / page * page)
    }

    /// Locks all memory of the process, or nothing, up to the whole limit.
    ///
    /// It opens no file, so a process with a sandbox may call it.
    ///
    /// - Returns: The outcome; `nil` if the limit is smaller than the memory.
    public static func lockWhole() -> Outcome? {
        if limitBytes == nil, rt_lock_memory(true) { return .all }
        return rt_lock_memory(false) ? .current : nil
    }

    /// The memory that the process may lock, in bytes; `nil` if there is no limit.
    public static var limitBytes: Int? {
        if rt_may_lock_all_memory() { return nil }
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0
        guard isKnown else { return 0 }
        return limit.rlim_cur == rlim_t.max ? nil : Int(clamping: limit.rlim_cur)
    }

    /// Runs a function while memory of a size is locked, so that it leaves that much of the limit.
    ///
    /// If less than that is free, the function can lock nothing.
    private static func withoutUsing<Result>(_ byteCount: Int, _ body: () -> Result) -> Result {
        var size = byteCount
        while size > 0 {
            // Memory without rights counts, but is never in RAM.
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED
            if let memory = mmap(nil, size, PROT_NONE, flags, -1, 0), memory != MAP_FAILED {
                defer { munmap(memory, size) }
                return body()
            }
            size -= PresentPages.pageBytes
        }
        return body()
    }

    /// Locks pages in RAM, in their order, until the limit is reached.
    private static func lock(_ ranges: [AddressRange], limitBytes: Int) -> Part {
        let usableBytes = limitBytes - freeBytes(ofLimit: limitBytes)
        var part = Part(lockedBytes: 0, unlockedBytes: 0, limitBytes: limitBytes)
        for range in ranges {
            let room = range.first(bytes: usableBytes - part.lockedBytes)
            let isLocked = room.byteCount > 0 && mlock(room.address, room.byteCount) == 0
            part.lockedBytes += isLocked ? room.byteCount : 0
            part.unlockedBytes += range.byteCount - (isLocked ? room.byteCount : 0)
        }
        return part
    }
}

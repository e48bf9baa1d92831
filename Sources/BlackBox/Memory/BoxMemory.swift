internal import Engine
internal import Glibc
internal import Platform
internal import Realtime
internal import Synchronization

/// The memory of a black box: a mapped file in a folder in RAM.
///
/// The file has a page with positions, the ring that the audio thread writes, and the store that
/// keeps the last minutes. Linux keeps the pages of the file after a crash of the program. The
/// folder must be in RAM, so that no write ever waits for a disk.
///
/// While the program runs, it locks the file. A file without a lock is that of a dead program.
final class BoxMemory: @unchecked Sendable {
    // SAFETY: the audio thread writes the ring, and one other thread the rest.

    static let fileName = MemoryMapping.blackBoxName
    static let pageBytes = 4096
    /// `MAP_POPULATE`, which Swift does not import on all systems.
    private static let populate: Int32 = 0x8000
    /// The first word of the file.
    static let magic: UInt64 = 0x0158_4F42_504D_4F54

    let folder: String
    let ring: CaptureRing
    let store: BoxStore
    private let start: UnsafeMutableRawPointer
    private let byteCount: Int
    private let descriptor: Int32

    /// The positions at the start of the file, in words.
    struct Header: ~Copyable {
        var magic: UInt64
        var ringWords: UInt64
        var storeWords: UInt64
        /// The positions in the store, counted in words since the start.
        let storeStart = Atomic<UInt64>(0)
        let storeEnd = Atomic<UInt64>(0)
    }

    /// The number of bytes before the store.
    static func storeOffset(ringWords: Int) -> Int {
        let end = pageBytes + CaptureRing.headerBytes + ringWords * 8
        return (end + pageBytes - 1) / pageBytes * pageBytes
    }

    /// Creates the memory in a new folder; `nil`, with the reason in `SystemError.last`, if there is
    /// not enough memory or the folder cannot be created.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, in RAM.
    ///   - ringWords: The size of the ring, a power of two.
    ///   - storeWords: The size of the store.
    init?(folder: String, ringWords: Int, storeWords: Int) {
        guard Self.make(folder) else { return nil }
        let path = "\(folder)/\(Self.fileName)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        let storeOffset = Self.storeOffset(ringWords: ringWords)
        byteCount = storeOffset + storeWords * 8
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            ftruncate(descriptor, off_t(byteCount)) == 0,
            // A full file system must not become a bus error.
            posix_fallocate(descriptor, 0, off_t(byteCount)) == 0,
            let start = mmap(
                // All pages are present from the start, so that the memory of the program is constant
                // and the audio thread is never the first to touch a page.
                nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | Self.populate, descriptor, 0),
            start != MAP_FAILED
        else {
            close(descriptor)
            unlink(path)
            return nil
        }
        memset(start, 0, storeOffset)
        mlock(start, storeOffset)
        // A core file would be as long as the store.
        madvise(start, byteCount, MADV_DONTDUMP)
        let header = start.bindMemory(to: Header.self, capacity: 1)
        header.initialize(
            to: Header(
                magic: Self.magic, ringWords: UInt64(ringWords), storeWords: UInt64(storeWords)))
        self.start = start
        self.folder = folder
        ring = CaptureRing(memory: start + Self.pageBytes, wordCount: ringWords)
        store = BoxStore(words: start + storeOffset, wordCount: storeWords, header: header)
    }

    /// Creates the folder; a shared folder of boxes, and the one that contains it, must belong to this
    /// user alone.
    private static func make(_ folder: String) -> Bool {
        // Another program that ends can remove the empty parents in the meantime.
        for _ in 0..<3 where UserFolder.make(folder) {
            let boxes = parent(of: folder)
            guard isShared(boxes), !isPrivate(boxes) || !isPrivate(parent(of: boxes)) else {
                return true
            }
            rmdir(folder)
            errno = EPERM
            return false
        }
        return false
    }

    /// Whether a folder is the one that all sessions of a user share.
    private static func isShared(_ folder: String) -> Bool { folder.hasSuffix("/boxes") }

    /// Whether only this user can read and change a folder: anyone can create one in `/dev/shm`.
    private static func isPrivate(_ folder: String) -> Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    private static func parent(of folder: String) -> String {
        String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex))
    }

    /// Removes the folder, because the program ends normally, and the parents that are empty now.
    func remove() {
        for name in UserFolder.names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
        let boxes = Self.parent(of: folder)
        guard Self.isShared(boxes), rmdir(boxes) == 0 else { return }
        rmdir(Self.parent(of: boxes))
    }

    deinit {
        munmap(start, byteCount)
        close(descriptor)
    }
}

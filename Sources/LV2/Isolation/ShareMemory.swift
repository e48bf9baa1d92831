internal import CLilv
internal import Glibc
internal import Realtime

/// The mapping of memory that two processes share, with this process's record of it.
///
/// The memory is unmapped with this object.
final class ShareMemory {
    private let view: Buffer<PluginShare>
    private let ledger: Buffer<ShareLedger>

    /// The view of the memory, which exists as long as this object.
    var share: UnsafeMutablePointer<PluginShare> { view.start }

    private init(
        _ memory: UnsafeMutableRawPointer, _ size: PluginShare.Size,
        _ ledger: consuming Buffer<ShareLedger>
    ) {
        view = Buffer(count: 1, repeating: PluginShare(memory, size, ledger.start))
        self.ledger = ledger
    }

    deinit { munmap(view[0].memory, view[0].bytes) }

    /// Creates memory that is all zero.
    ///
    /// Its file has a fixed size: the plugin's process can neither truncate it under the host's
    /// mapping nor let it grow. The file has room for the text of a state after the memory, which
    /// uses no pages until it is written.
    ///
    /// - Parameters:
    ///   - size: The sizes of the areas.
    ///   - start: Receives the memory and its file descriptor, which is closed afterwards.
    /// - Returns: The memory, and the result of `start`; `nil` if there is no memory.
    static func make<Result>(
        _ size: PluginShare.Size, _ start: (PluginShare, Int32) -> Result
    ) -> (ShareMemory, Result)? {
        // The offsets of the areas depend on the sizes only.
        guard let origin = UnsafeMutableRawPointer(bitPattern: 4096) else { return nil }
        let ledger = Buffer(count: 1) { _ in ShareLedger() }
        let bytes = PluginShare(origin, size, ledger.start).bytes
        let file = plugin_share_open(bytes + StateFile.maximumBytes)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard let memory = map(file, bytes) else { return nil }
        memory.bindMemory(to: PluginShare.Size.self, capacity: 1).initialize(to: size)
        let share = ShareMemory(memory, size, ledger)
        return (share, start(share.share.pointee, file))
    }

    /// Maps the memory of an inherited file descriptor; `nil` if it is not such memory.
    static func inherited(_ file: Int32) -> ShareMemory? {
        var status = stat()
        guard fstat(file, &status) == 0, Int(status.st_size) > 4096 + StateFile.maximumBytes,
            let memory = map(file, Int(status.st_size) - StateFile.maximumBytes)
        else { return nil }
        let size = memory.load(as: PluginShare.Size.self)
        let ledger = Buffer(count: 1) { _ in ShareLedger() }
        let bytes = PluginShare(memory, size, ledger.start).bytes
        let isWhole = bytes + StateFile.maximumBytes == Int(status.st_size)
        // Other memory remains mapped: this process ends at once.
        guard size.version == PluginShare.version, isWhole else { return nil }
        return ShareMemory(memory, size, ledger)
    }

    private static func map(_ file: Int32, _ bytes: Int) -> UnsafeMutableRawPointer? {
        // Map all pages at once, so that the audio thread meets no page fault.
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0)
        return memory == MAP_FAILED ? nil : memory
    }
}

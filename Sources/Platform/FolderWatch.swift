internal import CLinux
internal import Glibc

/// Reports changes in a set of folders.
package final class FolderWatch {
    /// Readable when a folder has changed; -1 if the system has no more descriptors.
    package let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    private var watches: Set<Int32> = []

    private static let events =
        UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ATTRIB) | UInt32(IN_CREATE)
        | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
        | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

    /// Creates a watch without folders.
    package init() {}

    deinit { close(descriptor) }

    /// Replaces the watched folders.
    ///
    /// If another folder now has the path of a watched one, it is watched instead.
    package func watch(_ folders: Set<String>) {
        // For a folder that is watched already, this returns its number.
        let present = folders.map { inotify_add_watch(descriptor, $0, Self.events) }
        for gone in watches.subtracting(present) { inotify_rm_watch(descriptor, gone) }
        watches = Set(present.filter { $0 >= 0 })
    }

    /// Discards the changes so far.
    ///
    /// - Returns: Whether a writer has closed a file, or a file has replaced another one.
    package func silence() -> Bool {
        var events = [UInt8](repeating: 0, count: 1 << 14)
        var mask: UInt32 = 0
        while true {
            let count = read(descriptor, &events, events.count)
            guard count > 0 else { break }
            mask |= Self.mask(of: events.prefix(count))
        }
        return mask & (UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)) != 0
    }

    /// Returns the kinds of all events in a buffer that the system has filled.
    private static func mask(of events: ArraySlice<UInt8>) -> UInt32 {
        events.withUnsafeBytes { events in
            let size = MemoryLayout<inotify_event>.size
            var mask: UInt32 = 0
            var offset = 0
            while offset + size <= events.count {
                let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                mask |= event.mask
                // The name of the file follows.
                offset += size + Int(event.len)
            }
            return mask
        }
    }
}

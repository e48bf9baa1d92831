internal import Realtime
internal import Synchronization

/// The marks of all plugins of a world, in memory that another process reads after a crash.
final class CrashMarks: @unchecked Sendable {
    // SAFETY: the lock assigns a mark to one instance at a time; only that instance then uses it.
    private let memory: UnsafeMutableRawPointer
    private let count: Int
    private let reserved: Mutex<Set<Int>>

    /// Creates marks in memory that outlives this object.
    init(_ memory: UnsafeMutableRawPointer, count: Int) {
        self.memory = memory
        self.count = count
        reserved = Mutex([])
    }

    /// Marks that no process reads.
    static let unread = CrashMarks(
        {
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: CrashMark.bytes, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: CrashMark.bytes)
            return memory
        }(), count: 0)

    /// Assigns a mark to an instance of a plugin; an unread mark if no other is free.
    func reserve(for uri: String) -> CrashMark {
        reserved.withLock { reserved in
            guard let free = (0..<count).first(where: { !reserved.contains($0) }) else {
                return self === Self.unread ? self[0] : Self.unread[0]
            }
            reserved.insert(free)
            self[free].name(uri)
            return self[free]
        }
    }

    /// Frees the mark of a plugin that has been freed.
    func release(_ mark: CrashMark) {
        reserved.withLock { reserved in
            guard let index = reserved.first(where: { self[$0].isSame(as: mark) }) else { return }
            reserved.remove(index)
            mark.name("")
        }
    }

    /// Whether any plugin still has a mark.
    var areReserved: Bool { reserved.withLock { !$0.isEmpty } }

    /// Returns the plugins that are in their own code, each with the kind of code.
    static func found(in memory: UnsafeMutableRawPointer, count: Int) -> [PluginCrash] {
        // A private copy: another process may write there while the texts are decoded.
        let byteCount = count * CrashMark.bytes
        let copy = Buffer<CacheLine>(byteCount: byteCount)
        return withExtendedLifetime(copy) {
            copy.address.copyMemory(from: memory, byteCount: byteCount)
            return (0..<count).map { CrashMark(copy.address + $0 * CrashMark.bytes) }
                .flatMap { mark in
                    mark.activeCalls.map { PluginCrash(uri: mark.uri, phrase: $0.text) }
                }
        }
    }

    private subscript(index: Int) -> CrashMark {
        CrashMark(memory + index * CrashMark.bytes)
    }
}

/// A mark that belongs to one instance during the lifetime of this object.
final class ReservedMark {
    let mark: CrashMark
    private let marks: CrashMarks

    init(_ marks: CrashMarks, _ uri: String) {
        self.marks = marks
        mark = marks.reserve(for: uri)
    }

    deinit { marks.release(mark) }
}

/// A plugin in whose code a process ended.
public struct PluginCrash: Sendable, Hashable {
    /// The plugin.
    public var uri: String
    /// The kind of code, as a phrase in a sentence about the plugin: "in its run".
    public var phrase: String
}

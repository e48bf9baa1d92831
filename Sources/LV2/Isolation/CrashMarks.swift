internal import Synchronization

/// The marks of all plugins of a world, in memory that somebody reads when this process has died.
final class CrashMarks: @unchecked Sendable {
    // SAFETY: a mark is given to one instance at a time under the lock, and then used by that instance alone.
    private let memory: UnsafeMutableRawPointer
    private let count: Int
    private let taken: Mutex<Set<Int>>

    /// Marks in memory that outlives this object.
    init(_ memory: UnsafeMutableRawPointer, count: Int) {
        self.memory = memory
        self.count = count
        taken = Mutex([])
    }

    /// Marks that nobody reads.
    static let unread = CrashMarks(
        {
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: CrashMark.bytes, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: CrashMark.bytes)
            return memory
        }(), count: 0)

    /// A mark for an instance of a plugin; one that nobody reads where there is no other left.
    func take(for uri: String) -> CrashMark {
        taken.withLock { taken in
            guard let free = (0..<count).first(where: { !taken.contains($0) }) else {
                return self === Self.unread ? self[0] : Self.unread[0]
            }
            taken.insert(free)
            self[free].name(uri)
            return self[free]
        }
    }

    /// Gives a mark back, whose plugin has been freed.
    func giveBack(_ mark: CrashMark) {
        taken.withLock { taken in
            guard let place = taken.first(where: { self[$0].isSame(as: mark) }) else { return }
            taken.remove(place)
            mark.name("")
        }
    }

    /// Whether any plugin still has one.
    var areTaken: Bool { taken.withLock { !$0.isEmpty } }

    /// The plugins that are in their own code, and in what.
    static func found(in memory: UnsafeMutableRawPointer, count: Int) -> [PluginCrash] {
        (0..<count).map { CrashMark(memory + $0 * CrashMark.bytes) }.flatMap { mark in
            mark.places.map { PluginCrash(uri: mark.uri, place: $0.text) }
        }
    }

    private subscript(place: Int) -> CrashMark {
        CrashMark(memory + place * CrashMark.bytes)
    }
}

/// A mark that is an instance's for as long as this object lives.
final class TakenMark {
    let mark: CrashMark
    private let marks: CrashMarks

    init(_ marks: CrashMarks, _ uri: String) {
        self.marks = marks
        mark = marks.take(for: uri)
    }

    deinit { marks.giveBack(mark) }
}

/// A plugin in whose code a process ended.
public struct PluginCrash: Sendable, Hashable {
    /// The plugin.
    public var uri: String
    /// What of its code it was, as a sentence about the plugin has it: "in its run".
    public var place: String
}

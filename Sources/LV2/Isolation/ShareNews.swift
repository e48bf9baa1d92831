internal import CRealtime
internal import Synchronization

/// What a plugin told beside its sound, and in which run.
struct ShareNews: BitwiseCopyable {
    /// The first frame of that run.
    var frame: Int
    var news: RTNews
}

/// News on their way from the plugin's process to ours; written only where they are other than before.
struct ShareNewsRing: BitwiseCopyable {
    // SAFETY: an element is written before the release of `written`, and again only after the acquire of `read`.
    private static var capacity: UInt32 { @_noLocks get { 64 } }
    static let bytes = 128 + 64 * MemoryLayout<ShareNews>.stride

    private let written: UnsafeMutablePointer<Atomic<UInt32>>
    private let read: UnsafeMutablePointer<Atomic<UInt32>>
    private let elements: UnsafeMutablePointer<ShareNews>

    /// A ring in memory that began as zeros.
    init(_ memory: UnsafeMutableRawPointer) {
        written = memory.assumingMemoryBound(to: Atomic<UInt32>.self)
        read = written + 16
        elements = (memory + 128).assumingMemoryBound(to: ShareNews.self)
    }

    /// Puts news in; false where there is no room.
    @_noLocks
    func write(_ news: ShareNews) -> Bool {
        let place = written.pointee.load(ordering: .relaxed)
        let used = place &- read.pointee.load(ordering: .acquiring)
        guard used < Self.capacity else { return false }
        elements[Int(place % Self.capacity)] = news
        written.pointee.store(place &+ 1, ordering: .releasing)
        return true
    }

    /// Takes out the oldest news where it is of a run that began before a frame.
    @_noLocks
    func next(before end: Int) -> RTNews? {
        let place = read.pointee.load(ordering: .relaxed)
        guard written.pointee.load(ordering: .acquiring) != place else { return nil }
        let oldest = elements[Int(place % Self.capacity)]
        guard oldest.frame < end else { return nil }
        read.pointee.store(place &+ 1, ordering: .releasing)
        return oldest.news
    }
}

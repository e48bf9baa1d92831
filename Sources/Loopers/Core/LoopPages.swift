internal import CRealtime
internal import DSP
internal import Realtime

/// The pages of a loop's memory: their samples, and which pages are free.
///
/// A page has a number, and contains `pageFrames` samples of each channel, one channel after the
/// other. `pop` returns the page that was freed last, so a loop uses as few pages as possible.
///
/// All memory is allocated at the start. A call of the audio thread copies at most one page.
struct LoopPages: ~Copyable {
    // SAFETY: `samples` has room for `capacity` pages, and `returned` for as many numbers. `push`
    // compares `returnedCount` with `capacity` before it writes, and `pop` returns only page numbers
    // below `capacity`. Callers access only pages from `pop`, in channels below `channelCount`.

    static var pageFrames: Int { @_noLocks get { 4096 } }
    static var pageShift: Int { @_noLocks get { 12 } }

    private let channelCount: Int
    /// The number of pages.
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The numbers of the free pages that have been in use; the first `returnedCount` are valid.
    private let returned: Buffer<Int32>
    private var returnedCount = 0
    /// The number of pages, from the first one, that have been in use since the last `freeAll`.
    private var touchedCount = 0

    /// Creates free pages that take ownership of samples.
    ///
    /// - Parameters:
    ///   - samples: Memory from `SampleMemory` for the samples of all pages.
    ///   - channelCount: The number of channels, at least 1.
    ///   - capacity: The number of pages, at least 1.
    init(_ samples: UnsafeMutablePointer<Float>, channelCount: Int, capacity: Int) {
        self.samples = samples
        self.channelCount = channelCount
        self.capacity = capacity
        returned = Buffer(count: capacity, repeating: 0)
    }

    deinit { SampleMemory.free(samples) }

    /// The number of free pages.
    var freeCount: Int { @_noLocks get { returnedCount + capacity - touchedCount } }

    /// The number of samples of a page, of all channels.
    var samplesPerPage: Int { @_noLocks get { channelCount << Self.pageShift } }

    /// Returns the address of the first sample of a channel of a page; the samples of the next
    /// channels follow.
    ///
    /// - Parameters:
    ///   - channel: The index of the channel.
    ///   - page: The number of the page.
    /// - Returns: The address of `pageFrames` samples of the channel.
    @_noLocks @inline(__always)
    func channel(_ channel: Int, ofPage page: Int32) -> UnsafeMutablePointer<Float> {
        let offset = (Int(page) * channelCount + channel) << Self.pageShift  // checked: in memory
        return samples + offset
    }

    /// Removes a page from the free ones, and copies another page to it.
    ///
    /// - Parameter source: The number of the page to copy, which may just have been freed; if it is
    ///   negative, the new page becomes silent.
    /// - Returns: The number of the page; -1 if no page is free.
    @_noLocks
    mutating func pop(copying source: Int32) -> Int32 {
        let page: Int32
        if returnedCount > 0 {
            returnedCount -= 1
            page = returned[returnedCount]
        } else if touchedCount < capacity {
            page = Int32(touchedCount)  // checked: below capacity
            touchedCount += 1
        } else {
            return -1
        }
        let start = channel(0, ofPage: page)
        if source < 0 {
            rt_clear(start, Int64(samplesPerPage))
        } else if source != page {
            rt_copy(start, channel(0, ofPage: source), Int64(samplesPerPage))
        }
        return page
    }

    /// Frees a page, whose samples remain until `pop` returns it.
    @_noLocks
    mutating func push(_ page: Int32) {
        guard returnedCount < capacity else { return }
        returned[returnedCount] = page
        returnedCount += 1
    }

    /// Frees all pages.
    @_noLocks
    mutating func freeAll() { (returnedCount, touchedCount) = (0, 0) }
}

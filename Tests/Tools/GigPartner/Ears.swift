internal import CJack
internal import Glibc
internal import Synchronization

/// The state of the listening client's process callback, which records the output of the program
/// under test.
struct Ears: ~Copyable {
    static let channels = 3
    /// Four minutes at 48 kHz.
    private static let maximumFrames = 4 * 60 * 48_000

    private let left, right, phones: OpaquePointer
    private let sound = UnsafeMutablePointer<Float>.allocate(
        capacity: maximumFrames * channels)
    private let recordedFrames = Atomic<Int>(0)

    init(left: OpaquePointer, right: OpaquePointer, phones: OpaquePointer) {
        (self.left, self.right, self.phones) = (left, right, phones)
    }

    /// The number of frames recorded so far.
    var frames: Int { recordedFrames.load(ordering: .acquiring) }

    /// Whether the memory is full, so that no further frame is recorded.
    var isFull: Bool { frames >= Self.maximumFrames }

    /// Writes recorded frames to a file, with the channels interleaved.
    ///
    /// - Returns: Whether all of them were written.
    func write(_ range: Range<Int>, to file: UnsafeMutablePointer<FILE>) -> Bool {
        let count = range.count * Self.channels
        let first = sound + range.lowerBound * Self.channels
        return fwrite(first, MemoryLayout<Float>.size, count, file) == count && fflush(file) == 0
    }

    borrowing func process(_ frames: jack_nframes_t) {
        guard let left = jack_rt_samples(left, frames), let right = jack_rt_samples(right, frames),
            let phones = jack_rt_samples(phones, frames)
        else { return }
        let recorded = recordedFrames.load(ordering: .relaxed)
        let count = min(Int(frames), Self.maximumFrames - recorded)
        for frame in 0..<count {
            let place = (recorded + frame) * Self.channels
            sound[place] = left[frame]
            sound[place + 1] = right[frame]
            sound[place + 2] = phones[frame]
        }
        recordedFrames.store(recorded + count, ordering: .releasing)
    }
}

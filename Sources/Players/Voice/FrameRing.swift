internal import CRealtime
internal import DSP
internal import Realtime

/// The upcoming frames of a playback voice in playing order, with their origin in the files.
struct FrameRing: ~Copyable {
    /// The start of a run of consecutive frames of one file.
    private struct Mark: BitwiseCopyable {
        var frame = 0
        /// The file, by its entry in the playlist.
        var entry = -1
        var itemFrame = 0
    }

    private(set) var ring: CaptureRing
    private let marks: Buffer<Mark>
    private let silence: Buffer<Float>
    private var markCount = 0
    /// The ring frame at which the sound ends; `.max` while the end is not known.
    private(set) var endFrame = Int.max

    private static var maximumMarks: Int { @_noLocks get { 256 } }

    init(channels: Int, capacityFrames: Int, silenceFrames: Int) {
        ring = CaptureRing(channelCount: channels, capacityFrames: capacityFrames)
        marks = Buffer(count: Self.maximumMarks, repeating: Mark())
        silence = Buffer(count: silenceFrames, repeating: 0)
    }

    @_noLocks
    mutating func clear() {
        ring.clear()
        markCount = 0
        endFrame = .max
    }

    var writtenFrames: Int { @_noLocks get { ring.writtenFrames } }

    /// Appends frames that come from a playlist position.
    @_noLocks
    mutating func write(
        _ samples: UnsafePointer<Float>, stride: Int, count: Int, from position: PlaylistPosition
    ) {
        let last = markCount > 0 ? marks[(markCount - 1) % Self.maximumMarks] : Mark()
        if position.entry != last.entry
            || position.frame - last.itemFrame != writtenFrames - last.frame
        {
            marks[markCount % Self.maximumMarks] = Mark(
                frame: writtenFrames, entry: position.entry, itemFrame: position.frame)
            markCount += 1
        }
        ring.write(samples, stride: stride, count: count)
    }

    /// Ends the sound at the current frame; only silence follows.
    @_noLocks
    mutating func end() { endFrame = min(endFrame, writtenFrames) }

    /// Appends silence after the end.
    @_noLocks
    mutating func writeSilence(_ count: Int) {
        var left = count
        while left > 0 {
            let part = min(left, silence.count)
            ring.write(silence.start, stride: 0, count: part)
            left -= part
        }
    }

    /// Returns whether frames from a ring frame on come from a file, given by its entry.
    @_noLocks
    func contains(_ entry: Int, from frame: Int) -> Bool {
        var index = markCount - 1
        let first = max(0, markCount - Self.maximumMarks)
        while index >= first {
            if marks[index % Self.maximumMarks].entry == entry { return true }
            if marks[index % Self.maximumMarks].frame <= frame { return false }
            index -= 1
        }
        return false
    }

    /// Returns the file (by its entry) and its frame that a ring frame comes from; `nil` if it comes
    /// from none.
    @_noLocks
    func origin(of frame: Int) -> (entry: Int, frame: Int)? {
        var index = markCount - 1
        let first = max(0, markCount - Self.maximumMarks)
        while index > first, marks[index % Self.maximumMarks].frame > frame { index -= 1 }
        guard index >= first else { return nil }
        let mark = marks[index % Self.maximumMarks]
        return (mark.entry, mark.itemFrame + max(0, frame - mark.frame))
    }
}

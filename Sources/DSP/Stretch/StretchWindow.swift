internal import CRealtime

/// Hann windows centred in the frames of a transform: the longest first, each half as long as the
/// one before.
///
/// The windows do not free their memory automatically: their creator calls `deallocate`.
struct StretchWindows: BitwiseCopyable {
    private let transformFrames: Int
    // SAFETY: the buffer is allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    private let tables: UnsafeMutablePointer<Float>

    /// The number of windows.
    static var count: Int { @_noLocks get { 2 } }

    init(transformFrames: Int) {
        self.transformFrames = transformFrames
        tables = zeros(2 * transformFrames)
        for index in 0..<StretchWindows.count {
            let count = frames(index)
            let table = tables + (index == 0 ? 0 : transformFrames)
            for frame in 0..<count {
                let turn = 2 * Double.pi * Double(frame) / Double(count)
                table[frame] = Float(0.5 - 0.5 * rt_cos(turn))
            }
        }
    }

    func deallocate() { tables.deallocate() }

    /// Returns the length of a window, in frames.
    @_noLocks
    func frames(_ index: Int) -> Int { transformFrames >> index }

    /// Returns the distance from the transform's first frame to the window.
    @_noLocks
    func offset(_ index: Int) -> Int { (transformFrames - frames(index)) / 2 }

    /// Returns the values of a window.
    @_noLocks
    func table(_ index: Int) -> UnsafeMutablePointer<Float> {
        tables + (index == 0 ? 0 : transformFrames)
    }
}

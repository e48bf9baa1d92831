internal import CRealtime

/// Hann windows that stand in the middle of a transform's frames, the longest first and each half as long as the one before.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct StretchWindows: BitwiseCopyable {
    private let transformFrames: Int
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let tables: UnsafeMutablePointer<Float>

    /// How many there are.
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

    /// How long a window is.
    @_noLocks
    func frames(_ index: Int) -> Int { transformFrames >> index }

    /// How far from the transform's first frame it begins.
    @_noLocks
    func offset(_ index: Int) -> Int { (transformFrames - frames(index)) / 2 }

    /// The window itself.
    @_noLocks
    func table(_ index: Int) -> UnsafeMutablePointer<Float> {
        tables + (index == 0 ? 0 : transformFrames)
    }
}

internal import CRealtime
internal import Realtime

/// Hann windows centred in the frames of a transform: the longest first, each half as long as the
/// one before.
struct StretchWindows: ~Copyable {
    private let transformFrames: Int
    private let tables: Buffer<Float>

    /// The number of windows.
    static var count: Int { @_noLocks get { 2 } }

    init(transformFrames: Int) {
        self.transformFrames = transformFrames
        tables = Buffer(count: 2 * transformFrames, repeating: 0)
        for index in 0..<StretchWindows.count {
            let count = frames(index)
            let table = tables.start + (index == 0 ? 0 : transformFrames)
            for frame in 0..<count {
                let turn = 2 * Double.pi * Double(frame) / Double(count)
                table[frame] = Float(0.5 - 0.5 * rt_cos(turn))
            }
        }
    }

    /// Returns the length of a window, in frames.
    @_noLocks
    func frames(_ index: Int) -> Int { transformFrames >> index }

    /// Returns the distance from the transform's first frame to the window.
    @_noLocks
    func offset(_ index: Int) -> Int { (transformFrames - frames(index)) / 2 }

    /// Returns the values of a window.
    @_noLocks
    func table(_ index: Int) -> UnsafeMutablePointer<Float> {
        tables.start + (index == 0 ? 0 : transformFrames)
    }
}

/// What one hop of a time stretch does, decided before its work begins.
struct StretchHop: BitwiseCopyable {
    /// How the frame's phases come about.
    enum Kind: BitwiseCopyable {
        /// As the input has them.
        case pass
        /// Turned so that each partial goes on where the last frame left it.
        case turn
        /// Half turned, on the way to the input's own.
        case settle
        /// Half turned, after a step along the input that brings the two phases together.
        case land
    }

    var kind = Kind.pass
    /// The input's frame under the centre of the frame that is read.
    var centreFrame = 0
    /// How far the centre moves on the input until the next hop.
    var advanceFrames = 0.0
    /// The attack that falls on this frame, by its slot; -1 for none.
    var anchorSlot = -1
}

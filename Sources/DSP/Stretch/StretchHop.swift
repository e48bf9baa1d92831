/// The plan of one hop of a time stretch, decided before its work begins.
struct StretchHop: BitwiseCopyable {
    /// The source of the frame's phases.
    enum Kind: BitwiseCopyable {
        /// The phases of the input.
        case pass
        /// Turned so that each partial continues from the last frame.
        case turn
        /// Half turned, on the way back to the phases of the input.
        case settle
        /// Half turned, after a move along the input that aligns the two phases.
        case land
    }

    var kind = Kind.pass
    /// The input frame under the centre of the frame to read.
    var centreFrame = 0
    /// The distance that the centre moves on the input until the next hop.
    var advanceFrames = 0.0
    /// The slot of the attack in this frame; -1 if the frame has no attack.
    var anchorSlot = -1
}

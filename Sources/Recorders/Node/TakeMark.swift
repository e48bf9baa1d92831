/// A mark from the audio thread: a frame at which a take, or a part of it, starts or ends.
struct TakeMark: BitwiseCopyable, Sendable {
    let kind: Kind
    /// The frame, counted from the recorder's first run.
    let frame: Int

    enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// Writing starts here, in a new file if no take is open.
        case start
        /// Writing pauses here; the take can continue later.
        case stop
        /// The take is complete.
        case finish
        /// From here on, frames did not fit into the ring.
        case lost
        /// From here on, frames are available again.
        case found
    }
}

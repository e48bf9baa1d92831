/// What the audio thread says about the frames that it leaves for the disk: from where and up to where they belong to a take.
struct TakeMark: BitwiseCopyable, Sendable {
    let kind: Kind
    /// Counted from the recorder's first run.
    let frame: Int

    enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// What follows is written, into a new file where no take is under way.
        case start
        /// What follows is not written; the take may go on later.
        case stop
        /// The take is whole.
        case finish
        /// What follows did not fit into the ring.
        case lost
        /// What follows is there again.
        case found
    }
}

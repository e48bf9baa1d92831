/// What our process asks of a plugin's.
struct ShareMessage: BitwiseCopyable {
    /// What is asked.
    enum Kind: UInt32 {
        /// A run of `number` frames, from the frame `value` on.
        case run
        /// The parameter `number`, or an `RTTarget`, moves to the number whose bits are `value`.
        case set
        /// The plugin is to be a fresh one.
        case reset
        /// The oldest of `messagesIn` comes at the frame whose lower half is `number`.
        case midi
        /// The oldest of `messagesIn` is the time of the next run.
        case time
    }

    var kind: UInt32
    var number: Int32
    var value: UInt64
}

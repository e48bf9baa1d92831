/// A request from the host process to a plugin's process.
struct ShareMessage: BitwiseCopyable {
    /// The kind of request.
    enum Kind: UInt32 {
        /// Render `number` frames that start at frame `value`.
        case run
        /// Set the parameter `number`, or an `RTTarget`, to the number whose bits are `value`.
        case set
        /// Reset the plugin to its initial state.
        case reset
        /// Read the oldest message of `messagesIn`; `number` is the lower half of its frame.
        case midi
        /// Read the time of the next run, the oldest message of `messagesIn`.
        case time
    }

    var kind: UInt32
    var number: Int32
    var value: UInt64
}

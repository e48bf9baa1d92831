internal import CLilv

extension PluginCore {
    /// One audio port and the buffer that it is connected to.
    struct AudioConnection {
        let port: UInt32
        var buffer: UnsafeMutableRawPointer?

        @_noLocks
        mutating func connect(_ calls: PluginCalls, _ newBuffer: UnsafeMutableRawPointer) {
            buffer = newBuffer
            plugin_connect(calls, port, newBuffer)
        }
    }
}

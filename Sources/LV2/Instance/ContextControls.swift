internal import CRealtime
internal import Realtime

/// The control ports for time, freewheeling, bypass and latency, which are not parameters.
struct ContextControls: ~Copyable {
    /// The runs that some plugins need to determine their latency; earlier values are not reported.
    static let settlingRuns: Int32 = 4

    private let times: Buffer<TimeControl>
    private let freewheel: UnsafeMutablePointer<Float>?
    private let enabled: UnsafeMutablePointer<Float>?
    private let latency: UnsafeMutablePointer<Float>?
    private let status: UnsafeMutablePointer<RTStatus>
    private var runsToSettle = Self.settlingRuns

    init(_ ports: PluginPorts) {
        times = Buffer(ports.timeControls())
        freewheel = ports.control(.freewheel)
        enabled = ports.control(.enabled)
        latency = ports.control(.latency)
        status = ports.status.start
    }

    /// Whether the plugin has a port for its latency.
    var reportsLatency: Bool { @_noLocks get { latency != nil } }

    /// The latency that was reported last, in frames.
    var latencyFrames: Int32 { status.pointee.latencyFrames }

    /// Sets the plugin's controls for time and freewheeling.
    @_noLocks
    func begin(_ block: UnsafePointer<RTBlock>) {
        guard let time = block.pointee.context?.pointee.transport else { return }
        for index in 0..<times.count {
            times[index].address.pointee = times[index].quantity.value(at: time.pointee)
        }
        freewheel?.pointee = time.pointee.isFreewheeling ? 1 : 0
    }

    /// Reads the plugin's latency after its run.
    @_noLocks
    mutating func end(droppedMessages: UInt32) {
        status.pointee.droppedMessages = droppedMessages
        guard let latency else { return }
        if runsToSettle > 0 { runsToSettle -= 1 }
        if runsToSettle == 0 {
            status.pointee.latencyFrames = Self.frames(reported: latency.pointee)
        }
    }

    /// Sets the plugin's control for bypass.
    @_noLocks
    func setBypass(_ isBypassed: Bool) { enabled?.pointee = isBypassed ? 0 : 1 }

    /// Returns the value of a latency port, which may be anything, as whole frames.
    @_noLocks
    static func frames(reported latency: Float) -> Int32 {
        latency.isFinite ? Int32(min(max(0, latency), 1e7) + 0.5) : 0
    }
}

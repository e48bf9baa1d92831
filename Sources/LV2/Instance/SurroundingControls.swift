internal import CRealtime

/// The controls by which a plugin and its surroundings tell each other what is neither sound nor a parameter.
struct SurroundingControls {
    /// Some plugins need a few runs to tell their latency; what they told before is not news.
    static let settlingRuns: Int32 = 4

    private let times: UnsafeMutableBufferPointer<TimeControl>
    private let freewheel: UnsafeMutablePointer<Float>?
    private let enabled: UnsafeMutablePointer<Float>?
    private let latency: UnsafeMutablePointer<Float>?
    private let news: UnsafeMutablePointer<RTNews>
    private var runsToSettle = Self.settlingRuns

    init(_ ports: PluginPorts) {
        let controls = ports.timeControls()
        times = .allocate(capacity: controls.count)
        _ = times.initialize(from: controls)
        freewheel = ports.control(.freewheel)
        enabled = ports.control(.enabled)
        latency = ports.control(.latency)
        news = ports.news
    }

    /// Whether the plugin has a port for its latency.
    var tellsLatency: Bool { @_noLocks get { latency != nil } }

    func deallocate() { times.deallocate() }

    /// Tells the plugin where time stands, and whether anybody waits.
    @_noLocks
    func begin(_ block: UnsafePointer<RTBlock>) {
        guard let time = block.pointee.surroundings?.pointee.transport else { return }
        for control in times { control.place.pointee = control.quantity.value(at: time.pointee) }
        freewheel?.pointee = time.pointee.isFreewheeling ? 1 : 0
    }

    /// Takes in what the plugin told in its run.
    @_noLocks
    mutating func end(droppedMessages: UInt32) {
        news.pointee.droppedMessages = droppedMessages
        guard let latency else { return }
        if runsToSettle > 0 { runsToSettle -= 1 }
        if runsToSettle == 0 {
            news.pointee.latencyFrames = Self.frames(told: latency.pointee)
        }
    }

    /// Tells the plugin whether it is heard.
    @_noLocks
    func setBypass(_ isBypassed: Bool) { enabled?.pointee = isBypassed ? 0 : 1 }

    /// Whole frames from what a latency port holds, which may be anything.
    @_noLocks
    static func frames(told latency: Float) -> Int32 {
        latency.isFinite ? Int32(min(max(0, latency), 1e7) + 0.5) : 0
    }
}

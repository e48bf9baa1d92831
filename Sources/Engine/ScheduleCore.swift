internal import CRealtime

/// What the audio thread runs: a flat table of functions and states, and where the sound goes in
/// and out.
struct ScheduleCore: BitwiseCopyable {
    /// One entry of the table.
    struct Entry: BitwiseCopyable {
        let run: RTStep
        let state: UnsafeMutableRawPointer
        /// What the step reads next after its own state: that of its processor.
        var inner: UnsafeRawPointer
    }

    let entries: UnsafeMutablePointer<Entry>
    let entryCount: Int
    let nodes: UnsafeMutablePointer<UnsafeMutablePointer<NodeStep>>
    let nodeCount: Int
    /// Where the outside channels of the cycle are; filled before each.
    let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    let inputCount: Int
    /// What each outside channel takes.
    let outputs: UnsafeMutablePointer<UnsafePointer<Float>>
    let outputCount: Int
    /// The values that nodes report.
    let reports: UnsafeMutablePointer<ReportedValue>
    let reportCount: Int
    let maximumFrames: Int
    let rate: RateFigures
    let beatsPerMinute: Double
    let lap: UnsafeMutablePointer<UInt64>
    let whereabouts: UnsafeMutablePointer<Whereabouts>
    /// Whether the clock counts; set before each cycle.
    let isOnDuty: UnsafeMutablePointer<Bool>

    /// A value that a node reports.
    struct ReportedValue: BitwiseCopyable {
        let node: Int32
        let report: Int32
        let place: UnsafePointer<Float>
    }

    /// Runs one cycle of at most `maximumFrames` frames.
    @_noLocks
    func run(_ cycle: UnsafePointer<RTCycle>) {
        lap.pointee = rt_ticks()
        for place in 0..<entryCount {
            // While this step runs, the next one's state comes nearer.
            let next = min(place + 1, entryCount - 1)
            rt_expect(entries[next].state)
            rt_expect(entries[next].inner)
            rt_step(entries[place].run, entries[place].state, cycle)
        }
        whereabouts.pointee.leave()
    }

    /// Hands an event of this cycle to its node; one for a node that is not there is dropped.
    @_noLocks
    func deliver(_ events: UnsafeMutablePointer<RTEvent>, place: Int32, node: Int32) {
        guard node >= 0, Int(node) < nodeCount else { return }
        let step = nodes[Int(node)]
        if step.pointee.lastEvent >= 0 {
            events[Int(step.pointee.lastEvent)].next = place
        } else {
            step.pointee.firstEvent = place
        }
        step.pointee.lastEvent = place
    }

    /// Forgets the events of the cycle that is over.
    @_noLocks
    func forgetEvents(node: Int32) {
        guard node >= 0, Int(node) < nodeCount else { return }
        nodes[Int(node)].pointee.firstEvent = -1
        nodes[Int(node)].pointee.lastEvent = -1
    }
}

internal import CRealtime
internal import DSP
internal import Realtime

/// Strips that are each routed to the channels of one sum.
struct MixerKernel: ~Copyable {
    private let stripCount: Int
    private let strips: UnsafeMutablePointer<MixerStrip>
    private let routeCount: Int
    private let routes: UnsafeMutablePointer<MixerRoute>
    private let panLaw: PanLaw
    private var masterGain: Double
    /// Whether a parameter moved since the routes were last aimed.
    private var isStale = false

    /// A mixer that rests at its parameters: the master's gain, then strip by strip.
    init(
        stripChannels: [Int], outputChannels: Int, panLaw: PanLaw, sampleRate: Double,
        parameters: [Float]
    ) {
        self.panLaw = panLaw
        masterGain = 1
        stripCount = stripChannels.count
        strips = .allocate(capacity: max(1, stripCount))
        strips.initialize(repeating: MixerStrip(), count: stripCount)
        let plan = mixerRoutes(
            stripChannels: stripChannels, outputChannels: outputChannels,
            rampFrames: smoothingFrames(sampleRate: sampleRate))
        routeCount = plan.count
        routes = .allocate(capacity: max(1, routeCount))
        for (index, route) in plan.enumerated() { (routes + index).initialize(to: route) }
        for (index, value) in parameters.enumerated() { set(Int32(index), to: value) }
        reset()
    }

    deinit {
        strips.deallocate()
        routes.deallocate()
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        if isStale { aimRoutes() }
        let block = block.pointee
        for channel in 0..<Int(block.outputCount) {
            rt_clear(block.outputs[channel], Int64(block.frameCount))
        }
        for index in 0..<routeCount {
            accumulate(
                block.inputs[Int(routes[index].input)],
                into: block.outputs[Int(routes[index].output)],
                frameCount: Int(block.frameCount), gain: &routes[index].gain)
        }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        isStale = true
        guard parameter > 0 else {
            masterGain = Decibels(Double(value)).amplitude
            return
        }
        let strip = Int(parameter - 1) / MixerStrip.parameterCount
        guard strip < stripCount else { return }
        strips[strip].set(Int(parameter - 1) % MixerStrip.parameterCount, to: value)
    }

    @_noLocks
    mutating func reset() {
        aimRoutes()
        for index in 0..<routeCount { routes[index].gain.snap() }
    }

    /// Sends every route's gain to where the parameters want it.
    @_noLocks
    private mutating func aimRoutes() {
        isStale = false
        var hasSolo = false
        for index in 0..<stripCount where strips[index].isSolo { hasSolo = true }
        for index in 0..<routeCount {
            let strip = strips[Int(routes[index].strip)]
            let isHeard = !hasSolo || strip.isSolo
            let target =
                isHeard
                ? Float(
                    masterGain * strip.amplitude(routes[index].law, panLaw)
                        * routes[index].share) : 0
            if routes[index].gain.target != target { routes[index].gain.move(to: target) }
        }
    }
}

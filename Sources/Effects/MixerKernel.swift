internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// The kernel of a mixer, which adds the channels of its strips to one sum.
struct MixerKernel: Kernel, ~Copyable {
    /// The parameters of the sum.
    ///
    /// The parameters of the strips follow, strip by strip.
    enum Parameter: Int32, EffectParameter { case gain }

    private let strips: Buffer<MixerStrip>
    private let routes: Buffer<MixerRoute>
    private let panLaw: PanLaw
    private var masterGain: Double
    /// Whether a parameter has changed since the target gains of the routes were last calculated.
    private var isStale = false

    /// Creates a mixer without gain ramps; the values of the sum come first, then the values of
    /// each strip.
    init(
        stripChannels: [Int], outputChannels: Int, panLaw: PanLaw, sampleRate: Double,
        values: [Float]
    ) {
        self.panLaw = panLaw
        masterGain = 1
        strips = Buffer(count: stripChannels.count, repeating: MixerStrip())
        routes = Buffer(
            mixerRoutes(
                stripChannels: stripChannels, outputChannels: outputChannels,
                rampFrames: smoothingFrames(sampleRate: sampleRate)))
        for (index, value) in values.enumerated() { set(Int32(index), to: value) }
        reset()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        if isStale { aimRoutes() }
        let block = block.pointee
        for channel in 0..<Int(block.outputCount) {
            rt_clear(block.outputs[channel], Int64(block.frameCount))
        }
        for index in 0..<routes.count {
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
        switch Parameter(rawValue: parameter) {
        case .gain: masterGain = Decibels(Double(value)).amplitude
        case nil: setStrip(parameter, to: value)
        }
    }

    @_noLocks
    private func setStrip(_ parameter: Int32, to value: Float) {
        let target = MixerStrip.Parameter.target(ofIndex: parameter)
        guard let target, target.strip < strips.count else { return }
        strips[target.strip].set(target.parameter, to: value)
    }

    @_noLocks
    mutating func reset() {
        aimRoutes()
        for index in 0..<routes.count { routes[index].gain.snap() }
    }

    /// Starts a ramp of each route's gain to the value that results from the parameters.
    @_noLocks
    private mutating func aimRoutes() {
        isStale = false
        var hasSolo = false
        for index in 0..<strips.count where strips[index].isSolo { hasSolo = true }
        for index in 0..<routes.count {
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

extension MixerStrip.Parameter {
    /// Returns the strip and the strip parameter for an index in the node's parameter list; `nil`
    /// if the index belongs to the sum.
    @_noLocks
    fileprivate static func target(
        ofIndex index: Int32
    ) -> (strip: Int, parameter: MixerStrip.Parameter)? {
        let (first, count) = (MixerKernel.Parameter.gain.rawValue + 1, invert.rawValue + 1)
        guard index >= first, let parameter = Self(rawValue: (index - first) % count) else {
            return nil
        }
        return (Int((index - first) / count), parameter)
    }
}

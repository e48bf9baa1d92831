internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Filters with one cascade, and with a second one during the crossfade to another shape or order.
struct FilterKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case shape, frequency, gain, q, order

        var range: ClosedRange<Float> {
            switch self {
            case .shape: 0...Float(FilterShape.allCases.count - 1)
            case .frequency: 10...20_000
            case .gain: -36...36
            case .q: 0.1...40
            case .order: 1...8
            }
        }

        var defaultValue: Float {
            switch self {
            case .shape, .gain: 0
            case .frequency: 1000
            case .q: 0.7071
            case .order: 2
            }
        }
    }

    private let channelCount: Int
    private let sampleRate: Double
    private let scratch: Buffer<SIMD2<Double>>
    private var controls: FilterControls
    private var current: FilterCascade
    private var shape: FilterShape
    private var order: Int
    /// The cascade that fades in while `fade` moves from 0 to 1.
    private var next: FilterCascade
    private var nextShape: FilterShape
    private var nextOrder: Int
    private var fade: Ramp

    /// The number of frames that are filtered at once.
    private static var chunkFrames: Int { @_noLocks get { 64 } }

    /// Creates a filter that rests at its parameters.
    init(channelCount: Int, sampleRate: Double, value: (Parameter) -> Float) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        scratch = Buffer(count: FilterKernel.chunkFrames, repeating: .zero)
        let rampFrames = smoothingFrames(sampleRate: sampleRate)
        controls = FilterControls(rampFrames: rampFrames, value: value)
        shape = controls.target.shape
        order = controls.target.order
        nextShape = shape
        nextOrder = order
        fade = Ramp(0, lengthFrames: rampFrames)
        current = FilterCascade(pairCount: (channelCount + 1) / 2)
        next = FilterCascade(pairCount: (channelCount + 1) / 2)
        reset()
    }

    var latencyFrames: Int { 0 }

    /// The time in which the slowest pole falls by 120 dB.
    var tailFrames: Int? {
        let design = controls.target
        let sharpness = max(1, design.q) * Double(design.order)
        return Int(13.8 * sharpness / (Double.pi * design.hertz) * sampleRate) + 1
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        if let parameter = Parameter(rawValue: parameter) { controls.set(parameter, to: value) }
    }

    @_noLocks
    mutating func reset() {
        controls.snap()
        shape = controls.target.shape
        order = controls.target.order
        fade.snap(to: 0)
        current.adopt(controls.design(shape, order: order), sampleRate: sampleRate)
        current.clear()
    }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let frameCount = Int(block.pointee.frameCount)
        var first = 0
        while first < frameCount {
            if isSettled {
                let count = min(FilterKernel.chunkFrames, frameCount - first)
                renderSettled(block.pointee, first: first, count: count)
                first += count
            } else {
                renderMoving(block.pointee, frame: first)
                first += 1
            }
        }
    }

    private var isSettled: Bool {
        @_noLocks get {
            controls.areResting && fade.isResting && shape == controls.target.shape
                && order == controls.target.order
        }
    }

    /// Filters with constant coefficients.
    @_noLocks
    private func renderSettled(_ block: RTBlock, first: Int, count: Int) {
        for pair in 0..<((channelCount + 1) / 2) {
            let (left, right) = lanes(pair: pair)
            interleave(
                block.inputs[left] + first, block.inputs[right] + first, into: scratch.start,
                frameCount: count)
            current.process(scratch.start, count: count, pair: pair)
            // The right lane comes first: with an odd channel count both lanes write to the same
            // channel.
            deinterleave(
                scratch.start, lane: 1, into: block.outputs[right] + first, frameCount: count)
            deinterleave(
                scratch.start, lane: 0, into: block.outputs[left] + first, frameCount: count)
        }
    }

    /// Filters one frame with its own coefficients.
    @_noLocks
    private mutating func renderMoving(_ block: RTBlock, frame: Int) {
        startFadeIfWanted()
        controls.advance()
        current.adopt(controls.design(shape, order: order), sampleRate: sampleRate)
        if isFading {
            next.adopt(controls.design(nextShape, order: nextOrder), sampleRate: sampleRate)
        }
        let share = Double(smoothStep(fade.next()))
        for pair in 0..<((channelCount + 1) / 2) {
            let (left, right) = lanes(pair: pair)
            interleave(
                block.inputs[left] + frame, block.inputs[right] + frame, into: scratch.start,
                frameCount: 1)
            filterFrame(pair: pair, share: share)
            deinterleave(scratch.start, lane: 1, into: block.outputs[right] + frame, frameCount: 1)
            deinterleave(scratch.start, lane: 0, into: block.outputs[left] + frame, frameCount: 1)
        }
        if isFading && fade.isResting { finishFade() }
    }

    /// Filters the frame in the scratch buffer, with both cascades during a crossfade.
    @_noLocks
    private func filterFrame(pair: Int, share: Double) {
        let x = scratch[0]
        let old = current.next(x, pair: pair)
        scratch[0] = isFading ? old + (next.next(x, pair: pair) - old) * share : old
    }

    private var isFading: Bool { @_noLocks get { fade.target == 1 } }

    @_noLocks
    private mutating func startFadeIfWanted() {
        guard fade.isResting, shape != controls.target.shape || order != controls.target.order
        else { return }
        nextShape = controls.target.shape
        nextOrder = controls.target.order
        next.clear()
        fade.move(to: 1)
    }

    @_noLocks
    private mutating func finishFade() {
        swap(&current, &next)
        shape = nextShape
        order = nextOrder
        fade.snap(to: 0)
    }

    /// Returns the channels of a pair; a last channel without a partner forms a pair with itself.
    @_noLocks
    private func lanes(pair: Int) -> (Int, Int) {
        (2 * pair, min(2 * pair + 1, channelCount - 1))
    }
}

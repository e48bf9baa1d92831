internal import CRealtime
internal import DSP
internal import Realtime

/// A cascade that sounds, and a second one that takes over by a crossfade when shape or order change.
struct FilterKernel: ~Copyable {
    private let channelCount: Int
    private let sampleRate: Double
    private let scratch: UnsafeMutablePointer<SIMD2<Double>>
    private var controls: FilterControls
    private var sounding: FilterCascade
    private var shape: FilterShape
    private var order: Int
    /// What fades in while `fade` is on its way from 0 to 1.
    private var coming: FilterCascade
    private var comingShape: FilterShape
    private var comingOrder: Int
    private var fade: Ramp

    /// Frames that are filtered at once.
    private static var chunkFrames: Int { @_noLocks get { 64 } }

    init(channelCount: Int, sampleRate: Double, parameters: [Float]) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        scratch = .allocate(capacity: FilterKernel.chunkFrames)
        scratch.initialize(repeating: .zero, count: FilterKernel.chunkFrames)
        let rampFrames = smoothingFrames(sampleRate: sampleRate)
        controls = FilterControls(parameters: parameters, rampFrames: rampFrames)
        shape = controls.wanted.shape
        order = controls.wanted.order
        comingShape = shape
        comingOrder = order
        fade = Ramp(0, lengthFrames: rampFrames)
        sounding = FilterCascade(pairCount: (channelCount + 1) / 2)
        coming = FilterCascade(pairCount: (channelCount + 1) / 2)
        reset()
    }

    deinit {
        scratch.deallocate()
        sounding.deallocate()
        coming.deallocate()
    }

    /// How long the slowest pole takes to fall by 120 dB.
    var tailFrames: Int {
        let design = controls.wanted
        let sharpness = max(1, design.q) * Double(design.order)
        return Int(13.8 * sharpness / (Double.pi * design.hertz) * sampleRate) + 1
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) { controls.set(parameter, to: value) }

    @_noLocks
    mutating func reset() {
        controls.snap()
        shape = controls.wanted.shape
        order = controls.wanted.order
        fade.snap(to: 0)
        sounding.adopt(controls.design(shape, order: order), sampleRate: sampleRate)
        sounding.clear()
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
            controls.areResting && fade.isResting && shape == controls.wanted.shape
                && order == controls.wanted.order
        }
    }

    /// Filters with the coefficients as they are.
    @_noLocks
    private func renderSettled(_ block: RTBlock, first: Int, count: Int) {
        for pair in 0..<((channelCount + 1) / 2) {
            let (left, right) = lanes(pair: pair)
            interleave(
                block.inputs[left] + first, block.inputs[right] + first, into: scratch,
                frameCount: count)
            sounding.process(scratch, count: count, pair: pair)
            // The right lane goes first: with an odd channel count it is the left one again.
            deinterleave(scratch, lane: 1, into: block.outputs[right] + first, frameCount: count)
            deinterleave(scratch, lane: 0, into: block.outputs[left] + first, frameCount: count)
        }
    }

    /// Filters one frame with coefficients of its own.
    @_noLocks
    private mutating func renderMoving(_ block: RTBlock, frame: Int) {
        startFadeIfWanted()
        controls.advance()
        sounding.adopt(controls.design(shape, order: order), sampleRate: sampleRate)
        if isFading {
            coming.adopt(controls.design(comingShape, order: comingOrder), sampleRate: sampleRate)
        }
        let share = Double(smoothStep(fade.next()))
        for pair in 0..<((channelCount + 1) / 2) {
            let (left, right) = lanes(pair: pair)
            interleave(
                block.inputs[left] + frame, block.inputs[right] + frame, into: scratch,
                frameCount: 1)
            filterFrame(pair: pair, share: share)
            deinterleave(scratch, lane: 1, into: block.outputs[right] + frame, frameCount: 1)
            deinterleave(scratch, lane: 0, into: block.outputs[left] + frame, frameCount: 1)
        }
        if isFading && fade.isResting { finishFade() }
    }

    /// Filters the frame that lies in the scratch, by both cascades while one fades into the other.
    @_noLocks
    private func filterFrame(pair: Int, share: Double) {
        let x = scratch[0]
        let old = sounding.next(x, pair: pair)
        scratch[0] = isFading ? old + (coming.next(x, pair: pair) - old) * share : old
    }

    private var isFading: Bool { @_noLocks get { fade.target == 1 } }

    @_noLocks
    private mutating func startFadeIfWanted() {
        guard fade.isResting, shape != controls.wanted.shape || order != controls.wanted.order
        else { return }
        comingShape = controls.wanted.shape
        comingOrder = controls.wanted.order
        coming.clear()
        fade.move(to: 1)
    }

    @_noLocks
    private mutating func finishFade() {
        let old = sounding
        sounding = coming
        coming = old
        shape = comingShape
        order = comingOrder
        fade.snap(to: 0)
    }

    /// The channels of a pair; a last one without a partner is its own.
    @_noLocks
    private func lanes(pair: Int) -> (Int, Int) {
        (2 * pair, min(2 * pair + 1, channelCount - 1))
    }
}

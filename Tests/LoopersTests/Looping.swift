import DSP
import Loopers

/// A change of a looper at a frame.
struct Step {
    let frame: Int
    let change: Change

    enum Change {
        case command(LoopCommand)
        case halfFrames(Int)
        case mute(Bool)
        case level(Float)
    }

    init(_ frame: Int, _ command: LoopCommand) {
        self.frame = frame
        change = .command(command)
    }

    init(_ frame: Int, _ change: Change) {
        self.frame = frame
        self.change = change
    }
}

/// A looper with one channel whose input is not heard.
struct Looping {
    var sampleRate = 8000.0
    var maximumSeconds = 4.0
    var historySeconds = 4.0
    var quantize = LoopQuantize.off
    var roundTripFrames = 0
    var feedback: Float = 1
    var dry: Float = 0
    var grid = TempoGrid()

    var sizes: LoopSizes {
        LoopSizes(
            sampleRate: sampleRate, channelCount: 1, maximumSeconds: maximumSeconds,
            historySeconds: historySeconds)
    }

    var fadeFrames: Int { sizes.fadeFrames }

    /// The frames of the shortest loop.
    var minimumFrames: Int { 2 * (roundTripFrames + 2 * fadeFrames) }

    /// Returns the output of a looper for an input and changes in the order of their frames.
    func output(
        _ input: [Float], _ steps: [Step], blocks: [Int] = [64],
        check: (Int, borrowing LoopCore) -> Void = { _, _ in }
    ) -> [Float] {
        var core = LoopCore.make(sizes, quantize: quantize)
        core.setRoundTrip(roundTripFrames)
        core.levels.setFeedback(feedback)
        core.levels.setDry(dry)
        core.levels.snap()
        core.points.grid = grid
        var output = [Float](repeating: .nan, count: input.count)
        var pending = steps[...]
        var (first, block) = (0, 0)
        while first < input.count {
            while let step = pending.first, step.frame <= first {
                core.apply(step.change)
                pending.removeFirst()
            }
            let end = min(input.count, first + blocks[block % blocks.count])
            let stop = min(end, pending.first?.frame ?? end)
            core.render(input, &output, from: first, to: stop)
            check(stop, core)
            first = stop
            block += 1
        }
        return output
    }
}

extension LoopCore {
    /// Creates a looper, and the memory for its loops.
    static func make(_ sizes: LoopSizes, quantize: LoopQuantize) -> LoopCore {
        guard let samples = SampleMemory.zeros(sizes.store.sampleCount) else {
            fatalError("there is no memory for the test")
        }
        return LoopCore(sizes, LoopStore(samples, sizes.store), quantize: quantize)
    }

    mutating func apply(_ change: Step.Change) {
        switch change {
        case .command(let command): request(command)
        case .halfFrames(let count): setStep(count)
        case .mute(let isOn): levels.setMuted(isOn)
        case .level(let amplitude): levels.setLoop(amplitude)
        }
    }

    mutating func render(_ input: [Float], _ output: inout [Float], from first: Int, to end: Int) {
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                withUnsafePointer(to: from + first) { inputs in
                    withUnsafePointer(to: to + first) { outputs in
                        run(inputs, outputs, frames: end - first)
                    }
                }
            }
        }
    }
}

/// Random numbers that are the same for the same seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_f491_4f6c_dd1d
    }
}

extension Array where Element == Float {
    /// The largest difference to another signal in a range.
    func difference(to other: [Float], in range: Range<Int>) -> Float {
        range.reduce(0) { Swift.max($0, abs(self[$1] - other[$1])) }
    }
}

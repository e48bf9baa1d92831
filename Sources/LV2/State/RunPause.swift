internal import CRealtime
internal import Glibc
internal import Synchronization

/// A pause in the runs of a plugin, without a click: its output fades out before and in after.
struct RunPause: ~Copyable {
    /// The duration of a fade, in seconds.
    private static let fadeSeconds = 0.005
    /// The longest wait for a pause, in milliseconds.
    private static let timeoutMilliseconds = 2000

    private static var running: Int { @_noLocks get { 0 } }
    private static var wanted: Int { @_noLocks get { 1 } }
    private static var paused: Int { @_noLocks get { 2 } }

    // SAFETY: only the audio thread changes the step from wanted to paused, and only the control
    // thread requests and ends a pause.
    private let step = Atomic<Int>(0)
    /// The factor of the output; only the audio thread uses it.
    private var gain: Float = 1
    private let gainStep: Float

    init(sampleRate: Double) { gainStep = 1 / Float(max(1, sampleRate * Self.fadeSeconds)) }

    // MARK: On the audio thread

    /// Returns whether the plugin may run; otherwise clears the block.
    @_noLocks
    @inline(__always)
    func allowsRun(_ block: UnsafePointer<RTBlock>) -> Bool {
        guard step.load(ordering: .acquiring) == Self.paused else { return true }
        clear(block)
        return false
    }

    @_noLocks
    @inline(never)
    private func clear(_ block: UnsafePointer<RTBlock>) {
        for channel in 0..<Int(block.pointee.outputCount) {
            rt_clear(block.pointee.outputs[channel], Int64(block.pointee.frameCount))
        }
    }

    /// Whether the output is being faded, or must be.
    var fades: Bool {
        @_noLocks @inline(__always) get {
            step.load(ordering: .relaxed) == Self.wanted || gain < 1
        }
    }

    /// Fades the output after a run, and starts the pause once the output is silent.
    @_noLocks
    mutating func fade(_ block: UnsafePointer<RTBlock>) {
        let isWanted = step.load(ordering: .relaxed) == Self.wanted
        guard isWanted || gain < 1 else { return }
        for frame in 0..<Int(block.pointee.frameCount) {
            gain = isWanted ? max(0, gain - gainStep) : min(1, gain + gainStep)
            for channel in 0..<Int(block.pointee.outputCount) {
                block.pointee.outputs[channel][frame] *= gain
            }
        }
        if isWanted, gain == 0 { step.store(Self.paused, ordering: .releasing) }
    }

    // MARK: On the control thread

    /// Requests a pause and waits until the plugin no longer runs.
    ///
    /// - Returns: Whether the pause began; `false` if the audio thread does not run the plugin, so
    ///   that its output cannot fade.
    func begin() -> Bool {
        step.store(Self.wanted, ordering: .releasing)
        for _ in 0..<Self.timeoutMilliseconds {
            if step.load(ordering: .acquiring) == Self.paused { return true }
            usleep(1000)
        }
        let (isWithdrawn, _) = step.compareExchange(
            expected: Self.wanted, desired: Self.running, ordering: .acquiringAndReleasing)
        return !isWithdrawn
    }

    /// Lets the plugin run again.
    func end() { step.store(Self.running, ordering: .releasing) }
}

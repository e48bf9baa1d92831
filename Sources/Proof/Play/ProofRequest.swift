/// The way in which a night is played.
public struct ProofRequest: Sendable {
    /// The frames per block, from 1 through 65536: the period of the machine.
    public var blockFrames = 128
    /// In Hz.
    public var sampleRate = 48_000.0
    /// The time of a song's start and of a scene, in seconds; other steps last a quarter of it.
    public var seconds = 2.0
    /// The number of times that the loads are measured, at least 1; see `StepTimes`.
    public var passes = 3
    /// Whether the blocks of all steps are measured in real time, instead of those of the costliest
    /// steps; from the second measurement on.
    public var isPaced = false
    /// The number of cores that may run nodes while loads are measured, at least 1.
    public var coreCount = 1
    /// Whether the measured times decide how many of these cores are used, as `auto` does live.
    public var usesCoresAutomatically = false
    /// The sound for an audio input, by its name.
    ///
    /// It has a channel that all channels share, or one for each, and is repeated. Inputs without a
    /// sound receive the test signal.
    public var sounds: [String: [[Float]]] = [:]

    /// Creates a request with the default values.
    public init() {}

    /// The duration of a block, in ns.
    var periodNanoseconds: Double { Double(blockFrames) / sampleRate * 1e9 }
    /// The number of blocks of a long step: a multiple of four.
    var longBlocks: Int {
        max(1, Int((seconds * sampleRate / Double(4 * blockFrames)).rounded(.up))) * 4
    }
    /// Returns the number of blocks of a step.
    func blocks(of step: Step) -> Int { step.isLong ? longBlocks : longBlocks / 4 }
}

/// The way in which a night is played.
public struct ProofRequest: Sendable {
    /// The frames per block, from 1 through 65536: the period of the machine.
    public var blockFrames = 128
    /// In Hz.
    public var sampleRate = 48_000.0
    /// The time of a song's start and of a scene, in seconds; other steps last a quarter of it.
    ///
    /// No step is shorter than 0.1 s or 8 blocks.
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
    /// The shortest time of a step, in seconds, and its smallest number of blocks: every change has
    /// ended by then.
    private static let shortestSeconds = 0.1
    private static let fewestBlocks = 8

    /// The number of blocks of a short step.
    private var shortBlocks: Int {
        let frames = max(seconds / 4, Self.shortestSeconds) * sampleRate
        return max(Self.fewestBlocks, Int((frames / Double(blockFrames)).rounded(.up)))
    }
    /// The number of blocks of a long step.
    var longBlocks: Int { 4 * shortBlocks }
    /// The time of a long step, in seconds.
    var longSeconds: Double { Double(longBlocks * blockFrames) / sampleRate }
    /// Returns the number of blocks of a step.
    func blocks(of step: Step) -> Int { step.isLong ? longBlocks : shortBlocks }
}

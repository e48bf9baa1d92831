/// The way in which a night is played.
public struct ProofRequest: Sendable {
    /// The frames per block, from 1 through 65536: the period of the machine.
    public var blockFrames = 128
    /// In Hz.
    public var sampleRate = 48_000.0
    /// The time of a song's start and of a scene, in seconds; other steps last a quarter of it.
    ///
    /// Songs and scenes last 0.1 s more, in which the former sound ends. No step is shorter than 0.1 s or 8 blocks.
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

    /// The names of the audio outputs whose loudness together is that of a song or scene; empty for
    /// all.
    public var outputs: Set<String> = []

    /// Creates a request with the default values.
    public init() {}

    /// The duration of a block, in ns.
    var periodNanoseconds: Double { Double(blockFrames) / sampleRate * 1e9 }
    /// The shortest time of a step, in seconds, and its smallest number of blocks: every change has
    /// ended by then.
    private static let shortestSeconds = 0.1
    private static let fewestBlocks = 8
    private static let settlingSeconds = 0.1

    /// The number of blocks of a short step.
    private var shortBlocks: Int {
        let frames = max(seconds / 4, Self.shortestSeconds) * sampleRate
        return max(Self.fewestBlocks, Int((frames / Double(blockFrames)).rounded(.up)))
    }
    /// The number of blocks of a long step.
    var longBlocks: Int { 4 * shortBlocks }
    /// The time of a long step, in seconds.
    var longSeconds: Double { Double(longBlocks * blockFrames) / sampleRate }
    /// The number of blocks at the start of a step that do not count for its loudness: the former
    /// sound ends in a crossfade, and comes later through nodes with latency.
    var settlingBlocks: Int {
        Int((Self.settlingSeconds * sampleRate / Double(blockFrames)).rounded(.up))
    }
    /// Returns the number of blocks of a step; the loudness of a long one counts for all its time.
    func blocks(of step: Step) -> Int {
        step.isLong ? settlingBlocks + longBlocks : shortBlocks
    }
}

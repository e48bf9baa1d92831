public import LV2
public import Processing
internal import TestSignals

/// The result of comparing a plugin's output in the engine with that in the bare host.
public enum Comparison: Equatable, Sendable {
    case equal
    /// The plugin loads and runs, but has no audio output to compare.
    case noOutput
    /// The outputs differ from this sample on, counted over all channels interleaved.
    case differs(sample: Int, own: Float, bare: Float)
    /// Two runs of the bare host differ, possibly only if fresh memory has another content.
    case notDeterministic
    /// The plugin outputs a NaN or an infinity, in the bare host too; the engine silences it.
    case nonFinite
    /// The bare host cannot run the plugin.
    case notBare
    /// The engine refuses the plugin, with the reason.
    case refused(String)

    /// Compares a plugin's output in the engine, as a pipeline's only node, with that in the bare
    /// host.
    ///
    /// The input is noise and sines at 48 kHz in blocks of 64 frames; the controls have their
    /// defaults. Samples are compared by their bits.
    ///
    /// - Parameters:
    ///   - uri: The plugin.
    ///   - world: The world that contains the plugin.
    ///   - blocks: The number of blocks to play.
    ///   - isolation: The isolation in the engine.
    ///   - refused: Receives the name of each call that the sandbox of an isolated plugin refused.
    public init(
        of uri: String, in world: PluginWorld, blocks: Int, isolation: Isolation = .none,
        refused: (String) -> Void = { _ in }
    ) {
        do {
            guard try !Self.runsWithoutOutput(uri, in: world, blocks: blocks, isolation, refused)
            else {
                self = .noOutput
                return
            }
            let playing = try EngineRender(of: uri, in: world, isolation: isolation)
            defer { playing.refusedCalls().forEach(refused) }
            let input = Self.testSignal(channels: playing.inputCount, frames: blocks * 64)
            let own = playing.samples(of: input, blocks: blocks)
            guard let bare = BareRender.samples(of: input, through: uri) else {
                self = .notBare
                return
            }
            self.init(own, bare)
            guard self != .equal else { return }
            if Self.isVariable(bare, of: input, through: uri) {
                self = .notDeterministic
            } else if playing.isSilenced, !bare.allSatisfy(\.isFinite) {
                self = .nonFinite
            }
        } catch { self = .refused(error.reason) }
    }

    /// Plays the same input only in the engine, as if live, under RealtimeSanitizer.
    ///
    /// - Returns: The reason why the plugin is refused; `nil` if it played.
    public static func play(_ uri: String, in world: PluginWorld, blocks: Int) -> String? {
        do {
            let playing = try EngineRender(of: uri, in: world, isLive: true)
            let input = testSignal(channels: playing.inputCount, frames: blocks * 64)
            _ = playing.samples(of: input, blocks: blocks)
            return nil
        } catch { return error.reason }
    }

    /// Returns whether a plugin has no audio output, in which case it is also run.
    private static func runsWithoutOutput(
        _ uri: String, in world: PluginWorld, blocks: Int, _ isolation: Isolation,
        _ refused: (String) -> Void
    ) throws(EngineRender.Refusal) -> Bool {
        do throws(PluginError) {
            guard
                case .ports(let inputs, let outputs) = try world.description(ofPlugin: uri).channels,
                outputs.isEmpty
            else { return false }
            let frames = blocks * 64
            let input = testSignal(channels: inputs.count, frames: frames)
            let processor = try world.makeProcessor(uri, isolation: isolation)
            _ = processor.render(input, frames: frames)
            processor.refusedCalls().forEach(refused)
            return true
        } catch { throw EngineRender.Refusal(reason: error.message) }
    }

    /// Returns whether the bare host's output differs in another run.
    private static func isVariable(_ bare: [Float], of input: [Float], through uri: String) -> Bool
    {
        [[], ["MALLOC_PERTURB_=85"]].contains { environment in
            BareRender.samples(of: input, through: uri, environment: environment).map(bits)
                != bits(bare)
        }
    }

    private init(_ own: [Float], _ bare: [Float]) {
        let place = zip(own, bare).enumerated().first { _, samples in
            samples.0.bitPattern != samples.1.bitPattern
        }
        if let place {
            self = .differs(sample: place.offset, own: place.element.0, bare: place.element.1)
        } else {
            self = own.count == bare.count ? .equal : .notBare
        }
    }

    private static func bits(_ samples: [Float]) -> [UInt32] { samples.map(\.bitPattern) }

    /// Returns different noise and sines for each channel; one silent channel if there are no
    /// inputs.
    private static func testSignal(channels: Int, frames: Int) -> [Float] {
        guard channels > 0 else { return [Float](repeating: 0, count: frames) }
        let signals: [[Float]] = (0..<channels).map { channel in
            let hertz = 220 * Double(channel + 1)
            let noise = whiteNoise(amplitude: 0.25, frames: frames, seed: UInt64(channel + 1))
            let sine = sineWave(hertz, amplitude: 0.25, frames: frames, sampleRate: 48000)
            return zip(noise, sine).map { $0 + $1 }
        }
        return (0..<frames).flatMap { frame in signals.map { $0[frame] } }
    }
}

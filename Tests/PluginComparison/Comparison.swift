public import LV2
internal import Processing
internal import TestSignals

/// How a plugin's output here compares to the bare host's.
public enum Comparison: Equatable, Sendable {
    case equal
    /// It loads and runs, but has no audio output to compare.
    case noOutput
    /// From this sample on, of all channels interleaved.
    case differs(sample: Int, own: Float, bare: Float)
    /// Two runs of the bare host already differ, or differ once fresh memory holds something else.
    case notDeterministic
    /// It puts out a NaN or an infinity, as it does in the bare host; here that is silenced.
    case nonFinite
    /// The bare host cannot run it.
    case notBare
    /// It is refused here, with the reason.
    case refused(String)

    /// Compares noise and sines through a plugin with default controls at 48 kHz in blocks of 64 frames: through the
    /// engine, as a pipeline's only node, and through the bare host.
    ///
    /// Samples are compared by their bits.
    public init(of uri: String, in world: PluginWorld, blocks: Int) {
        do {
            guard try !Self.runsWithoutOutput(uri, in: world, blocks: blocks) else {
                self = .noOutput
                return
            }
            let playing = try EngineRender(of: uri, in: world)
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

    /// Plays the same through the engine alone, as if it were live, for RealtimeSanitizer to watch.
    ///
    /// - Returns: Why the plugin is refused; nil where it played.
    public static func play(_ uri: String, in world: PluginWorld, blocks: Int) -> String? {
        do {
            let playing = try EngineRender(of: uri, in: world, isLive: true)
            let input = testSignal(channels: playing.inputCount, frames: blocks * 64)
            _ = playing.samples(of: input, blocks: blocks)
            return nil
        } catch { return error.reason }
    }

    /// Whether a plugin has no audio output; then it is run as well.
    private static func runsWithoutOutput(_ uri: String, in world: PluginWorld, blocks: Int)
        throws(EngineRender.Refusal) -> Bool
    {
        do throws(PluginFault) {
            guard
                case .ports(let inputs, let outputs) = try world.description(ofPlugin: uri).channels,
                outputs.isEmpty
            else { return false }
            let frames = blocks * 64
            let input = testSignal(channels: inputs.count, frames: frames)
            _ = try world.makeProcessor(uri).render(input, frames: frames)
            return true
        } catch { throw EngineRender.Refusal(reason: error.message) }
    }

    /// Whether the bare host gives something else next time.
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

    /// Noise and a sine for each channel, each channel with its own; one silent channel where there is none.
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

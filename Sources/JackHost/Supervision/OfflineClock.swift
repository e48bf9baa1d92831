internal import CRealtime
internal import Engine

/// Runs the engine in real time without output while no server runs.
///
/// The engine carries out commands, exchanges schedules and ends tails as it does with a server.
final class OfflineClock {
    /// The time between two calls, in seconds.
    static let stepSeconds = 0.02

    private let audio: EngineAudio
    private let ports = PortTable(PortSlots(), copies: false)
    private var playedUntil: UInt64

    /// Starts the clock now; no other thread may run the engine until the last call of `play`.
    init(_ audio: EngineAudio) {
        self.audio = audio
        playedUntil = rt_nanoseconds()
    }

    /// Renders the time since the last call, but at most one long block, because lost time need not
    /// be made up.
    func play(sampleRate: Double) {
        let now = rt_nanoseconds()
        let frames = Double(now - playedUntil) / 1e9 * sampleRate
        playedUntil = now
        let control = rt_float_control()
        ports.play(
            UInt32(min(frames, Double(PortTable.longestFrames))), audio, nil, isFreewheeling: false)
        rt_restore_float_control(control)
    }
}

internal import CRealtime
internal import Engine

/// Has the engine go on in real time while there is no server, heard by nobody.
///
/// So commands are carried out, schedules are exchanged and what rings dies away, as if there were one.
final class Interlude {
    /// The time between two calls, in seconds.
    static let stepSeconds = 0.02

    private let audio: EngineAudio
    private let ports: UnsafeMutablePointer<PortTable>
    private var playedUntil: UInt64

    /// Begins now; nobody else may play the engine until the last call of `play`.
    init(_ audio: EngineAudio) {
        self.audio = audio
        ports = .allocate(capacity: 1)
        ports.initialize(to: PortTable(PortSlots()))
        playedUntil = rt_nanoseconds()
    }

    deinit {
        ports.deinitialize(count: 1)
        ports.deallocate()
    }

    /// Plays what has passed since the last call, but no more than one long block: there is nothing to catch up with.
    func play(sampleRate: Double) {
        let now = rt_nanoseconds()
        let frames = Double(now - playedUntil) / 1e9 * sampleRate
        playedUntil = now
        let control = rt_float_control()
        ports.pointee.play(
            UInt32(min(frames, Double(PortTable.longestFrames))), audio, nil, isFreewheeling: false)
        rt_restore_float_control(control)
    }
}

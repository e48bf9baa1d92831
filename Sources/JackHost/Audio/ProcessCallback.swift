internal import CJack
internal import CRealtime
internal import Engine
internal import Glibc
internal import Realtime
internal import Synchronization

/// The state that the process callback may touch.
struct ProcessCallbackState: ~Copyable {
    let audio: EngineAudio
    let client: OpaquePointer
    /// The address of the current `PortTable`; 0 if the callback must not play.
    let table = Atomic<UInt>(0)
    /// Odd while the callback runs.
    let entriesAndExits = Atomic<UInt64>(0)
    /// Whether the server freewheels.
    let isFreewheeling = Atomic<Bool>(false)
    /// The number of frames of the last cycle; 0 before it.
    let cycleFrames = Atomic<UInt32>(0)
    /// The end of the first cycle, in ns of the monotonic clock; 0 before it.
    let firstCycleNanoseconds = Atomic<UInt64>(0)
    let timebase = TimebaseState()

    /// Renders one period.
    @_noLocks
    borrowing func process(_ frames: jack_nframes_t) {
        // Sequential consistency: a thread that has replaced the table and then sees an even count
        // knows that no callback uses the old table.
        entriesAndExits.add(1, ordering: .sequentiallyConsistent)
        let address = table.load(ordering: .sequentiallyConsistent)
        // SAFETY: the address is that of a table, which is freed only after this passage.
        if let table = UnsafeMutablePointer<PortTable>(bitPattern: address) {
            cycleFrames.store(frames, ordering: .relaxed)
            audio.lead(timebase.leads(client))
            table.pointee.play(
                frames, audio, client, isFreewheeling: isFreewheeling.load(ordering: .relaxed))
        }
        entriesAndExits.add(1, ordering: .sequentiallyConsistent)
    }

    /// Writes the beats of the next cycle into a position of JACK's transport.
    @_noLocks
    borrowing func writeBeats(
        _ frames: jack_nframes_t, into position: UnsafeMutablePointer<jack_position_t>,
        isRolling: Bool, isNew: Bool
    ) {
        entriesAndExits.add(1, ordering: .sequentiallyConsistent)
        // Without a table, another thread may use the engine.
        if table.load(ordering: .sequentiallyConsistent) != 0 {
            let beats = audio.announceBeats(
                at: ExternalMoment(
                    frame: jack_rt_frame(position), frameCount: Int(frames), isRolling: isRolling,
                    isNew: isNew))
            jack_rt_write_beats(
                position, Int32(clamping: min(beats.bar, 1_000_000_000)), beats.barBeat,
                beats.beatsPerBar,
                Double(beats.beatUnit), beats.beatsPerMinute)
            timebase.noteCall(beatsPerMinute: beats.beatsPerMinute)
        }
        entriesAndExits.add(1, ordering: .sequentiallyConsistent)
    }

    @_noLocks
    borrowing func noteFirstCycle() {
        guard firstCycleNanoseconds.load(ordering: .relaxed) == 0 else { return }
        firstCycleNanoseconds.store(rt_nanoseconds(), ordering: .releasing)
    }
}

/// JACK's process callback.
///
/// The thread belongs to libjack, so its floating-point control is restored afterwards.
@_noLocks
private func process(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    // SAFETY: the context is the state that `ProcessCallback` registered; it is freed after the
    // client is closed.
    let state = context.assumingMemoryBound(to: ProcessCallbackState.self)
    let control = rt_float_control()
    // A plugin may hold a lock.
    let held = jack_rt_hold_cancel()
    rt_enter_realtime()
    state.pointee.process(frames)
    rt_leave_realtime()
    rt_restore_float_control(control)
    state.pointee.noteFirstCycle()
    jack_rt_allow_cancel(held)
    return 0
}

/// JACK's timebase callback, which runs on the audio thread after the process callback.
@_noLocks
private func provideBeats(
    _ transport: jack_transport_state_t, _ frames: jack_nframes_t,
    _ position: UnsafeMutablePointer<jack_position_t>?, _ isNew: Int32,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context, let position else { return }
    // SAFETY: the context is the state that `ProcessCallback` registered; it is freed after the
    // client is closed.
    let state = context.assumingMemoryBound(to: ProcessCallbackState.self)
    rt_enter_realtime()
    state.pointee.writeBeats(
        frames, into: position, isRolling: jack_rt_state_is_rolling(transport), isNew: isNew != 0)
    rt_leave_realtime()
}

/// Owns the state of the process callback; it must outlive the client.
final class ProcessCallback: @unchecked Sendable {
    /// The longest wait for a table that is still used, in steps of 0.2 ms.
    private static let timeoutSteps = 1250

    // SAFETY: only the audio thread uses the state, except its atomics. Only the session's thread
    // uses the rest, and after it the task that closes the client.
    private let state: Buffer<ProcessCallbackState>
    private var tables: [StoredTable] = []

    /// A table at an address that does not change.
    private final class StoredTable {
        let table: Buffer<PortTable>

        init(_ slots: PortSlots) {
            // PipeWire's library (0.3.65) unmaps the buffers of a port in another thread when its
            // connections or the quantum change, also in the middle of a cycle. A copy at the start
            // and one at the end of the cycle use them for a much shorter time.
            let table = PortTable(slots, copies: JackLibrary.loaded.isPipeWire)
            self.table = Buffer(containing: table)
        }
    }

    /// Creates a callback, which plays nothing before it has ports.
    init(_ audio: EngineAudio, client: JackClient) {
        state = Buffer(containing: ProcessCallbackState(audio: audio, client: client.handle))
    }

    /// Sets the client's process callback: `jack_set_process_callback`.
    ///
    /// Called before the client is activated.
    func attach(to client: JackClient) {
        jack_set_process_callback(client.handle, process, state.start)
    }

    // MARK: Timebase

    /// Makes the client JACK's timebase master.
    ///
    /// - Parameters:
    ///   - client: The active client.
    ///   - takesOver: Whether the client replaces another timebase master.
    /// - Returns: Whether the client is the timebase master now.
    func takeTimebase(_ client: JackClient, takesOver: Bool) -> Bool {
        // The engine must ignore its own beats from the first cycle on that contains them.
        state[0].timebase.begin()
        if client.setTimebase(provideBeats, state.start, takesOver: takesOver) { return true }
        state[0].timebase.end()
        return false
    }

    /// Whether another program has become the timebase master; `true` only once.
    func popTimebaseLoss() -> Bool { state[0].timebase.popLoss() }

    /// Runs one cycle as the client does; for tests.
    func runCycle(frames: Int) { _ = process(jack_nframes_t(frames), state.start) }

    /// Plays through these ports from the next cycle on; other ports may be unregistered
    /// afterwards.
    ///
    /// It waits at most a quarter of a second for a callback that does not return.
    func use(_ slots: PortSlots) {
        let stored = StoredTable(slots)
        state[0].table.store(
            UInt(bitPattern: stored.table.start), ordering: .sequentiallyConsistent)
        if waitUntilCallbackReturns() { tables = [] }
        tables.append(stored)
    }

    /// Stops playing.
    ///
    /// - Returns: Whether the callback has released the engine; if not, the caller must try again.
    func stopPlaying() -> Bool {
        state[0].table.store(0, ordering: .sequentiallyConsistent)
        return waitUntilCallbackReturns()
    }

    /// Sets whether the server freewheels, from any thread.
    func setFreewheeling(_ isOn: Bool) {
        state[0].isFreewheeling.store(isOn, ordering: .relaxed)
    }

    /// The end of the first cycle, in ns of the monotonic clock; `nil` before it.
    var firstCycleNanoseconds: UInt64? {
        let time = state[0].firstCycleNanoseconds.load(ordering: .acquiring)
        return time == 0 ? nil : time
    }

    /// The number of frames of the last cycle; 0 before it.
    var cycleFrames: Int { Int(state[0].cycleFrames.load(ordering: .relaxed)) }

    /// The number of cycles that the client has played.
    var cycleCount: UInt64 { state[0].entriesAndExits.load(ordering: .relaxed) / 2 }

    /// Waits until no callback uses a table from before the last change; returns false if one still
    /// does after a quarter of a second.
    private func waitUntilCallbackReturns() -> Bool {
        let seen = state[0].entriesAndExits.load(ordering: .sequentiallyConsistent)
        guard seen % 2 == 1 else { return true }
        for _ in 0..<Self.timeoutSteps {
            if state[0].entriesAndExits.load(ordering: .sequentiallyConsistent) != seen {
                return true
            }
            usleep(200)
        }
        return false
    }
}

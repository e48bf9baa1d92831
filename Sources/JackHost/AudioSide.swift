internal import CJack
internal import CRealtime
internal import Engine
internal import Glibc
internal import Synchronization

/// All that the process callback may touch.
struct AudioSideState: ~Copyable {
    let audio: EngineAudio
    let client: OpaquePointer
    /// The address of the `PortTable` that is played through; 0 where nothing may be played.
    let table = Atomic<UInt>(0)
    /// Odd while the callback is at work.
    let passages = Atomic<UInt64>(0)
    /// Whether the server has left the clock behind.
    let isFreewheeling = Atomic<Bool>(false)
    /// When the first cycle was done, in ns of the monotonic clock; 0 before.
    let firstCycleNanoseconds = Atomic<UInt64>(0)

    /// Renders one period.
    @_noLocks
    borrowing func process(_ frames: jack_nframes_t) {
        // One order for all threads: who has taken a table away and then sees an even count knows that it is free.
        passages.add(1, ordering: .sequentiallyConsistent)
        let address = table.load(ordering: .sequentiallyConsistent)
        // SAFETY: the address is a table's, which is freed only after this passage.
        if let table = UnsafeMutablePointer<PortTable>(bitPattern: address) {
            table.pointee.play(
                frames, audio, client, isFreewheeling: isFreewheeling.load(ordering: .relaxed))
        }
        passages.add(1, ordering: .sequentiallyConsistent)
    }

    @_noLocks
    borrowing func noteFirstCycle() {
        guard firstCycleNanoseconds.load(ordering: .relaxed) == 0 else { return }
        firstCycleNanoseconds.store(rt_nanoseconds(), ordering: .releasing)
    }
}

/// JACK's process callback.
///
/// The thread is libjack's, so its floating-point control is put back afterwards.
@_noLocks
private func process(_ frames: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    // SAFETY: the context is the state that `AudioSide` registered; it is freed after the client is closed.
    let state = context.assumingMemoryBound(to: AudioSideState.self)
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

/// Owns what the process callback works on; it has to outlive the client.
final class AudioSide: @unchecked Sendable {
    /// How long a table that is no more used is waited for, in steps of 0.2 ms.
    private static let patienceSteps = 1250

    // SAFETY: the audio thread alone uses the state, but for its atomics; the session's thread alone the rest, and
    // who closes the client after it.
    private let state: UnsafeMutablePointer<AudioSideState>
    private var tables: [UnsafeMutablePointer<PortTable>] = []

    /// Prepares the callback; nothing is played before it has ports.
    init(_ audio: EngineAudio, client: JackClient) {
        state = .allocate(capacity: 1)
        state.initialize(to: AudioSideState(audio: audio, client: client.handle))
    }

    deinit {
        for table in tables { free(table) }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Has the client call us for audio: `jack_set_process_callback`, to be done before it is activated.
    func attach(to client: JackClient) {
        jack_set_process_callback(client.handle, process, state)
    }

    /// Does what the client does once a cycle, in its stead: for tests.
    func callBack(frames: Int) { _ = process(jack_nframes_t(frames), state) }

    /// Plays through these ports from the next cycle on; those that went may be unregistered afterwards.
    ///
    /// A callback that does not come back is not waited for longer than a quarter of a second.
    func use(_ slots: PortSlots) {
        let table = UnsafeMutablePointer<PortTable>.allocate(capacity: 1)
        table.initialize(to: PortTable(slots))
        state.pointee.table.store(UInt(bitPattern: table), ordering: .sequentiallyConsistent)
        if hasPassed() { freeTables() }
        tables.append(table)
    }

    /// Plays no more.
    ///
    /// - Returns: Whether the callback has left the engine alone; where not, it is to be asked again.
    func shut() -> Bool {
        state.pointee.table.store(0, ordering: .sequentiallyConsistent)
        return hasPassed()
    }

    /// Tells what plays whether anybody waits for its sound; for any thread.
    func setFreewheeling(_ isOn: Bool) {
        state.pointee.isFreewheeling.store(isOn, ordering: .relaxed)
    }

    /// When the first cycle was done, in ns of the monotonic clock; nil before.
    var firstCycleNanoseconds: UInt64? {
        let time = state.pointee.firstCycleNanoseconds.load(ordering: .acquiring)
        return time == 0 ? nil : time
    }

    /// Waits until no callback uses what was there before the table was changed last.
    private func hasPassed() -> Bool {
        let seen = state.pointee.passages.load(ordering: .sequentiallyConsistent)
        guard seen % 2 == 1 else { return true }
        for _ in 0..<Self.patienceSteps {
            if state.pointee.passages.load(ordering: .sequentiallyConsistent) != seen {
                return true
            }
            usleep(200)
        }
        return false
    }

    private func freeTables() {
        for table in tables { free(table) }
        tables = []
    }

    private func free(_ table: UnsafeMutablePointer<PortTable>) {
        table.deinitialize(count: 1)
        table.deallocate()
    }
}

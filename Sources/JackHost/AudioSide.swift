internal import CJack
internal import CRealtime
internal import Engine
internal import Pipelines
internal import Synchronization

/// All that the process callback may touch.
struct AudioSideState: ~Copyable {
    let audio: EngineAudio
    let inputs: UnsafeMutablePointer<OpaquePointer>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<OpaquePointer>
    let outputCount: Int
    let surroundings: CycleSurroundings
    let client: OpaquePointer
    /// Where each input's samples of this cycle are.
    let inputSamples: UnsafeMutablePointer<UnsafePointer<Float>>
    /// Where each output's samples of this cycle go.
    let outputSamples: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// When the first cycle was done, in ns of the monotonic clock; 0 before.
    let firstCycleNanoseconds = Atomic<UInt64>(0)

    /// Renders one period from our input ports into our output ports.
    @_noLocks
    borrowing func process(_ frames: jack_nframes_t) {
        let outside = surroundings.begin(frames, client)
        for place in 0..<inputCount {
            guard let samples = jack_rt_samples(inputs[place], frames) else { return }
            inputSamples[place] = UnsafePointer(samples)
        }
        for place in 0..<outputCount {
            guard let samples = jack_rt_samples(outputs[place], frames) else { return }
            outputSamples[place] = samples
        }
        audio.render(
            frameCount: Int(frames), inputs: inputSamples, outputs: outputSamples,
            outside: outside)
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
    rt_enter_realtime()
    state.pointee.process(frames)
    rt_leave_realtime()
    rt_restore_float_control(control)
    state.pointee.noteFirstCycle()
    return 0
}

/// Owns what the process callback works on; it has to outlive the client.
final class AudioSide: @unchecked Sendable {
    // SAFETY: the audio thread alone uses the state, but for its one atomic.
    private let state: UnsafeMutablePointer<AudioSideState>

    /// Prepares the callback for the ports of a pipeline, in its order.
    init(
        _ audio: EngineAudio, inputs: [SignalPorts], outputs: [SignalPorts], client: JackClient
    ) {
        let inputHandles = handles(of: inputs, .audio)
        let outputHandles = handles(of: outputs, .audio)
        state = .allocate(capacity: 1)
        state.initialize(
            to: AudioSideState(
                audio: audio, inputs: copy(inputHandles), inputCount: inputHandles.count,
                outputs: copy(outputHandles), outputCount: outputHandles.count,
                surroundings: CycleSurroundings(
                    inputs: handles(of: inputs, .midi), outputs: handles(of: outputs, .midi)),
                client: client.handle,
                inputSamples: .allocate(capacity: max(1, inputHandles.count)),
                outputSamples: .allocate(capacity: max(1, outputHandles.count))))
    }

    deinit {
        state.pointee.inputs.deallocate()
        state.pointee.outputs.deallocate()
        state.pointee.inputSamples.deallocate()
        state.pointee.outputSamples.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Has the client call us for audio: `jack_set_process_callback`, to be done before it is activated.
    func attach(to client: JackClient) {
        jack_set_process_callback(client.handle, process, state)
    }

    /// Tells what plays whether anybody waits for its sound; for any thread.
    func setFreewheeling(_ isOn: Bool) {
        state.pointee.surroundings.isFreewheeling.store(isOn, ordering: .relaxed)
    }

    /// When the first cycle was done, in ns of the monotonic clock; nil before.
    var firstCycleNanoseconds: UInt64? {
        let time = state.pointee.firstCycleNanoseconds.load(ordering: .acquiring)
        return time == 0 ? nil : time
    }
}

private func handles(of signals: [SignalPorts], _ kind: Pipeline.SignalKind) -> [OpaquePointer] {
    signals.filter { $0.kind == kind }.flatMap { $0.ports.map(\.handle) }
}

private func copy(_ handles: [OpaquePointer]) -> UnsafeMutablePointer<OpaquePointer> {
    let copy = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: max(1, handles.count))
    copy.initialize(from: handles, count: handles.count)
    return copy
}

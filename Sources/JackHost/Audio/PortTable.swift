internal import CJack
internal import CRealtime
internal import Engine
internal import Realtime

/// The ports of all slots that cycles play through, and the buffers of a cycle.
///
/// A table never changes; other ports need a new table.
struct PortTable: ~Copyable {
    /// The maximum number of frames that are rendered at once, which is also the length of the
    /// buffers for slots without a port.
    static var longestFrames: Int { @_noLocks get { 8192 } }

    private let inputs: Buffer<OpaquePointer?>
    private let outputs: Buffer<OpaquePointer?>
    private let context: CycleContext
    /// The samples of each input slot.
    private let inputSamples: Buffer<UnsafePointer<Float>>
    /// The samples of each output slot.
    private let outputSamples: Buffer<UnsafeMutablePointer<Float>>
    /// The input of slots without a port.
    private let silence: Buffer<Float>
    /// The output of slots without a port.
    private let discarded: Buffer<Float>
    /// Whether the engine uses copies of the ports' samples.
    private let copies: Bool
    /// The copies of all ports, the inputs first; empty if the engine uses the ports' samples.
    private let copied: Buffer<Float>

    /// Creates a table of ports by slot.
    ///
    /// - Parameters:
    ///   - slots: The ports.
    ///   - copies: Whether the engine uses copies of the ports' samples. It must if the server can
    ///     take memory away during a cycle.
    init(_ slots: PortSlots, copies: Bool) {
        self.copies = copies
        copied = Buffer(
            count: copies ? (slots.inputs.count + slots.outputs.count) * Self.longestFrames : 0,
            repeating: 0)
        inputs = Buffer(slots.inputs)
        outputs = Buffer(slots.outputs)
        context = CycleContext(
            inputs: slots.messageInputs, outputs: slots.messageOutputs)
        silence = Buffer(count: Self.longestFrames, repeating: 0)
        discarded = Buffer(count: Self.longestFrames, repeating: 0)
        // The engine may have more slots than there are ports.
        inputSamples = Buffer(
            count: EnginePorts.maximumChannels, repeating: UnsafePointer(silence.start))
        outputSamples = Buffer(count: EnginePorts.maximumChannels, repeating: discarded.start)
    }

    /// Renders any number of frames from the input ports into the output ports.
    ///
    /// - Parameters:
    ///   - frames: The frames of the cycle.
    ///   - audio: The engine.
    ///   - client: The client of the ports; `nil` without ports.
    ///   - isFreewheeling: Whether the server freewheels.
    @_noLocks
    borrowing func play(
        _ frames: jack_nframes_t, _ audio: EngineAudio, _ client: OpaquePointer?,
        isFreewheeling: Bool
    ) {
        context.begin(frames, client, isFreewheeling: isFreewheeling)
        let all = Int(frames)
        // PipeWire, for which copies are made, has no longer cycles.
        let copies = copies && all <= Self.longestFrames
        if copies {
            copyInputs(frames)
        } else {
            fetchBuffers(frames, written: audio.outputSlotCount)
        }
        var done = 0
        while done < all {
            let piece = min(all - done, Self.longestFrames)
            audio.render(
                frameCount: piece, inputs: inputSamples.start, outputs: outputSamples.start,
                engineCall: context.piece(from: done, to: done + piece, of: all))
            advanceBuffers(by: piece)
            done += piece
        }
        if copies { copyOutputs(frames, written: audio.outputSlotCount) }
    }

    /// Copies the samples of the inputs, and lets the engine write into copies of the outputs.
    @_noLocks
    private borrowing func copyInputs(_ frames: jack_nframes_t) {
        for slot in 0..<inputs.count {
            let copy = copied.start + slot * Self.longestFrames
            if let samples = inputs[slot].flatMap({ jack_rt_samples($0, frames) }) {
                rt_copy(copy, samples, Int64(frames))
                inputSamples[slot] = UnsafePointer(copy)
            } else {
                inputSamples[slot] = UnsafePointer(silence.start)
            }
        }
        for slot in 0..<outputs.count {
            outputSamples[slot] =
                outputs[slot] == nil
                ? discarded.start : copied.start + (inputs.count + slot) * Self.longestFrames
        }
    }

    /// Copies the output of the engine into the ports; the ports of slots from `written` on become
    /// silent.
    @_noLocks
    private borrowing func copyOutputs(_ frames: jack_nframes_t, written: Int) {
        for slot in 0..<outputs.count {
            guard let samples = outputs[slot].flatMap({ jack_rt_samples($0, frames) }) else {
                continue
            }
            if slot < written {
                let copy = copied.start + (inputs.count + slot) * Self.longestFrames
                rt_copy(samples, copy, Int64(frames))
            } else {
                rt_clear(samples, Int64(frames))
            }
        }
    }

    @_noLocks
    private borrowing func fetchBuffers(_ frames: jack_nframes_t, written: Int) {
        for slot in 0..<inputs.count {
            let samples = inputs[slot].flatMap { jack_rt_samples($0, frames) }
            inputSamples[slot] = UnsafePointer(samples ?? silence.start)
        }
        for slot in 0..<outputs.count {
            outputSamples[slot] =
                outputs[slot].flatMap { jack_rt_samples($0, frames) } ?? discarded.start
        }
        // Without this, a port whose schedule is not active yet would output the previous content
        // of its memory.
        for slot in written..<max(written, outputs.count)
        where outputSamples[slot] != discarded.start {
            rt_clear(outputSamples[slot], Int64(frames))
        }
    }

    @_noLocks
    private borrowing func advanceBuffers(by frames: Int) {
        for slot in 0..<inputs.count where inputSamples[slot] != UnsafePointer(silence.start) {
            inputSamples[slot] += frames
        }
        for slot in 0..<outputs.count where outputSamples[slot] != discarded.start {
            outputSamples[slot] += frames
        }
    }
}

/// Ports by engine slot; `nil` if a slot has none.
struct PortSlots {
    var inputs: [OpaquePointer?] = []
    var outputs: [OpaquePointer?] = []
    var messageInputs: [OpaquePointer?] = []
    var messageOutputs: [OpaquePointer?] = []
}

internal import CJack
internal import Synchronization

/// The JACK client that stands beside the one that soaks.
final class PartnerClient {
    private let handle: OpaquePointer
    // SAFETY: the callback uses it, and this class its atomics alone; it lives as long as the process.
    private let audio: UnsafeMutablePointer<PartnerAudio>

    init?(server: String, seed: UInt64) {
        var status = JackStatus(0)
        guard
            let handle = jack_client_open_at("partner", JackNoStartServer, &status, server),
            let sine = Self.addPort(handle, "sine", isInput: false),
            let noise = Self.addPort(handle, "noise", isInput: false),
            let notes = Self.addPort(
                handle, "notes", isInput: false, type: JACK_DEFAULT_MIDI_TYPE),
            let clean = Self.addPort(handle, "clean", isInput: true),
            Self.addPort(handle, "lights", isInput: true, type: JACK_DEFAULT_MIDI_TYPE) != nil,
            Self.addPort(handle, "rough", isInput: true) != nil
        else { return nil }
        self.handle = handle
        audio = .allocate(capacity: 1)
        audio.initialize(
            to: PartnerAudio(
                sine: sine, noise: noise, notes: notes, clean: clean,
                sampleRate: Double(jack_get_sample_rate(handle)), seed: seed))
        jack_set_process_callback(
            handle,
            { frames, audio in
                audio?.assumingMemoryBound(to: PartnerAudio.self).pointee.process(frames)
                return 0
            }, audio)
        jack_set_xrun_callback(
            handle,
            { audio in
                audio?.assumingMemoryBound(to: PartnerAudio.self).pointee.xruns
                    .add(1, ordering: .relaxed)
                return 0
            }, audio)
        jack_activate(handle)
    }

    private static func addPort(
        _ client: OpaquePointer, _ name: String, isInput: Bool,
        type: String = JACK_DEFAULT_AUDIO_TYPE
    ) -> OpaquePointer? {
        let direction = isInput ? JackPortIsInput : JackPortIsOutput
        return jack_port_register(client, name, type, UInt(direction.rawValue), 0)
    }

    func connect(_ from: String, _ to: String) -> Int32 { jack_connect(handle, from, to) }
    func disconnect(_ from: String, _ to: String) -> Int32 { jack_disconnect(handle, from, to) }
    func setBlock(frames: UInt32) -> Int32 { jack_set_buffer_size(handle, frames) }
    func freewheel(_ isOn: Bool) -> Int32 { jack_set_freewheel(handle, isOn ? 1 : 0) }
    func close() { jack_client_close(handle) }

    /// What came back since the last call, and what befell in all.
    func takeFigures() -> String {
        let step = Float(bitPattern: audio.pointee.largestStep.exchange(0, ordering: .relaxed))
        let peak = Float(bitPattern: audio.pointee.peak.exchange(0, ordering: .relaxed))
        let frames = audio.pointee.frames.load(ordering: .relaxed)
        return "\(step) \(peak) \(frames) \(audio.pointee.xruns.load(ordering: .relaxed))"
    }
}

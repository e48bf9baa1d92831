internal import CJack
internal import Glibc
internal import Synchronization

/// The JACK clients next to the program under test.
///
/// `partner` sends signals to it, `listener` listens to it, and `bare` takes as much time as it. Partner
/// and listener are separate clients: otherwise JACK would break the loop, and the returned signal
/// would be from the previous cycle, which may have had another length.
struct Neighbours {
    private let partner: Client<PartnerSound>
    private let listener: Client<ListenerSound>
    private let bare: Client<BareLoop>

    init?(server: String, seed: UInt64, suffix: String) {
        guard let listener = Self.listener(server, suffix),
            let partner = Self.partner(server, suffix, seed),
            let bare = Self.bare(server, suffix)
        else { return nil }
        (self.partner, self.listener, self.bare) = (partner, listener, bare)
        // The ports exist and are not connected yet, because some programs take time to start.
        usleep(UInt32(seed % 400) * 1000)
        listener.begin { frames, sound in
            sound?.assumingMemoryBound(to: ListenerSound.self).pointee.process(frames)
            return 0
        }
        partner.begin { frames, sound in
            sound?.assumingMemoryBound(to: PartnerSound.self).pointee.process(frames)
            return 0
        }
        bare.begin { frames, loop in
            loop?.assumingMemoryBound(to: BareLoop.self).pointee.process(frames)
            return 0
        }
    }

    private static func partner(
        _ server: String, _ suffix: String, _ seed: UInt64
    ) -> Client<PartnerSound>? {
        guard let client = Client<PartnerSound>.open("partner\(suffix)", server: server),
            let sine = addPort(client, "sine", isInput: false),
            let noise = addPort(client, "noise", isInput: false),
            let notes = addPort(client, "notes", isInput: false, type: JACK_DEFAULT_MIDI_TYPE),
            let clock = addPort(client, "clock", isInput: false, type: JACK_DEFAULT_MIDI_TYPE)
        else { return nil }
        let rate = Double(jack_get_sample_rate(client))
        return Client(
            client,
            PartnerSound(
                client: client, sine: sine, noise: noise, notes: notes, clock: clock,
                sampleRate: rate, seed: seed))
    }

    private static func listener(_ server: String, _ suffix: String) -> Client<ListenerSound>? {
        guard let client = Client<ListenerSound>.open("ear\(suffix)", server: server),
            let clean = addPort(client, "clean", isInput: true),
            let lights = addPort(client, "lights", isInput: true, type: JACK_DEFAULT_MIDI_TYPE),
            addPort(client, "rough", isInput: true) != nil
        else { return nil }
        let listener = Client(
            client, ListenerSound(client: client, clean: clean, lights: lights))
        jack_set_xrun_callback(
            client,
            { sound in
                sound?.assumingMemoryBound(to: ListenerSound.self).pointee.xruns
                    .add(1, ordering: .relaxed)
                return 0
            }, listener.sound)
        return listener
    }

    private static func bare(_ server: String, _ suffix: String) -> Client<BareLoop>? {
        guard let client = Client<BareLoop>.open("bare\(suffix)", server: server),
            addPort(client, "in", isInput: true) != nil
        else { return nil }
        let bare = Client(client, BareLoop(sampleRate: Double(jack_get_sample_rate(client))))
        jack_set_freewheel_callback(
            client,
            { isOn, loop in
                loop?.assumingMemoryBound(to: BareLoop.self).pointee.isFreewheeling
                    .store(isOn != 0, ordering: .relaxed)
            }, bare.sound)
        return bare
    }

    func connect(_ from: String, _ to: String) -> Int32 { jack_connect(partner.handle, from, to) }
    func disconnect(_ from: String, _ to: String) -> Int32 {
        jack_disconnect(partner.handle, from, to)
    }
    func setBlock(frames: UInt32) -> Int32 { jack_set_buffer_size(partner.handle, frames) }
    func play(message bytes: [UInt8]) -> Bool { partner.sound.pointee.messages.add(bytes) }
    func setRandom(_ isOn: Bool) { partner.sound.pointee.isRandom.store(isOn, ordering: .relaxed) }
    func setClock(tempo: Double) {
        partner.sound.pointee.clockTempo.store(tempo.bitPattern, ordering: .relaxed)
    }
    func rollTransport(_ isOn: Bool) {
        if isOn {
            jack_transport_start(partner.handle)
        } else {
            jack_transport_stop(partner.handle)
        }
    }
    var heard: String { listener.sound.pointee.heard.text }
    func freewheel(_ isOn: Bool) -> Int32 { jack_set_freewheel(partner.handle, isOn ? 1 : 0) }

    func close() {
        jack_client_close(partner.handle)
        jack_client_close(listener.handle)
        jack_client_close(bare.handle)
    }

    /// Makes the bare loop take a share of each period; returns the number of its overruns since
    /// the start.
    func work(share: Float) -> Int {
        bare.sound.pointee.share.store(share.bitPattern, ordering: .relaxed)
        return bare.sound.pointee.overrunCycles.load(ordering: .relaxed)
    }

    /// Returns the figures of the returned signal since the last call, and the totals.
    ///
    /// The last two are the age of the largest step in frames, and the number of cycles in which
    /// the server has left out the partner or the listener.
    func popFigures() -> String {
        let sound = listener.sound
        let step = Float(bitPattern: sound.pointee.largestStep.exchange(0, ordering: .relaxed))
        let peak = Float(bitPattern: sound.pointee.peak.exchange(0, ordering: .relaxed))
        let frames = sound.pointee.frames.load(ordering: .relaxed)
        let age = frames - min(frames, sound.pointee.stepFrame.load(ordering: .relaxed))
        let xruns = sound.pointee.xruns.load(ordering: .relaxed)
        let gaps =
            sound.pointee.gaps.count.load(ordering: .relaxed)
            + partner.sound.pointee.gaps.count.load(ordering: .relaxed)
        return "\(step) \(peak) \(frames) \(xruns) \(age) \(gaps)"
    }
}

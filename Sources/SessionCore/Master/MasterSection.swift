internal import CRealtime
internal import Engine

/// The controls of the whole session: tempo, mute, gain, the tuner's input and MIDI learn.
///
/// They keep their values when another song or file becomes active.
package final class MasterSection {
    /// The valid tempos, in beats per minute.
    package static let tempoRange = 20.0...400
    /// The valid gains, in dB; the lowest one is silence.
    package static let gainRange = -120.0...24

    /// The answer to a request to set the tempo while it follows a MIDI clock.
    static let clockRefusal = Answer.refused(
        "the tempo follows a MIDI clock; stop the clock to set the tempo", suggestion: nil)

    private let commands: CommandQueue
    private let events: EventStream
    private var taps = TapTempo()

    /// The tempo, in beats per minute.
    package private(set) var tempo: Double
    /// Whether the tempo follows a MIDI clock, so that it cannot be set.
    package private(set) var followsClock = false
    package private(set) var isMuted = false
    package private(set) var gainDecibels = 0.0
    /// The input channel that the tuner listens to, such as `mic:2`; empty if the tuner is off.
    package private(set) var tunedInput = ""
    /// The address that the next moved MIDI control will be bound to; `nil` if learning is off.
    package private(set) var learnedAddress: String?

    /// Creates the master section of a new session.
    ///
    /// - Parameters:
    ///   - tempo: The initial tempo, in beats per minute.
    ///   - commands: Sends changes to the engine.
    ///   - events: Sends changes to watchers.
    package init(tempo: Double, commands: CommandQueue, events: EventStream) {
        self.tempo = tempo
        self.commands = commands
        self.events = events
    }

    /// The gain of all outputs as a linear factor.
    package var gainFactor: Float {
        // 10^(dB / 20)
        gainDecibels <= Self.gainRange.lowerBound
            ? 0 : Float(rt_exp(gainDecibels / 20 * 2.302_585_092_994_046))
    }

    /// All addresses of the section with their values.
    package var entries: [AddressValue] {
        [
            AddressValue("tempo", .number(tempo)), AddressValue("mute", .toggle(isMuted)),
            AddressValue("gain", .number(gainDecibels)), AddressValue("tuner", .text(tunedInput)),
            AddressValue("learn", .text(learnedAddress ?? "")),
        ]
    }

    /// Begins with other values than the default ones; the caller sends them to the engine before
    /// the engine renders.
    package func begin(isMuted: Bool, gainDecibels: Double) {
        (self.isMuted, self.gainDecibels) = (isMuted, gainDecibels)
    }

    /// Sets the tempo, in beats per minute.
    package func setTempo(_ beatsPerMinute: Double) {
        guard !followsClock else { return }
        tempo = beatsPerMinute
        commands.send(.tempo(beatsPerMinute: beatsPerMinute))
        events.publish("tempo", .number(beatsPerMinute))
    }

    /// Adopts the tempo of a MIDI clock, or the last one after the clock has ended.
    package func followClock(_ beatsPerMinute: Double, isPresent: Bool) {
        followsClock = isPresent
        guard tempo != beatsPerMinute else { return }
        tempo = beatsPerMinute
        events.publish("tempo", .number(beatsPerMinute))
    }

    /// Counts a tap; the second and later taps set the tempo.
    package func tap(atNanoseconds now: UInt64) {
        guard let tapped = taps.tap(atNanoseconds: now) else { return }
        setTempo(min(max(tapped, Self.tempoRange.lowerBound), Self.tempoRange.upperBound))
    }

    /// Mutes all outputs, or unmutes them.
    package func setMute(_ isOn: Bool) {
        isMuted = isOn
        commands.send(.mute(isOn))
        events.publish("mute", .toggle(isOn))
    }

    /// Sets the gain of all outputs, in dB.
    package func setGain(decibels: Double) {
        gainDecibels = decibels
        commands.send(.masterGain(gainFactor))
        events.publish("gain", .number(decibels))
    }

    /// Connects the tuner to an input channel, or turns it off.
    package func tune(to input: TunerInput) {
        commands.send(.monitor(slot: input.slot))
        tunedInput = input.name
        events.publish("tuner", .text(input.name))
    }

    /// Starts to wait for a MIDI control to bind to an address; `nil` stops waiting.
    package func learn(_ address: String?) {
        learnedAddress = address
        commands.send(.learn(address != nil))
        events.publish("learn", .text(address ?? ""))
    }

    /// Ends learning because a control was moved.
    ///
    /// - Returns: The address to bind; `nil` if learning was off.
    package func finishLearning() -> String? {
        guard let address = learnedAddress else { return nil }
        learnedAddress = nil
        events.publish("learn", .text(""))
        return address
    }

    /// Adopts the tempo, mute and gain of the session that this one replaces.
    ///
    /// The caller sends mute and gain to the engine before the engine renders. Learning ends
    /// because a control that is moved later would be bound in another file.
    package func adopt(_ former: MasterSection) {
        taps = former.taps
        if former.tempo != tempo { setTempo(former.tempo) }
        (isMuted, gainDecibels) = (former.isMuted, former.gainDecibels)
        if former.learnedAddress != nil { events.publish("learn", .text("")) }
    }

    /// Announces that the tuner is off because its input no longer exists.
    package func announceTunerOff() { events.publish("tuner", .text("")) }
}

/// An input channel for the tuner.
package struct TunerInput: Equatable {
    /// The name, such as `mic` or `mic:2`; empty for no input.
    package let name: String
    /// The engine's input slot; -1 for no input.
    package let slot: Int32

    /// No input.
    package static let none = TunerInput(name: "", slot: -1)

    /// Creates an input channel from its name and slot.
    package init(name: String, slot: Int32) {
        self.name = name
        self.slot = slot
    }
}

internal import CRealtime
internal import Engine
internal import Pipelines

// What people and programs ask for.

extension Show {
    /// Beats a minute that may be asked for.
    static let tempoRange = 20.0...400

    /// Does what is asked, or says why not.
    public func perform(_ request: Request) -> Answer {
        switch request {
        case .set(let address, let value): set(address, value)
        case .get(let address): get(address)
        case .dump: .values(dump())
        }
    }

    /// Puts on a scene, by its place.
    public func putOn(scene place: Int) {
        let scenes = playing.pipeline.scenes
        guard scenes.indices.contains(place), engine.send(.scene(Int32(place))) else { return }
        take(scene: scenes[place], of: playing.pipeline)
    }

    /// Takes in that a scene is on.
    func take(scene new: Pipeline.Scene, of pipeline: Pipeline) {
        for change in new.changes {
            guard let here = pipeline.counterpart(of: change.address, in: playing.pipeline),
                values.has(here)
            else { continue }
            values[here] = change.value
            tellValue(at: here)
        }
        tell(scene: new)
    }

    /// Remembers which scene is on, and tells of it.
    func tell(scene new: Pipeline.Scene) {
        scene = new.name
        tell("scene", .text(new.name))
        events.append(.scene(name: new.name))
    }

    /// Goes to the scene so many places on; the last stays, and so does the first.
    public func stepScene(by steps: Int) {
        let scenes = playing.pipeline.scenes
        guard !scenes.isEmpty else { return }
        let present = scenes.firstIndex { $0.name == scene }
        let next = present.map { $0 + steps } ?? (steps > 0 ? 0 : scenes.count - 1)
        if scenes.indices.contains(next) { putOn(scene: next) }
    }

    /// Goes to the song so many places on.
    public func stepSong(by steps: Int) {
        let next = (wishes.song ?? song) + steps
        if songs.indices.contains(next) { go(to: next) }
    }

    // MARK: Values

    /// Moves a value, and remembers it.
    func move(_ address: Pipeline.Address, to value: Float) {
        guard
            engine.send(
                .set(
                    node: Int32(address.node), target: address.target.eventTarget, value: value,
                    frame: 0))
        else { return }
        values[address] = value
        tellValue(at: address)
    }

    func setTempo(_ beatsPerMinute: Double) {
        tempo = beatsPerMinute
        send(.tempo(beatsPerMinute: beatsPerMinute))
        tell("tempo", .number(beatsPerMinute))
    }

    func tap(atNanoseconds now: UInt64) {
        guard let tapped = taps.tap(atNanoseconds: now) else { return }
        setTempo(min(max(tapped, Self.tempoRange.lowerBound), Self.tempoRange.upperBound))
    }

    func mute(_ isOn: Bool) {
        isMuted = isOn
        send(.mute(isOn))
        tell("mute", .toggle(isOn))
    }

    /// The gain of all outputs as a factor.
    var masterGain: Float {
        gainDecibels <= -120 ? 0 : Float(rt_exp(gainDecibels / 20 * 2.302_585_092_994_046))
    }

    func setGain(decibels: Double) {
        gainDecibels = decibels
        send(.masterGain(masterGain))
        tell("gain", .number(decibels))
    }

    // MARK: Notices

    /// Tells all who listen.
    public func tell(_ notice: Notice) { for listener in listeners.values { listener(notice) } }

    func tell(_ address: String, _ value: Value) { tell(.changed(.init(address, value))) }

    func tellValue(at address: Pipeline.Address) {
        guard !listeners.isEmpty else { return }
        let pipeline = playing.pipeline
        tell(pipeline.text(of: address), pipeline.value(values[address], at: address))
    }

    /// Has all notices told to one more, or no longer.
    ///
    /// - Parameters:
    ///   - owner: Whose listener it is: it takes the place of the one before.
    ///   - listener: Called on the show's own thread; nil for none.
    public func listen(for owner: ObjectIdentifier, _ listener: (@Sendable (Notice) -> Void)?) {
        listeners[owner] = listener
    }

    // MARK: Listening

    /// Has the tuner hear a channel of an input, such as `mic` or `mic:2`; empty for none.
    func tune(to name: String) -> Answer {
        guard !name.isEmpty else {
            send(.hear(slot: -1))
            tunedInput = ""
            tell("tuner", .text(""))
            return .done
        }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        let channel = parts.count == 2 ? Int(parts[1]) : 1
        guard let input = outside.inputs.first(where: { $0.name == parts[0] && $0.kind == .audio }),
            let channel, input.slots.indices.contains(channel - 1)
        else {
            let names = outside.inputs.filter { $0.kind == .audio }.map(\.name)
            return .refused(
                "there is no input channel \"\(name)\"",
                suggestion: Nearest.name(to: parts[0], in: names))
        }
        send(.hear(slot: Int32(input.slots[channel - 1])))
        tunedInput = name
        tell("tuner", .text(name))
        return .done
    }

    /// Waits for the MIDI control that is to be bound to an address; empty for none.
    func learn(_ text: String) -> Answer {
        if !text.isEmpty, case .failure(let fault) = playing.pipeline.address(text) {
            return .refused(fault.message, suggestion: fault.suggestion)
        }
        guard text.isEmpty || outside.inputs.contains(where: { $0.kind == .midi }) else {
            return .refused(
                "there is no MIDI input to learn from: \"inputs\" needs one of \"kind\": \"midi\"",
                suggestion: nil)
        }
        learning = text.isEmpty ? nil : text
        send(.learn(!text.isEmpty))
        tell("learn", .text(text))
        return .done
    }
}

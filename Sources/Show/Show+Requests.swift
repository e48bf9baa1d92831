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
        scene = scenes[place].name
        for change in scenes[place].changes {
            values[change.address] = change.value
            tellValue(at: change.address)
        }
        tell("scene", .text(scenes[place].name))
        events.append(.scene(name: scenes[place].name))
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
        _ = engine.send(.tempo(beatsPerMinute: beatsPerMinute))
        tell("tempo", .number(beatsPerMinute))
    }

    func tap(atNanoseconds now: UInt64) {
        guard let tapped = taps.tap(atNanoseconds: now) else { return }
        setTempo(min(max(tapped, Self.tempoRange.lowerBound), Self.tempoRange.upperBound))
    }

    func mute(_ isOn: Bool) {
        isMuted = isOn
        _ = engine.send(.mute(isOn))
        tell("mute", .toggle(isOn))
    }

    func setGain(decibels: Double) {
        gainDecibels = decibels
        let amplitude = decibels <= -120 ? 0 : rt_exp(decibels / 20 * 2.302_585_092_994_046)
        _ = engine.send(.masterGain(Float(amplitude)))
        tell("gain", .number(decibels))
    }

    // MARK: Notices

    func tell(_ notice: Notice) { listener?(notice) }

    func tell(_ address: String, _ value: Value) { tell(.changed(.init(address, value))) }

    func tellValue(at address: Pipeline.Address) {
        guard listener != nil else { return }
        let pipeline = playing.pipeline
        tell(pipeline.text(of: address), pipeline.value(values[address], at: address))
    }

    /// Has all notices told, until it is called again.
    public func listen(_ newListener: (@Sendable (Notice) -> Void)?) { listener = newListener }
}

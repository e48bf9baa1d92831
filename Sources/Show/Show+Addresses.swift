internal import CRealtime
internal import Engine
internal import Pipelines

// The address space of remote controls.

extension Show {
    /// What has no dot in its address.
    private enum Word: String, CaseIterable {
        case scene, song, tempo, mute, gain, tuner, learn
        case tap, panic
        case nextScene = "next-scene"
        case previousScene = "previous-scene"
        case nextSong = "next-song"
        case previousSong = "previous-song"
    }

    func set(_ address: String, _ value: Value?) -> Answer {
        guard let word = Word(rawValue: address) else {
            return address.contains(".") ? setValue(address, value) : unknown(address)
        }
        switch (word, value) {
        case (.tap, _): tap(atNanoseconds: rt_nanoseconds())
        case (.panic, _): panic()
        case (.nextScene, _): stepScene(by: 1)
        case (.previousScene, _): stepScene(by: -1)
        case (.nextSong, _): stepSong(by: 1)
        case (.previousSong, _): stepSong(by: -1)
        case (.mute, nil): mute(!isMuted)
        case (.mute, let value?): return switchMute(value)
        case (_, nil): return get(address)
        case (.scene, let value?):
            return choose(value, among: playing.pipeline.scenes.map(\.name), "scene", putOn)
        case (.song, let value?): return choose(value, among: songs.map(\.name), "song", go)
        case (.tuner, .text(let name)?): return tune(to: name)
        case (.learn, .text(let name)?): return learn(name)
        case (.tuner, _), (.learn, _):
            return .refused("\"\(address)\" must be a name", suggestion: nil)
        case (.tempo, let value?):
            return number(value, in: Self.tempoRange, address, "beats a minute", setTempo)
        case (.gain, let value?): return number(value, in: -120...24, address, "dB", setGain)
        }
        return .done
    }

    func get(_ address: String) -> Answer {
        if let entry = nightEntries().first(where: { $0.address == address }) {
            return .values([entry])
        }
        guard address.contains(".") else { return unknown(address) }
        switch playing.pipeline.address(address) {
        case .success(let found):
            return .values([entry(at: found)])
        case .failure(let fault): return .refused(fault.message, suggestion: fault.suggestion)
        }
    }

    func dump() -> [Answer.Entry] { nightEntries() + playing.pipeline.addresses.map(entry) }

    private func entry(at address: Pipeline.Address) -> Answer.Entry {
        let pipeline = playing.pipeline
        return .init(pipeline.text(of: address), pipeline.value(values[address], at: address))
    }

    private func nightEntries() -> [Answer.Entry] {
        [
            .init("scene", .text(scene ?? "")),
            .init("song", .text(songs[song].name)), .init("tempo", .number(tempo)),
            .init("mute", .toggle(isMuted)), .init("gain", .number(gainDecibels)),
            .init("tuner", .text(tunedInput)), .init("learn", .text(learning ?? "")),
        ]
    }

    // MARK: Single kinds

    private func setValue(_ address: String, _ value: Value?) -> Answer {
        guard let value else { return get(address) }
        switch playing.pipeline.change(address: address, value: value.typed) {
        case .success(let change):
            move(change.address, to: change.value)
            return .done
        case .failure(let fault): return .refused(fault.message, suggestion: fault.suggestion)
        }
    }

    private func switchMute(_ value: Value) -> Answer {
        switch value {
        case .toggle(let isOn): mute(isOn)
        case .number(0): mute(false)
        case .number(1): mute(true)
        default: return .refused("\"mute\" must be true or false", suggestion: nil)
        }
        return .done
    }

    private func number(
        _ value: Value, in range: ClosedRange<Double>, _ address: String, _ unit: String,
        _ use: (Double) -> Void
    ) -> Answer {
        guard case .number(let number) = value, range.contains(number) else {
            return .refused(
                "\"\(address)\" must be \(Int(range.lowerBound))…\(Int(range.upperBound)) \(unit)",
                suggestion: nil)
        }
        use(number)
        return .done
    }

    /// Chooses one of a list, by its name or by its number from 1.
    private func choose(
        _ value: Value, among names: [String], _ kind: String, _ use: (Int) -> Void
    ) -> Answer {
        var place: Int?
        if case .text(let name) = value {
            place = names.firstIndex(of: name) ?? Int(name).map { $0 - 1 }
        }
        if case .number(let number) = value { place = Int(exactly: number).map { $0 - 1 } }
        guard let place, names.indices.contains(place) else {
            let near =
                if case .text(let name) = value { Nearest.name(to: name, in: names) } else {
                    String?.none
                }
            return .refused("there is no \(kind) \(value.typed)", suggestion: near)
        }
        use(place)
        return .done
    }

    private func unknown(_ address: String) -> Answer {
        .refused(
            "there is no address \"\(address)\"",
            suggestion: Nearest.name(to: address, in: Word.allCases.map(\.rawValue)))
    }
}

extension Value {
    /// The value as people type it.
    package var typed: String {
        switch self {
        case .number(let number):
            number.rounded() == number && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .toggle(let isOn): isOn ? "true" : "false"
        case .text(let text): text
        }
    }
}

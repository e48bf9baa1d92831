package import Engine
package import Pipelines
internal import Processing

/// Resolves the addresses and values of requests for the current state of a session.
package struct AddressSpace {
    private let values: LiveValues
    private let songs: SongList
    private let ports: EnginePorts
    /// The values of the master section.
    private let master: [AddressValue]
    /// The values that nodes report; `nil` for an address space without them.
    private let reports: NodeReports?
    private let files: SessionFiles

    /// Creates the address space for a state of a session.
    package init(
        values: LiveValues, songs: SongList, ports: EnginePorts, master: [AddressValue],
        reports: NodeReports? = nil, files: SessionFiles = SessionFiles()
    ) {
        self.values = values
        self.songs = songs
        self.ports = ports
        self.master = master
        self.reports = reports
        self.files = files
    }

    /// A request whose address and value are valid.
    package enum Operation: Equatable {
        case move(Pipeline.Change)
        case fade(Pipeline.Change, FadeManner)
        case fadeAll(seconds: Double)
        case scene(Int)
        case song(Int)
        case tempo(Double)
        case mute(Bool)
        case gain(decibels: Double)
        case tune(TunerInput)
        case learn(String?)
        case pressKey(Int32)
        case perform(SessionCommand)
        case saveScene(String)
        case edit(FilePatch)
        case readFile(String)
        case answer([AddressValue])
        case answerReports([NodeReport])
        case answerDescription(SessionDescription)
        case measureLevels(perSecond: Int, ofNodes: Bool)
        case measureSpectra(ofNodes: [String])
    }

    /// The reason why a request cannot be carried out.
    package struct Refusal: Error, Equatable {
        package var message: String
        package var suggestion: String?

        /// Creates a refusal from its parts.
        package init(message: String, suggestion: String? = nil) {
            self.message = message
            self.suggestion = suggestion
        }
    }

    /// Resolves a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - origin: The origin of the request. Only keys, MIDI and scenes may move the parameters of
    ///     a node whose setting `remote` is off.
    /// - Returns: The operation, with valid values.
    /// - Throws: `Refusal` if the address does not exist or the value is not valid for it.
    package func operation(
        for request: SessionRequest, from origin: RequestOrigin
    ) throws(Refusal) -> Operation {
        switch request {
        case .perform(let command): return .perform(command)
        case .dump: return .answer(entries)
        case .reports: return .answerReports(reports?.entries ?? [])
        case .describe: return .answerDescription(description)
        case .measureLevels(let rate, let ofNodes):
            guard (0...SessionRequest.mostLevelsPerSecond).contains(rate) else {
                throw Refusal(
                    message: "levels can be measured at most "
                        + "\(SessionRequest.mostLevelsPerSecond) times per second")
            }
            return .measureLevels(perSecond: rate, ofNodes: ofNodes)
        case .measureSpectra(let nodes): return .measureSpectra(ofNodes: nodes)
        case .pressKey(let name): return try press(name)
        case .edit(let patch): return .edit(patch)
        case .readFile(let path): return .readFile(path)
        case .ports: throw Refusal(message: "the session does not play on a JACK server")
        case .get(let address): return .answer([try entry(of: address)])
        case .set(let address, let value):
            if origin == .remote { try checkRemote(address, value) }
            // A command has no value, so any value triggers it.
            if let command = SessionCommand(rawValue: address) {
                return try operation(for: command, with: value)
            }
            if let word = SessionAddress(rawValue: address) {
                return try operation(setting: word, to: value)
            }
            if ReadOnlyAddress(rawValue: address) != nil {
                throw Refusal(message: "\"\(address)\" can only be read")
            }
            guard address.contains(".") else { throw unknown(address) }
            let change = values.pipeline.change(address: address, to: value.scalar)
            return .move(try Self.found(change))
        case .fade(let address, let value, let seconds):
            if origin == .remote { try checkRemote(address, value) }
            return try fade(address, value, seconds: seconds)
        }
    }

    // MARK: Reading

    private var description: SessionDescription {
        SessionDescription(
            name: songs.name, isSetlist: songs.isSetlist, songs: songs.songs, song: songs.index,
            pipeline: values.pipeline, inputPorts: ports.inputPortNames.compactMap { $0 },
            outputPorts: ports.outputPortNames.compactMap { $0 }, values: entries,
            reports: reports?.entries ?? [], files: files)
    }

    private var entries: [AddressValue] { sessionEntries + values.entries }

    /// The addresses without a dot.
    private var sessionEntries: [AddressValue] {
        [
            AddressValue("scene", .text(songs.scene ?? "")),
            AddressValue("song", .text(songs.current.name)),
        ] + SongDisplay(of: songs).entries + master
    }

    private func entry(of address: String) throws(Refusal) -> AddressValue {
        if let entry = sessionEntries.first(where: { $0.address == address }) { return entry }
        // A text that is empty has no entry.
        if ReadOnlyAddress(rawValue: address) != nil { return AddressValue(address, .text("")) }
        guard address.contains(".") else { throw unknown(address) }
        if let report = reports?.report(at: address) {
            guard let value = report.value else {
                throw Refusal(message: "\"\(address)\" has no value yet: its node has not run")
            }
            return AddressValue(address, value)
        }
        return values.entry(at: try Self.found(values.pipeline.address(address)))
    }

    // MARK: Setting

    private func press(_ name: String) throws(Refusal) -> Operation {
        guard let key = ComputerKey(name),
            values.pipeline.bindings.contains(where: { $0.trigger == .key(key) })
        else { throw Refusal(message: "the key \"\(name)\" has no binding") }
        return .pressKey(Int32(clamping: key.number))
    }

    private func fade(
        _ address: String, _ value: Value, seconds: Double
    ) throws(Refusal) -> Operation {
        guard address.contains(".") else {
            throw Refusal(
                message: "\"\(address)\" cannot fade; only values of nodes, such as verb.mix, can")
        }
        let change = try Self.found(values.pipeline.change(address: address, to: value.scalar))
        return .fade(change, FadeManner(seconds: try fadeTime(seconds, of: address)))
    }

    private func fadeTime(_ seconds: Double, of address: String) throws(Refusal) -> Double {
        // NaN is in no range.
        guard FadeManner.allowedSeconds.contains(seconds) else {
            let most = Int(FadeManner.allowedSeconds.upperBound)
            throw Refusal(message: "the time of \"\(address)\" must be 0…\(most) seconds")
        }
        return seconds
    }

    private func operation(
        for command: SessionCommand, with value: Value
    ) throws(Refusal) -> Operation {
        if command == .fadeAll, case .number(let seconds) = value {
            return .fadeAll(seconds: try fadeTime(seconds, of: command.rawValue))
        }
        guard command.readsText, case .text(let text) = value else { return .perform(command) }
        guard command == .saveScene else {
            throw Refusal(
                message: "\"\(command.rawValue)\" has no value",
                suggestion: SessionCommand.saveScene.rawValue)
        }
        return .saveScene(text)
    }

    private func operation(setting word: SessionAddress, to value: Value) throws(Refusal)
        -> Operation
    {
        switch (word, value) {
        case (.scene, _):
            return .scene(try index(of: value, in: values.pipeline.scenes.map(\.name), "scene"))
        case (.song, _): return .song(try index(of: value, in: songs.names, "song"))
        case (.tuner, .text(let name)): return .tune(try tunerInput(name))
        case (.learn, .text(let address)): return .learn(try learnAddress(address))
        case (.tuner, _), (.learn, _):
            throw Refusal(message: "\"\(word.rawValue)\" must be a name")
        case (.tempo, _):
            return .tempo(
                try number(value, in: MasterSection.tempoRange, "tempo", "beats per minute"))
        case (.gain, _):
            return .gain(decibels: try number(value, in: MasterSection.gainRange, "gain", "dB"))
        case (.mute, .toggle(let isOn)): return .mute(isOn)
        case (.mute, .number(0)): return .mute(false)
        case (.mute, .number(1)): return .mute(true)
        case (.mute, _): throw Refusal(message: "\"mute\" must be true or false")
        }
    }

    private func number(
        _ value: Value, in range: ClosedRange<Double>, _ address: String, _ unit: String
    ) throws(Refusal) -> Double {
        guard case .number(let number) = value, range.contains(number) else {
            let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
            throw Refusal(message: "\"\(address)\" must be \(low)…\(high) \(unit)")
        }
        return number
    }

    /// Returns the index of a name, or of a number from 1.
    private func index(
        of value: Value, in names: [String], _ kind: String
    ) throws(Refusal) -> Int {
        let index: Int? =
            switch value {
            case .text(let name): names.index(named: name)
            case .number(let number): Int(exactly: number).flatMap(names.index(number:))
            case .toggle: nil
            }
        if let index { return index }
        let near =
            if case .text(let name) = value { Nearest.name(to: name, in: names) } else {
                String?.none
            }
        throw Refusal(message: "there is no \(kind) \(value.scalar.typed)", suggestion: near)
    }

    /// Returns the input channel with a name such as `mic` or `mic:2`; `.none` for an empty name.
    package func tunerInput(_ name: String) throws(Refusal) -> TunerInput {
        if name.isEmpty { return .none }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        // A name that consists only of colons has no parts.
        let inputName = parts.first ?? ""
        let channel = parts.count == 2 ? Int(parts[1]) : 1
        guard
            let input = ports.inputs.first(where: { $0.name == inputName && $0.kind == .audio }),
            let index = channel.flatMap(input.slots.index(number:))
        else {
            let names = ports.inputs.filter { $0.kind == .audio }.map(\.name)
            throw Refusal(
                message: "there is no input channel \"\(name)\"",
                suggestion: Nearest.name(to: inputName, in: names))
        }
        return TunerInput(name: name, slot: Int32(input.slots[index]))
    }

    /// Returns the address or the action for MIDI learn; `nil` if it is empty.
    private func learnAddress(_ address: String) throws(Refusal) -> String? {
        if address.isEmpty { return nil }
        let actions = Pipeline.Binding.Command.allCases.map(\.rawValue)
        let address =
            address == SessionCommand.tap.rawValue
            ? Pipeline.Binding.Command.tapTempo.rawValue : address
        if !actions.contains(address), MasterValue(rawValue: address) == nil {
            try checkLearned(address, actions)
        }
        guard ports.inputs.contains(where: { $0.kind == .midi }) else {
            throw Refusal(
                message:
                    "there is no MIDI input to learn from; \"inputs\" must contain one with \"kind\": \"midi\""
            )
        }
        return address
    }

    /// Checks that there is a scene, a song or a value of a node to bind.
    private func checkLearned(_ address: String, _ actions: [String]) throws(Refusal) {
        let target = LearnedTarget(address)
        if let scene = target.scene {
            _ = try index(of: .text(scene), in: values.pipeline.scenes.map(\.name), "scene")
        } else if let song = target.song {
            guard songs.isSetlist else {
                throw Refusal(message: "only a setlist has songs to bind")
            }
            _ = try index(of: .text(song), in: songs.names, "song")
        } else {
            do {
                _ = try Self.found(values.pipeline.address(address))
            } catch {
                let words = actions + MasterValue.allCases.map(\.rawValue)
                let near = address.contains(".") ? nil : Nearest.name(to: address, in: words)
                throw Refusal(message: error.message, suggestion: error.suggestion ?? near)
            }
        }
    }

    /// Checks that another program does not move or bind a parameter of a node whose setting
    /// `remote` is off.
    private func checkRemote(_ address: String, _ value: Value) throws(Refusal) {
        let isLearning = address == "learn"
        let text: String
        if isLearning, case .text(let learned) = value { text = learned } else { text = address }
        let pipeline = values.pipeline
        guard case .success(let found) = pipeline.address(text), pipeline.refusesRemote(found)
        else { return }
        let id = pipeline.nodes[found.node].id
        throw Refusal(
            message:
                "\"\(text)\" cannot be \(isLearning ? "bound" : "changed") by another program: the node \"\(id)\" has \"remote\": false; use a key or a MIDI control"
        )
    }

    // MARK: Refusals

    private func unknown(_ address: String) -> Refusal {
        let words =
            SessionAddress.allCases.map(\.rawValue)
            + SessionCommand.allCases.map(\.rawValue)
        return Refusal(
            message: "there is no address \"\(address)\"",
            suggestion: Nearest.name(to: address, in: words))
    }

    /// Returns the result of a lookup in a pipeline, or throws its error as a refusal.
    private static func found<Found>(
        _ result: Result<Found, ChangeError>
    ) throws(Refusal) -> Found {
        switch result {
        case .success(let found): return found
        case .failure(let error):
            throw Refusal(message: error.message, suggestion: error.suggestion)
        }
    }
}

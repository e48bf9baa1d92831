internal import Pipelines
internal import Processing

extension Pipeline {
    /// Returns a scene as a line of a list.
    func listing(of scene: Scene, place: Int) -> Listing {
        Listing(
            name: scene.name + (place == initialScene ? " (at load)" : ""),
            entries: scene.changes.map {
                "\(text(of: $0.address)) \(valueText($0.value, at: $0.address))"
            })
    }

    /// Returns a MIDI binding as a line of a list.
    func listing(of binding: Binding) -> Listing {
        let channel = binding.channel.map { " on channel \($0)" } ?? ""
        let port = binding.port.map { " from \(inputs[$0].name)" } ?? ""
        let press =
            switch binding.press {
            case .short: ""
            case .long: ", long"
            case .double: ", double"
            }
        return Listing(
            name: binding.trigger.text + channel + port + press,
            entries: [text(of: binding.action)])
    }

    private func text(of action: Binding.Action) -> String {
        switch action {
        case .move(let value, let from, let to, _, let mode, _):
            "\(text(of: value)) \(valueText(from, of: value)) … \(valueText(to, of: value))"
                + (mode == .absolute ? "" : " (\(mode.rawValue))")
        case .cycle(let value, let values):
            "\(text(of: value)) "
                + values.map { valueText($0, of: value) }.joined(separator: ", ")
        case .scene(let place): "scene \(scenes[place].name)"
        case .cycleScenes(let places):
            "scenes " + places.map { scenes[$0].name }.joined(separator: ", ")
        case .song(let place): "song \(place + 1)"
        case .cue(let cue): "cue \(nodes[cue.node].id):\(cue.item)"
        case .perform(let command): command.rawValue
        }
    }

    private func valueText(_ value: Float, of movable: Binding.Movable) -> String {
        switch movable {
        case .node(let address): valueText(value, at: address)
        case .master(let master): master.parameter.text(of: value)
        }
    }

    private func valueText(_ value: Float, at address: Address) -> String {
        switch address.target {
        case .parameter(let place): nodes[address.node].parameters[place].text(of: value)
        case .bypass: value > 0 ? "on" : "off"
        case .mix: Unit.percent.text(of: Double(value) * 100)
        }
    }
}

extension Pipeline.Binding.Trigger {
    fileprivate var text: String {
        switch self {
        case .controller(let number): "CC \(number)"
        case .note(let number): "note \(number)"
        case .program(let number): "program \(number)"
        case .bend: "pitch bend"
        case .channelPressure: "pressure"
        case .keyPressure(let number): "pressure of note \(number)"
        case .key(let key): "key \(key.name)"
        }
    }
}

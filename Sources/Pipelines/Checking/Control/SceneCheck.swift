/// Checks scenes: each address and its value, the settings, the fades, the keys of cues, and the
/// messages that scenes send.
struct SceneCheck {
    let context: CheckContext
    let addresses: AddressCheck
    let settings: SceneSettingsCheck
    let messages: MessageCheck

    /// Returns the scenes; `nil` if the key `scenes` has the wrong type.
    func scenes() -> [Pipeline.Scene]? {
        switch context.fields(of: context.document.root).map("scenes") {
        case .absent: []
        case .invalid: nil
        case .present(let members, _):
            CueCheck(context: context, addresses: addresses, members: members).addCues(
                to: settings.checkCombinations(of: members.map(scene), in: members))
        }
    }

    private func scene(_ member: JSONMember) -> Pipeline.Scene {
        let given = settings.settings(in: member.value.members)
        let changes = member.value.members.filter { !given.members.contains($0.start) }
        var scene = Pipeline.Scene(
            name: member.key, changes: given.presetValues + changes.compactMap(change),
            settings: given.settings, messages: messages.messages(of: member.value))
        scene.fades = SceneFadeCheck(context: context, addresses: addresses)
            .fades(in: member.value, of: scene)
        scene.gainDecibels = context.fields(of: member.value).number("gain").value
        return scene
    }

    private func change(_ member: JSONMember) -> Pipeline.Change? {
        guard !context.errors.isFull, PipelineKeys.scene[member.key] == nil,
            let target = addresses.target(member.key, at: member.start),
            let value = ValueCheck(context: context).value(
                member.value, of: target.parameter, named: member.key, isPlugin: target.isPlugin)
        else { return nil }
        return Pipeline.Change(address: target.address, value: value)
    }

    /// Returns the index of the scene that is active at load.
    func initialScene(of scenes: [Pipeline.Scene]?) -> Int? {
        guard
            case .present(let name, let element) = context.fields(of: context.document.root).text(
                "scene")
        else { return nil }
        return SceneNames(context: context, names: scenes?.map(\.name)).index(of: name, at: element)
    }
}

/// Finds scenes by name.
struct SceneNames {
    let context: CheckContext
    /// The names of the scenes; `nil` if they are not known.
    let names: [String]?

    /// Returns the index of a scene; `nil` if there is no such scene, which is reported.
    func index(of name: String, at element: JSONElement) -> Int? {
        guard let names else { return nil }
        if let index = names.firstIndex(of: name) { return index }
        context.errors.report(
            .reference, at: element.start, "there is no scene \(Quoted(name))",
            suggestion: context.errors.suggestion(for: name, among: names))
        return nil
    }
}

internal import Processing

/// Checks the settings that scenes give nodes: `node.setting`, or `node.settings.setting` if the
/// node has a parameter with that name.
struct SceneSettingsCheck {
    let context: CheckContext
    let addresses: AddressCheck
    /// The settings of each node in the file.
    let fileSettings: [[String: SettingValue]]

    /// The part of the long form before the name.
    private static let prefix = "settings."

    /// The settings of one scene.
    struct Settings {
        /// The settings, in the order of the file.
        var settings: [Pipeline.SceneSetting] = []
        /// The values of the presets that the scene names.
        var presetValues: [Pipeline.Change] = []
        /// The offsets of the members that name settings, right or wrong.
        var members: Set<Int> = []
    }

    /// Returns the settings among the members of a scene, and reports invalid ones.
    func settings(in members: [JSONMember]) -> Settings {
        var result = Settings()
        for member in members where !context.errors.isFull {
            guard let (node, name) = target(member.key) else { continue }
            result.members.insert(member.start)
            add(member, node, name, to: &result)
        }
        return result
    }

    /// Returns the node and the name of a setting; `nil` if an address names no setting.
    private func target(_ text: String) -> (node: Int, name: String)? {
        guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")),
            case .node(let node) = addresses.nameTable[String(text[..<dot])],
            let parameters = addresses.parameters[node]
        else { return nil }
        let name = String(text[text.utf8.index(after: dot)...])
        // A parameter has the short form.
        guard let own = OwnParameter.name(at: name), case .none = parameters.match(own) else {
            return nil
        }
        if parameters.type.settings[name] != nil { return (node, name) }
        return name.hasPrefix(Self.prefix) ? (node, String(name.dropFirst(Self.prefix.count))) : nil
    }

    private func add(
        _ member: JSONMember, _ index: Int, _ name: String, to result: inout Settings
    ) {
        let node = addresses.nodes[index]
        guard let type = node.description, !node.isStandIn else { return }
        guard let setting = type.settings[name] else {
            return context.reportUnknown(
                "setting", member, named: name, among: type.settings.keys.sorted(), of: node)
        }
        if let reason = type.refusal(ofChanging: setting) {
            return context.errors.report(
                .reference, at: member.start,
                "a scene cannot change the setting \(Quoted(name)) of \(Quoted(node.id)): \(reason)"
            )
        }
        let value = SettingsCheck(context: context).value(
            member.value, of: setting, ofNode: node)
        let presetValues = value.flatMap {
            self.presetValues(member, name, $0, index, type)
        }
        // If a setting is faulty, the node keeps its setting in the file.
        result.settings.append(
            Pipeline.SceneSetting(
                node: index, name: name,
                value: presetValues == nil ? fileSettings[index][name] : value,
                durationSeconds: node.facts?.durationSeconds))
        guard let presetValues else { return }
        result.settings += removals(of: type, besides: name, index)
        result.presetValues += presetValues
    }

    /// Returns the removal of the other settings of which a node has exactly one.
    private func removals(
        of type: TypeDescription, besides name: String, _ index: Int
    ) -> [Pipeline.SceneSetting] {
        let required = type.description.requiredSettings
        guard required.contains(name) else { return [] }
        return required.filter { $0 != name }.map {
            Pipeline.SceneSetting(node: index, name: $0, value: nil)
        }
    }

    /// Returns the values of a plugin's preset; empty for other settings, and `nil` if there is no
    /// such preset, which is reported.
    private func presetValues(
        _ member: JSONMember, _ name: String, _ value: SettingValue, _ index: Int,
        _ type: TypeDescription
    ) -> [Pipeline.Change]? {
        guard case .plugin(let uri)? = addresses.nodes[index].type,
            let preset = value.text, name == PipelineKeys.preset.name
        else { return [] }
        switch context.types.values(ofPreset: preset, of: uri) {
        case .failure(let error):
            context.errors.report(.reference, at: member.value.start, error.message)
            return nil
        case .success(let values):
            return values.sorted { $0.key < $1.key }.compactMap { name, value in
                guard let parameter = type.parameterIndex[name],
                    type.parameters[parameter].range.contains(value)
                else { return nil }
                return Pipeline.Change(
                    address: Pipeline.Address(node: index, target: .parameter(parameter)),
                    value: value)
            }
        }
    }

    // MARK: Combinations

    /// Checks the combinations of settings that calls of the scenes lead to, and their number.
    ///
    /// - Parameters:
    ///   - scenes: All scenes.
    ///   - members: The member of each scene in the file.
    /// - Returns: The scenes, with the durations of sources. If a scene leads to an invalid
    ///   combination, the node keeps its settings in the file.
    func checkCombinations(
        of scenes: [Pipeline.Scene], in members: [JSONMember]
    ) -> [Pipeline.Scene] {
        var result = scenes
        var extraCount = 0
        let steps = Pipeline.settingSteps(of: scenes).sorted { $0.key < $1.key }
        for (node, steps) in steps where !context.errors.isFull {
            let combinations = SettingCombinations(
                from: fileSettings[node], steps: steps.map(\.settings)
            ) { settings, step in
                let scene = steps[step].scene
                return check(settings, ofNode: node, &result[scene], in: members[scene])
            }
            if combinations.areTooMany {
                context.errors.report(
                    .limit, at: members[steps[0].scene].start,
                    "the scenes give \(Quoted(addresses.nodes[node].id)) more than \(Pipeline.maximumNodeVariants) combinations of settings"
                )
            }
            extraCount += combinations.combinations.count - 1
        }
        if extraCount > Pipeline.maximumVariants, let first = members.first {
            context.errors.report(
                .limit, at: first.start,
                "the scenes need \(extraCount) variants of nodes; at most \(Pipeline.maximumVariants) are allowed"
            )
        }
        return result
    }

    /// Checks a combination of settings of an effect, and reports it if it is not valid.
    private func check(
        _ settings: [String: SettingValue], ofNode index: Int, _ scene: inout Pipeline.Scene,
        in member: JSONMember
    ) -> Bool {
        let node = addresses.nodes[index]
        guard case .effect(let name)? = node.type, let former = node.facts else { return true }
        let isValid: Bool
        switch context.types.facts(ofEffect: name, settings) {
        case .failure(let error):
            context.errors.report(
                error.kind == .file ? .file : .range,
                at: offset(of: error.setting, node.id, in: member), error.message)
            isValid = false
        case .success(let facts):
            isValid = node.channelsSetting != nil || facts.outputChannels == former.outputChannels
            if !isValid {
                context.errors.report(
                    .channels, at: offset(of: "", node.id, in: member),
                    "in this scene, \(Quoted(node.id)) has \(facts.outputChannels ?? 0) channels, and in the file \(former.outputChannels ?? 0); give the node the setting \"channels\""
                )
            }
            scene.setDuration(facts.durationSeconds, ofNode: index)
            checkVariant(of: node, settings, facts, in: member)
        }
        if !isValid { scene.restore(fileSettings[index], ofNode: index, former) }
        return isValid
    }

    /// Reports that the cheaper variant of a node cannot be combined with the settings of a scene.
    private func checkVariant(
        of node: NodeDraft, _ settings: [String: SettingValue], _ facts: SettingFacts,
        in member: JSONMember
    ) {
        guard case .effect(let name)? = node.type, let whenLate = node.whenLate, !whenLate.isBypass
        else { return }
        let check = WhenLateCheck(context: context)
        let reason = check.refusal(whenLate, of: node, name, settings, facts)
        guard let reason else { return }
        context.errors.report(
            .range, at: offset(of: "", node.id, in: member),
            "in this scene, \(Quoted(PipelineKeys.whenLateName)) of \(Quoted(node.id)) is not valid: \(reason)"
        )
    }

    /// Returns the offset for an error of a setting: that of its value in the scene, or else of the
    /// node's first member there.
    private func offset(of setting: String, _ id: String, in scene: JSONMember) -> Int {
        let members = scene.value.members.filter { $0.key.hasPrefix(id + ".") }
        let exact = members.first { $0.key.hasSuffix("." + setting) }
        let first = members.first { target($0.key) != nil }
        return (exact ?? first)?.value.start ?? scene.start
    }
}

extension Pipeline.Scene {
    /// Sets the duration of a source with the settings of the scene.
    fileprivate mutating func setDuration(_ seconds: Double?, ofNode node: Int) {
        for index in settings.indices where settings[index].node == node {
            settings[index].durationSeconds = seconds
        }
    }

    /// Gives a node the settings that it has in the file.
    fileprivate mutating func restore(
        _ file: [String: SettingValue], ofNode node: Int, _ facts: SettingFacts
    ) {
        for index in settings.indices where settings[index].node == node {
            settings[index].value = file[settings[index].name]
        }
        setDuration(facts.durationSeconds, ofNode: node)
    }
}

extension TypeDescription {
    /// Returns the reason why a setting cannot change while the pipeline plays; `nil` if it can.
    func refusal(ofChanging setting: SettingDescription) -> String? {
        if setting.name == "channels", isMixer || description.channels == .source {
            return "the connections of the node depend on it"
        }
        if storesInput { return "its recording would end" }
        if setting.kind == .playlist { return "a scene can give only one file, \"file\"" }
        return nil
    }

    /// Whether nodes of the type store their input, which a new node would not have.
    private var storesInput: Bool {
        description.channels == .sameAsInputs && parameters.contains(where: \.isTransport)
    }
}

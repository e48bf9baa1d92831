internal import Processing

/// Checks the cheaper variant of a node: the key `when-late`.
struct WhenLateCheck {
    let context: CheckContext

    /// Returns the cheaper variant of a node, and reports its errors.
    ///
    /// - Parameters:
    ///   - node: The node, with the facts of its settings.
    ///   - own: The settings of the node.
    /// - Returns: The variant; `nil` if the node has none, or if an error hides it.
    func whenLate(of node: NodeDraft, _ own: [String: SettingValue]) -> WhenLate? {
        guard !node.isStandIn, let type = node.description,
            case .present(let element, _) = context.fields(of: node.element)
                .raw(PipelineKeys.whenLateName),
            case .object = element.content
        else { return nil }
        let fields = context.fields(of: element)
        guard !type.wouldBeginAgain else {
            report(
                .reference, at: element,
                "\(Quoted(node.id)) cannot have \(Quoted(PipelineKeys.whenLateName)): its playback or recording would begin again"
            )
            return nil
        }
        var result = WhenLate(
            rank: fields.whole("rank").value ?? WhenLate.standardRank,
            isBypass: fields.toggle("bypass").value ?? false)
        if result.isBypass, type.description.sendsEvents {
            report(
                .reference, at: element,
                "\(Quoted(node.id)) sends MIDI, so its notes would hang during a bypass; give \(Quoted(PipelineKeys.whenLateName)) other settings"
            )
            return nil
        }
        guard case .present(let members, let settings) = fields.map("settings") else {
            let isInvalid = fields.map("settings").isInvalid || fields.toggle("bypass").isInvalid
            if !result.isBypass, !isInvalid {
                report(
                    .missingKey, at: element,
                    "\(Quoted(PipelineKeys.whenLateName)) needs \"settings\" or \"bypass\": true")
            }
            return result.isBypass ? result : nil
        }
        guard !result.isBypass else {
            report(
                .reference, at: settings,
                "a bypassed node does not use \"settings\"; give only one of them")
            return nil
        }
        for member in members { add(member, of: node, type, to: &result) }
        guard !context.errors.hasError(within: element) else { return nil }
        return isUsable(result, of: node, own, at: settings) ? result : nil
    }

    /// Returns the reason why a variant cannot be combined with settings; `nil` if it can.
    ///
    /// - Parameters:
    ///   - variant: The variant.
    ///   - node: The node.
    ///   - name: The name of its effect.
    ///   - settings: The settings, in the file or in a scene.
    ///   - facts: The facts that follow from them.
    /// - Returns: The reason.
    func refusal(
        _ variant: WhenLate, of node: NodeDraft, _ name: String,
        _ settings: [String: SettingValue], _ facts: SettingFacts
    ) -> String? {
        switch context.types.facts(ofEffect: name, variant.applied(to: settings)) {
        case .failure(let error): return error.message
        case .success(let reduced):
            guard node.channelsSetting == nil, reduced.outputChannels != facts.outputChannels else {
                return nil
            }
            return
                "it has \(reduced.outputChannels ?? 0) channels instead of \(facts.outputChannels ?? 0)"
        }
    }

    private func add(
        _ member: JSONMember, of node: NodeDraft, _ type: TypeDescription,
        to result: inout WhenLate
    ) {
        guard let setting = type.settings[member.key] else {
            return context.reportUnknown(
                "setting", member, among: type.settings.keys.sorted(), of: node)
        }
        if let reason = type.refusal(ofChanging: setting) {
            return context.errors.report(
                .reference, at: member.start,
                "\(Quoted(PipelineKeys.whenLateName)) cannot change the setting \(Quoted(member.key)) of \(Quoted(node.id)): \(reason)"
            )
        }
        let value = SettingsCheck(context: context).value(member.value, of: setting, ofNode: node)
        result.settings[member.key] = value
        let required = type.description.requiredSettings
        if required.contains(member.key) {
            result.removedSettings.formUnion(required.filter { $0 != member.key })
        }
    }

    private func isUsable(
        _ variant: WhenLate, of node: NodeDraft, _ own: [String: SettingValue],
        at element: JSONElement
    ) -> Bool {
        guard variant.applied(to: own) != own else {
            report(.reference, at: element, "\"settings\" changes nothing, so it cannot help")
            return false
        }
        guard case .effect(let name)? = node.type, let facts = node.facts,
            let reason = refusal(variant, of: node, name, own, facts)
        else { return true }
        report(.range, at: element, "the variant of \(Quoted(node.id)) is not valid: \(reason)")
        return false
    }

    private func report(_ code: Diagnostic.Code, at element: JSONElement, _ message: String) {
        context.errors.report(code, at: element.start, message)
    }
}

extension TypeDescription {
    /// Whether a new node of the type would begin its playback or its recording again.
    fileprivate var wouldBeginAgain: Bool { parameters.contains(where: \.isTransport) }
}

internal import Glibc
internal import Processing

/// Checks the values that a file gives to a node: its parameters, settings, bypass, mix and isolation.
struct NodeValueCheck {
    let context: CheckContext
    private var values: ValueCheck { ValueCheck(context: context) }

    init(context: CheckContext) { self.context = context }

    // MARK: Settings

    /// The node's settings; those that are wrong are told and left out.
    func settings(of node: NodeDraft) -> [String: SettingValue] {
        guard let description = node.description,
            case .present(let members, _) = context.fields(of: node.element).map("settings")
        else { return [:] }
        var settings: [String: SettingValue] = [:]
        for member in members {
            guard !context.faults.isFaulty(keyOf: member) else { continue }
            guard let setting = description.settings[member.key] else {
                reportUnknown("setting", member, among: description.settings.keys.sorted(), node)
                continue
            }
            let value = values.value(member.value, of: setting).map { placed($0, setting) }
            settings[member.key] = value
            if case .plugin? = node.type, setting.kind == .path, let path = value?.text {
                checkFile(path, of: setting, at: member.value)
            }
        }
        return settings
    }

    /// What a plugin is given to load must be there: it would only go silent.
    private func checkFile(_ path: String, of setting: SettingDescription, at element: JSONElement)
    {
        guard access(path, R_OK) != 0 else { return }
        context.faults.report(
            .file, at: element.start,
            "\(Quoted(setting.name)) names no file that can be read: \(path)")
    }

    /// A path is relative to the pipeline file; from here on it is one for the program.
    private func placed(_ value: SettingValue, _ setting: SettingDescription) -> SettingValue {
        guard setting.kind == .path, let path = value.text else { return value }
        return .text(FilePath.resolve(path, besideFile: context.file))
    }

    private func reportUnknown(
        _ kind: String, _ member: JSONMember, among names: [String], _ node: NodeDraft
    ) {
        let label = node.description?.description.label ?? ""
        context.faults.report(
            .unknownKey, at: member.start,
            "\(Quoted(label)) has no \(kind) \(Quoted(member.key))",
            suggestion: context.faults.suggestion(for: member.key, among: names))
    }

    // MARK: Parameters

    /// The value of each parameter: the default, over it the preset's, over it the file's.
    func parameterValues(of node: NodeDraft, _ parameters: NodeParameters) -> [Float] {
        let inner = parameters.type.description.stripParameters.map(\.defaultValue)
        var result = parameters.type.parameters.map(\.defaultValue)
        for _ in node.strips { result += inner }
        apply(presetOf: node, to: &result, parameters)
        guard case .present(let members, _) = context.fields(of: node.element).map("parameters")
        else { return result }
        for member in members {
            guard !context.faults.isFaulty(keyOf: member),
                let (index, value) = value(member, parameters, node),
                result.indices.contains(index)
            else { continue }
            result[index] = value
        }
        return result
    }

    private func value(
        _ member: JSONMember, _ parameters: NodeParameters, _ node: NodeDraft
    ) -> (Int, Float)? {
        switch parameters.match(member.key) {
        case .hidden: return nil
        case .none:
            reportUnknown("parameter", member, among: parameters.names, node)
            return nil
        case .parameter(let index, let parameter):
            return values.value(
                member.value, of: parameter, named: member.key, isPlugin: parameters.type.isPlugin
            ).map { (index, $0) }
        }
    }

    private func apply(
        presetOf node: NodeDraft, to values: inout [Float], _ parameters: NodeParameters
    ) {
        guard case .plugin(let uri)? = node.type,
            let element = node.element["settings"]?[PipelineKeys.preset.name],
            !context.faults.isFaulty(element), let preset = element.string
        else { return }
        switch context.types.values(ofPreset: preset, of: uri) {
        case .success(let given):
            let overridden = Set((node.element["parameters"]?.members ?? []).map(\.key))
            for (name, value) in given.sorted(by: { $0.key < $1.key }) {
                guard let index = parameters.type.parameterIndex[name] else { continue }
                values[index] = value
                guard !overridden.contains(name) else { continue }
                check(value, ofPreset: preset, parameters.type.parameters[index], at: element)
            }
        case .failure(let fault):
            context.faults.report(.reference, at: element.start, fault.message)
        }
    }

    /// A preset's value is held to the same range as the file's own, which may go over it.
    private func check(
        _ value: Float, ofPreset preset: String, _ parameter: ParameterDescription,
        at element: JSONElement
    ) {
        guard !parameter.range.contains(value) else { return }
        context.faults.report(
            .range, at: element.start,
            "the preset \(Quoted(preset)) sets \(Quoted(parameter.name)) to "
                + "\(Quantity.text(value)), which must be "
                + "\(Quantity.text(parameter.range, parameter.unit)); "
                + "the node's \"parameters\" may set another value")
    }

    // MARK: What every node has

    func isolation(of node: NodeDraft) -> Isolation {
        let element = node.element["isolate"]
        if element?.bool == true { return .process }
        return element?.string == nil ? .none : .sameCycle
    }
}

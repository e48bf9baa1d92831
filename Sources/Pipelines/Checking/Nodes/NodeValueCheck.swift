internal import Processing
internal import Platform

/// Checks the values of a node in the file: its parameters, preset and isolation.
struct NodeValueCheck {
    let context: CheckContext
    private var values: ValueCheck { ValueCheck(context: context) }

    init(context: CheckContext) { self.context = context }

    // MARK: Parameters

    /// Returns the value of each parameter: from the file, else the preset, else the default.
    func parameterValues(of node: NodeDraft, _ parameters: NodeParameters) -> [Float] {
        let inner = parameters.type.description.stripParameters.map(\.defaultValue)
        var result = parameters.type.parameters.map(\.defaultValue)
        for _ in node.strips { result += inner }
        apply(presetOf: node, to: &result, parameters)
        guard case .present(let members, _) = context.fields(of: node.element).map("parameters")
        else { return result }
        for member in members {
            guard !context.errors.isInvalid(keyOf: member),
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
        case .none where parameters.type.description.reportIndex(at: member.key) != nil:
            context.errors.report(
                .reference, at: member.start,
                "\(Quoted(member.key)) of \(Quoted(node.id)) is read-only: the node reports it")
            return nil
        case .none:
            context.reportUnknown("parameter", member, among: parameters.names, of: node)
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
            !context.errors.isInvalid(element), let preset = element.string
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
        case .failure(let error):
            context.errors.report(.reference, at: element.start, error.message)
        }
    }

    /// Checks that a preset's value is in range, unless the file overrides it.
    private func check(
        _ value: Float, ofPreset preset: String, _ parameter: ParameterDescription,
        at element: JSONElement
    ) {
        guard !parameter.range.contains(value) else { return }
        context.errors.report(
            .range, at: element.start,
            "the preset \(Quoted(preset)) sets \(Quoted(parameter.name)) to "
                + "\(value.plain), but it must be "
                + "\(Quantity.text(parameter.range, parameter.unit)); "
                + "set another value in the node's \"parameters\"")
    }

    // MARK: Isolation

    func isolation(of node: NodeDraft) -> Isolation {
        let element = node.element["isolate"]
        if element?.bool == true { return .process }
        return element?.string == nil ? .none : .sameCycle
    }

    /// Returns the sandbox of an isolated process.
    ///
    /// By default, the process can read little more than the pipeline's folder.
    func sandbox(of node: NodeDraft) -> Sandbox {
        if node.element["sandbox"]?.bool == false { return .off }
        return .on(folder: FilePath.folder(of: context.file))
    }
}

internal import Processing

/// Checks the values that a file gives to a node: its parameters, preset and isolation.
struct NodeValueCheck {
    let context: CheckContext
    private var values: ValueCheck { ValueCheck(context: context) }

    init(context: CheckContext) { self.context = context }

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

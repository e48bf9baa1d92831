internal import Processing

/// Checks MIDI bindings: each has one trigger, one target, and the keys that fit them.
struct BindingCheck {
    let context: CheckContext
    /// Finds a MIDI input of the file by name; reports an unknown name.
    let port: (String, JSONElement) -> Int?
    /// Resolves an address; reports an address that is not valid.
    let target: (String, JSONElement) -> AddressCheck.Target?
    /// Finds a scene by name; reports an unknown name.
    let scene: (String, JSONElement) -> Int?
    /// Finds a song by name, in a setlist only; reports an unknown name.
    var song: ((String, JSONElement) -> Int?)?

    /// Returns the valid bindings, and reports the errors of the others.
    func bindings() -> [Pipeline.Binding] {
        elements.compactMap(binding)
    }

    /// The binding elements of the file.
    var elements: [JSONElement] {
        context.fields(of: context.document.root).list("midi").value ?? []
    }

    /// Returns a binding; `nil` if it is not valid.
    func binding(_ element: JSONElement) -> Pipeline.Binding? {
        guard case .object = element.content, !context.errors.isFull else { return nil }
        let fields = context.fields(of: element)
        let trigger = trigger(of: fields)
        let port = fields.text("port")
        let portIndex = port.value.flatMap { name in
            fields.element["port"].flatMap { self.port(name, $0) }
        }
        guard let action = action(of: fields), let trigger else { return nil }
        // A binding without its channel or its port would react to the messages of all.
        if context.isTolerant, context.errors.hasError(within: element) { return nil }
        return Pipeline.Binding(
            trigger: trigger, channel: fields.whole("channel").value, port: portIndex,
            action: action,
            encoding: fields.text("encoding").value.flatMap(Pipeline.Binding.Encoding.init)
                ?? .twosComplement,
            isFine: fields.whole("bits").value == 14, bank: fields.whole("bank").value)
    }

    // MARK: Triggers

    private func trigger(of fields: Fields) -> Pipeline.Binding.Trigger? {
        guard let key = only(of: PipelineKeys.triggers, in: fields, "trigger"),
            let number = fields.whole(key).value
        else { return nil }
        reportBank(fields, with: key)
        switch key {
        case "cc": return .controller(number)
        case "note": return .note(number)
        default: return .program(number)
        }
    }

    private func reportBank(_ fields: Fields, with key: String) {
        guard key != "program", fields.element["bank"] != nil else { return }
        context.errors.report(
            .binding, at: fields.offset(of: "bank"),
            "\"bank\" requires \"program\"; this binding has \(Quoted(key))")
    }

    /// Returns the only key of `keys` that is present; reports any other number of them.
    private func only(of keys: [String], in fields: Fields, _ subject: String) -> String? {
        let present = keys.filter { fields.element[$0] != nil }
        if present.count == 1 { return present[0] }
        // A misplaced key or a synonym has already been reported.
        if present.isEmpty,
            fields.element.members.contains(where: {
                isMisplaced($0.key, keys) || isSynonym($0.key, keys)
            })
        {
            return nil
        }
        let names = keys.map { Quoted($0).description }
        let found = present.map { Quoted($0).description }.joined(separator: " and ")
        context.errors.report(
            .binding, at: fields.element.start,
            "a binding needs one \(subject), \(Quantity.alternatives(names)), but has "
                + (present.isEmpty ? "none" : found))
        return nil
    }

    private func isMisplaced(_ key: String, _ keys: [String]) -> Bool {
        keys == PipelineKeys.targets && PipelineKeys.setlistTargets.contains(key)
    }

    private func isSynonym(_ key: String, _ keys: [String]) -> Bool {
        PipelineKeys.key(meantBy: key, in: PipelineKeys.binding).map(keys.contains) ?? false
    }

    // MARK: Targets

    private func action(of fields: Fields) -> Pipeline.Binding.Action? {
        let targets = song == nil ? PipelineKeys.targets : PipelineKeys.setlistTargets
        guard let key = only(of: targets, in: fields, "target"),
            case .present(let name, let element) = fields.text(key)
        else { return nil }
        if key != "to" { reportMovements(fields, of: key) }
        switch key {
        case "to":
            guard let target = target(name, element) else { return nil }
            return MovementCheck(context: context, fields: fields, target: target).action()
        case "scene": return scene(name, element).map { .scene($0) }
        case "song": return song?(name, element).map { .song($0) }
        default: return Pipeline.Binding.Command(rawValue: name).map { .perform($0) }
        }
    }

    private func reportMovements(_ fields: Fields, of key: String) {
        for name in PipelineKeys.movements {
            guard case .present(_, let element) = fields.raw(name) else { continue }
            context.errors.report(
                .binding, at: element.start,
                "\(Quoted(name)) requires \"to\"; this binding has \(Quoted(key))")
        }
    }
}

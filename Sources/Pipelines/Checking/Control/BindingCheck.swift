internal import Processing

/// Checks bindings: each has one trigger, one target, and the keys that fit them.
struct BindingCheck {
    let context: CheckContext
    /// Finds a MIDI input of the file by name; reports an unknown name.
    let port: (String, JSONElement) -> Int?
    /// Resolves an address; reports an address that is not valid.
    let target: (String, JSONElement) -> AddressCheck.Target?
    /// Finds a scene by name; reports an unknown name.
    let scene: (String, JSONElement) -> Int?
    /// Finds an item of a player, such as `fx:2`; reports one that does not exist.
    let cue: (String, JSONElement) -> Pipeline.Binding.Cue?
    /// Finds a song by name, in a setlist only; reports an unknown name.
    var song: ((String, JSONElement) -> Int?)?

    /// Returns the valid bindings, and reports the errors of the others.
    func bindings() -> [Pipeline.Binding] {
        elements.flatMap(bindings)
    }

    /// The binding elements of the file.
    var elements: [JSONElement] {
        context.fields(of: context.document.root).list("midi").value ?? []
    }

    /// Returns the bindings of an element: one for each of its addresses; none if it is not valid.
    func bindings(_ element: JSONElement) -> [Pipeline.Binding] {
        guard case .object = element.content, !context.errors.isFull else { return [] }
        let fields = context.fields(of: element)
        let trigger = trigger(of: fields)
        let source = source(of: fields)
        let actions = actions(of: fields)
        let presses = PressCheck(context: context, fields: fields)
        guard let trigger, !actions.isEmpty else { return [] }
        presses.check(actions, trigger)
        // A binding without its channel or its port would react to the messages of all.
        if context.isTolerant, context.errors.hasError(within: element) { return [] }
        return actions.map { bound in
            Pipeline.Binding(
                trigger: trigger, channel: source.channel, port: source.port,
                action: bound.action, encoding: source.encoding, isFine: source.isFine,
                bank: source.bank, press: presses.press, guardSeconds: presses.guardSeconds,
                taper: bound.taper, wraps: presses.wraps(bound.action))
        }
    }

    /// The keys that select and read the messages of a trigger.
    private struct Source {
        let port: Int?
        let channel: Int?
        let bank: Int?
        let encoding: Pipeline.Binding.Encoding
        let isFine: Bool
    }

    // It is not inlined because Swift 6.3 then stops in its pass CopyPropagation ("Found outside of
    // lifetime use").
    @inline(never)
    private func source(of fields: Fields) -> Source {
        let port = fields.text("port").value.flatMap { name in
            fields.element["port"].flatMap { self.port(name, $0) }
        }
        return Source(
            port: port, channel: fields.whole("channel").value, bank: fields.whole("bank").value,
            encoding: fields.text("encoding").value.flatMap(Pipeline.Binding.Encoding.init)
                ?? .twosComplement,
            isFine: fields.whole("bits").value == 14)
    }

    // MARK: Triggers

    private func trigger(of fields: Fields) -> Pipeline.Binding.Trigger? {
        guard let key = only(of: PipelineKeys.triggers, in: fields, "trigger") else { return nil }
        reportBank(fields, with: key)
        switch key {
        case "cc": return fields.whole(key).value.map { .controller($0) }
        case "note": return fields.whole(key).value.map { .note($0) }
        case "program": return fields.whole(key).value.map { .program($0) }
        case "bend": return isOn(key, fields) ? .bend : nil
        case "pressure": return isOn(key, fields) ? .channelPressure : nil
        case "key-pressure": return fields.whole(key).value.map { .keyPressure($0) }
        default: return computerKey(fields)
        }
    }

    /// Returns whether a trigger without a number is `true`; reports `false`.
    private func isOn(_ key: String, _ fields: Fields) -> Bool {
        guard case .present(let isOn, let element) = fields.toggle(key) else { return false }
        if !isOn {
            context.errors.report(.range, at: element.start, "\(Quoted(key)) must be true")
        }
        return isOn
    }

    private func computerKey(_ fields: Fields) -> Pipeline.Binding.Trigger? {
        for name in PipelineKeys.midiFilters where fields.element[name] != nil {
            context.errors.report(
                .binding, at: fields.offset(of: name),
                "\(Quoted(name)) requires a MIDI event; this binding has \"key\"")
        }
        guard case .present(let name, let element) = fields.text("key") else { return nil }
        if let key = ComputerKey(name) { return .key(key) }
        context.errors.report(
            .range, at: element.start,
            "\"key\" must be a visible ASCII character or the name of a key, such as \"space\", "
                + "not \(Quoted(name))",
            suggestion: context.errors.suggestion(for: name, among: ComputerKey.names))
        return nil
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

    /// Returns the actions of a binding, one for each of its addresses; empty if none is valid.
    private func actions(of fields: Fields) -> [BoundAction] {
        let targets = song == nil ? PipelineKeys.targets : PipelineKeys.setlistTargets
        guard let key = only(of: targets, in: fields, "target") else { return [] }
        if key == "to" { return movements(of: fields) }
        reportMovements(fields, of: key)
        return action(of: fields, key).map { [BoundAction(action: $0, isPressed: true)] } ?? []
    }

    private func action(of fields: Fields, _ key: String) -> Pipeline.Binding.Action? {
        if key == "cycle" { return sceneCycle(of: fields) }
        guard case .present(let name, let element) = fields.text(key) else { return nil }
        switch key {
        case "scene": return scene(name, element).map { .scene($0) }
        case "song": return song?(name, element).map { .song($0) }
        case "cue": return cue(name, element).map { .cue($0) }
        default: return Pipeline.Binding.Command(rawValue: name).map { .perform($0) }
        }
    }

    private func sceneCycle(of fields: Fields) -> Pipeline.Binding.Action? {
        guard case .present(let names, _) = fields.list("cycle") else { return nil }
        let scenes = names.compactMap { element in
            element.string.flatMap { context.errors.isInvalid(element) ? nil : scene($0, element) }
        }
        return scenes.count == names.count ? .cycleScenes(scenes) : nil
    }

    private func movements(of fields: Fields) -> [BoundAction] {
        guard let to = fields.element["to"], !context.errors.isInvalid(to) else { return [] }
        if let name = to.string {
            return movement(of: name, to, fields, fields).map { [$0] } ?? []
        }
        for key in PipelineKeys.addressMovements where fields.element[key] != nil {
            context.errors.report(
                .binding, at: fields.offset(of: key),
                "\(Quoted(key)) belongs to an address of the list, because \"to\" is a list")
        }
        return to.elements.compactMap { entry in
            let own = context.fields(of: entry)
            guard case .present(let name, let element) = own.text("address") else { return nil }
            return movement(of: name, element, own, fields)
        }
    }

    /// Checks the action of one address.
    ///
    /// - Parameters:
    ///   - name: The address.
    ///   - element: The place of the address.
    ///   - own: The keys of the address.
    ///   - fields: The keys of the binding.
    /// - Returns: The action; `nil` if it is not valid.
    private func movement(
        of name: String, _ element: JSONElement, _ own: Fields, _ fields: Fields
    ) -> BoundAction? {
        guard let target = boundTarget(name, element) else { return nil }
        return MovementCheck(
            context: context, fields: fields, own: own, name: name, target: target
        ).action()
    }

    /// Finds the value of the session or of a node that an address names; the names of nodes are
    /// always followed by a dot.
    private func boundTarget(_ name: String, _ element: JSONElement) -> BoundTarget? {
        if let master = MasterValue(rawValue: name) { return BoundTarget(master) }
        if let key = Self.selections[name] {
            context.errors.report(
                .reference, at: element.start,
                "\(Quoted(name)) has no positions; a binding selects it by name with \(key)")
            return nil
        }
        return target(name, element).map(BoundTarget.init)
    }

    /// The addresses of the session that name something, and the keys of bindings that select it.
    private static let selections = [
        "scene": "\"scene\" or \"cycle\"", "song": "\"song\", in a setlist",
    ]

    private func reportMovements(_ fields: Fields, of key: String) {
        for name in PipelineKeys.movements {
            guard case .present(_, let element) = fields.raw(name) else { continue }
            context.errors.report(
                .binding, at: element.start,
                "\(Quoted(name)) requires \"to\"; this binding has \(Quoted(key))")
        }
    }
}

/// A checked action of a binding.
struct BoundAction {
    var action: Pipeline.Binding.Action
    var taper = Pipeline.Binding.Taper.none
    /// Whether a press triggers it; if not, it follows the positions of the control.
    var isPressed: Bool
}

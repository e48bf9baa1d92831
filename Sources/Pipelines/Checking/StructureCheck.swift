/// Checks the values of a document against their shapes: types, keys and ranges, but no names.
struct StructureCheck {
    let document: Document
    let errors: ErrorList
    let types: TypeIndex

    /// Reports all differences between `element`, which messages call `name`, and `shape`.
    func check(_ element: JSONElement, is shape: Shape, name: @autoclosure () -> String) {
        guard !element.isBroken else { return }
        guard shape.admitsType(of: element) else {
            return errors.report(
                .type, at: element.start,
                "\(name()) must be \(shape.expectation), not \(found(element))")
        }
        checkValue(element, is: shape, name: name())
    }

    private func checkValue(
        _ element: JSONElement, is shape: Shape, name: @autoclosure () -> String
    ) {
        switch shape {
        case .text(let form): check(element, hasForm: form, name: name())
        case .choice(let names): check(element, isOneOf: names, shape, name: name())
        case .whole(let range, _): check(element, isWholeIn: range, name: name())
        case .number(let range, let unit):
            guard let value = element.number, !range.contains(value) else { return }
            errors.report(
                .range, at: element.start,
                "\(name()) must be \(Quantity.text(range, unit)), not \(found(element))",
                suggestion: Quantity.seconds(ofMilliseconds: value, in: range, unit))
        case .oneOf(let values):
            guard let value = element.number, !values.contains(where: { Double($0) == value })
            else { return }
            errors.report(
                .range, at: element.start,
                "\(name()) must be \(shape.expectation), not \(found(element))")
        case .list(let shape, let count):
            check(element.elements, areEach: shape, count, of: element, name: name())
        case .map(let form, let shape): check(element.members, haveForm: form, shape, name: name())
        case .object(let table): check(element, against: table)
        case .open(let table, let others):
            check(element.members, haveKeys: table, others, name: name())
        case .node: check(element, against: nodeTable(of: element))
        case .either(let shapes):
            guard let shape = shapes.first(where: { $0.admitsType(of: element) }) else { return }
            checkAlternative(element, is: shape, of: shapes, name: name())
        case .toggle, .scalar: break
        }
    }

    /// Returns the actual value as text for messages.
    func found(_ element: JSONElement) -> String {
        switch element.content {
        case .array: "an array"
        case .object: "an object"
        case .string(let text): Quoted(text).description
        default: document.text(of: element)
        }
    }

    // MARK: Plain values

    private func check(
        _ element: JSONElement, hasForm form: TextForm, name: @autoclosure () -> String
    ) {
        guard let text = element.string else { return }
        if text.utf8.contains(0) {
            errors.report(
                .range, at: element.start, "\(name()) must not contain a NUL character")
        } else if !form.admits(text) {
            errors.report(
                .range, at: element.start,
                "\(name()) \(form.demand)" + (text.isEmpty ? "" : ", not \(found(element))"))
        }
    }

    private func checkAlternative(
        _ element: JSONElement, is shape: Shape, of shapes: [Shape], name: @autoclosure () -> String
    ) {
        if case .choice(let names) = shape {
            check(element, isOneOf: names, .either(shapes), name: name())
        } else {
            checkValue(element, is: shape, name: name())
        }
    }

    private func check(
        _ element: JSONElement, isOneOf names: [String], _ shape: Shape,
        name: @autoclosure () -> String
    ) {
        guard let text = element.string, !names.contains(text) else { return }
        errors.report(
            .range, at: element.start,
            "\(name()) must be \(shape.expectation), not \(found(element))",
            suggestion: errors.suggestion(for: text, among: names))
    }

    private func check(
        _ element: JSONElement, isWholeIn range: ClosedRange<Int>, name: @autoclosure () -> String
    ) {
        guard let value = element.number else { return }
        let isInside = Double(range.lowerBound) <= value && value <= Double(range.upperBound)
        if value.rounded() != value {
            errors.report(
                .type, at: element.start, "\(name()) must be a whole number, not \(found(element))")
        } else if !isInside {
            let allowed = range.count == 1 ? "\(range.lowerBound)" : Quantity.text(range)
            errors.report(
                .range, at: element.start, "\(name()) must be \(allowed), not \(found(element))")
        }
    }

    // MARK: Lists and maps

    private func check(
        _ elements: [JSONElement], areEach shape: Shape, _ count: ClosedRange<Int>,
        of list: JSONElement, name: @autoclosure () -> String
    ) {
        guard elements.count <= count.upperBound else {
            return errors.report(
                elements.count > 1000 ? .limit : .range, at: list.start,
                "\(name()) has \(elements.count) entries; at most \(count.upperBound) are allowed")
        }
        if elements.count < count.lowerBound {
            let least = count.count == 1 ? "" : "at least "
            errors.report(
                .range, at: list.start,
                "\(name()) must have \(least)\(Quantity.entries(count.lowerBound)), "
                    + "not \(elements.count)")
        }
        for element in elements where !errors.isFull {
            check(element, is: shape, name: "each entry of \(name())")
        }
    }

    private func check(
        _ members: [JSONMember], haveForm form: TextForm, _ shape: Shape,
        name: @autoclosure () -> String
    ) {
        for member in members where !errors.isFull {
            check(nameOf: member, hasForm: form, in: name())
            check(member.value, is: shape, name: Quoted(member.key).description)
        }
    }

    private func check(
        _ members: [JSONMember], haveKeys table: KeyTable, _ others: Shape,
        name: @autoclosure () -> String
    ) {
        for member in members where !errors.isFull {
            if let key = table[member.key] {
                check(member.value, is: key.shape, name: Quoted(key.name).description)
            } else {
                check([member], haveForm: .any, others, name: name())
            }
        }
    }

    private func check(
        nameOf member: JSONMember, hasForm form: TextForm, in name: @autoclosure () -> String
    ) {
        let key = member.key
        guard !form.admits(key) || key.utf8.contains(0) else { return }
        let demand = key.utf8.contains(0) ? "must not contain a NUL character" : form.demand
        errors.report(
            .range, at: member.start,
            "a name in \(name()) \(demand)" + (key.isEmpty ? "" : ", not \(Quoted(key))"))
    }

    // MARK: Objects

    private func nodeTable(of element: JSONElement) -> KeyTable {
        guard let type = element["type"]?.string else { return PipelineKeys.anyNode }
        if type == PipelineKeys.pluginType { return PipelineKeys.pluginNode }
        return types.effect(type).map { PipelineKeys.effectNode($0.description) }
            ?? PipelineKeys.anyNode
    }

    private func check(_ element: JSONElement, against table: KeyTable) {
        for member in element.members where !errors.isFull {
            guard let key = table[member.key] else {
                reportUnknown(member, in: table)
                continue
            }
            check(member.value, is: key.shape, name: Quoted(key.name).description)
        }
        for key in table.keys where key.isRequired && element[key.name] == nil {
            errors.report(
                .missingKey, at: element.start,
                "\(table.subject) needs the key \(Quoted(key.name))")
        }
    }

    private func reportUnknown(_ member: JSONMember, in table: KeyTable) {
        let key = Quoted(member.key)
        if PipelineKeys.effectNode.subject == table.subject,
            PipelineKeys.pluginNode[member.key] != nil
        {
            let played = types.effectsWithEvents.map { Quoted($0).description }
            let others =
                member.key == "events" && !played.isEmpty
                ? " and the types " + Quantity.alternatives(played) : ""
            return errors.report(
                .unknownKey, at: member.start,
                "\(key) is only for nodes of the type \"lv2\"" + others)
        }
        if PipelineKeys.binding.subject == table.subject,
            PipelineKeys.setlistBinding[member.key] != nil
        {
            return errors.report(
                .unknownKey, at: member.start, "\(key) is only for bindings in a setlist")
        }
        errors.report(
            .unknownKey, at: member.start, "\(key) is not a key of \(table.subject)",
            suggestion: PipelineKeys.key(meantBy: member.key, in: table)
                ?? errors.suggestion(for: member.key, among: table.names))
    }
}

internal import Processing
internal import Platform

/// Checks how a binding changes a value: range, curve, taper, values, mode and takeover.
struct MovementCheck {
    let context: CheckContext
    /// The keys of the binding.
    let fields: Fields
    /// The keys that belong to the address: in the binding itself, or in an entry of its list.
    let own: Fields
    /// The address as written.
    let name: String
    let target: BoundTarget

    /// The keys that have no meaning for a list of values.
    private static let excludedByValues = [
        "range", "curve", "taper", "mode", "takeover", "encoding", "bits",
    ]

    /// Returns the action; `nil` if a part of it is not valid.
    func action() -> BoundAction? {
        checkPositions()
        if own.element["values"] != nil { return cycle() }
        let mode = fields.text("mode").value.flatMap(Pipeline.Binding.Mode.init) ?? .absolute
        let takeover =
            fields.text("takeover").value.flatMap(Pipeline.Binding.Takeover.init) ?? .jump
        checkTrigger(mode)
        checkEncoding(mode)
        checkBits(mode)
        let taper = taper()
        guard let (from, to) = range(taper) else { return nil }
        return BoundAction(
            action: .move(
                target.value, from: from, to: to, curve: curve(from, to), mode: mode,
                takeover: takeover),
            taper: taper, isPressed: mode == .toggle || target.parameter.isTrigger)
    }

    // MARK: Triggers

    /// Checks that only a controller has the mode `relative`, because only controllers send steps,
    /// and that a computer key has no mode that needs a release.
    private func checkTrigger(_ mode: Pipeline.Binding.Mode) {
        if mode == .relative, fields.element["cc"] == nil {
            context.errors.report(
                .binding, at: fields.offset(of: "mode"),
                "the mode \"relative\" requires a \"cc\": only controllers send steps")
        } else if mode == .momentary, fields.element["key"] != nil {
            context.errors.report(
                .binding, at: fields.offset(of: "mode"),
                "the mode \"momentary\" requires a MIDI event: a terminal reports no releases")
        }
    }

    /// Checks that triggers which send only positions have keys that fit positions.
    private func checkPositions() {
        guard
            let trigger = PipelineKeys.positionTriggers.first(where: { fields.element[$0] != nil })
        else { return }
        if target.parameter.isTrigger {
            context.errors.report(
                .binding, at: fields.offset(of: "to"),
                "\(Quoted(trigger)) moves a value; \(Quoted(name)) is an action")
        }
        for (key, place, allowed) in [
            ("mode", fields, "absolute"), ("takeover", fields, "jump"), ("values", own, ""),
        ] where place.element[key] != nil && place.text(key).value != allowed {
            context.errors.report(
                .binding, at: place.offset(of: key),
                "\(Quoted(key)) does not fit \(Quoted(trigger)), which always moves the value")
        }
    }

    private func checkEncoding(_ mode: Pipeline.Binding.Mode) {
        guard mode != .relative, fields.element["encoding"] != nil else { return }
        context.errors.report(
            .binding, at: fields.offset(of: "encoding"),
            "\"encoding\" requires the mode \"relative\"")
    }

    private func checkBits(_ mode: Pipeline.Binding.Mode) {
        guard fields.whole("bits").value == 14 else { return }
        if !(0...31).contains(fields.whole("cc").value ?? -1) {
            context.errors.report(
                .binding, at: fields.offset(of: "bits"), "14 bits require a \"cc\" of 0…31")
        } else if mode == .relative {
            context.errors.report(
                .binding, at: fields.offset(of: "bits"),
                "the mode \"relative\" requires 7 bits")
        }
    }

    // MARK: Values

    /// Returns the action that selects the values of a list in turn.
    private func cycle() -> BoundAction? {
        for key in Self.excludedByValues {
            let place = own.element[key] == nil ? fields : own
            guard place.element[key] != nil else { continue }
            context.errors.report(
                .binding, at: place.offset(of: key),
                "\(Quoted(key)) and \"values\" cannot be combined")
        }
        if target.parameter.isTrigger {
            context.errors.report(
                .binding, at: own.offset(of: "values"),
                "\"values\" requires a value; \(Quoted(name)) is an action")
        }
        guard case .present(let elements, _) = own.list("values") else { return nil }
        let check = ValueCheck(context: context)
        let values = elements.compactMap {
            check.value($0, of: target.parameter, named: name, isPlugin: target.isPlugin)
        }
        guard values.count == elements.count, !values.isEmpty else { return nil }
        return BoundAction(action: .cycle(target.value, values: values), isPressed: true)
    }

    // MARK: Range

    private func range(_ taper: Pipeline.Binding.Taper) -> (Float, Float)? {
        guard case .present(let ends, _) = own.list("range") else {
            let range = target.range
            if own.list("range").isInvalid { return nil }
            // A volume pedal ends at the unchanged level, not at the largest gain.
            let hasTop = taper == .audio && target.parameter.unit == .decibels
            return (
                range.lowerBound,
                hasTop && range.lowerBound < 0 ? min(range.upperBound, 0) : range.upperBound
            )
        }
        let values = ends.compactMap(end)
        return values.count == 2 ? (values[0], values[1]) : nil
    }

    private func end(_ element: JSONElement) -> Float? {
        guard !context.errors.isInvalid(element), let number = element.number else { return nil }
        let parameter = target.parameter
        guard parameter.range.contains(Float(number)) else {
            context.errors.report(
                .range, at: element.start,
                "\(context.structure.found(element)) is out of range: "
                    + "\(Quoted(name)) must be "
                    + Quantity.text(parameter.range, parameter.unit))
            return nil
        }
        return Float(number)
    }

    // MARK: Curve

    private func curve(_ from: Float, _ to: Float) -> ParameterDescription.Curve {
        guard case .present(let name, let element) = own.text("curve") else {
            let isLogarithmic = target.parameter.kind == .continuous(.logarithmic)
            return isLogarithmic && min(from, to) > 0 ? .logarithmic : .linear
        }
        guard name == "log" else { return .linear }
        if min(from, to) <= 0 {
            context.errors.report(
                .binding, at: element.start,
                "the curve \"log\" requires a range above 0, not "
                    + "\(from.plain) to \(to.plain)")
        }
        return .logarithmic
    }

    private func taper() -> Pipeline.Binding.Taper {
        guard case .present(_, let element) = own.text("taper") else { return .none }
        if own.element["curve"] != nil {
            context.errors.report(
                .binding, at: element.start, "\"taper\" and \"curve\" cannot be combined")
        }
        guard case .continuous = target.parameter.kind else {
            context.errors.report(
                .binding, at: element.start,
                "\"taper\" requires a value that moves continuously; \(Quoted(name)) does not")
            return .none
        }
        return .audio
    }
}

/// A value that a binding moves, as far as the check needs it.
struct BoundTarget {
    let value: Pipeline.Binding.Movable
    let parameter: ParameterDescription
    /// The range of a binding that states none.
    let range: ClosedRange<Float>
    let isPlugin: Bool

    /// Creates a value of a node.
    init(_ target: AddressCheck.Target) {
        value = .node(target.address)
        parameter = target.parameter
        range = target.parameter.range
        isPlugin = target.isPlugin
    }

    /// Creates a value of the whole session.
    init(_ master: MasterValue) {
        value = .master(master)
        parameter = master.parameter
        range = master.boundRange
        isPlugin = false
    }
}

internal import Processing
internal import Platform

/// Checks how a binding changes a value: range, curve, mode and takeover.
struct MovementCheck {
    let context: CheckContext
    let fields: Fields
    let target: AddressCheck.Target

    /// Returns the action; `nil` if a part of it is not valid.
    func action() -> Pipeline.Binding.Action? {
        let mode = fields.text("mode").value.flatMap(Pipeline.Binding.Mode.init) ?? .absolute
        let takeover =
            fields.text("takeover").value.flatMap(Pipeline.Binding.Takeover.init) ?? .jump
        checkTrigger(mode)
        checkEncoding(mode)
        checkBits(mode)
        guard let (from, to) = range() else { return nil }
        return .move(
            target.address, from: from, to: to, curve: curve(from, to), mode: mode,
            takeover: takeover)
    }

    /// Checks that only a controller has the mode `relative`, because only controllers send steps.
    private func checkTrigger(_ mode: Pipeline.Binding.Mode) {
        guard mode == .relative, fields.element["cc"] == nil else { return }
        context.errors.report(
            .binding, at: fields.offset(of: "mode"),
            "the mode \"relative\" requires a \"cc\": only controllers send steps")
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

    // MARK: Range

    private func range() -> (Float, Float)? {
        guard case .present(let ends, _) = fields.list("range") else {
            let range = target.parameter.range
            return fields.list("range").isInvalid ? nil : (range.lowerBound, range.upperBound)
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
                    + "\(Quoted(fields.text("to").value ?? "")) must be "
                    + Quantity.text(parameter.range, parameter.unit))
            return nil
        }
        return Float(number)
    }

    // MARK: Curve

    private func curve(_ from: Float, _ to: Float) -> ParameterDescription.Curve {
        guard case .present(let name, let element) = fields.text("curve") else {
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
}

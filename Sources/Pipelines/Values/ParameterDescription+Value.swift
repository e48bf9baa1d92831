internal import Processing
internal import Platform

extension ParameterDescription {
    /// Returns the value of a scalar in a file; the range must already fit the sample rate.
    ///
    /// A choice is given by name; a plugin's choice can also be given by its number.
    func value(of scalar: Scalar, isPlugin: Bool) -> Result<Float, ValueError> {
        // A trigger of a plugin may be described as a number; `true` is its action, too.
        if isTrigger, case .toggle(let isOn) = scalar { return .success(isOn ? 1 : 0) }
        switch kind {
        case .toggle:
            guard case .toggle(let isOn) = scalar else { return .failure(.type("true or false")) }
            return .success(isOn ? 1 : 0)
        case .choice(let choices):
            return value(of: scalar, among: choices, isPlugin: isPlugin)
        case .integer:
            guard case .number(let number) = scalar, number.rounded() == number else {
                return .failure(.type("a whole number"))
            }
            return inRange(number)
        case .continuous:
            guard case .number(let number) = scalar else { return .failure(.type("a number")) }
            return inRange(number)
        }
    }

    private func inRange(_ number: Double) -> Result<Float, ValueError> {
        // Round to a float first: the ends of the range are floats, and 0.95 as a double differs.
        let value = Float(number)
        guard range.contains(value) else {
            let allowed = Double(range.lowerBound)...Double(range.upperBound)
            return .failure(
                .range(
                    Quantity.text(range, unit),
                    suggestion: isGainFactor
                        ? Quantity.factor(ofDecibels: number, in: allowed)
                        : Quantity.seconds(ofMilliseconds: number, in: allowed, unit)))
        }
        return .success(value)
    }

    private func value(
        of scalar: Scalar, among choices: [Choice], isPlugin: Bool
    ) -> Result<Float, ValueError> {
        let names = choices.map(\.name)
        switch scalar {
        case .text(let name):
            guard let choice = choices.first(where: { $0.name == name }) else {
                return .failure(.choice(.range, names))
            }
            return .success(choice.value)
        case .number(let number) where isPlugin:
            guard let choice = choices.first(where: { $0.value == Float(number) }) else {
                let points = choices.map { $0.value.plain + " (" + $0.name + ")" }
                return .failure(.range(Quantity.alternatives(points)))
            }
            return .success(choice.value)
        case .number, .toggle:
            return .failure(.choice(.type, names))
        }
    }
}

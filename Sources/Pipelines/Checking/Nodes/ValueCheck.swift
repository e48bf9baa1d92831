internal import Processing

/// Checks single values against their descriptions.
struct ValueCheck {
    let context: CheckContext

    /// Returns the value of a parameter; `nil` if it is not valid, which is reported.
    func value(
        _ element: JSONElement, of parameter: ParameterDescription, named name: String,
        isPlugin: Bool
    ) -> Float? {
        accept(element, named: name) { parameter.value(of: $0, isPlugin: isPlugin) }
    }

    /// Returns the value of a setting; `nil` if it is not valid, which is reported.
    func value(_ element: JSONElement, of setting: SettingDescription) -> SettingValue? {
        if case .array = element.content { return list(element, of: setting) }
        return accept(element, named: setting.name) { setting.value(of: $0) }
    }

    private func list(_ element: JSONElement, of setting: SettingDescription) -> SettingValue? {
        guard setting.kind == .playlist else {
            report(.type(setting.kind.expectation), element, setting.name)
            return nil
        }
        guard !context.errors.hasError(within: element) else { return nil }
        return .playlist(
            element.elements.map {
                PlaylistItem(
                    path: $0.string ?? $0["file"]?.string ?? "", gain: $0["gain"]?.number ?? 0)
            })
    }

    private func accept<Value>(
        _ element: JSONElement, named name: String,
        _ check: (Scalar) -> Result<Value, ValueError>
    ) -> Value? {
        guard !context.errors.isInvalid(element), let scalar = Scalar(element) else { return nil }
        switch check(scalar) {
        case .success(let value): return value
        case .failure(let error):
            report(error, element, name)
            return nil
        }
    }

    private func report(_ error: ValueError, _ element: JSONElement, _ name: String) {
        let near = element.string.flatMap {
            error.names.isEmpty ? nil : context.errors.suggestion(for: $0, among: error.names)
        }
        context.errors.report(
            error.code, at: element.start,
            "\(Quoted(name)) must be \(error.expected), not \(context.structure.found(element))",
            suggestion: error.suggestion ?? near)
    }
}

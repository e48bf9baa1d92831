extension PipelineText {
    /// Binds an address, an action, a scene or a song to a control.
    ///
    /// An existing binding of the target changes to the new control, and keeps its other
    /// keys as far as they fit the control. Otherwise a binding is added at the end. Notes and
    /// programs toggle a value, unless the binding has another mode.
    ///
    /// - Parameters:
    ///   - control: The control.
    ///   - address: The text of a `LearnedTarget`.
    /// - Returns: The edited text.
    /// - Throws: `EditError` if the bindings in the text are not an array.
    public func adding(_ control: LearnedTrigger, to address: String) throws(EditError)
        -> PipelineText
    {
        let style = TextStyle(of: document)
        var control = control
        let target = LearnedTarget(address)
        // A press needs no second half.
        if target.needsPresses { control.isFine = false }
        guard let list = document.root["midi"] else {
            let binding = style.text(of: .object(members(control, target)))
            return try adding(text(ofListWith: binding, style), to: document.root, style)
        }
        guard case .array(let bindings) = list.content else {
            throw EditError("\"midi\" is not an array")
        }
        if let old = bindings.first(where: { $0[target.key.rawValue]?.string == target.value }) {
            return try replacing(old, listeningTo: control, style)
        }
        return try adding(style.text(of: .object(members(control, target))), to: list, style)
    }

    private func members(_ control: LearnedTrigger, _ target: LearnedTarget) -> [JSONValue.Member] {
        control.members + [.init(target.key.rawValue, .string(target.value))]
            + (control.hasPositions || target.needsPresses ? [] : [Self.toggle])
    }

    private static let toggle = JSONValue.Member("mode", "toggle")

    /// Returns the key `midi` with one binding, in the line style of the text.
    private func text(ofListWith binding: String, _ style: TextStyle) -> String {
        let key = "\"midi\"" + style.colon
        guard let indentation = style.indentation else {
            return key + "[" + style.padding + binding + style.padding + "]"
        }
        let line = style.newline + indentation
        return key + "[" + line + indentation + binding + line + "]"
    }

    // MARK: Existing bindings

    /// Changes the control of a binding; its other members remain as written.
    private func replacing(
        _ binding: JSONElement, listeningTo control: LearnedTrigger, _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        let old = binding.members
        let kept = old.filter { isKept($0, of: binding, with: control) }
        var texts = control.members.map(style.text)
        texts += kept.map {
            String(decoding: bytes[$0.start..<$0.value.end], as: UTF8.self)
        }
        if !control.hasPositions, binding["to"] != nil,
            !kept.contains(where: { $0.key == "mode" || $0.key == "values" })
        {
            texts.append(style.text(of: Self.toggle))
        }
        guard let first = old.first, let last = old.last else { return self }
        let separator =
            old.count > 1
            ? String(decoding: bytes[first.value.end..<old[1].start], as: UTF8.self) : style.comma
        return try replacing(
            first.start..<last.value.end, with: texts.joined(separator: separator))
    }

    private func isKept(
        _ member: JSONMember, of binding: JSONElement, with control: LearnedTrigger
    ) -> Bool {
        if LearnedTrigger.keys.contains(member.key) { return false }
        if !control.hasPresses, LearnedTrigger.pressKeys.contains(member.key) { return false }
        if !control.mayBeHeld, ["press", "hold", "window"].contains(member.key) { return false }
        let sendsSteps = control.isController && !control.isFine
        let isRelative = binding["mode"]?.string == Pipeline.Binding.Mode.relative.rawValue
        return sendsSteps || !isRelative || (member.key != "mode" && member.key != "encoding")
    }
}

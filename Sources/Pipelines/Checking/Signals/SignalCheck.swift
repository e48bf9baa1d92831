/// Checks the inputs and outputs of a file without the nodes.
struct SignalCheck {
    let context: CheckContext

    /// Returns the inputs or outputs in the order of the file; `nil` if the key has the wrong type.
    ///
    /// - Parameters:
    ///   - key: The key that contains them.
    ///   - standard: The name of the only signal without the key; `nil` for no signal.
    /// - Returns: The signals.
    func drafts(of key: String, standard: String?) -> [SignalDraft]? {
        let root = context.document.root
        switch context.fields(of: root).map(key) {
        case .absent: return standard.map { [.standard($0, offset: root.start)] } ?? []
        case .invalid: return nil
        case .present(let members, _):
            let drafts = members.map { draft($0, isOutput: key == "outputs") }
            if key == "inputs" { checkClocks(of: drafts) }
            return drafts
        }
    }

    private func draft(_ member: JSONMember, isOutput: Bool) -> SignalDraft {
        var draft = SignalDraft(name: member.key, offset: member.start, element: member.value)
        let fields = context.fields(of: member.value)
        guard case .object = member.value.content else { return draft }
        let kind = fields.text("kind")
        draft.kind = kind.value.flatMap(Pipeline.SignalKind.init) ?? .audio
        let channels = fields.whole("channels")
        draft.channels =
            kind.isInvalid || channels.isInvalid ? nil : channels.value ?? 1
        if draft.kind == .midi { checkMIDI(&draft, fields, isOutput: isOutput) }
        draft.hasClock = hasClock(draft, fields)
        draft.latencyMilliseconds = latency(of: draft, fields)
        draft.hasLimiter = draft.kind == .audio && (fields.toggle("limiter").value ?? true)
        draft.connect = connections(fields, channels: draft.kind == .midi ? 1 : draft.channels)
        return draft
    }

    private func hasClock(_ draft: SignalDraft, _ fields: Fields) -> Bool {
        guard case .present(let isOn, let element) = fields.toggle("clock") else { return false }
        guard draft.kind == .audio else { return isOn }
        context.errors.report(
            .reference, at: element.start,
            "\"clock\" is only for MIDI; \(Quoted(draft.name)) is audio")
        return false
    }

    /// Returns the stated latency in ms, which only audio signals have.
    private func latency(of draft: SignalDraft, _ fields: Fields) -> Double? {
        guard case .present(let milliseconds, let element) = fields.number("latency") else {
            return nil
        }
        guard draft.kind == .midi else { return milliseconds }
        context.errors.report(
            .reference, at: element.start,
            "\"latency\" is only for audio; \(Quoted(draft.name)) is MIDI, which is not aligned")
        return nil
    }

    /// Checks that at most one input has a clock, because there is one tempo.
    private func checkClocks(of inputs: [SignalDraft]) {
        let clocks = inputs.filter(\.hasClock)
        for other in clocks.dropFirst() {
            context.errors.report(
                .reference, at: other.element?["clock"]?.start ?? other.offset,
                "the tempo already follows the clock of \(Quoted(clocks[0].name))")
        }
    }

    /// Checks that a MIDI signal has one port and no audio keys.
    private func checkMIDI(_ draft: inout SignalDraft, _ fields: Fields, isOutput: Bool) {
        if case .present(let count, let element) = fields.whole("channels"), count != 1 {
            context.errors.report(
                .channels, at: element.start,
                "a MIDI signal has one port, not \(Quantity.channels(count))")
        }
        draft.channels = 0
        guard isOutput, case .present(_, let element) = fields.raw("limiter") else { return }
        context.errors.report(
            .reference, at: element.start,
            "\"limiter\" is only for audio outputs; \(Quoted(draft.name)) is a MIDI output")
    }

    // MARK: Connections

    private func connections(_ fields: Fields, channels: Int?) -> [Pipeline.ConnectionRule] {
        guard case .present(let rules, let list) = fields.list("connect") else { return [] }
        if let channels, rules.count > channels {
            context.errors.report(
                .channels, at: list.start,
                "\(rules.count) connections for \(Quantity.channels(channels)); give one per channel, "
                    + "or one /regular expression/ that matches several")
        }
        return rules.compactMap(connection)
    }

    private func connection(_ element: JSONElement) -> Pipeline.ConnectionRule? {
        guard !context.errors.isInvalid(element), let text = element.string else { return nil }
        guard !text.isEmpty else { return .nothing }
        guard text.hasPrefix("/") else { return .port(text) }
        guard text.utf8.count > 2, text.hasSuffix("/") else {
            context.errors.report(
                .range, at: element.start,
                "the regular expression \(Quoted(text)) must be enclosed in slashes",
                suggestion: text.utf8.count > 1 ? text + "/" : nil)
            return nil
        }
        let pattern = String(text.dropFirst().dropLast())
        if let reason = ConnectionPattern.error(in: pattern) {
            context.errors.report(
                .range, at: element.start,
                "\(Quoted(text)) is not a regular expression: \(reason)")
        }
        return .pattern(pattern)
    }
}

/// Checks the MIDI messages that scenes and songs send.
struct MessageCheck {
    let context: CheckContext
    /// The outputs of the pipeline that sends the messages.
    let outputs: [Output]

    /// An output of a pipeline.
    struct Output {
        let name: String
        let kind: Pipeline.SignalKind
    }

    /// Returns the valid messages of an object's key `send`, and reports the errors of the others.
    func messages(of object: JSONElement) -> [Pipeline.Message] {
        guard case .present(let elements, let list) = context.fields(of: object).list("send")
        else { return [] }
        let messages = elements.flatMap { parts(of: $0) }
        let bytes = messages.map(\.bytes.count).reduce(0, +)
        if bytes > Pipeline.Message.maximumBytesPerSend {
            context.errors.report(
                .range, at: list.start,
                "\"send\" has \(bytes) bytes; at most \(Pipeline.Message.maximumBytesPerSend) are allowed"
            )
        }
        return messages
    }

    /// Returns the messages of one entry: a program has one or, with its bank, three.
    private func parts(of element: JSONElement) -> [Pipeline.Message] {
        guard case .object = element.content, !context.errors.isFull else { return [] }
        let fields = context.fields(of: element)
        let output = output(of: fields)
        guard let kind = kind(of: fields) else { return [] }
        checkRequirements(fields, of: kind)
        guard let output, !context.errors.hasError(within: element),
            let contents = contents(kind, fields)
        else { return [] }
        let duration = kind == "note" ? fields.number("duration").value : nil
        return contents.map {
            Pipeline.Message(output: output, bytes: $0, noteSeconds: duration)
        }
    }

    private func contents(_ kind: String, _ fields: Fields) -> [[UInt8]]? {
        if kind == "sysex" {
            return fields.text(kind).value.flatMap(SystemExclusive.bytes).map { [$0] }
        }
        let channel = (fields.whole("channel").value ?? 1) - 1
        guard let number = fields.whole(kind).value else { return nil }
        func message(_ status: Int, _ data: Int...) -> [UInt8] {
            [UInt8(status | (channel & 15))] + data.map { UInt8($0 & 127) }
        }
        switch kind {
        case "program":
            let bank = fields.whole("bank").value.map {
                [message(0xB0, 0, $0 >> 7), message(0xB0, 32, $0)]
            }
            return (bank ?? []) + [message(0xC0, number)]
        case "cc":
            return fields.whole("value").value.map { [message(0xB0, number, $0)] }
        default:
            let velocity = fields.whole("velocity").value ?? 100
            return [
                velocity > 0 ? message(0x90, number, velocity) : message(0x80, number, 0)
            ]
        }
    }

    // MARK: Keys

    private func kind(of fields: Fields) -> String? {
        let present = PipelineKeys.messageKinds.filter { fields.element[$0] != nil }
        if present.count == 1 { return present[0] }
        let names = PipelineKeys.messageKinds.map { Quoted($0).description }
        let found = present.map { Quoted($0).description }.joined(separator: " and ")
        context.errors.report(
            .binding, at: fields.element.start,
            "a message needs one of \(Quantity.alternatives(names)), but has "
                + (present.isEmpty ? "none" : found))
        return nil
    }

    private func checkRequirements(_ fields: Fields, of kind: String) {
        for (key, required) in PipelineKeys.messageRequirements.sorted(by: { $0.key < $1.key })
        where required != kind && fields.element[key] != nil {
            report(
                "\(Quoted(key)) requires \(Quoted(required)); this message has \(Quoted(kind))",
                key, fields)
        }
        if kind == "cc", fields.element["value"] == nil {
            context.errors.report(
                .missingKey, at: fields.element.start,
                "a message with \"cc\" needs the key \"value\"")
        }
        if kind == "sysex", fields.element["channel"] != nil {
            report("a system exclusive message has no \"channel\"", "channel", fields)
        }
        if fields.whole("velocity").value == 0, fields.element["duration"] != nil {
            report("a velocity of 0 ends the note, which has no \"duration\"", "duration", fields)
        }
    }

    private func report(_ message: String, _ key: String, _ fields: Fields) {
        context.errors.report(.binding, at: fields.offset(of: key), message)
    }

    // MARK: Ports

    private func output(of fields: Fields) -> Int? {
        guard case .present(let name, let element) = fields.text("port") else { return nil }
        let index = outputs.firstIndex { $0.name == name }
        if let index, outputs[index].kind == .midi { return index }
        context.errors.report(
            .reference, at: element.start,
            index == nil
                ? "there is no MIDI output \(Quoted(name))"
                : "\(Quoted(name)) is an audio output; messages go to a MIDI output",
            suggestion: context.errors.suggestion(
                for: name, among: outputs.filter { $0.kind == .midi }.map(\.name)))
        return nil
    }
}

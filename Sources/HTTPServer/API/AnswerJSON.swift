internal import Pipelines
internal import SessionCore
internal import SessionTexts

/// The members of an answer of the session.
enum AnswerJSON {
    /// Returns the members of an answer, `answer` first.
    ///
    /// - Parameter answer: The answer; `nil` if the session did not answer in time.
    /// - Returns: The members.
    static func members(of answer: Answer?) -> [JSONValue.Member] {
        switch answer {
        case .done?, .description?, .file?, .ports?: members(.done, [])
        case .playing(let song)?: members(.playing, [("song", .string(song))])
        case .preparing(let song)?: members(.preparing, [("song", .string(song))])
        case .pending?: members(.pending, [])
        case .edited(let edit)?: members(.edited, members(of: edit))
        case .notEdited(let refused)?: members(of: refused)
        case .kept(let path)?:
            members(
                .values,
                [("values", .object([.init(SessionCommand.keep.rawValue, .string(path))]))])
        case .compared(let values)?:
            members(.compared, [("values", .string(values.rawValue))])
        case .values(let entries)?:
            members(
                .values,
                [("values", .object(entries.map { .init($0.address, $0.value.json) }))])
        case .reports(let reports)?:
            members(
                .values,
                [("values", .object(reports.map { .init($0.address, $0.value?.json ?? .null) }))])
        case .refused(let message, let suggestion)?: refusal(message, suggestion)
        case nil: refusal("the session does not answer", nil)
        }
    }

    /// Returns the members of a refusal.
    static func refusal(_ message: String, _ suggestion: String?) -> [JSONValue.Member] {
        members(
            .refused,
            [("message", .string(message)), ("suggestion", .optional(suggestion))])
    }

    private static func members(of refused: FileEditRefusal) -> [JSONValue.Member] {
        guard case .conflict = refused.reason else {
            return refusal(refused.message, nil) + details(of: refused)
        }
        return members(.conflict, [("message", .string(refused.message))]) + details(of: refused)
    }

    /// Returns the members with which a program can correct a refused edit: the current tag of
    /// the file, the index of the operation, or the errors that the files would have.
    static func details(of refusal: FileEditRefusal) -> [JSONValue.Member] {
        switch refusal.reason {
        case .conflict(let tag): [.init("tag", .optional(tag?.text))]
        case .impossible(let operation):
            [.init("operation", operation.map { .integer($0) } ?? .null)]
        case .invalid(let diagnostics):
            [.init("diagnostics", .array(diagnostics.map(\.json)))]
        case .unprepared: []
        }
    }

    private static func members(
        _ name: PageAnswerName, _ others: [(String, JSONValue)]
    ) -> [JSONValue.Member] {
        [.init("answer", .string(name.rawValue))] + others.map { .init($0.0, $0.1) }
    }

    private static func members(of edit: FileEdit) -> [(String, JSONValue)] {
        [
            ("kind", .string(edit.kind.name)), ("file", .string(edit.path)),
            ("text", .string(edit.text)), ("tag", .optional(edit.tag?.text)),
        ]
    }
}

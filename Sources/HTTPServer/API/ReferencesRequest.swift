internal import NIOHTTP1
internal import Pipelines
internal import SessionCore

/// A request over HTTP for the patch that changes everything in a file that refers to names.
struct ReferencesRequest {
    /// The largest number of changes in one request.
    private static let mostChanges = 64
    /// A sentence about valid queries.
    static let form =
        "the query must have 1 to \(mostChanges) changes: remove-node, remove-strip, remove-address, remove-scene, "
        + "remove-song, or rename-node, rename-strip, rename-scene, rename-song, rename-signal, each followed by \"to\""

    private let changes: [ReferenceChange]

    /// Reads the changes in the query of a target; `nil` if one of them is not valid.
    init?(query target: String) {
        guard let start = target.firstIndex(of: "?") else { return nil }
        var changes: [ReferenceChange] = []
        var pairs = target[target.index(after: start)...].split(separator: "&")[...]
        while let first = pairs.popFirst() {
            guard let (key, name) = Self.pair(first), changes.count < Self.mostChanges else {
                return nil
            }
            if let change = Self.removal(key, name) {
                changes.append(change)
                continue
            }
            guard let second = pairs.popFirst().flatMap(Self.pair), second.key == "to",
                let change = Self.renaming(key, name, to: second.value)
            else { return nil }
            changes.append(change)
        }
        guard !changes.isEmpty else { return nil }
        self.changes = changes
    }

    private static func pair(_ text: Substring) -> (key: Substring, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let value = PercentCoding.decoded(parts[1]), !value.isEmpty else {
            return nil
        }
        return (parts[0], value)
    }

    private static func removal(_ key: Substring, _ name: String) -> ReferenceChange? {
        switch key {
        case "remove-node": .removeNode(name)
        case "remove-strip": ReferenceChange.Strip(name).map { .removeStrip($0) }
        case "remove-address": .removeAddress(name)
        case "remove-scene": .removeScene(name)
        case "remove-song": .removeSong(name)
        default: nil
        }
    }

    private static func renaming(
        _ key: Substring, _ name: String, to new: String
    ) -> ReferenceChange? {
        switch key {
        case "rename-node": .renameNode(name, to: new)
        case "rename-strip": ReferenceChange.Strip(name).map { .renameStrip($0, to: new) }
        case "rename-scene": .renameScene(name, to: new)
        case "rename-song": .renameSong(name, to: new)
        case "rename-signal": .renameSignal(name, to: new)
        default: nil
        }
    }

    /// Returns the response with the answer of the session that contains the file.
    func response(to answer: Answer?) -> Response {
        guard case .file(let content)? = answer else {
            return PlayedFileRequest.response(to: answer)
        }
        do throws(EditError) {
            let patch = try PipelineText(content.bytes).patch(for: changes)
            let tag = JSONValue.string(content.tag.text).text
            return Response(
                .ok, text: "{\"tag\": \(tag), \"operations\": \(patch.text)}\n",
                type: "application/json; charset=utf-8")
        } catch {
            return .refusal(.unprocessableEntity, error.message)
        }
    }
}

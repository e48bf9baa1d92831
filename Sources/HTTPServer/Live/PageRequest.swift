internal import Pipelines
package import SessionCore

/// A request of a page.
package struct PageRequest {
    /// The number that the answer repeats.
    package let id: Int
    /// The task.
    package let task: Task

    /// The kinds of requests.
    package enum Task: Sendable, Equatable {
        /// Sets a value, if the address has not changed since the revision.
        case set(SessionRequest, address: String, revision: Int)
        /// Asks the session for something that depends on the song and the scene that the page
        /// shows.
        case stage(SessionRequest, revision: Int)
        /// Asks the session for something that does not depend on what the page shows.
        case ask(SessionRequest)
        case snapshot
        /// Frames of meters per second.
        case watch(meters: Int, nodes: Bool, spectrum: String?)
        case ping
        /// The request is not valid, for the given reason.
        case invalid(String)
    }

    /// Parses a message; `nil` if it is not an object with an `id`.
    package init?(parsing text: [UInt8]) {
        guard let root = JSONText.element(text), case .object = root.content,
            let id = root["id"]?.wholeNumber
        else { return nil }
        self.id = id
        task = Self.task(root, text)
    }

    private static func task(_ root: JSONElement, _ text: [UInt8]) -> Task {
        switch root["request"]?.string.flatMap(PageRequestName.init) {
        case .set: set(root)
        case .fade: fade(root)
        case .perform: perform(root)
        case .key: key(root)
        case .get: get(root)
        case .edit: edit(root, text)
        case .connect: connect(root)
        case .snapshot: .snapshot
        case .watch: watch(root)
        case .ping: .ping
        case nil: .invalid("\"request\" must name a request of docs/http.md")
        }
    }

    private static func set(_ root: JSONElement) -> Task {
        guard let address = root["address"]?.string else { return missing("address", "a text") }
        guard let value = root["value"]?.value else { return missingValue }
        guard let revision = root["revision"]?.wholeNumber else { return missingRevision }
        if SessionCommand(rawValue: address) != nil {
            return .invalid("\"\(address)\" is an action; use the request \"perform\"")
        }
        return .set(.set(address, value), address: address, revision: revision)
    }

    private static func fade(_ root: JSONElement) -> Task {
        guard let address = root["address"]?.string else { return missing("address", "a text") }
        guard let value = root["value"]?.value else { return missingValue }
        guard let seconds = root["seconds"]?.number else { return missing("seconds", "a number") }
        guard let revision = root["revision"]?.wholeNumber else { return missingRevision }
        return .set(
            .fade(address, value, seconds: seconds), address: address, revision: revision)
    }

    private static func perform(_ root: JSONElement) -> Task {
        guard let name = root["action"]?.string else { return missing("action", "a text") }
        guard let action = ActionRequest(name, value: root["value"]?.value) else {
            return .invalid("there is no action \"\(name)\"")
        }
        guard action.dependsOnStage else { return .ask(action.request) }
        guard let revision = root["revision"]?.wholeNumber else { return missingRevision }
        return .stage(action.request, revision: revision)
    }

    private static func key(_ root: JSONElement) -> Task {
        root["key"]?.string.map { .ask(.pressKey($0)) } ?? missing("key", "a text")
    }

    private static func get(_ root: JSONElement) -> Task {
        root["address"]?.string.map { .ask(.get($0)) } ?? missing("address", "a text")
    }

    private static func edit(_ root: JSONElement, _ text: [UInt8]) -> Task {
        guard let file = root["file"]?.string else { return missing("file", "a path") }
        guard let tag = root["tag"]?.string else {
            return missing("tag", "the tag of the file that the edit was made on")
        }
        guard let operations = root["operations"] else {
            return missing("operations", "a JSON patch")
        }
        do throws(PatchError) {
            let patch = try JSONPatch(operations, of: text)
            let name = root["name"]?.string ?? ""
            return .ask(
                .edit(FilePatch(file: file, tag: ContentTag(tag), patch: patch, name: name)))
        } catch {
            return .invalid(error.message)
        }
    }

    private static func connect(_ root: JSONElement) -> Task {
        ConnectionRequest(root).map { .ask($0.request) } ?? .invalid(ConnectionRequest.form)
    }

    private static func watch(_ root: JSONElement) -> Task {
        guard let rate = root["meters"]?.wholeNumber, rate <= 30 else {
            return missing("meters", "a whole number from 0 through 30")
        }
        return .watch(
            meters: rate, nodes: root["nodes"]?.bool == true, spectrum: root["spectrum"]?.string)
    }

    private static let missingValue = missing("value", "a number, true, false or a text")
    private static let missingRevision = missing(
        "revision", "the highest revision that the page has received")

    private static func missing(_ key: String, _ expected: String) -> Task {
        .invalid("\"\(key)\" must be \(expected)")
    }
}

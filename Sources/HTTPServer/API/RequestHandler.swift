internal import NIOHTTP1
internal import Pipelines
internal import SessionCore
internal import SessionTexts

/// Carries out requests over HTTP.
///
/// Only the server's thread uses it.
struct RequestHandler {
    /// Receives the answer, now or later.
    typealias Receiver = (Response) -> Void

    private let hub: PageHub
    private let fileRequests: FileRequests
    /// The connection that asks.
    private let owner: ObjectIdentifier
    private let visitor: Visitor
    private let peer: Peer

    init(
        _ hub: PageHub, for owner: ObjectIdentifier, of visitor: Visitor, from peer: Peer
    ) {
        self.hub = hub
        fileRequests = FileRequests(hub)
        self.owner = owner
        self.visitor = visitor
        self.peer = peer
    }

    /// Carries out a request.
    ///
    /// - Parameters:
    ///   - route: The task.
    ///   - head: The header.
    ///   - body: The body.
    ///   - answer: Receives the answer.
    func handle(
        _ route: Route, _ head: HTTPRequestHead, _ body: [UInt8], _ answer: @escaping Receiver
    ) {
        guard !route.methods.isEmpty else {
            return answer(
                route == .malformed
                    ? .refusal(.badRequest, "the path is not valid")
                    : .refusal(.notFound, "there is nothing at this path"))
        }
        guard route.methods.contains(head.method.rawValue) else {
            var response = Response.refusal(
                .methodNotAllowed, "this path has only \(route.methods.joined(separator: ", "))")
            response.headers.add(name: "Allow", value: route.methods.joined(separator: ", "))
            return answer(response)
        }
        let deed = Deed(route, head.method.rawValue)
        let (hub, visitor) = (hub, visitor)
        let check = {
            if let reason = hub.refusal(of: deed, by: visitor) {
                hub.refuse(.forbidden)
                answer(.refusal(.forbidden, reason))
            } else {
                carryOut(route, head, body, answer)
            }
        }
        guard hub.access.permit(of: visitor)?.dependsOnSong(deed) == true else { return check() }
        hub.whenCurrent(check)
    }

    /// Carries out a request that is allowed.
    private func carryOut(
        _ route: Route, _ head: HTTPRequestHead, _ body: [UInt8], _ answer: @escaping Receiver
    ) {
        switch route {
        case .file(let path): answer(hub.assets.response(path, head.headers))
        case .values: readAll(.dump, "values", answer)
        case .reports: readAll(.reports, "reports", answer)
        case .value(let address) where head.method == .PUT: put(address, body, answer)
        case .value(let address): get(address, answer)
        case .action(let name): perform(name, body, answer)
        case .key(let name): ask(.pressKey(name)) { answer(Self.response($0)) }
        case .pipeline: state(answer) { .json(text: $0.text(of: .pipeline)) }
        case .playedFiles: state(answer) { .json(text: $0.text(of: .files)) }
        case .playedFile(let number): handleFile(number, head, body, answer)
        case .library(let number): fileRequests.list(number, answer)
        case .libraryFile: answer(.refusal(.badRequest, "the request has no file"))
        case .templates: fileRequests.listTemplates(answer)
        case .template(let name): fileRequests.readTemplate(name, answer)
        case .presets(let node):
            describe(answer) { fileRequests.listPresets(ofNode: node, in: $0, answer) }
        case .preset(let node, let label):
            describe(answer) {
                fileRequests.savePreset(
                    label, ofNode: node, in: $0, isReplacing: Self.hasQuery("replace", head.uri),
                    answer)
            }
        case .references(let number): findReferences(number, head, answer)
        case .palette: hub.palette.answer(.list, head.headers, answer)
        case .paletteType(let type): hub.palette.answer(.type(type), head.headers, answer)
        case .drawing: draw(answer)
        case .ports: listPorts(answer)
        case .connections where head.method == .POST: connect(body, answer)
        case .connections: state(answer) { .json(text: $0.text(of: .connections)) }
        case .state:
            state(answer) { .json(text: $0.snapshot(access: hub.accessText(of: visitor))) }
        case .access: AccessRequest(hub, visitor).handle(head, body, answer)
        case .pair: PairingRequest(hub, visitor, from: peer).handle(body, answer)
        case .metrics: answer(MetricsText.response(of: hub))
        case .live where hub.pageCount >= hub.limits.pages:
            hub.refuse(.tooMany)
            answer(.refusal(.serviceUnavailable, "there are too many pages"))
        case .live:
            answer(.refusal(.upgradeRequired, "this path is a WebSocket; see docs/http.md"))
        case .unknown, .malformed: break
        }
    }

    // MARK: Reading

    private func state(_ answer: @escaping Receiver, _ body: @escaping (LiveState) -> Response) {
        let hub = hub
        hub.whenCurrent {
            answer(
                hub.state.isCurrent
                    ? body(hub.state)
                    : .refusal(.gatewayTimeout, "the session does not answer"))
        }
    }

    private func draw(_ answer: @escaping Receiver) {
        let hub = hub
        hub.whenCurrent {
            guard let text = hub.drawCurrentSong() else {
                return answer(.refusal(.gatewayTimeout, "the session does not answer"))
            }
            answer(Response(.ok, text: text, type: "image/svg+xml; charset=utf-8"))
        }
    }

    private func describe(
        _ answer: @escaping Receiver, _ use: @escaping (SessionDescription) -> Void
    ) {
        ask(.describe) { result in
            guard case .description(let description)? = result else {
                return answer(Self.response(result))
            }
            use(description)
        }
    }

    /// Returns whether the query of a target has a name without a value.
    private static func hasQuery(_ name: String, _ target: String) -> Bool {
        guard let query = target.firstIndex(of: "?") else { return false }
        return target[target.index(after: query)...].split(separator: "&").contains { $0 == name }
    }

    private func readAll(
        _ request: SessionRequest, _ key: String, _ answer: @escaping Receiver
    ) {
        let hub = hub
        ask(request) { result in
            let members: [JSONValue.Member]
            switch result {
            case .values(let entries)?:
                members = entries.map { .init($0.address, $0.value.json) }
            case .reports(let reports)?:
                members = reports.map { .init($0.address, $0.value?.json ?? .null) }
            default: return answer(Self.response(result))
            }
            answer(
                .json(
                    .object([
                        .init("revision", .integer(hub.state.revision)),
                        .init(key, .object(members)),
                    ])))
        }
    }

    private func get(_ address: String, _ answer: @escaping Receiver) {
        ask(.get(address)) { result in
            guard case .values(let entries)? = result, let entry = entries.first else {
                return answer(Self.response(result, refusedAs: .notFound))
            }
            answer(.json(["address": .string(entry.address), "value": entry.value.json]))
        }
    }

    // MARK: Files

    private func handleFile(
        _ number: String, _ head: HTTPRequestHead, _ body: [UInt8], _ answer: @escaping Receiver
    ) {
        hub.whenFilesKnown {
            guard let request = PlayedFileRequest(number, among: hub.state.files) else {
                return answer(
                    .refusal(
                        .notFound, "there is no file \"\(number)\"",
                        suggestion: "GET /api/files"))
            }
            guard head.method == .PATCH else {
                return ask(request.reading) {
                    var response = PlayedFileRequest.response(to: $0)
                    if Self.hasQuery("download", head.uri) { request.download(&response) }
                    answer(response)
                }
            }
            switch request.editing(head, body) {
            case .success(let edit): ask(edit) { answer(PlayedFileRequest.response(to: $0)) }
            case .failure(let refused): answer(refused.response)
            }
        }
    }

    private func findReferences(
        _ number: String, _ head: HTTPRequestHead, _ answer: @escaping Receiver
    ) {
        hub.whenFilesKnown {
            guard let request = PlayedFileRequest(number, among: hub.state.files) else {
                return answer(
                    .refusal(
                        .notFound, "there is no file \"\(number)\"",
                        suggestion: "GET /api/files"))
            }
            guard let references = ReferencesRequest(query: head.uri) else {
                return answer(.refusal(.badRequest, ReferencesRequest.form))
            }
            ask(request.reading) { answer(references.response(to: $0)) }
        }
    }

    // MARK: Changing

    private func put(_ address: String, _ body: [UInt8], _ answer: @escaping Receiver) {
        guard SessionCommand(rawValue: address) == nil else {
            return answer(
                .refusal(
                    .notFound, "\"\(address)\" is an action, which has no value",
                    suggestion: "POST /api/actions/\(address)"))
        }
        guard let request = Self.request(setting: address, body) else {
            return answer(
                .refusal(
                    .badRequest,
                    "the body must be a number, true, false, a text in quotes, or {\"value\": …, \"over\": seconds}"
                ))
        }
        ask(request) { result in
            switch result {
            case .done?: self.get(address, answer)
            case .refused?: self.explain(result, address, answer)
            default: answer(Self.response(result))
            }
        }
    }

    private static func request(setting address: String, _ body: [UInt8]) -> SessionRequest? {
        guard let root = JSONText.element(body) else { return nil }
        guard case .object = root.content else { return root.value.map { .set(address, $0) } }
        guard let value = root["value"]?.value else { return nil }
        guard let over = root["over"] else { return .set(address, value) }
        guard case .number(let seconds)? = over.value else { return nil }
        return .fade(address, value, seconds: seconds)
    }

    /// Answers a refused value: the address does not exist, or the value is not valid for it.
    private func explain(_ refusal: Answer?, _ address: String, _ answer: @escaping Receiver) {
        ask(.get(address)) { result in
            let exists = if case .values? = result { true } else { false }
            answer(Self.response(refusal, refusedAs: exists ? .unprocessableEntity : .notFound))
        }
    }

    private func perform(_ name: String, _ body: [UInt8], _ answer: @escaping Receiver) {
        let value: Value?
        if body.isEmpty {
            value = nil
        } else {
            value = JSONText.element(body)?.value
            guard value != nil else {
                return answer(
                    .refusal(.badRequest, "the body must be empty, or a number or a text in quotes")
                )
            }
        }
        guard let action = ActionRequest(name, value: value) else {
            return answer(
                .refusal(
                    .notFound, "there is no action \"\(name)\"",
                    suggestion: Nearest.name(to: name, in: SessionCommand.allCases.map(\.rawValue))
                ))
        }
        ask(action.request) { answer(Self.response($0)) }
    }

    private func listPorts(_ answer: @escaping Receiver) {
        ask(.ports(.list)) { result in
            guard case .ports(let ports)? = result else { return answer(Self.response(result)) }
            answer(.json(.array(ports.map(\.jsonWithMetadata))))
        }
    }

    private func connect(_ body: [UInt8], _ answer: @escaping Receiver) {
        guard let root = JSONText.element(body), let connection = ConnectionRequest(root) else {
            return answer(.refusal(.badRequest, ConnectionRequest.form))
        }
        ask(connection.request) { answer(Self.response($0)) }
    }

    // MARK: Answers

    /// Sends a request, and passes its final answer on.
    private func ask(_ request: SessionRequest, _ receive: @escaping (Answer?) -> Void) {
        let isAdmitted = hub.requests.send(request, for: owner, nowSeconds: hub.nowSeconds) {
            switch $0 {
            case .preparing?, .pending?: break
            default: receive($0)
            }
        }
        guard !isAdmitted else { return }
        hub.refuse(.tooMany)
        receive(.refused("too many requests wait for the session", suggestion: nil))
    }

    /// Returns the response with an answer.
    private static func response(
        _ answer: Answer?, refusedAs status: RefusalStatus = .conflict
    ) -> Response {
        switch answer {
        case nil: .refusal(.gatewayTimeout, "the session does not answer")
        case .refused(let message, let suggestion)?:
            .refusal(status, message, suggestion: suggestion)
        default: .json(.object(AnswerJSON.members(of: answer)))
        }
    }
}

extension Response {
    /// Returns an answer with a JSON text.
    fileprivate static func json(text: String) -> Response {
        Response(.ok, text: text + "\n", type: "application/json; charset=utf-8")
    }
}

internal import NIOHTTP1
internal import Pipelines

/// The request that exchanges a code for a key: `{"code": "123456", "name": "phone"}`.
struct PairingRequest {
    /// The time for which a browser keeps the key, in seconds: 400 days, the longest time that
    /// browsers allow.
    private static let cookieSeconds = 400 * 86_400

    private let hub: PageHub
    private let visitor: Visitor
    private let peer: Peer

    /// Creates a request of a visitor.
    init(_ hub: PageHub, _ visitor: Visitor, from peer: Peer) {
        self.hub = hub
        self.visitor = visitor
        self.peer = peer
    }

    /// Carries out the request.
    func handle(_ body: [UInt8], _ answer: @escaping RequestHandler.Receiver) {
        guard visitor != .local else {
            return answer(.refusal(.conflict, "programs on this machine need no pairing"))
        }
        guard let root = JSONText.element(body), let code = root["code"]?.string else {
            return answer(
                .refusal(.badRequest, "the body must be {\"code\": \"…\", \"name\": \"…\"}"))
        }
        let isScript = root["script"]?.bool == true
        let digits = code.filter { $0 != " " }
        let hub = hub
        hub.access.pair(digits, name: root["name"]?.string ?? "", from: peer) { pairing in
            switch pairing {
            case .paired(let device, let key):
                answer(Self.response(device, key, hub.access, isScript: isScript))
            case .refused(let verdict):
                hub.refuse(.wrongCode)
                answer(Self.response(verdict))
            case .failed(let reason): answer(.refusal(.internalServerError, reason))
            }
        }
    }

    private static func response(
        _ device: RemoteDevice, _ key: AccessKey, _ access: RemoteAccess, isScript: Bool
    ) -> Response {
        var members: [JSONValue.Member] = [
            .init("device", .string(device.id)), .init("name", .string(device.name)),
            .init("role", .string(device.permit.role.rawValue)),
            .init("limit", .optional(device.permit.limit)),
        ]
        // A script of a page cannot read the cookie, so the key is not in the body as well.
        if isScript { members.append(.init("key", .string(key.text))) }
        var response = Response.json(.object(members))
        if !isScript {
            response.headers.add(
                name: "Set-Cookie", value: access.cookie(key.text, seconds: cookieSeconds))
        }
        return response
    }

    private static func response(_ verdict: PairingDesk.Verdict) -> Response {
        switch verdict {
        case .paired, .wrong: .refusal(.forbidden, "the code is wrong")
        case .tooMany:
            .refusal(
                .tooManyRequests, "too many wrong codes; ask for a new code on the other machine")
        case .exhausted, .closed:
            .refusal(.forbidden, "no code is valid now; ask for a new code on the other machine")
        }
    }
}

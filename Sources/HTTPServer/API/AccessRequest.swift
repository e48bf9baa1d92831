internal import NIOHTTP1
internal import Pipelines

/// A request of a device about itself: its rights, its name, the end of its pairing.
struct AccessRequest {
    private let hub: PageHub
    private let visitor: Visitor

    /// Creates a request of a visitor.
    init(_ hub: PageHub, _ visitor: Visitor) {
        self.hub = hub
        self.visitor = visitor
    }

    /// Carries out the request.
    func handle(
        _ head: HTTPRequestHead, _ body: [UInt8], _ answer: @escaping RequestHandler.Receiver
    ) {
        guard head.method == .PUT || head.method == .DELETE else {
            let (hub, visitor) = (hub, visitor)
            return hub.whenCurrent { answer(Self.response(hub.accessText(of: visitor))) }
        }
        guard let device = hub.access.device(visitor) else {
            return answer(.refusal(.conflict, "programs on this machine need no pairing"))
        }
        guard head.method == .DELETE else { return rename(device, body, answer) }
        var response = Response.json(["device": .string(device.id), "name": .null])
        response.headers.add(
            name: "Set-Cookie", value: hub.access.cookie("", seconds: 0))
        answer(response)
        hub.access.remove(device.id)
    }

    private func rename(
        _ device: RemoteDevice, _ body: [UInt8], _ answer: RequestHandler.Receiver
    ) {
        guard let name = JSONText.element(body)?["name"]?.string else {
            return answer(.refusal(.badRequest, "the body must be {\"name\": \"…\"}"))
        }
        let clean = RemoteDevice.cleanName(name)
        hub.access.rename(device.id, to: clean)
        answer(.json(["device": .string(device.id), "name": .string(clean)]))
    }

    private static func response(_ text: String) -> Response {
        Response(.ok, text: text + "\n", type: "application/json; charset=utf-8")
    }
}

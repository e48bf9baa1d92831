import HTTPServer
import TestPages
import Testing

@Suite("the reference of the protocol over HTTP")
struct HTTPReferenceTests {
    private static let requests = HTTPDescription.all.filter { $0.kind == .request }

    @Test("the path of each resource leads to this resource", arguments: Resource.allCases)
    func paths(resource: Resource) {
        #expect(Route(resource.rawValue).resource == resource)
    }

    @Test("each resource has exactly the methods of its entries", arguments: Resource.allCases)
    func methods(resource: Resource) {
        let entries = Self.requests.filter { $0.name == resource.rawValue }
        let described = entries.flatMap { $0.methods.split(separator: ", ").map(String.init) }
        #expect(!described.isEmpty)
        #expect(described == resource.route.methods)
    }

    @Test("the server accepts exactly the methods of the reference", arguments: Resource.allCases)
    func server(resource: Resource) throws {
        let served = try ServedPage()
        let described = Self.requests.filter { $0.name == resource.rawValue }
            .flatMap { $0.methods.split(separator: ", ").map(String.init) }
        for method in ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"] {
            let answer = try served.ask(method, resource.rawValue)
            #expect((answer.status == 405) != described.contains(method), "\(method)")
        }
    }

    @Test(
        "states the role of a request",
        arguments: [
            ("/PATH", "GET, HEAD", "none"), ("/api/pair", "POST", "none"),
            ("/api/values", "GET, HEAD", "look"), ("/api/values/ADDRESS", "PUT", "play"),
            ("/api/files/NUMBER", "PATCH", "edit"), ("/api/connections", "POST", "edit"),
        ])
    func roles(path: String, methods: String, role: String) throws {
        let entry = try #require(
            Self.requests.first { $0.name == path && $0.methods == methods })
        #expect(entry.role == role)
    }

    @Test("each figure of the server is in the reference")
    func metrics() throws {
        let served = try ServedPage()
        let text = try served.ask("GET", "/metrics").text
        let shown = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            .compactMap { $0.split(separator: " ").dropFirst(2).first.map(String.init) }
        let described = HTTPDescription.all.filter { $0.kind == .metric }
            .compactMap { $0.name.split(separator: "{").first.map(String.init) }
        #expect(shown.count >= 6)
        for name in shown { #expect(described.contains(name)) }
    }

    @Test("each status, name and code has one entry", arguments: HTTPDescription.Kind.allCases)
    func names(kind: HTTPDescription.Kind) {
        let entries = HTTPDescription.all.filter { $0.kind == kind }
        let keys = entries.map { "\($0.methods) \($0.name)" }
        #expect(!entries.isEmpty && Set(keys).count == keys.count)
        for entry in entries {
            #expect(!entry.meaning.isEmpty && !entry.meaning.hasSuffix("."), "\(entry.name)")
        }
    }
}

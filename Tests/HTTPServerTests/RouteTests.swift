import HTTPServer
import Testing

@Suite struct RouteTests {
    @Test("paths name their tasks")
    func names() {
        #expect(Route("/") == .file("index.html"))
        #expect(Route("/app.js?x=1") == .file("app.js"))
        #expect(Route("/api/values") == .values)
        #expect(Route("/api/values/verb.mix") == .value(address: "verb.mix"))
        #expect(Route("/api/values/a%20b.%C3%BC") == .value(address: "a b.ü"))
        #expect(Route("/api/values/desk.a%2Fb.gain") == .value(address: "desk.a/b.gain"))
        #expect(Route("/api/actions/next-song") == .action("next-song"))
        #expect(Route("/api/keys/space") == .key("space"))
        #expect(Route("/api/drawing") == .drawing)
        #expect(Route("/api/files/1") == .playedFile("1"))
        #expect(Route("/api/files/1/references?remove-node=a") == .references("1"))
        #expect(Route("/api/palette") == .palette)
        #expect(Route("/api/palette/http%3A%2F%2Fx%2Fy") == .paletteType("http://x/y"))
        #expect(Route("/api/ports") == .ports)
        #expect(Route("/api/library/2") == .library("2"))
        #expect(Route("/api/library/2/a%20b/c.wav") == .libraryFile(number: "2", path: "a b/c.wav"))
        #expect(Route("/api/nodes/amp/presets") == .presets(node: "amp"))
        #expect(Route("/api/nodes/a/presets/b/c") == .preset(node: "a", label: "b/c"))
        #expect(Route("/api/nodes/amp") == .unknown)
        #expect(Route("/api/live") == .live)
        #expect(Route("/metrics") == .metrics)
    }

    @Test(
        "a path that is not valid is malformed",
        arguments: [
            "", "index.html", "http://evil.example/", "*", "/%", "/%2", "/%zz", "/a%00b", "/%00",
            "/%ff", "/%c0%af", "/api/values/%ed%a0%80",
        ])
    func malformed(target: String) { #expect(Route(target) == .malformed) }

    @Test(
        "a path never leaves the list of files",
        arguments: [
            "/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
            "/./index.html", "/views/../index.html", "/%5c..%5cwindows", "/index.html/",
            "/Index.html", "/index.html%20",
        ])
    func escapes(target: String) throws {
        // Such a path names a file that the page does not have; see `APITests.pathEscapes`.
        guard case .file(let path) = Route(target) else {
            Issue.record("\(target) is no file")
            return
        }
        #expect(path != "index.html")
    }

    @Test(
        "what is below /api and has no meaning is unknown", arguments: ["/api", "/api/", "/api/x"])
    func unknown(target: String) { #expect(Route(target) == .unknown) }
}

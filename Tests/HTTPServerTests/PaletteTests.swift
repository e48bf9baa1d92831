import HTTPServer
import Synchronization
import TestPages
import Testing

/// The types of nodes, and the references in files, over HTTP.
@Suite struct PaletteTests {
    /// Makes texts as slowly as a test wants.
    private final class Shop: Sendable {
        let made = Mutex<[PaletteRequest]>([])
        let isOpen = Mutex(true)
        let text = Mutex("{\"types\": []}")

        func text(for request: PaletteRequest) -> String? {
            made.withLock { $0.append(request) }
            _ = waitUntil { isOpen.withLock { $0 } }
            return switch request {
            case .list: text.withLock { $0 }
            case .type("urn:a/b c"): "{\"type\": \"x\"}"
            case .type: nil
            }
        }
    }

    private let shop = Shop()
    private let served: ServedPage

    init() throws {
        let shop = shop
        var services = PageServices()
        services.palette = { shop.text(for: $0) }
        served = try ServedPage(services: services)
    }

    @Test("the list has a tag, and is not sent again to a client that has it")
    func list() throws {
        let answer = try served.ask("GET", "/api/palette")
        #expect(answer.status == 200)
        #expect(answer.text == "{\"types\": []}\n")
        #expect(answer.fields["content-type"] == "application/json; charset=utf-8")
        #expect(answer.fields["cache-control"] == "no-cache")
        let tag = try #require(answer.fields["etag"])
        let again = try served.ask("GET", "/api/palette", [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.text.isEmpty)
        #expect(again.fields["etag"] == tag)
        #expect(
            try served.ask("GET", "/api/palette", [("If-None-Match", "\"other\"")]).status == 200)
        // All of them are one list.
        #expect(shop.made.withLock { $0 } == [.list])
        #expect(try served.ask("POST", "/api/palette").status == 405)
    }

    @Test("a type is named by its percent-encoded URI")
    func type() throws {
        let answer = try served.ask("GET", "/api/palette/urn%3Aa%2Fb%20c")
        #expect(answer.text == "{\"type\": \"x\"}\n")
        #expect(try served.ask("GET", "/api/palette/urn:other").status == 404)
    }

    @Test("while a list is made, the server answers other requests")
    func slowList() throws {
        shop.isOpen.withLock { $0 = false }
        let visitor = try #require(Visitor(port: served.port))
        #expect(visitor.send("GET /api/palette HTTP/1.1\r\nHost: \(served.host)\r\n\r\n"))
        #expect(waitUntil { shop.made.withLock { !$0.isEmpty } })
        #expect(try served.ask("GET", "/api/values").status == 200)
        #expect(try served.page().set("gain", "-3") == "done")
        shop.isOpen.withLock { $0 = true }
        #expect(visitor.answer()?.status == 200)
        #expect(try served.ask("GET", "/api/palette").status == 200)
        #expect(shop.made.withLock { $0 } == [.list])
    }
}

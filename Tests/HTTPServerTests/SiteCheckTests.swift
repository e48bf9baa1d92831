import HTTPServer
import Testing

@Suite struct SiteCheckTests {
    private let check = SiteCheck(ListenAddress(host: "127.0.0.1", port: 8080))

    private func verdict(
        host: String = "127.0.0.1:8080", origin: String? = nil, site: String? = nil,
        mode: String? = nil, destination: String? = nil, mayNavigate: Bool = false
    ) -> SiteCheck.Verdict {
        check.verdict(
            SiteCheck.Fields(
                host: [host], origin: origin.map { [$0] } ?? [], fetchSite: site.map { [$0] } ?? [],
                fetchMode: mode.map { [$0] } ?? [],
                fetchDestination: destination.map { [$0] } ?? []),
            mayNavigate: mayNavigate)
    }

    @Test(
        "the server's own names are admitted",
        arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"])
    func ownNames(host: String) {
        #expect(verdict(host: host) == .admitted)
        #expect(verdict(host: host, origin: "http://\(host)") == .admitted)
    }

    @Test(
        "another name is refused, since a foreign site can let it point to this machine",
        arguments: [
            "evil.example:8080", "127.0.0.1", "127.0.0.1:8081", "localhost.evil.example:8080",
            "127.0.0.1.:8080", "127.0.0.2:8080", "[::1]:80", "", "127.0.0.1:8080 ",
        ])
    func foreignHosts(host: String) { #expect(verdict(host: host) == .foreignHost) }

    @Test("a missing or repeated Host, or a repeated Origin, is malformed")
    func repeated() {
        let own = "127.0.0.1:8080"
        for host in [[], [own, own], [own, "evil.example"]] {
            #expect(check.verdict(.init(host: host), mayNavigate: true) == .malformed)
        }
        let origins = ["http://" + own, "http://" + own]
        #expect(
            check.verdict(.init(host: [own], origin: origins), mayNavigate: false) == .malformed)
    }

    @Test(
        "the origin of another site is refused",
        arguments: [
            "http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1",
            "http://127.0.0.1:8081", "http://127.0.0.1:8080.evil.example", "file://", "",
        ])
    func foreignOrigins(origin: String) {
        #expect(verdict(origin: origin) == .foreignSite)
        #expect(verdict(origin: origin, mayNavigate: true) == .foreignSite)
    }

    @Test("a browser's statement that a request comes from another site is respected")
    func fetchMetadata() {
        #expect(verdict(site: "same-origin", mode: "cors") == .admitted)
        #expect(verdict(site: "none", mode: "navigate") == .admitted)
        for site in ["cross-site", "same-site", "strange"] {
            #expect(verdict(site: site, mode: "no-cors", destination: "image") == .foreignSite)
        }
    }

    @Test("a link of another site may lead to the page, but to nothing else, and not in a frame")
    func links() {
        func follow(_ destination: String, mayNavigate: Bool) -> SiteCheck.Verdict {
            verdict(
                site: "cross-site", mode: "navigate", destination: destination,
                mayNavigate: mayNavigate)
        }
        #expect(follow("document", mayNavigate: true) == .admitted)
        #expect(follow("document", mayNavigate: false) == .foreignSite)
        #expect(follow("iframe", mayNavigate: true) == .foreignSite)
    }

    @Test("with other machines, the names of this machine and the connected address are its own")
    func otherMachines() {
        let check = SiteCheck(
            ListenAddress(host: "0.0.0.0", port: 8080), names: ["Stage", "stage.local"])
        func verdict(_ host: String, _ origin: String? = nil) -> SiteCheck.Verdict {
            check.verdict(
                .init(host: [host], origin: origin.map { [$0] } ?? []), mayNavigate: false,
                connected: "192.168.1.2")
        }
        for host in ["stage:8080", "STAGE.local:8080", "192.168.1.2:8080", "127.0.0.1:8080"] {
            #expect(verdict(host) == .admitted)
            #expect(verdict(host, "http://\(host)") == .admitted)
            #expect(verdict(host, "https://\(host)") == .foreignSite)
            #expect(verdict(host, "http://evil.example") == .foreignSite)
        }
        for host in [
            "192.168.1.3:8080", "192.168.1.2", "192.168.1.2:80", "stage.evil.example:8080",
            "192.168.1.2.evil.example:8080", "evil.example:8080", "other.local:8080",
        ] {
            #expect(verdict(host) == .foreignHost, "\(host)")
        }
        #expect(verdict("stage:8080", "http://192.168.1.3:8080") == .foreignSite)
    }

    @Test("with TLS, only https is the server's own scheme, and its usual port may be missing")
    func secure() {
        let check = SiteCheck(ListenAddress(host: "0.0.0.0", port: 443), isSecure: true)
        for (origin, expected) in [
            ("https://10.0.0.7", SiteCheck.Verdict.admitted), ("https://10.0.0.7:443", .admitted),
            ("http://10.0.0.7", .foreignSite), ("http://10.0.0.7:443", .foreignSite),
        ] {
            let fields = SiteCheck.Fields(host: ["10.0.0.7"], origin: [origin])
            #expect(
                check.verdict(fields, mayNavigate: false, connected: "10.0.0.7") == expected)
        }
    }
}

import Glibc
import HTTPServer
import Platform
import TestPages
import TestSignals
import Testing

/// TLS, with OpenSSL in Python as the client.
@Suite struct TLSTests {
    private let folder = ScratchFolder()

    /// Connects, and prints the status, the subject of the verification, and the body.
    private static let client = """
        import ssl, sys, urllib.request
        url, authority = sys.argv[1:]
        context = ssl.create_default_context(cafile=authority or None)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
        try:
            with opener.open(url, timeout=30) as answer:
                print(answer.status, answer.read().decode())
        except Exception as error:
            print("refused", error)
        """

    /// Returns what a program prints.
    private func printed(_ arguments: [String]) -> String {
        var launch = ChildProcess.Launch(arguments)
        launch.output = .pipe
        guard let child = try? ChildProcess(launch) else { return "" }
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let count = read(child.output, &buffer, buffer.count), count > 0 {
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func text(_ name: String) -> String {
        String(decoding: FileBytes.read(folder.file(name), limit: 1 << 20) ?? [], as: UTF8.self)
    }

    private func ask(_ url: String, authority: String = "") -> String {
        printed(["python3", "-c", Self.client, url, authority])
    }

    /// Writes a certificate of OpenSSL and its key into two files, and returns their paths.
    private func make(_ name: String, days: Int = 2) -> (certificate: String, key: String) {
        let (certificate, key) = (folder.file("\(name).pem"), folder.file("\(name)-key.pem"))
        _ = printed([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", certificate, "-days", "\(days)", "-subj",
            "/CN=stage", "-addext", "subjectAltName=IP:127.0.0.1",
        ])
        return (certificate, key)
    }

    private func served(_ certificate: ServerCertificate) throws -> ServedPage {
        try ServedPage(access: AccessOptions(certificate: certificate))
    }

    @Test("a client that trusts the self-made certificate is served, by address and by name")
    func trusted() throws {
        let served = try served(.selfMade(in: folder.path))
        let file = folder.file("page-certificate.pem")
        #expect(served.server.url == "https://\(served.host)/")
        for host in ["127.0.0.1", "localhost"] {
            let answer = ask(
                "https://\(host):\(served.port)/api/values/warm.gain", authority: file)
            #expect(answer.hasPrefix("200 {\"address\""), "\(answer)")
        }
    }

    @Test("a client that does not trust it ends the connection")
    func untrusted() throws {
        let served = try served(.selfMade(in: folder.path))
        let answer = ask("https://127.0.0.1:\(served.port)/api/values")
        #expect(answer.contains("CERTIFICATE_VERIFY_FAILED"), "\(answer)")
    }

    @Test("a browser that asks without TLS is led to the URL with TLS, and sees nothing else")
    func plain() throws {
        let served = try served(.selfMade(in: folder.path))
        let answer = try served.ask("GET", "/api/values", host: "evil.example")
        #expect(answer.status == 307)
        #expect(answer.fields["location"] == "https://127.0.0.1:\(served.port)/")
        #expect(answer.body.isEmpty)
    }

    @Test("bytes that are no handshake end the connection, and the server serves on")
    func nonsense() throws {
        let served = try served(.selfMade(in: folder.path))
        for count in [1, 5, 3000] {
            let visitor = try #require(Visitor(port: served.port))
            visitor.send([22] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            if count > 5 { #expect(visitor.waitsForClose()) }
        }
        let answer = ask(
            "https://127.0.0.1:\(served.port)/api/values",
            authority: folder.file("page-certificate.pem"))
        #expect(answer.hasPrefix("200 "))
    }

    @Test("a given certificate is used, with the key in the same or in another file")
    func given() throws {
        let made = make("given")
        let served = try served(ServerCertificate(path: made.certificate, keyPath: made.key))
        let url = "https://127.0.0.1:\(served.port)/api/values"
        #expect(ask(url, authority: made.certificate).hasPrefix("200 "))

        let joined = folder.file("joined.pem")
        folder.write(text("given.pem") + text("given-key.pem"), to: "joined.pem")
        let certificate = try ServerCertificate(path: joined)
        let shown = printed([
            "openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", joined,
        ])
        #expect(shown.contains("=\(certificate.fingerprint)\n"))
        #expect(!certificate.hasExpired)
    }

    @Test("each file that cannot be used is named, with the reason")
    func refused() {
        let (made, other) = (make("made"), make("other"))
        folder.write("nothing", to: "empty.pem")
        let cases: [(String, String?, String)] = [
            (folder.file("missing.pem"), nil, "missing.pem cannot be read"),
            (folder.file("empty.pem"), nil, "empty.pem contains no certificate"),
            (made.certificate, nil, "made.pem contains no private key"),
            (made.certificate, folder.file("gone.pem"), "gone.pem cannot be read"),
            (made.certificate, folder.file("empty.pem"), "empty.pem contains no private key"),
            (
                made.certificate, other.key,
                "other-key.pem does not belong to the certificate in \(made.certificate)"
            ),
        ]
        for (path, key, reason) in cases {
            let error = #expect(throws: CertificateError.self) {
                try ServerCertificate(path: path, keyPath: key)
            }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }

    @Test("a self-made certificate is private, stays the same, and is replaced before its end")
    func kept() throws {
        let path = folder.file("page-certificate.pem")
        let first = try ServerCertificate.selfMade(in: folder.path)
        #expect(try ServerCertificate.selfMade(in: folder.path).fingerprint == first.fingerprint)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)

        let old = make("old", days: 10)
        folder.write(text("old.pem") + text("old-key.pem"), to: "page-certificate.pem")
        let next = try ServerCertificate.selfMade(in: folder.path)
        #expect(
            try next.fingerprint
                != ServerCertificate(path: old.certificate, keyPath: old.key)
                .fingerprint)
        #expect(next.fingerprint != first.fingerprint)
        let text = printed([
            "openssl", "x509", "-noout", "-checkend", "\(800 * 86_400)", "-in", path,
        ])
        #expect(text == "Certificate will not expire\n")
    }
}

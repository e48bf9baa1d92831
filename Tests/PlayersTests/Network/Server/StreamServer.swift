import TestSignals

/// A local web server that misbehaves as requested by the address; see `server.py`.
final class StreamServer {
    private let program: ChildProgram
    private let base: String
    /// The port on which the server listens.
    let port: Int

    /// Serves the material; an encrypted server uses a self-signed, untrusted certificate.
    init(isEncrypted: Bool = false, certificate name: String = "certificate.pem") {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let certificate = isEncrypted ? [StreamMaterial.shared.folder.file(name)] : []
        program = ChildProgram(
            ["python3", "/\(folder)/server.py", StreamMaterial.shared.folder.path] + certificate)
        guard let port = program.line().flatMap({ Int($0) }) else {
            fatalError("the server does not start")
        }
        self.port = port
        base = (isEncrypted ? "https" : "http") + "://127.0.0.1:\(port)/"
    }

    /// Returns the address of a file, with options for the server.
    func address(_ path: String) -> String { base + path }

    /// The requests so far, one per line.
    var requests: [String] { program.linesSoFar() }
}
